// What a kernel that is to be executed in regions, each of them twice, has in
// it: accesses, barriers, places where it ends; and what cannot be done twice.
//
// A region is the way from one barrier of the block to the next.  What orders
// threads in another way, or gives another answer when it is asked again, is
// refused by its name: named barriers, clocks.  Of fences, and atomics that
// order other accesses, order.c says which do something.

#include "runtime/values/cutting.h"

#include "llvm/keep.h"

#include <string.h>

static void add(Cutting *cutting, Instructions *list, LLVMValueRef i) {
  push(&cutting->task->arena, list, i);
}

// --------------------------------------------------------------- pointers ---

static bool is_constant_variable(LLVMValueRef source) {
  return LLVMIsAGlobalVariable(source) && LLVMIsGlobalConstant(source);
}

// An array of the thread's own, or a struct that it was given.
static bool is_local(const Cutting *cutting, LLVMValueRef source) {
  bool is_struct = false;
  for (unsigned i = 0; i < LLVMCountParams(cutting->kernel); i++)
    is_struct |= LLVMGetParam(cutting->kernel, i) == source &&
                 jit_by_value(cutting->kernel, i);
  return LLVMIsAAllocaInst(source) || is_struct;
}

static PointsTo of_source(const Cutting *cutting, LLVMValueRef source) {
  return is_local(cutting, source) || is_constant_variable(source)
             ? POINTS_OWN
             : POINTS_OTHER;
}

static bool is_pointer(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

// Have both parts of a struct something in common?
static bool meets(LLVMValueRef a, LLVMValueRef b) {
  unsigned depth = LLVMGetNumIndices(a), other = LLVMGetNumIndices(b);
  return !memcmp(LLVMGetIndices(a), LLVMGetIndices(b),
                 (depth < other ? depth : other) * sizeof *LLVMGetIndices(a));
}

// Where a pointer comes from, also if a struct that is a value held it, such as
// a function gives back.
static LLVMValueRef origin(LLVMValueRef pointer) {
  LLVMValueRef source = jit_source(pointer);
  if (!LLVMIsAExtractValueInst(source))
    return source;
  LLVMValueRef held = LLVMGetOperand(source, 0);
  while (LLVMIsAInsertValueInst(held) && !meets(held, source))
    held = LLVMGetOperand(held, 0);
  return LLVMIsAInsertValueInst(held) && is_pointer(LLVMGetOperand(held, 1))
             ? origin(LLVMGetOperand(held, 1))
             : source;
}

// The sources of a pointer that is chosen among several.
static void add_choices(Task *task, Instructions *open, ValueTable *seen,
                        LLVMValueRef value) {
  if (table_get(seen, value))
    return;
  table_put(task, seen, value, value);
  push(&task->arena, open, value);
}

static void follow(Task *task, Instructions *open, ValueTable *seen,
                   LLVMValueRef source) {
  bool is_select = LLVMIsASelectInst(source);
  unsigned count = is_select ? 2 : LLVMCountIncoming(source);
  for (unsigned i = 0; i < count; i++)
    add_choices(task, open, seen,
                origin(is_select ? LLVMGetOperand(source, i + 1)
                                 : LLVMGetIncomingValue(source, i)));
}

Instructions cutting_sources(Task *task, LLVMValueRef pointer) {
  Instructions open = {0}, sources = {0};
  ValueTable seen = {0};
  add_choices(task, &open, &seen, origin(pointer));
  while (open.count) {
    LLVMValueRef source = open.at[--open.count];
    if (LLVMIsASelectInst(source) || LLVMIsAPHINode(source))
      follow(task, &open, &seen, source);
    else
      push(&task->arena, &sources, source);
  }
  return sources;
}

PointsTo cutting_points_to(Cutting *cutting, LLVMValueRef instruction,
                           LLVMValueRef pointer) {
  Instructions sources = cutting_sources(cutting->task, pointer);
  PointsTo found = POINTS_NOWHERE;
  for (size_t i = 0; i < sources.count; i++) {
    PointsTo one = of_source(cutting, sources.at[i]);
    if (found != POINTS_NOWHERE && found != one)
      REFUSE(cutting, instruction,
             "this may be an array of the thread's own or another one");
    found = one;
  }
  return found;
}

static bool may_be_local(const Cutting *cutting, LLVMValueRef pointer) {
  Instructions sources = cutting_sources(cutting->task, pointer);
  for (size_t i = 0; i < sources.count; i++)
    if (is_local(cutting, sources.at[i]))
      return true;
  return false;
}

// ------------------------------------------------------------------ calls ---

static bool begins(const char *text, const char *with) {
  return !strncmp(text, with, strlen(with));
}

static bool is_of_warp(const char *name) {
  return begins(name, "llvm.nvvm.shfl") || begins(name, "llvm.nvvm.vote") ||
         begins(name, "llvm.nvvm.bar.warp") ||
         begins(name, "llvm.nvvm.match") || begins(name, "llvm.nvvm.redux") ||
         begins(name, "__gpuverify_match") ||
         begins(name, "__gpuverify_shfl") ||
         begins(name, "llvm.nvvm.activemask");
}

static bool is_clock(const char *name) {
  return strstr(name, "clock") || strstr(name, "cyclecounter") ||
         strstr(name, "globaltimer");
}

// It may access memory.
static bool takes_address(LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) ==
        LLVMPointerTypeKind)
      return true;
  return false;
}

// Can it be called twice, and would give the same?
static bool is_repeatable(Task *task, LLVMValueRef call, const char *name) {
  const Builtin *builtin = builtin_find(task, name);
  switch (builtin ? builtin->how : HOW_UNKNOWN) {
  case HOW_PLAIN:
    return !takes_address(call);
  case HOW_PURE:
  case HOW_OWN:
  case HOW_NOTHING:
  case HOW_FIELD:
    return true;
  case HOW_CALL:
    return !is_clock(name) && (library_find(name) || begins(name, "llvm.") ||
                               begins(name, "__assert"));
  case HOW_AT:
  case HOW_CHECK:
    return begins(name, "__assert") || begins(name, "llvm.trap") ||
           begins(name, "llvm.nvvm.nanosleep");
  case HOW_FREE:
  case HOW_BARRIER:
  case HOW_VOTE:
  case HOW_FENCE:
  case HOW_ATOMIC:
  case HOW_WORD:
  case HOW_PEEK:
  case HOW_MAKE:
  case HOW_COPY:
  case HOW_GATHER:
  case HOW_SCATTER:
  case HOW_LOAD:
  case HOW_VLOAD:
  case HOW_VSTORE:
  case HOW_UNKNOWN:
    break;
  }
  return false;
}

static void survey_transfer(Cutting *cutting, LLVMValueRef call) {
  add(cutting, &cutting->accesses, call);
  if (LLVMGetNumArgOperands(call) > 3 &&
      LLVMConstIntGetZExtValue(LLVMGetOperand(call, 3)))
    REFUSE(cutting, call, "a volatile copy is not executed twice");
}

// Of a string that is printed the text is read from memory itself, where
// nothing is of what threads have written since the last barrier.
static void refuse_strings(Cutting *cutting, LLVMValueRef call,
                           LLVMValueRef arguments) {
  for (LLVMUseRef use = LLVMGetFirstUse(arguments); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool is_store =
        LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == arguments;
    LLVMValueRef value = is_store ? LLVMGetOperand(user, 0) : NULL;
    if (LLVMIsAGetElementPtrInst(user))
      refuse_strings(cutting, call, user);
    else if (value &&
             LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind &&
             !is_constant_variable(jit_source(value)))
      REFUSE(cutting, call,
             "a string that is printed may be written by threads");
  }
}

static bool may_print_strings(LLVMValueRef format) {
  LLVMValueRef variable = jit_source(format);
  LLVMValueRef text =
      is_constant_variable(variable) ? LLVMGetInitializer(variable) : NULL;
  size_t length = 0;
  if (!text || !LLVMIsAConstantDataArray(text) || !LLVMIsConstantString(text))
    return true;
  const char *at = LLVMGetAsString(text, &length), *end = at + length;
  for (bool is_inside = false; at < end; at++) {
    if (is_inside && *at == 's')
      return true;
    is_inside =
        is_inside ? strchr("0123456789.-+ #*lhzjt", *at) && *at : *at == '%';
  }
  return false;
}

static void survey_print(Cutting *cutting, LLVMValueRef call) {
  add(cutting, &cutting->prints, call);
  cutting->has_records |= LLVMGetFirstUse(call) != NULL;
  if (may_print_strings(LLVMGetOperand(call, 0)))
    refuse_strings(cutting, call, jit_source(LLVMGetOperand(call, 1)));
}

static bool is_barrier(Task *task, const char *name) {
  const Builtin *builtin = builtin_find(task, name);
  return builtin && (builtin->how == HOW_BARRIER || builtin->how == HOW_VOTE);
}

static bool is_atomic(Task *task, const char *name) {
  const Builtin *builtin = builtin_find(task, name);
  return builtin && builtin->how == HOW_ATOMIC;
}

static bool is_fence(Task *task, const char *name) {
  const Builtin *builtin = builtin_find(task, name);
  return builtin && builtin->how == HOW_FENCE;
}

static void survey_call(Cutting *cutting, LLVMValueRef call) {
  const char *name = jit_declared(call);
  Task *task = cutting->task;
  if (!name)
    REFUSE(cutting, call,
           "a function that is recursive, or called through a pointer, is not "
           "cut into regions");
  if (llvm_is_lifetime(call))
    add(cutting, &cutting->lifetimes, call);
  else if (llvm_transfer(call))
    survey_transfer(cutting, call);
  else if (is_barrier(task, name) && begins(name, "llvm.") &&
           jit_is_for_all(call))
    add(cutting, &cutting->barriers, call);
  else if (!strcmp(name, "vprintf"))
    survey_print(cutting, call);
  else if (is_atomic(task, name))
    cutting_survey_atomic(cutting, call);
  else if (is_fence(task, name))
    add(cutting, &cutting->fences, call);
  else if (is_of_warp(name))
    cutting->has_warps = true;
  else if (cutting_survey_async(cutting, call, name))
    return;
  else if (!is_repeatable(task, call, name))
    REFUSE(cutting, call, "'%s' is not executed twice", plain_name(task, name));
}

// ----------------------------------------------------------- instructions ---

static void survey_access(Cutting *cutting, LLVMValueRef i, unsigned operand) {
  LLVMValueRef pointer = LLVMGetOperand(i, operand);
  if (cutting_points_to(cutting, i, pointer) != POINTS_OTHER)
    return;
  if (LLVMGetOrdering(i) || LLVMGetVolatile(i))
    cutting_survey_atomic(cutting, i);
  else if (!(cutting->are_apart && LLVMIsALoadInst(i) &&
             cutting_is_calm(cutting, pointer)))
    add(cutting, &cutting->accesses, i);
}

// Then what is loaded may be its address.
static void refuse_escape(Cutting *cutting, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  if (is_pointer(value) && may_be_local(cutting, value))
    REFUSE(cutting, store, "the address of a local array is stored");
}

// Is each pointer that the struct holds taken out of it by itself?
static bool is_taken_apart(LLVMValueRef held) {
  for (LLVMUseRef use = LLVMGetFirstUse(held); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(user));
    bool is_changed =
        LLVMIsAInsertValueInst(user) && LLVMGetOperand(user, 1) != held;
    bool is_part = LLVMIsAExtractValueInst(user) &&
                   kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind;
    if (is_changed ? !is_taken_apart(user) : !is_part)
      return false;
  }
  return true;
}

static void refuse_held(Cutting *cutting, LLVMValueRef i) {
  LLVMValueRef value = LLVMGetOperand(i, 1);
  if (is_pointer(value) && may_be_local(cutting, value) && !is_taken_apart(i))
    REFUSE(cutting, i, "the address of a local array is kept in a struct");
}

static bool computes(LLVMValueRef i) {
  return LLVMIsABinaryOperator(i) || LLVMIsATruncInst(i) ||
         LLVMIsAZExtInst(i) || LLVMIsAPHINode(i) || LLVMIsASelectInst(i);
}

// No address is made of the number, nor is it kept where one might be: it is
// compared at last, as by those who look whether an address is aligned.
static bool is_only_compared(Task *task, LLVMValueRef number,
                             ValueTable *seen) {
  for (LLVMUseRef use = LLVMGetFirstUse(number); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAICmpInst(user) || table_get(seen, user))
      continue;
    table_put(task, seen, user, user);
    if (!computes(user) || !is_only_compared(task, user, seen))
      return false;
  }
  return true;
}

// A number says nothing of whose memory it is.
static void refuse_number(Cutting *cutting, LLVMValueRef i) {
  ValueTable seen = {0};
  if (may_be_local(cutting, LLVMGetOperand(i, 0)) &&
      !is_only_compared(cutting->task, i, &seen))
    REFUSE(cutting, i, "the address of a local array becomes a number");
}

static void survey_local(Cutting *cutting, LLVMValueRef i) {
  if (!LLVMIsAConstantInt(LLVMGetOperand(i, 0)))
    REFUSE(cutting, i, "a local array has no fixed size");
  add(cutting, &cutting->locals, i);
}

// Is it read, and nothing else?
static bool is_only_read(LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool is_copied = LLVMIsACallInst(user) &&
                     llvm_transfer(user) == TRANSFER_COPY &&
                     LLVMGetOperand(user, 0) != pointer;
    bool is_step = LLVMIsAGetElementPtrInst(user);
    if (is_step ? !is_only_read(user) : !LLVMIsALoadInst(user) && !is_copied)
      return false;
  }
  return true;
}

// A struct is the thread's own, and may be changed as a local array is.
static void survey_parameters(Cutting *cutting) {
  for (unsigned i = 0; i < LLVMCountParams(cutting->kernel); i++) {
    LLVMValueRef parameter = LLVMGetParam(cutting->kernel, i);
    if (jit_by_value(cutting->kernel, i) && !is_only_read(parameter))
      add(cutting, &cutting->structs, parameter);
  }
}

// Who leaves returns.
static bool leaves(LLVMValueRef i) {
  const char *name = LLVMIsACallInst(i) ? jit_declared(i) : NULL;
  return name &&
         (!strcmp(name, "llvm.nvvm.exit") || !strcmp(name, "__gpuverify_exit"));
}

static void return_where_threads_leave(Cutting *cutting) {
  Instructions exits = {0};
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(cutting->kernel); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (leaves(i))
        add(cutting, &exits, i);
  for (size_t i = 0; i < exits.count; i++) {
    LLVMPositionBuilderAtEnd(cutting->builder, llvm_split_before(exits.at[i]));
    LLVMBuildRetVoid(cutting->builder);
    LLVMInstructionEraseFromParent(exits.at[i]);
  }
}

static void survey_instruction(Cutting *cutting, LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMLoad:
    survey_access(cutting, i, 0);
    break;
  case LLVMStore:
    refuse_escape(cutting, i);
    survey_access(cutting, i, 1);
    break;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    cutting_survey_atomic(cutting, i);
    break;
  case LLVMFence:
    add(cutting, &cutting->fences, i);
    break;
  case LLVMCallBr:
    REFUSE(cutting, i, "assembly is not executed twice");
    break;
  case LLVMIndirectBr: // blocks whose addresses are kept are not cut
    REFUSE(cutting, i, "a computed goto is not executed twice");
    break;
  case LLVMCall:
    survey_call(cutting, i);
    break;
  case LLVMAlloca:
    survey_local(cutting, i);
    break;
  case LLVMPtrToInt:
    refuse_number(cutting, i);
    break;
  case LLVMInsertValue:
  case LLVMInsertElement:
    refuse_held(cutting, i);
    break;
  case LLVMRet:
    add(cutting, &cutting->returns, i);
    break;
  default:
    break;
  }
}

void cutting_survey(Cutting *cutting) {
  return_where_threads_leave(cutting);
  llvm_fold_branches(cutting->kernel); // also drops what no way comes to
  survey_parameters(cutting);
  cutting_find_written(cutting);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(cutting->kernel); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      survey_instruction(cutting, i);
  cutting_refuse_order(cutting);
}
