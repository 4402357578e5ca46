// Inline assembly as functions of LLVM IR.
//
// Registers are variables of the function, jumps and guards are branches.  What
// an instruction does is for whom it is made: `execute` of the emitter.

#include "ptx/emit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void asm_refuse(Emitter *a, const char *what) {
  if (!a->problem)
    a->problem = arena_copy(a->arena, what);
}

void asm_refuse_operand(Emitter *a, const Operand *operand) {
  asm_refuse(a, asm_operand_text(a->arena, a->instruction, operand));
}

// ------------------------------------------------------------- statements ---

static LLVMBasicBlockRef new_block(Emitter *a) {
  return LLVMAppendBasicBlockInContext(a->context, a->function, "");
}

static LLVMBasicBlockRef block_at(Emitter *a, size_t position) {
  if (!a->blocks[position])
    a->blocks[position] = new_block(a);
  return a->blocks[position];
}

static void go_on_at(Emitter *a, LLVMBasicBlockRef block) {
  LLVMBuildBr(a->builder, block);
  LLVMPositionBuilderAtEnd(a->builder, block);
}

static void execute(Emitter *a, const AsmInstruction *i) {
  if (asm_branches(i)) {
    LLVMBuildBr(a->builder, block_at(a, i->operands[0].index));
    LLVMPositionBuilderAtEnd(a->builder, new_block(a)); // nobody comes here
  } else if (asm_is(i, "bra"))
    asm_refuse_operand(a, &i->operands[0]);
  else
    a->execute(a, i);
}

static void execute_guarded(Emitter *a, const AsmInstruction *i) {
  LLVMBasicBlockRef then = new_block(a), after = new_block(a);
  LLVMValueRef guard = asm_load_register(a, i->guard);
  if (i->is_guard_negated)
    guard = LLVMBuildNot(a->builder, guard, "");
  LLVMBuildCondBr(a->builder, guard, then, after);
  LLVMPositionBuilderAtEnd(a->builder, then);
  bool had_carry = a->has_carry;
  execute(a, i);
  a->has_carry = had_carry;
  go_on_at(a, after);
}

// By which way, and with which carry, is not known.
static void enter(Emitter *a, size_t position) {
  a->has_carry = false;
  go_on_at(a, block_at(a, position));
}

static void execute_all(Emitter *a) {
  size_t count = a->text->code.count;
  a->blocks = arena_alloc(a->arena, (count + 1) * sizeof *a->blocks);
  for (size_t n = 0; n <= count && !a->problem; n++) {
    if (a->text->is_target[n])
      enter(a, n);
    if (n == count)
      return;
    a->instruction = &a->text->code.at[n];
    if (a->instruction->guard == NO_REGISTER)
      execute(a, a->instruction);
    else
      execute_guarded(a, a->instruction);
  }
}

// --------------------------------------------------------------- operands ---

typedef struct Shape {
  LLVMTypeRef result;
  unsigned outputs, inputs;
} Shape;

static LLVMTypeRef output_type(const Shape *shape, unsigned index) {
  return LLVMGetTypeKind(shape->result) == LLVMStructTypeKind
             ? LLVMStructGetTypeAtIndex(shape->result, index)
             : shape->result;
}

static bool bits_of_type(LLVMTypeRef type, unsigned *bits) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
    *bits = 16;
    return true;
  case LLVMIntegerTypeKind:
    *bits = LLVMGetIntTypeWidth(type);
    return true;
  case LLVMFloatTypeKind:
    *bits = 32;
    return true;
  case LLVMDoubleTypeKind:
  case LLVMPointerTypeKind:
    *bits = 64;
    return true;
  default:
    return false;
  }
}

static LLVMValueRef as_int(Emitter *a, LLVMValueRef value, unsigned bits) {
  LLVMTypeRef type = asm_int(a, bits);
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
    return LLVMBuildPtrToInt(a->builder, value, type, "");
  return LLVMBuildBitCast(a->builder, value, type, "");
}

static LLVMValueRef from_int(Emitter *a, LLVMValueRef value, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return LLVMBuildIntToPtr(a->builder, value, type, "");
  return LLVMBuildBitCast(a->builder, value, type, "");
}

// Outputs first, then inputs; an input that is an output, too, is said by its
// number, and is one register with it.  False: a constraint that is none of
// these.
static bool declare_operands(Emitter *a, const Shape *shape,
                             const char *constraints) {
  unsigned bits, number = 0;
  for (const char *at = constraints, *next; *at; at = next) {
    size_t length = strcspn(at, ",");
    next = at + length + (at[length] == ',');
    bool is_output = *at == '=';
    if (*at == '~')
      continue;
    if (is_output != (number < shape->outputs) ||
        number == shape->outputs + shape->inputs || strcspn(at, "*m|") < length)
      return false;
    LLVMTypeRef type =
        is_output
            ? output_type(shape, number)
            : LLVMTypeOf(LLVMGetParam(a->function, number - shape->outputs));
    if (!bits_of_type(type, &bits))
      return false;
    if (strspn(at, "0123456789") == length)
      a->slots[number] = a->slots[atoi(at)];
    else
      asm_declare(a, number, bits);
    number++;
    if (is_output)
      continue;
    LLVMValueRef value =
        as_int(a, LLVMGetParam(a->function, number - 1 - shape->outputs), bits);
    asm_store_register(a, number - 1, value, false);
  }
  return number == shape->outputs + shape->inputs;
}

static void build_return(Emitter *a, const Shape *shape) {
  LLVMValueRef value = NULL;
  unsigned bits = 0;
  if (!shape->outputs) {
    LLVMBuildRetVoid(a->builder);
    return;
  }
  if (LLVMGetTypeKind(shape->result) == LLVMStructTypeKind)
    value = LLVMGetPoison(shape->result);
  for (unsigned i = 0; i < shape->outputs; i++) {
    LLVMTypeRef type = output_type(shape, i);
    bool has_bits = bits_of_type(type, &bits);
    assert(has_bits); // declare_operands refuses others
    LLVMValueRef part = from_int(a, asm_load_register(a, i), type);
    value = value ? LLVMBuildInsertValue(a->builder, value, part, i, "") : part;
  }
  LLVMBuildRet(a->builder, value);
}

// -------------------------------------------------------------- functions ---

static Shape shape_of(LLVMTypeRef type) {
  Shape shape = {.result = LLVMGetReturnType(type),
                 .outputs = 1,
                 .inputs = LLVMCountParamTypes(type)};
  if (LLVMGetTypeKind(shape.result) == LLVMVoidTypeKind)
    shape.outputs = 0;
  if (LLVMGetTypeKind(shape.result) == LLVMStructTypeKind)
    shape.outputs = LLVMCountStructElementTypes(shape.result);
  return shape;
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

static bool is_output(const Emitter *a, const Shape *shape, size_t reg) {
  for (size_t i = 0; i < shape->outputs; i++)
    if (a->slots[i].at == a->slots[reg].at)
      return true;
  return false;
}

// Registers that are a pointer all the time.
static void find_pointers(Emitter *a, const Shape *shape) {
  for (unsigned i = 0; i < shape->inputs; i++) {
    LLVMValueRef value = LLVMGetParam(a->function, i);
    size_t reg = shape->outputs + i;
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind &&
        !is_output(a, shape, reg) && !is_written(a->text, reg))
      a->slots[reg].pointer = value;
  }
}

static const char *constraints_of(const Emitter *a, LLVMValueRef call) {
  size_t length = 0;
  const char *text =
      LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(call), &length);
  return arena_printf(a->arena, "%.*s", (int)length, text);
}

static bool clobbers_memory(const Emitter *a, LLVMValueRef call) {
  return strstr(constraints_of(a, call), "~{memory}");
}

static void emit_body(Emitter *a, LLVMValueRef call, const char *text) {
  Shape shape = shape_of(LLVMGetCalledFunctionType(call));
  a->text = ptx_assembly(a->task, text, shape.outputs + shape.inputs);
  a->slots =
      arena_alloc(a->arena, (a->text->register_count + 1) * sizeof *a->slots);
  if (a->text->problem)
    asm_refuse(a, a->text->problem);
  else if (!declare_operands(a, &shape, constraints_of(a, call)))
    asm_refuse(a, "its operands");
  if (a->problem)
    return;
  find_pointers(a, &shape);
  for (size_t i = shape.outputs + shape.inputs; i < a->text->register_count;
       i++)
    asm_declare(a, i, a->text->register_bits[i]);
  execute_all(a);
  if (!a->problem)
    build_return(a, &shape);
}

// Blocks that nobody comes to have to end, too.
static void end_blocks(const Emitter *a) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(a->function); block;
       block = LLVMGetNextBasicBlock(block)) {
    if (LLVMGetBasicBlockTerminator(block))
      continue;
    LLVMPositionBuilderAtEnd(a->builder, block);
    LLVMBuildUnreachable(a->builder);
  }
}

LLVMValueRef asm_emit(Emitter *a, LLVMValueRef call, const char *text) {
  a->arena = &a->task->arena;
  a->context = LLVMGetModuleContext(a->module);
  a->is_volatile = LLVMGetInlineAsmHasSideEffects(LLVMGetCalledValue(call));
  a->may_move = !a->is_volatile && !clobbers_memory(a, call);
  a->builder = LLVMCreateBuilderInContext(a->context);
  a->entry = LLVMCreateBuilderInContext(a->context);
  a->function = LLVMAddFunction(a->module, "gpuverify.assembly",
                                LLVMGetCalledFunctionType(call));
  LLVMBasicBlockRef entry = new_block(a), body = new_block(a);
  LLVMSetLinkage(a->function, LLVMInternalLinkage);
  LLVMPositionBuilderAtEnd(a->entry, entry);
  LLVMPositionBuilderAtEnd(a->builder, body);
  if (text)
    emit_body(a, call, text);
  else
    asm_refuse(a, "its constants");
  LLVMBuildBr(a->entry, body);
  end_blocks(a);
  LLVMDisposeBuilder(a->builder);
  LLVMDisposeBuilder(a->entry);
  if (!a->problem)
    return a->function;
  LLVMDeleteFunction(a->function);
  return NULL;
}
