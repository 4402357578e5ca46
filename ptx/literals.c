// Literals of floating-point numbers: 0f and eight digits, 0d and sixteen.
//
// Where a number of the other width is wanted they are converted; a type of
// bits takes those of its own width.  Everywhere else they are nothing that we
// know.

#include "ptx/syntax.h"

#include <assert.h>
#include <string.h>

static uint64_t to_single(uint64_t bits) {
  double number;
  uint32_t narrow_bits;
  memcpy(&number, &bits, sizeof number);
  float narrow = (float)number;
  memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
  return narrow_bits;
}

static uint64_t to_double(uint64_t bits) {
  uint32_t narrow_bits = (uint32_t)bits;
  float narrow;
  memcpy(&narrow, &narrow_bits, sizeof narrow);
  double number = (double)narrow;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static void convert(Operand *operand, PtxType type) {
  unsigned bits = operand->is_single ? 32 : operand->is_double ? 64 : 0;
  bool is_float = type.class == 'f' && type.bits >= 32;
  if (!bits || (type.bits == bits && (is_float || type.class == 'b')))
    return;
  assert(operand->kind == OPERAND_NUMBER || operand->kind == OPERAND_OTHER);
  if (is_float)
    operand->number = type.bits == 32 ? to_single(operand->number)
                                      : to_double(operand->number);
  else
    operand->kind = OPERAND_OTHER;
  operand->is_single = is_float && type.bits == 32;
  operand->is_double = is_float && type.bits == 64;
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
