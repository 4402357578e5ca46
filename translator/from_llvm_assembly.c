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

LLVMValueRef maker_call(AsmMaker *m, const char *name, LLVMTypeRef result,
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
        maker_call(m, intrinsic, asm_integer(m, is_wide ? 64 : 32), NULL, 0);
    return LLVMBuildIntCast2(m->builder, value, asm_integer(m, type.bits),
                             false, "");
  }
  return NULL;
}

static LLVMValueRef constant(AsmMaker *m, const Operand *operand,
                             AsmType type) {
  LLVMTypeRef integer = asm_integer(m, type.bits * type.lanes);
  uint64_t image;
  if (type.lanes > 1 || !asm_number(operand, type, &image))
    return NULL;
  return LLVMConstBitCast(LLVMConstInt(integer, image, false),
                          asm_llvm_type(m, type));
}

// A register may be wider than what is read of it.
LLVMValueRef maker_get(AsmMaker *m, const Operand *operand, AsmType type) {
  unsigned bits = type.bits * type.lanes;
  if (operand->kind == OPERAND_NUMBER)
    return constant(m, operand, type);
  if (operand->kind == OPERAND_SPECIAL && !operand->is_negated &&
      !operand->is_bracketed && !operand->number)
    return asm_is_float(type)
               ? NULL
               : special(m, ptx_special_text(operand->index), type);
  if (!asm_is_register(operand))
    return NULL;
  LLVMTypeRef stored = m->types[operand->index];
  if (LLVMGetIntTypeWidth(stored) < bits ||
      (type.kind == 'p') != (LLVMGetIntTypeWidth(stored) == 1))
    return NULL;
  LLVMValueRef value =
      LLVMBuildLoad2(m->builder, stored, m->slots[operand->index], "");
  value = LLVMBuildTrunc(m->builder, value, asm_integer(m, bits), "");
  if (operand->is_negated)
    return type.kind == 'p' ? LLVMBuildNot(m->builder, value, "") : NULL;
  return LLVMBuildBitCast(m->builder, value, asm_llvm_type(m, type), "");
}

bool maker_put(AsmMaker *m, const Operand *operand, AsmType type,
               LLVMValueRef value) {
  unsigned bits = type.bits * type.lanes;
  if (!value || operand->is_negated)
    return false;
  if (operand->kind == OPERAND_SINK)
    return true;
  if (!asm_is_register(operand))
    return false;
  LLVMTypeRef stored = m->types[operand->index];
  if (LLVMGetIntTypeWidth(stored) < bits ||
      (type.kind == 'p') != (LLVMGetIntTypeWidth(stored) == 1))
    return false;
  value = LLVMBuildBitCast(m->builder, value, asm_integer(m, bits), "");
  value = LLVMBuildIntCast2(m->builder, value, stored, type.kind == 's', "");
  LLVMBuildStore(m->builder, value, m->slots[operand->index]);
  return true;
}

// ---------------------------------------------------------- control flow ---

static LLVMBasicBlockRef new_block(const AsmMaker *m) {
  return LLVMAppendBasicBlockInContext(m->context, m->function, "");
}

static LLVMBasicBlockRef block_at(const AsmMaker *m, size_t position) {
  if (!m->blocks[position])
    m->blocks[position] = new_block(m);
  return m->blocks[position];
}

static bool emit_branch(AsmMaker *m, const AsmInstruction *s) {
  if (!asm_branches(s))
    return false;
  LLVMBuildBr(m->builder, block_at(m, s->operands[0].index));
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

// u16x2 and s16x2, which only executions know.
static bool has_pairs(const AsmInstruction *s) {
  return (s->type.lanes == 2 && !asm_is_float(s->type)) ||
         (s->to.lanes == 2 && !asm_is_float(s->to));
}

static bool emit_instruction(AsmMaker *m, const AsmInstruction *s) {
  AsmEmit *emit = emitter(s->words[0]);
  if (has_pairs(s))
    return false;
  if (s->guard == NO_REGISTER)
    return emit(m, s);
  Operand guard = {.kind = OPERAND_REGISTER,
                   .is_negated = s->is_guard_negated,
                   .index = s->guard};
  LLVMValueRef holds = maker_get(m, &guard, (AsmType){'p', 1, 1});
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

// A carry may come from elsewhere.
static void enter_block(AsmMaker *m, size_t position) {
  m->has_carry = false;
  LLVMBuildBr(m->builder, block_at(m, position));
  LLVMPositionBuilderAtEnd(m->builder, block_at(m, position));
}

static bool emit_code(AsmMaker *m) {
  size_t count = m->assembly->code.count;
  m->blocks = arena_alloc(&m->task->arena, (count + 1) * sizeof *m->blocks);
  for (size_t i = 0; i <= count; i++) {
    if (m->assembly->is_target[i])
      enter_block(m, i);
    if (i < count && !emit_instruction(m, &m->assembly->code.at[i]))
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

static bool is_or_lists(const Operand *operand, size_t reg) {
  for (unsigned i = 0; i < operand_count(operand); i++) {
    const Operand *item = operand_item(operand, i);
    if (item->kind == OPERAND_REGISTER && !item->is_bracketed &&
        item->index == reg)
      return true;
  }
  return false;
}

static bool is_written(const PtxAssembly *assembly, size_t reg) {
  for (size_t i = 0; i < assembly->code.count; i++) {
    const AsmInstruction *s = &assembly->code.at[i];
    for (unsigned k = 0; k < s->operand_count && k < 2; k++)
      if (is_or_lists(&s->operands[k], reg))
        return true;
    if (is_or_lists(s->other, reg))
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

static void make_registers(AsmMaker *m, const Constraints *all) {
  for (size_t i = all->outputs + all->inputs; i < m->assembly->register_count;
       i++)
    make_slot(m, i, m->assembly->register_bits[i]);
  m->carry = new_slot(m, asm_integer(m, 1));
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
  size_t count = m->assembly->register_count + 1;
  m->slots = arena_alloc(&m->task->arena, count * sizeof *m->slots);
  m->types = arena_alloc(&m->task->arena, count * sizeof *m->types);
  m->pointers = arena_alloc(&m->task->arena, count * sizeof *m->pointers);
  LLVMPositionBuilderAtEnd(m->builder, new_block(m));
  if (!make_operands(m, all, result))
    return false;
  make_registers(m, all);
  if (!emit_code(m))
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
                .assembly = ptx_assembly(task, own, all.outputs + all.inputs)};
  if (m.assembly->problem || !m.assembly->code.count)
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
