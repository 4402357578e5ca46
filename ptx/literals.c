// Literals of floating-point numbers: 0f and eight digits, 0d and sixteen.
//
// Where a number of the other width is wanted they are converted; a type of
// bits takes those of its own width.  Everywhere else they are nothing that we
// know.

#include "ptx/syntax.h"

#include <assert.h>
#include <string.h>

static void convert(Operand *operand, PtxType type) {
  PtxConstant constant = {operand->is_single ? PTX_CONSTANT_SINGLE
                                             : PTX_CONSTANT_DOUBLE,
                          operand->number};
  if (!operand->is_single && !operand->is_double)
    return;
  assert(operand->kind == OPERAND_NUMBER || operand->kind == OPERAND_OTHER);
  if (!ptx_constant_as(&constant, type.class, type.bits, &operand->number))
    operand->kind = OPERAND_OTHER;
  operand->is_single = type.class == 'f' && type.bits == 32;
  operand->is_double = type.class == 'f' && type.bits == 64;
}

// The type that an operand is read with.
static PtxType type_of(const PtxInstruction *instruction, unsigned index) {
  const char *name = instruction->opcode ? instruction->opcode->name : "";
  bool is_second = !strcmp(name, "cvt") || !strcmp(name, "set") ||
                   (!strcmp(name, "slct") && index == 3);
  return is_second ? instruction->second : instruction->type;
}

void convert_literals(PtxInstruction *instruction) {
  for (unsigned i = 0; i < instruction->count; i++) {
    Operand *operand = &instruction->operands[i];
    PtxType type = type_of(instruction, i);
    bool is_list = operand->kind == OPERAND_LIST;
    bool is_pack = is_list && operand->count && instruction->opcode &&
                   instruction->opcode->kind == OPCODE_MOVE;
    if (is_pack)
      type.bits = (uint8_t)(type.bits / operand->count);
    for (unsigned k = 0; is_list && k < operand->count; k++)
      convert(&operand->items[k], type);
    if (!is_list)
      convert(operand, type);
  }
}
