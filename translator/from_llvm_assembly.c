// Inline assembly as LLVM IR, for the proof.
//
// Each asm statement that is understood as a whole becomes a call of a function
// of its own, to be inlined by llvm_prepare: its registers are variables, its
// labels blocks.  What is not understood stays assembly, with what that means
// to those who meet it.  Pointers stay pointers, so that the proof knows their
// arrays; runtime/jit/assembly.c, for executions, needs addresses only and
// knows more instructions.  The meaning of instructions is that of the PTX
// manual; where ours differs - an approximation is exact, a hint does nothing -
// a program cannot rely on the difference.

#include "translator/from_llvm_assembly.h"
#include "translator/from_llvm.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ----------------------------------------------------------------- types ---

AsmType asm_type(const char *part) {
  AsmType none = {0}, type = {.kind = part[0], .lanes = 1};
  if (!strcmp(part, "pred"))
    return (AsmType){'p', 1, 1};
  if (!strncmp(part, "bf16", 4)) {
    type = (AsmType){'e', 16, 1};
    part += 4;
  } else if (part[0] && strchr("subf", part[0]) &&
             isdigit((unsigned char)part[1]))
    type.bits = (unsigned)strtoul(part + 1, (char **)&part, 10);
  else
    return none;
  if (!strcmp(part, "x2"))
    type.lanes = 2;
  else if (*part)
    return none;
  bool is_float = asm_is_float(type);
  bool is_size = type.bits == 16 || type.bits == 32 || type.bits == 64 ||
                 (type.bits == 8 && !is_float);
  return is_size && (type.lanes == 1 || (is_float && type.bits == 16)) ? type
                                                                       : none;
}

AsmType asm_type_of(const AsmStatement *s, unsigned from_last) {
  for (size_t i = s->parts.count; i-- > 0;) {
    AsmType type = asm_type(s->parts.at[i]);
    if (type.kind && from_last-- == 0)
      return type;
  }
  return (AsmType){0};
}

bool asm_is_float(AsmType type) { return type.kind == 'f' || type.kind == 'e'; }

LLVMTypeRef asm_integer(const AsmMaker *m, unsigned bits) {
  return LLVMIntTypeInContext(m->context, bits);
}

LLVMTypeRef asm_llvm_type(const AsmMaker *m, AsmType type) {
  LLVMTypeRef lane = asm_integer(m, type.bits);
  if (type.kind == 'e')
    lane = LLVMBFloatTypeInContext(m->context);
  else if (type.kind == 'f')
    lane = type.bits == 16   ? LLVMHalfTypeInContext(m->context)
           : type.bits == 32 ? LLVMFloatTypeInContext(m->context)
                             : LLVMDoubleTypeInContext(m->context);
  return type.lanes == 1 ? lane : LLVMVectorType(lane, type.lanes);
}

// ---------------------------------------------------------------- values ---

LLVMValueRef asm_call(AsmMaker *m, const char *name, LLVMTypeRef result,
                      LLVMValueRef *arguments, unsigned count) {
  LLVMTypeRef types[8];
  assert(count <= sizeof types / sizeof *types);
  for (unsigned i = 0; i < count; i++)
    types[i] = LLVMTypeOf(arguments[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
  LLVMValueRef function = LLVMGetNamedFunction(m->module, name);
  if (!function)
    function = LLVMAddFunction(m->module, name, type);
  return LLVMBuildCall2(m->builder, type, function, arguments, count, "");
}

// %tid.x and its like, by the intrinsic of that name.
static LLVMValueRef special(AsmMaker *m, const char *name, AsmType type) {
  static const char *const known[] = {
      "tid.x",       "tid.y",       "tid.z",       "ntid.x",      "ntid.y",
      "ntid.z",      "ctaid.x",     "ctaid.y",     "ctaid.z",     "nctaid.x",
      "nctaid.y",    "nctaid.z",    "laneid",      "warpid",      "nwarpid",
      "smid",        "nsmid",       "clock",       "clock64",     "globaltimer",
      "lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_gt", "lanemask_ge",
      "gridid"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (name[0] != '%' || strcmp(name + 1, known[i]) != 0)
      continue;
    bool is_wide =
        !strcmp(known[i], "clock64") || !strcmp(known[i], "globaltimer");
    char *intrinsic =
        arena_printf(&m->task->arena, "llvm.nvvm.read.ptx.sreg.%s", known[i]);
    char *mask = strstr(intrinsic, "lanemask_");
    if (mask)
      mask[strlen("lanemask")] = '.';
    LLVMValueRef value =
        asm_call(m, intrinsic, asm_integer(m, is_wide ? 64 : 32), NULL, 0);
    return LLVMBuildIntCast2(m->builder, value, asm_integer(m, type.bits),
                             false, "");
  }
  return NULL;
}

static LLVMValueRef constant(AsmMaker *m, const AsmOperand *operand,
                             AsmType type) {
  LLVMTypeRef integer = asm_integer(m, type.bits * type.lanes);
  char kind = asm_is_float(type) ? 'f' : type.kind;
  uint64_t image;
  if (type.lanes > 1 ||
      !ptx_constant_as(&operand->number, kind, type.bits, &image))
    return NULL;
  return LLVMConstBitCast(LLVMConstInt(integer, image, false),
                          asm_llvm_type(m, type));
}

// A register may be wider than what is read of it.
LLVMValueRef asm_get(AsmMaker *m, const AsmOperand *operand, AsmType type) {
  unsigned bits = type.bits * type.lanes;
  if (operand->kind == ASM_NUMBER)
    return constant(m, operand, type);
  if (operand->kind == ASM_NAME)
    return asm_is_float(type) ? NULL : special(m, operand->name, type);
  if (operand->kind != ASM_REGISTER)
    return NULL;
  LLVMTypeRef stored = m->types[operand->reg];
  if (LLVMGetIntTypeWidth(stored) < bits ||
      (type.kind == 'p') != (LLVMGetIntTypeWidth(stored) == 1))
    return NULL;
  LLVMValueRef value =
      LLVMBuildLoad2(m->builder, stored, m->slots[operand->reg], "");
  value = LLVMBuildTrunc(m->builder, value, asm_integer(m, bits), "");
  if (operand->is_negated)
    return type.kind == 'p' ? LLVMBuildNot(m->builder, value, "") : NULL;
  return LLVMBuildBitCast(m->builder, value, asm_llvm_type(m, type), "");
}

bool asm_put(AsmMaker *m, const AsmOperand *operand, AsmType type,
             LLVMValueRef value) {
  unsigned bits = type.bits * type.lanes;
  if (!value || operand->is_negated)
    return false;
  if (operand->kind == ASM_NOTHING)
    return true;
  if (operand->kind != ASM_REGISTER)
    return false;
  LLVMTypeRef stored = m->types[operand->reg];
  if (LLVMGetIntTypeWidth(stored) < bits ||
      (type.kind == 'p') != (LLVMGetIntTypeWidth(stored) == 1))
    return false;
  value = LLVMBuildBitCast(m->builder, value, asm_integer(m, bits), "");
  value = LLVMBuildIntCast2(m->builder, value, stored, type.kind == 's', "");
  LLVMBuildStore(m->builder, value, m->slots[operand->reg]);
  return true;
}

// ---------------------------------------------------------- control flow ---

static LLVMBasicBlockRef new_block(const AsmMaker *m) {
  return LLVMAppendBasicBlockInContext(m->context, m->function, "");
}

static LLVMBasicBlockRef block_of(AsmMaker *m, const char *label) {
  for (size_t i = 0; i < m->labels.count; i++)
    if (!strcmp(m->labels.at[i].name, label))
      return m->labels.at[i].block;
  AsmLabel made = {label, new_block(m)};
  push(&m->task->arena, &m->labels, made);
  return made.block;
}

static bool has_label(const AsmMaker *m, const char *label) {
  for (size_t i = 0; i < m->assembly->statements.count; i++) {
    const char *own = m->assembly->statements.at[i].label;
    if (own && !strcmp(own, label))
      return true;
  }
  return false;
}

static bool emit_branch(AsmMaker *m, const AsmStatement *s) {
  if (s->operands.count != 1 || s->operands.at[0].kind != ASM_NAME ||
      !has_label(m, s->operands.at[0].name))
    return false;
  LLVMBuildBr(m->builder, block_of(m, s->operands.at[0].name));
  LLVMPositionBuilderAtEnd(m->builder, new_block(m)); // nobody comes here
  return true;
}

static AsmEmit *emitter(const char *opcode) {
  AsmEmit *emit = asm_emit_memory(opcode);
  if (!strcmp(opcode, "bra"))
    return emit_branch;
  emit = emit ? emit : asm_emit_warp(opcode);
  return emit ? emit : asm_emit_number;
}

static bool emit_instruction(AsmMaker *m, const AsmStatement *s) {
  AsmEmit *emit = emitter(s->opcode);
  if (s->guard == ASM_NO_REGISTER)
    return emit(m, s);
  AsmOperand guard = {
      .kind = ASM_REGISTER, .reg = s->guard, .is_negated = s->is_guard_negated};
  LLVMValueRef holds = asm_get(m, &guard, (AsmType){'p', 1, 1});
  LLVMBasicBlockRef then = new_block(m), after = new_block(m);
  if (!holds)
    return false;
  LLVMBuildCondBr(m->builder, holds, then, after);
  LLVMPositionBuilderAtEnd(m->builder, then);
  if (!emit(m, s))
    return false;
  LLVMBuildBr(m->builder, after);
  LLVMPositionBuilderAtEnd(m->builder, after);
  return true;
}

static void emit_label(AsmMaker *m, const char *label) {
  m->has_carry = false;
  LLVMBasicBlockRef block = block_of(m, label);
  LLVMBuildBr(m->builder, block);
  LLVMPositionBuilderAtEnd(m->builder, block);
}

static bool emit_statements(AsmMaker *m) {
  for (size_t i = 0; i < m->assembly->statements.count; i++) {
    const AsmStatement *s = &m->assembly->statements.at[i];
    if (s->label)
      emit_label(m, s->label);
    else if (!emit_instruction(m, s))
      return false;
  }
  return true;
}

// ----------------------------------------------------------- constraints ---

// What each operand is, as LLVM's constraints say: outputs, then inputs, some
// of which begin as the value of an output.
typedef struct Constraints {
  unsigned outputs, inputs;
  int tied[32]; // of an input: the output, or -1
} Constraints;

static bool read_constraints(const char *text, size_t length,
                             Constraints *all) {
  const char *end = text + length;
  *all = (Constraints){0};
  for (const char *at = text, *next; at < end; at = next + 1) {
    next = memchr(at, ',', (size_t)(end - at));
    next = next ? next : end;
    if (memchr(at, '*', (size_t)(next - at)))
      return false; // memory
    if (*at == '~')
      continue;
    if (*at == '=')
      all->outputs++;
    else if (all->inputs == 32)
      return false;
    else
      all->tied[all->inputs++] = isdigit((unsigned char)*at) ? atoi(at) : -1;
  }
  return true;
}

// ------------------------------------------------------------- functions ---

static unsigned width_of(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    return LLVMGetIntTypeWidth(type);
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
    return 16;
  case LLVMFloatTypeKind:
    return 32;
  case LLVMDoubleTypeKind:
  case LLVMPointerTypeKind:
    return 64;
  default:
    return 0;
  }
}

static LLVMTypeRef output_type(LLVMTypeRef result, unsigned index) {
  return LLVMGetTypeKind(result) == LLVMStructTypeKind
             ? LLVMStructGetTypeAtIndex(result, index)
             : result;
}

// It begins with any value: that of a register which nobody has set may differ
// from thread to thread.
static LLVMValueRef new_slot(const AsmMaker *m, LLVMTypeRef type) {
  LLVMValueRef slot = LLVMBuildAlloca(m->builder, type, "");
  LLVMValueRef any = LLVMBuildFreeze(m->builder, LLVMGetPoison(type), "");
  LLVMBuildStore(m->builder, any, slot);
  return slot;
}

static void make_slot(AsmMaker *m, size_t index, unsigned bits) {
  m->types[index] = asm_integer(m, bits);
  m->slots[index] = new_slot(m, m->types[index]);
}

static LLVMValueRef as_integer(AsmMaker *m, LLVMValueRef value,
                               LLVMTypeRef type) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind
             ? LLVMBuildPtrToInt(m->builder, value, type, "")
             : LLVMBuildBitCast(m->builder, value, type, "");
}

static bool is_or_lists(const AsmOperand *operand, size_t reg) {
  if (operand->kind != ASM_LIST)
    return operand->kind == ASM_REGISTER && operand->reg == reg;
  for (size_t i = 0; i < operand->count; i++)
    if (is_or_lists(&operand->items[i], reg))
      return true;
  return false;
}

static bool is_written(const Assembly *assembly, size_t reg) {
  for (size_t i = 0; i < assembly->statements.count; i++) {
    const AsmStatement *s = &assembly->statements.at[i];
    for (size_t k = 0; k < s->operands.count && k < 2; k++)
      if (is_or_lists(&s->operands.at[k], reg))
        return true;
  }
  return false;
}

static bool make_operands(AsmMaker *m, const Constraints *all,
                          LLVMTypeRef result) {
  for (unsigned i = 0; i < all->outputs; i++) {
    unsigned bits = width_of(output_type(result, i));
    if (!bits)
      return false;
    make_slot(m, i, bits);
  }
  for (unsigned i = 0; i < all->inputs; i++) {
    size_t reg = all->outputs + i;
    LLVMValueRef value = LLVMGetParam(m->function, i);
    unsigned bits = width_of(LLVMTypeOf(value));
    if (!bits)
      return false;
    make_slot(m, reg, bits);
    LLVMBuildStore(m->builder, as_integer(m, value, m->types[reg]),
                   m->slots[reg]);
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind &&
        !is_written(m->assembly, reg))
      m->pointers[reg] = value;
    if (all->tied[i] < 0)
      continue;
    unsigned output = (unsigned)all->tied[i];
    if (output >= all->outputs || m->types[output] != m->types[reg])
      return false;
    LLVMBuildStore(m->builder, as_integer(m, value, m->types[reg]),
                   m->slots[output]);
  }
  return true;
}

static bool make_registers(AsmMaker *m, const Constraints *all) {
  for (size_t i = all->outputs + all->inputs; i < m->assembly->registers.count;
       i++) {
    AsmType type = asm_type(m->assembly->registers.at[i].type);
    if (!type.kind)
      return false;
    make_slot(m, i, type.bits * type.lanes);
  }
  m->carry = new_slot(m, asm_integer(m, 1));
  return true;
}

static LLVMValueRef output(AsmMaker *m, unsigned index, LLVMTypeRef type) {
  LLVMValueRef value =
      LLVMBuildLoad2(m->builder, m->types[index], m->slots[index], "");
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind
             ? LLVMBuildIntToPtr(m->builder, value, type, "")
             : LLVMBuildBitCast(m->builder, value, type, "");
}

static void make_return(AsmMaker *m, const Constraints *all,
                        LLVMTypeRef result) {
  if (all->outputs == 0) {
    LLVMBuildRetVoid(m->builder);
    return;
  }
  if (LLVMGetTypeKind(result) != LLVMStructTypeKind) {
    LLVMBuildRet(m->builder, output(m, 0, result));
    return;
  }
  LLVMValueRef whole = LLVMGetPoison(result);
  for (unsigned i = 0; i < all->outputs; i++)
    whole = LLVMBuildInsertValue(m->builder, whole,
                                 output(m, i, output_type(result, i)), i, "");
  LLVMBuildRet(m->builder, whole);
}

// Blocks that nobody comes to have to end, too.
static void end_blocks(const AsmMaker *m) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(m->function); block;
       block = LLVMGetNextBasicBlock(block)) {
    if (LLVMGetBasicBlockTerminator(block))
      continue;
    LLVMPositionBuilderAtEnd(m->builder, block);
    LLVMBuildUnreachable(m->builder);
  }
}

static bool make_body(AsmMaker *m, const Constraints *all, LLVMTypeRef result) {
  size_t count = m->assembly->registers.count + 1;
  m->slots = arena_alloc(&m->task->arena, count * sizeof *m->slots);
  m->types = arena_alloc(&m->task->arena, count * sizeof *m->types);
  m->pointers = arena_alloc(&m->task->arena, count * sizeof *m->pointers);
  LLVMPositionBuilderAtEnd(m->builder, new_block(m));
  if (!make_operands(m, all, result) || !make_registers(m, all) ||
      !emit_statements(m))
    return false;
  make_return(m, all, result);
  end_blocks(m);
  return true;
}

static LLVMValueRef make_function(Task *task, LLVMValueRef call) {
  size_t length = 0;
  LLVMValueRef called = LLVMGetCalledValue(call);
  const char *own = llvm_assembly_text(&task->arena, call);
  const char *wanted = LLVMGetInlineAsmConstraintString(called, &length);
  LLVMTypeRef type = LLVMGetCalledFunctionType(call);
  LLVMTypeRef result = LLVMGetReturnType(type);
  Constraints all;
  if (!own || !read_constraints(wanted, length, &all) ||
      all.inputs != LLVMCountParamTypes(type))
    return NULL;
  AsmMaker m = {.task = task,
                .module = LLVMGetGlobalParent(
                    LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))),
                .assembly = assembly_read(task, own, all.outputs + all.inputs)};
  if (!m.assembly || !m.assembly->statements.count)
    return NULL;
  m.context = LLVMGetModuleContext(m.module);
  m.function = LLVMAddFunction(m.module, "assembly", type);
  LLVMSetLinkage(m.function, LLVMInternalLinkage);
  m.builder = LLVMCreateBuilderInContext(m.context);
  bool is_made = make_body(&m, &all, result);
  LLVMDisposeBuilder(m.builder);
  if (is_made)
    return m.function;
  LLVMDeleteFunction(m.function);
  return NULL;
}

// ---------------------------------------------------------------- module ---

static void lower(Task *task, LLVMValueRef call) {
  LLVMValueRef function = make_function(task, call);
  if (!function)
    return;
  LLVMValueRef arguments[32];
  unsigned count = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetOperand(call, i);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(
      LLVMGetModuleContext(LLVMGetGlobalParent(function)));
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef made = LLVMBuildCall2(builder, LLVMGlobalGetValueType(function),
                                     function, arguments, count, "");
  LLVMDisposeBuilder(builder);
  if (LLVMGetFirstUse(call))
    LLVMReplaceAllUsesWith(call, made);
  LLVMInstructionEraseFromParent(call);
}

typedef Vec(LLVMValueRef) Calls;

static Calls calls_of_assembly(Task *task, LLVMModuleRef module) {
  Calls calls = {0};
  if (strncmp(LLVMGetTarget(module), "nvptx", 5) != 0)
    return calls;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
           i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
          push(&task->arena, &calls, i);
  return calls;
}

void llvm_lower_assembly(Task *task, LLVMModuleRef module) {
  Calls calls = calls_of_assembly(task, module);
  for (size_t i = 0; i < calls.count; i++)
    lower(task, calls.at[i]);
}

static void dispose_module(void *module) { LLVMDisposeModule(module); }

LLVMModuleRef llvm_keep_assembly(Task *task, LLVMModuleRef module) {
  if (!calls_of_assembly(task, module).count)
    return NULL;
  LLVMModuleRef copy = LLVMCloneModule(module);
  arena_defer(&task->arena, dispose_module, copy);
  return copy;
}

KernelEntry llvm_entry_in(LLVMModuleRef module, const KernelEntry *entry) {
  KernelEntry own = *entry;
  own.function = LLVMGetNamedFunction(module, entry->name);
  return own;
}
