// What is known of a kernel before it is executed: its parameters, its
// variables, and its sites, which are the instructions that the machine is told
// of.
//
// An instruction keeps the number of its site as metadata, so that later passes
// need not count again.  What cannot be executed on this machine is refused
// here, by name and place, long before a back end sees it.

#include "runtime/jit/assembly.h"

#include <assert.h>
#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

enum {
  PTX_KERNEL = 71,
  SPIR_KERNEL = 76,
  SHARED_SPACE = 3,
  SHARED_GAP = 64,
  ALIGNMENT = 16
};

typedef struct Survey {
  Task *task;
  Code *code;
  const DeviceProgram *program; // or NULL
  size_t number;                // of the module in it
  LLVMTargetDataRef layout;
  LLVMValueRef function; // where we are
} Survey;

static unsigned metadata_kind(LLVMContextRef context) {
  return LLVMGetMDKindIDInContext(context, "gpuverify.site", 14);
}

uint32_t jit_site(LLVMValueRef instruction) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(instruction));
  LLVMValueRef node = LLVMGetMetadata(instruction, metadata_kind(context));
  if (!node)
    return NO_SITE;
  LLVMValueRef number = NULL;
  assert(LLVMGetMDNodeNumOperands(node) == 1);
  LLVMGetMDNodeOperands(node, &number);
  return (uint32_t)LLVMConstIntGetZExtValue(number);
}

// Compare and swap, and what LLVM would make of one.
static bool is_conditional(LLVMValueRef instruction) {
  if (!LLVMIsAAtomicRMWInst(instruction))
    return LLVMIsAAtomicCmpXchgInst(instruction);
  switch (LLVMGetAtomicRMWBinOp(instruction)) {
  case LLVMAtomicRMWBinOpXchg:
  case LLVMAtomicRMWBinOpAdd:
  case LLVMAtomicRMWBinOpSub:
  case LLVMAtomicRMWBinOpAnd:
  case LLVMAtomicRMWBinOpNand:
  case LLVMAtomicRMWBinOpOr:
  case LLVMAtomicRMWBinOpXor:
  case LLVMAtomicRMWBinOpFAdd:
  case LLVMAtomicRMWBinOpFSub:
    return false;
  default:
    return true;
  }
}

// That an access must have; nothing of ours is wider.
static unsigned alignment_of(LLVMValueRef instruction) {
  unsigned alignment = 1;
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMLoad:
  case LLVMStore:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    alignment = LLVMGetAlignment(instruction);
    break;
  default:
    break;
  }
  return alignment > WIDEST_ACCESS ? WIDEST_ACCESS : alignment;
}

static LLVMValueRef accessed(LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMLoad:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    return LLVMGetOperand(instruction, 0);
  case LLVMStore:
    return LLVMGetOperand(instruction, 1);
  default:
    return NULL;
  }
}

// Variables of a size that the launch gives lie at one address.
static unsigned source_of(const Survey *survey, LLVMValueRef instruction) {
  LLVMValueRef pointer = accessed(instruction);
  LLVMValueRef source = pointer ? jit_source(pointer) : NULL;
  unsigned number = 1;
  if (!source || !LLVMIsAGlobalVariable(source) ||
      LLVMGetPointerAddressSpace(LLVMTypeOf(source)) != SHARED_SPACE ||
      !LLVMABISizeOfType(survey->layout, LLVMGlobalGetValueType(source)))
    return 0;
  for (LLVMValueRef g = source; (g = LLVMGetPreviousGlobal(g));)
    number++;
  return number;
}

static void add_site(Survey *survey, LLVMValueRef instruction, SiteKind kind) {
  assert(survey->code->sites.count < NO_SITE);
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(instruction));
  Site site = {.kind = kind,
               .loc = llvm_location(survey->task, instruction),
               .scope = SCOPE_SYSTEM};
  jit_fill_order(survey->task, instruction, &site);
  site.is_conditional = kind == SITE_ATOMIC && is_conditional(instruction);
  site.alignment = alignment_of(instruction);
  site.source = source_of(survey, instruction);
  LLVMValueRef number = LLVMConstInt(LLVMInt32TypeInContext(context),
                                     survey->code->sites.count, false);
  LLVMSetMetadata(instruction, metadata_kind(context),
                  LLVMMDNodeInContext(context, &number, 1));
  push(&survey->task->arena, &survey->code->sites, site);
}

// A kernel that is not the one to execute is no code of ours.
bool jit_is_ours(const Code *code, LLVMValueRef function) {
  unsigned convention = LLVMGetFunctionCallConv(function);
  bool is_kernel = convention == PTX_KERNEL || convention == SPIR_KERNEL;
  return !LLVMIsDeclaration(function) &&
         (function == code->function || function == code->also || !is_kernel);
}

// ---------------------------------------------------------- instructions ---

// Does the machine want to hear of it?
static bool is_watched(LLVMValueRef pointer) {
  return !jit_is_own(pointer) || jit_may_leave_own(pointer);
}

const char *jit_declared(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length = 0;
  if (LLVMIsAInlineAsm(callee))
    return LLVMGetInlineAsmAsmString(callee, &length);
  return LLVMIsAFunction(callee) && LLVMIsDeclaration(callee)
             ? LLVMGetValueName2(callee, &length)
             : NULL;
}

static void survey_transfer(Survey *survey, LLVMValueRef call) {
  add_site(survey, call, SITE_FILL);
  if (llvm_transfer(call) == TRANSFER_COPY) // the next number
    push(&survey->task->arena, &survey->code->sites,
         ((Site){.kind = SITE_FETCH,
                 .loc = llvm_location(survey->task, call),
                 .scope = SCOPE_SYSTEM}));
}

LLVMTypeRef jit_atomic_type(LLVMValueRef call) {
  LLVMTypeRef type = LLVMTypeOf(call);
  return LLVMGetTypeKind(type) == LLVMVoidTypeKind
             ? LLVMTypeOf(LLVMGetOperand(call, 1))
             : type;
}

static void add_atomic(Survey *survey, LLVMValueRef call, const char *name) {
  LLVMTypeRef type = jit_atomic_type(call);
  bool is_typed =
      !strncmp(name, "__gpuverify_", 12) || !strncmp(name, "llvm.", 5);
  if (!is_typed && (LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
                    LLVMGetIntTypeWidth(type) != 32))
    unsupported(survey->task, llvm_location(survey->task, call),
                "'%s' of this type is not executed",
                plain_name(survey->task, name));
  add_site(survey, call, SITE_ATOMIC);
  Site *site = &survey->code->sites.at[survey->code->sites.count - 1];
  site->is_conditional =
      strstr(name, "min") || strstr(name, "max") || strstr(name, "cmpxchg");
  site->alignment = (unsigned)LLVMStoreSizeOfType(survey->layout, type);
  if (strstr(name, ".pair")) // of the first of two
    site->alignment *= 2;
}

static void add_free(Survey *survey, LLVMValueRef call) {
  add_site(survey, call, SITE_FILL);
  survey->code->sites.at[survey->code->sites.count - 1].is_free = true;
}

// A function that a kernel may call where its threads are executed one after
// another: it waits for none of them.
static bool waits_not(const Survey *survey, LLVMValueRef call,
                      const Builtin *builtin) {
  bool is_in_kernel = survey->function == survey->code->function;
  switch (builtin->how) {
  case HOW_PLAIN:
  case HOW_CALL:
  case HOW_PURE:
  case HOW_CHECK:
  case HOW_FREE:
  case HOW_NOTHING:
  case HOW_FENCE:
  case HOW_ATOMIC:
  case HOW_LOAD:
  case HOW_VLOAD:
  case HOW_VSTORE:
  case HOW_FIELD:
    return true;
  case HOW_OWN:
    return is_in_kernel && jit_is_word(builtin);
  case HOW_BARRIER:
  case HOW_VOTE:
    return is_in_kernel && jit_is_for_all(call);
  case HOW_AT:
  case HOW_WORD:
  case HOW_PEEK:
  case HOW_MAKE:
  case HOW_COPY:
  case HOW_GATHER:
  case HOW_SCATTER:
  case HOW_UNKNOWN:
    break;
  }
  return false;
}

// The beginning of a text, with a space for each break.
static const char *one_line(Task *task, const char *text) {
  enum { MOST = 72 };
  char line[MOST + 1];
  size_t length = 0;
  for (; *text && length < MOST; text++)
    if (!isspace((unsigned char)*text))
      line[length++] = *text;
    else if (length && line[length - 1] != ' ')
      line[length++] = ' ';
  return arena_printf(&task->arena, "%.*s", (int)length, line);
}

// A function that was not inlined, or one that is not known here.
static void survey_defined(Survey *survey, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  survey->code->waits_at_barriers &=
      LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee);
  add_site(survey, call, SITE_CALL);
}

// Where a thread is when it calls it is kept.
static bool is_told(How how) {
  return how == HOW_AT || how == HOW_CHECK || how == HOW_BARRIER ||
         how == HOW_VOTE;
}

// The word of an mbarrier, and the two ends of an asynchronous copy.
static void survey_arrival(Survey *survey, LLVMValueRef call, How how) {
  bool is_copy = how == HOW_COPY;
  add_site(survey, call,
           how == HOW_MAKE ? SITE_WRITE
           : is_copy       ? SITE_FILL
                           : SITE_ATOMIC);
  Site *site = &survey->code->sites.at[survey->code->sites.count - 1];
  site->is_load = how == HOW_PEEK;
  site->is_copy = is_copy;
  survey->code->has_arrivals = true;
  if (is_copy) // the next number
    push(&survey->task->arena, &survey->code->sites,
         ((Site){.kind = SITE_FETCH,
                 .loc = llvm_location(survey->task, call),
                 .scope = SCOPE_SYSTEM,
                 .is_copy = true}));
}

static bool is_arrival(How how) {
  return how == HOW_WORD || how == HOW_PEEK || how == HOW_MAKE ||
         how == HOW_COPY;
}

// Barriers with a number or a count order some threads of a block.
static void survey_named_barrier(Code *code, LLVMValueRef call,
                                 const char *name) {
  bool has_count = strstr(name, ".count") != NULL;
  if (strncmp(name, "llvm.nvvm.barrier.cta.", 22) != 0)
    return;
  code->has_arrivals |= has_count || !jit_is_for_all(call);
  code->counts_barrier_0 |=
      has_count &&
      (jit_is_for_all(call) || !LLVMIsAConstantInt(LLVMGetOperand(call, 0)));
}

void code_refuse_guesses(Task *task, const Code *code) {
  if (code->guesses.line)
    unsupported(task, code->guesses,
                "what our own headers have for a texture fetch or a random "
                "number is not executed; with the CUDA SDK's it is, in a whole "
                "program");
}

static void survey_call(Survey *survey, LLVMValueRef call) {
  const char *name = jit_declared(call);
  Loc where = llvm_location(survey->task, call);
  if (!name) {
    survey_defined(survey, call);
    return;
  }
  if (llvm_transfer(call)) {
    survey_transfer(survey, call);
    return;
  }
  const Builtin *builtin = builtin_find(survey->task, name);
  if (!builtin && LLVMIsAInlineAsm(LLVMGetCalledValue(call))) {
    const char *problem = jit_assembly_problem(survey->task, call);
    unsupported(survey->task, where, "assembly is not executed: '%s'",
                one_line(survey->task, problem ? problem : name));
  }
  if (!builtin)
    unsupported(survey->task, where, "'%s' is not executed",
                plain_name(survey->task, name));
  if (!jit_is_declared_well(call, builtin))
    unsupported(survey->task, where,
                "'%s' is not executed: it is declared with other types than "
                "the device's library has it",
                plain_name(survey->task, name));
  if (!strcmp(name, "__gpuverify_any")) {
    survey->code->guesses = where;
    if (survey->program)
      code_refuse_guesses(survey->task, survey->code);
  }
  survey->code->waits_at_barriers &= waits_not(survey, call, builtin);
  survey_named_barrier(survey->code, call, name);
  survey->code->has_arrivals |=
      !strncmp(name, "llvm.nvvm.barrier.cluster.", 26);
  survey->code->has_warp_sync |= !strcmp(name, "llvm.nvvm.bar.warp.sync");
  if (builtin->how == HOW_FENCE)
    add_site(survey, call, SITE_FENCE);
  else if (is_told(builtin->how))
    add_site(survey, call, SITE_CALL);
  else if (is_arrival(builtin->how))
    survey_arrival(survey, call, builtin->how);
  else if (builtin->how == HOW_ATOMIC)
    add_atomic(survey, call, name);
  else if (builtin->how == HOW_FREE)
    add_free(survey, call);
  else if (builtin->how == HOW_LOAD || builtin->how == HOW_VLOAD ||
           builtin->how == HOW_GATHER)
    add_site(survey, call, SITE_READ);
  else if (builtin->how == HOW_VSTORE || builtin->how == HOW_SCATTER)
    add_site(survey, call, SITE_WRITE);
}

static void survey_alloca(Survey *survey, LLVMValueRef alloca) {
  LLVMValueRef count = LLVMGetOperand(alloca, 0);
  if (LLVMIsAConstantInt(count))
    survey->code->stack_bytes +=
        LLVMABISizeOfType(survey->layout, LLVMGetAllocatedType(alloca)) *
            LLVMConstIntGetZExtValue(count) +
        ALIGNMENT;
}

// Chosen among labels, by a way that the code shows.
static bool is_of_labels(Task *task, LLVMValueRef value, ValueTable *seen) {
  bool is_select = LLVMIsASelectInst(value);
  if (LLVMIsABlockAddress(value) || table_get(seen, value))
    return true;
  if (!is_select && !LLVMIsAPHINode(value))
    return false;
  table_put(task, seen, value, value);
  unsigned count = is_select ? 2 : LLVMCountIncoming(value);
  for (unsigned i = 0; i < count; i++)
    if (!is_of_labels(task,
                      is_select ? LLVMGetOperand(value, i + 1)
                                : LLVMGetIncomingValue(value, i),
                      seen))
      return false;
  return true;
}

// A table of labels is empty by now.
static void survey_goto(Survey *survey, LLVMValueRef jump) {
  ValueTable seen = {0};
  if (!is_of_labels(survey->task, LLVMGetOperand(jump, 0), &seen))
    unsupported(survey->task, llvm_location(survey->task, jump),
                "a goto to a label that memory keeps is not executed");
}

static void survey_instruction(Survey *survey, LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (opcode == LLVMLoad && is_watched(LLVMGetOperand(i, 0)))
    add_site(survey, i, LLVMGetOrdering(i) ? SITE_ATOMIC : SITE_READ);
  else if (opcode == LLVMStore && is_watched(LLVMGetOperand(i, 1)))
    add_site(survey, i, LLVMGetOrdering(i) ? SITE_ATOMIC : SITE_WRITE);
  else if (opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg)
    add_site(survey, i, SITE_ATOMIC);
  else if (opcode == LLVMFence)
    add_site(survey, i, SITE_FENCE);
  else if (opcode == LLVMCall)
    survey_call(survey, i);
  else if (opcode == LLVMAlloca)
    survey_alloca(survey, i);
  else if (opcode == LLVMIndirectBr)
    survey_goto(survey, i);
  else if (opcode == LLVMCallBr)
    unsupported(survey->task, llvm_location(survey->task, i),
                "assembly that jumps to labels of C is not executed");
}

// ----------------------------------------------------------------- loops ---

typedef struct Visit {
  LLVMBasicBlockRef block;
  unsigned next; // successor
} Visit;

// In a depth-first walk, an edge to a block that is not left yet goes back.
static void survey_loops(Survey *survey, LLVMValueRef function) {
  static char open, closed;
  Task *task = survey->task;
  ValueTable states = {0};
  Vec(Visit) stack = {0};
  push(&task->arena, &stack, ((Visit){LLVMGetEntryBasicBlock(function), 0}));
  table_put(task, &states, stack.at[0].block, &open);
  while (stack.count) {
    Visit *visit = &stack.at[stack.count - 1];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(visit->block);
    if (visit->next == LLVMGetNumSuccessors(end)) {
      table_put(task, &states, visit->block, &closed);
      stack.count--;
      continue;
    }
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, visit->next++);
    const char *state = table_get(&states, to);
    if (state == &open && jit_site(end) == NO_SITE)
      add_site(survey, end, SITE_LOOP);
    if (state)
      continue;
    table_put(task, &states, to, &open);
    push(&task->arena, &stack, ((Visit){to, 0}));
  }
}

static void forget_sites(LLVMValueRef function) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      LLVMSetMetadata(i, metadata_kind(context), NULL);
}

static void survey_function(Survey *survey, LLVMValueRef function) {
  survey->function = function;
  jit_lower_opencl_atomics(survey->task, function);
  jit_lower_opencl_groups(survey->task, function);
  forget_sites(function);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      survey_instruction(survey, i);
  survey_loops(survey, function);
  if (jit_may_spin(survey->task, survey->code, function))
    survey->code->waits_at_barriers = false;
  if (function == survey->code->function)
    survey->code->waits_for_blocks = jit_may_wait(survey->task, function);
}

// ------------------------------------------------------------- variables ---

static Space space_of(LLVMValueRef global) {
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(global));
  if (space == SHARED_SPACE)
    return SPACE_SHARED;
  return LLVMIsGlobalConstant(global) ? SPACE_CONSTANT : SPACE_GLOBAL;
}

static uint64_t size_of(const Survey *survey, LLVMTypeRef type) {
  return LLVMTypeIsSized(type) ? LLVMABISizeOfType(survey->layout, type) : 0;
}

static char *place_of(const Survey *survey, const char *name) {
  assert(survey->program && survey->number < survey->program->modules.count);
  const DeviceProgram *program = survey->program;
  size_t image = program->modules.at[survey->number].image;
  const Global *global = program_declared(program, image, name);
  return global ? global->at : NULL;
}

// By more than a cast that is left over from what was inlined.
static bool is_used(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAConstantExpr(user) || is_used(user))
      return true;
  }
  return false;
}

static void survey_variable(Survey *survey, LLVMValueRef global) {
  Code *code = survey->code;
  size_t length = 0;
  const char *name = LLVMGetValueName2(global, &length);
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  Variable variable = {.name = llvm_variable_name(survey->task, name),
                       .space = space_of(global),
                       .bytes = size_of(survey, type),
                       .element =
                           (unsigned)size_of(survey, llvm_innermost(type))};
  variable.is_note = !strncmp(name, "llvm.", 5);
  if (survey->program && code->function && variable.space != SPACE_SHARED)
    variable.at = place_of(survey, name);
  if (survey->program && !code->function && variable.space == SPACE_SHARED)
    unsupported(survey->task, (Loc){0},
                "'%s' is used by a function that is called by pointer",
                variable.name);
  variable.is_dynamic = variable.space == SPACE_SHARED && !variable.bytes;
  if (LLVMIsDeclaration(global) && is_used(global) &&
      variable.space != SPACE_SHARED && !variable.is_note && !variable.at)
    unsupported(survey->task, (Loc){0}, "variable '%s' is defined elsewhere",
                variable.name);
  if (variable.space == SPACE_SHARED && !variable.is_dynamic) {
    variable.offset = code->shared_bytes;
    code->shared_bytes +=
        (variable.bytes + SHARED_GAP + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
  push(&survey->task->arena, &code->variables, variable);
}

// ------------------------------------------------------------ parameters ---

LLVMTypeRef jit_by_value(LLVMValueRef function, unsigned index) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  LLVMAttributeRef byval =
      LLVMGetEnumAttributeAtIndex(function, index + 1, kind);
  return byval ? LLVMGetTypeAttributeValue(byval) : NULL;
}

static ParameterKind parameter_kind(LLVMValueRef function, unsigned index) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, index));
  switch (LLVMGetTypeKind(type)) {
  case LLVMPointerTypeKind:
    if (jit_by_value(function, index))
      return PARAMETER_STRUCT;
    return LLVMGetPointerAddressSpace(type) == 3 ? PARAMETER_SHARED
                                                 : PARAMETER_POINTER;
  case LLVMHalfTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
    return PARAMETER_FLOAT;
  case LLVMIntegerTypeKind:
    return PARAMETER_INTEGER;
  default:
    return PARAMETER_STRUCT;
  }
}

// The type of the first access by way of a pointer.
static LLVMTypeRef element_of(LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAGetElementPtrInst(user))
      return LLVMGetGEPSourceElementType(user);
    if (LLVMIsALoadInst(user))
      return LLVMTypeOf(user);
  }
  return NULL;
}

// Where a structure lies in a launch from a kernel.
static unsigned parameter_alignment(const Survey *survey, unsigned index,
                                    LLVMTypeRef type) {
  unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
  LLVMAttributeRef align =
      LLVMGetEnumAttributeAtIndex(survey->code->function, index + 1, kind);
  return align && jit_by_value(survey->code->function, index)
             ? (unsigned)LLVMGetEnumAttributeValue(align)
             : LLVMABIAlignmentOfType(survey->layout, type);
}

static void survey_parameter(Survey *survey, const ValueTable *names,
                             unsigned index) {
  LLVMValueRef function = survey->code->function;
  LLVMValueRef value = LLVMGetParam(function, index);
  LLVMTypeRef type = jit_by_value(function, index);
  const char *name = llvm_name_of(survey->task, names, value);
  Parameter parameter = {.kind = parameter_kind(function, index),
                         .name = name ? name
                                      : arena_printf(&survey->task->arena,
                                                     "argument %u", index + 1),
                         .bytes = (unsigned)LLVMStoreSizeOfType(
                             survey->layout, type ? type : LLVMTypeOf(value)),
                         .alignment = parameter_alignment(
                             survey, index, type ? type : LLVMTypeOf(value))};
  if (parameter.kind == PARAMETER_POINTER) {
    LLVMTypeRef element = element_of(value);
    parameter.element_bytes = element ? (unsigned)size_of(survey, element) : 0;
  }
  llvm_fields(survey->task, function, index, &parameter.fields);
  if (parameter.kind == PARAMETER_SHARED) {
    Variable local = {.name = parameter.name,
                      .space = SPACE_SHARED,
                      .is_local = true,
                      .parameter = index};
    push(&survey->task->arena, &survey->code->variables, local);
  }
  push(&survey->task->arena, &survey->code->parameters, parameter);
}

static void survey_parameters(Survey *survey) {
  ValueTable names = {0};
  llvm_find_names(survey->task, survey->code->function, &names);
  for (unsigned i = 0; i < LLVMCountParams(survey->code->function); i++)
    survey_parameter(survey, &names, i);
}

// "2,1,1", as __cluster_dims__ has it; the rest stays as it was.
static void survey_sizes(const Code *code, const char *name, uint32_t size[3]) {
  unsigned length = 0;
  LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
      code->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name,
      (unsigned)strlen(name));
  const char *at =
      attribute ? LLVMGetStringAttributeValue(attribute, &length) : "";
  for (unsigned axis = 0; axis < 3 && length && *at; axis++) {
    size[axis] = (uint32_t)strtoul(at, (char **)&at, 10);
    at += *at == ',';
  }
}

// 0: as many as the device takes.
static uint32_t most_threads(const Code *code) {
  uint32_t size[3] = {0, 1, 1};
  survey_sizes(code, "nvvm.maxntid", size);
  return size[0] * size[1] * size[2];
}

Code *code_in_program(Task *task, LLVMModuleRef module,
                      const KernelEntry *entry, const DeviceProgram *program,
                      size_t number) {
  Code *code = NEW(&task->arena, Code);
  code->waits_at_barriers = true;
  code->module = module;
  code->function = entry ? entry->function : NULL;
  code->source = entry ? entry->source : "";
  Survey survey = {.task = task,
                   .code = code,
                   .program = program,
                   .number = number,
                   .layout = LLVMGetModuleDataLayout(module)};
  for (size_t i = 0; program && i < program->sites.count; i++)
    push(&task->arena, &code->sites, program->sites.at[i]);
  for (LLVMValueRef global = LLVMGetFirstGlobal(module); global;
       global = LLVMGetNextGlobal(global))
    survey_variable(&survey, global);
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    if (jit_is_ours(code, function))
      survey_function(&survey, function);
  code->shares_own = jit_own_escapes(code);
  code->waits_at_barriers &= !code->shares_own;
  if (entry) {
    survey_sizes(code, "nvvm.cluster_dim", code->cluster);
    code->most_threads = most_threads(code);
    llvm_required_block(code->function, code->block);
    survey_parameters(&survey);
  }
  return code;
}

Code *code_from_llvm(Task *task, LLVMModuleRef module,
                     const KernelEntry *entry) {
  return code_in_program(task, module, entry, NULL, 0);
}

static unsigned parameter_named(Survey *survey, const char *name) {
  Code *code = survey->code;
  for (size_t i = 0; name && i < code->parameters.count; i++)
    if (!strcmp(code->parameters.at[i].name, name))
      return (unsigned)i;
  unsupported(survey->task, (Loc){0}, "kernel '%s' has no parameter '%s'",
              code->source, name ? name : "without a name");
}

void code_add(Task *task, Code *code, const KernelEntry *entry) {
  LLVMValueRef function = entry->function;
  Survey survey = {.task = task,
                   .code = code,
                   .layout = LLVMGetModuleDataLayout(code->module)};
  ValueTable names = {0};
  code->also = function;
  survey_function(&survey, function);
  code->shares_own |= jit_own_escapes(code);
  llvm_find_names(task, function, &names);
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMValueRef own = LLVMGetParam(function, i);
    unsigned index = parameter_named(&survey, table_get(&names, own));
    if (LLVMTypeOf(own) != LLVMTypeOf(LLVMGetParam(code->function, index)))
      unsupported(task, entry->loc,
                  "parameter '%s' has another type than '%s's",
                  code->parameters.at[index].name, code->source);
    push(&task->arena, &code->also_parameters, index);
  }
}
