// Recursion whose depth constants decide.
//
// What calls itself cannot be inlined once and for all.  But a call with a
// constant among its arguments can: LLVM's inliner puts the constant in,
// computes what follows from it, and leaves out the ways that are then not
// taken.  The calls in what it leaves have constants again, or are gone:
//
//     log2(8)  is  1 + log2(4)  is  1 + 1 + log2(2)  ..
//
// So that always-inline does not take the function for recursive, the calls of
// recursive functions in all bodies are calls of stand-ins without a body, and
// each round gives those in kernels that have a constant back.  Only whole
// bodies take the places of calls, so what is left has every access that the
// program has.  What no constant ends goes on up to a limit, and what is left
// then is a call of the function as before, of which the translation says that
// it is recursive.

#include "llvm/core.h"

#include <string.h>

enum { MOST_LEVELS = 128, MOST_INSTRUCTIONS = 1 << 15 };

static const char endless_mark[] = "gpuverify-endless";

static const LLVMAttributeIndex of_function =
    (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

typedef struct Recursive {
  LLVMValueRef function;
  const char *stand_in; // its name: it is dropped while nobody calls it
  size_t size;          // instructions
} Recursive;

typedef Vec(LLVMValueRef) Calls;

typedef struct Unfolding {
  Task *task;
  LLVMModuleRef module;
  Vec(Recursive) functions;
} Unfolding;

// -------------------------------------------------------------- the calls ---

static void set_called(LLVMValueRef call, LLVMValueRef function) {
  LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, function);
}

static void find_calls(Task *task, LLVMValueRef function, Calls *calls) {
  for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function &&
        !llvm_is_left_open(user))
      push(&task->arena, calls, user);
  }
}

static size_t instructions_in(LLVMValueRef function) {
  size_t count = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      count++;
  return count;
}

// ------------------------------------------------------------- stand-ins ---

static LLVMValueRef stand_in(const Unfolding *unfolding, const Recursive *r) {
  LLVMValueRef found = LLVMGetNamedFunction(unfolding->module, r->stand_in);
  return found ? found
               : LLVMAddFunction(unfolding->module, r->stand_in,
                                 LLVMGlobalGetValueType(r->function));
}

// Behind inlining who is still called is recursive, or cannot be inlined at
// all.
static void find_functions(Unfolding *unfolding) {
  Task *task = unfolding->task;
  for (LLVMValueRef f = LLVMGetFirstFunction(unfolding->module); f;
       f = LLVMGetNextFunction(f)) {
    Calls calls = {0};
    size_t length = 0;
    if (LLVMIsDeclaration(f) || llvm_is_kernel(f) || llvm_is_replaceable(f))
      continue;
    find_calls(task, f, &calls);
    if (!calls.count)
      continue;
    Recursive r = {.function = f,
                   .stand_in =
                       arena_printf(&task->arena, "__gpuverify_again.%s",
                                    LLVMGetValueName2(f, &length)),
                   .size = instructions_in(f)};
    push(&task->arena, &unfolding->functions, r);
  }
}

// A function is kept although nobody calls it just now.
static void put_stand_ins(const Unfolding *unfolding) {
  for (size_t i = 0; i < unfolding->functions.count; i++) {
    const Recursive *r = &unfolding->functions.at[i];
    Calls calls = {0};
    find_calls(unfolding->task, r->function, &calls);
    LLVMSetLinkage(r->function, LLVMExternalLinkage);
    for (size_t k = 0; k < calls.count; k++)
      set_called(calls.at[k], stand_in(unfolding, r));
  }
}

static void mark_endless(LLVMModuleRef module, LLVMValueRef call) {
  LLVMAttributeRef mark =
      LLVMCreateStringAttribute(LLVMGetModuleContext(module), endless_mark,
                                (unsigned)strlen(endless_mark), "", 0);
  LLVMAddCallSiteAttribute(call, of_function, mark);
}

bool llvm_is_endless(LLVMValueRef call) {
  return LLVMGetCallSiteStringAttribute(call, of_function, endless_mark,
                                        strlen(endless_mark));
}

static bool has_constant(LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (LLVMIsAConstantInt(LLVMGetOperand(call, i)))
      return true;
  return false;
}

static void take_stand_ins_away(const Unfolding *unfolding) {
  for (size_t i = 0; i < unfolding->functions.count; i++) {
    const Recursive *r = &unfolding->functions.at[i];
    LLVMValueRef function =
        LLVMGetNamedFunction(unfolding->module, r->stand_in);
    Calls calls = {0};
    LLVMSetLinkage(r->function, LLVMInternalLinkage);
    find_calls(unfolding->task, function, &calls);
    for (size_t k = 0; k < calls.count; k++) {
      set_called(calls.at[k], r->function);
      if (has_constant(calls.at[k]))
        mark_endless(unfolding->module, calls.at[k]);
    }
    if (function)
      LLVMDeleteFunction(function);
  }
}

// -------------------------------------------------------------- constants ---

// What is computed from constants alone; NULL: it is not, or has no value.
static LLVMValueRef constant_of(LLVMBuilderRef builder, LLVMValueRef value,
                                unsigned depth) {
  enum { MOST_NESTED = 8 };
  if (LLVMIsAConstantInt(value))
    return value;
  bool is_cast = LLVMIsASExtInst(value) || LLVMIsAZExtInst(value) ||
                 LLVMIsATruncInst(value);
  if (depth == MOST_NESTED || (!is_cast && !LLVMIsABinaryOperator(value)))
    return NULL;
  LLVMOpcode op = LLVMGetInstructionOpcode(value);
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMValueRef first =
      constant_of(builder, LLVMGetOperand(value, 0), depth + 1);
  if (!first)
    return NULL;
  if (is_cast)
    return LLVMIsAConstantInt(LLVMBuildCast(builder, op, first, type, ""));
  LLVMValueRef second =
      constant_of(builder, LLVMGetOperand(value, 1), depth + 1);
  return second ? LLVMIsAConstantInt(
                      LLVMBuildBinOp(builder, op, first, second, ""))
                : NULL;
}

static void compute_arguments(LLVMBuilderRef builder, LLVMValueRef call) {
  LLVMPositionBuilderBefore(builder, call);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef constant = constant_of(builder, LLVMGetOperand(call, i), 0);
    if (constant)
      LLVMSetOperand(call, i, constant);
  }
}

// ----------------------------------------------------------------- rounds ---

// Whose stand-in is called; NULL: nobody's.
static const Recursive *called_again(const Unfolding *unfolding,
                                     LLVMValueRef call) {
  LLVMValueRef called =
      LLVMIsACallInst(call) ? LLVMIsAFunction(LLVMGetCalledValue(call)) : NULL;
  size_t length = 0;
  const char *name = called ? LLVMGetValueName2(called, &length) : "";
  for (size_t i = 0; i < unfolding->functions.count; i++)
    if (!strcmp(unfolding->functions.at[i].stand_in, name))
      return &unfolding->functions.at[i];
  return NULL;
}

static void find_again(const Unfolding *unfolding, LLVMValueRef kernel,
                       Calls *calls) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (called_again(unfolding, i) && !llvm_is_endless(i))
        push(&unfolding->task->arena, calls, i);
}

// All that have a constant, or none, if the kernel becomes too large by it.
static bool give_back_in(const Unfolding *unfolding, LLVMBuilderRef builder,
                         LLVMValueRef kernel) {
  Calls calls = {0};
  bool is_changed = false;
  size_t size = instructions_in(kernel);
  find_again(unfolding, kernel, &calls);
  for (size_t i = 0; i < calls.count; i++)
    size += called_again(unfolding, calls.at[i])->size;
  for (size_t i = 0; i < calls.count && size <= MOST_INSTRUCTIONS; i++) {
    compute_arguments(builder, calls.at[i]);
    if (!has_constant(calls.at[i]))
      continue;
    set_called(calls.at[i], called_again(unfolding, calls.at[i])->function);
    is_changed = true;
  }
  return is_changed;
}

// False: there is nothing to inline.
static bool give_calls_back(const Unfolding *unfolding) {
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(unfolding->module));
  bool is_changed = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(unfolding->module); f;
       f = LLVMGetNextFunction(f))
    if (llvm_is_kernel(f))
      is_changed |= give_back_in(unfolding, builder, f);
  LLVMDisposeBuilder(builder);
  return is_changed;
}

bool llvm_unfold_recursion(Task *task, LLVMModuleRef module, bool *is_changed,
                           const char **reason) {
  Unfolding unfolding = {.task = task, .module = module};
  bool is_good = true;
  *is_changed = false;
  find_functions(&unfolding);
  put_stand_ins(&unfolding);
  for (unsigned level = 0;
       is_good && level < MOST_LEVELS && give_calls_back(&unfolding); level++) {
    task_check_time(task, (Loc){0});
    *is_changed = true;
    is_good = llvm_inline_once(task, module, reason);
  }
  take_stand_ins_away(&unfolding);
  return is_good;
}
