// Where an address comes from: which place of which argument of the kernel it
// is, or was read from.
//
// Found without executing anything, along registers that one instruction of the
// function writes: moves, cvta, constants that are added, ld.param.  So two
// origins that are equal are equal addresses, wherever in the kernel.

#include "barriers/emulate/emulate.h"

enum { MOST_ORIGIN_STEPS = 32 };

bool is_argument(const PtxFunction *kernel, const PtxVariable *variable) {
  return kernel->is_entry && variable->space == SPACE_PARAM &&
         variable->parameter < kernel->params.count &&
         kernel->params.at[variable->parameter] == variable;
}

static const PtxInstruction *writer_of(const CodeSlice *code, uint32_t reg) {
  uint32_t at = code->writer[reg];
  if (at == NO_REGISTER)
    return NULL;
  const PtxInstruction *writer = code->function->code.at[at];
  bool is_strange = !writer->opcode || writer->strange;
  return is_strange || writer->guard != NO_REGISTER ? NULL : writer;
}

static AddressOrigin begin_at(const CodeSlice *code, const Operand *variable,
                              AddressOrigin way) {
  way.argument = is_argument(code->function, variable->variable)
                     ? variable->variable
                     : NULL;
  return way;
}

// ld.param of a pointer; the offset so far is from where that points.
static AddressOrigin begin_at_load(const CodeSlice *code,
                                   const PtxInstruction *load,
                                   AddressOrigin way) {
  if (!load->cells || load->type.bits != 64 ||
      load->operands[0].kind != OPERAND_REGISTER)
    return (AddressOrigin){0};
  const Operand *from = &load->operands[1];
  way = (AddressOrigin){
      .offset = from->number, .is_loaded = true, .distance = way.offset};
  return begin_at(code, from, way);
}

static bool is_sum(const PtxInstruction *instruction) {
  return instruction->opcode->kind == OPCODE_INTEGER &&
         instruction->opcode->function == integer_add &&
         instruction->type.bits == 64;
}

// What a register has that this instruction writes is `next` and `offset`.
static const Operand *step_back(const PtxInstruction *writer,
                                uint64_t *offset) {
  const Operand *next = &writer->operands[1];
  OpcodeKind kind = writer->opcode->kind;
  if (kind == OPCODE_MOVE || kind == OPCODE_ADDRESS)
    return writer->type.bits == 64 && next->kind != OPERAND_LIST ? next : NULL;
  if (!is_sum(writer) || writer->operands[2].kind != OPERAND_NUMBER)
    return NULL;
  *offset += writer->operands[2].number;
  return next;
}

AddressOrigin origin_of(const CodeSlice *code, const Operand *operand) {
  AddressOrigin way = {0};
  for (unsigned i = 0; operand && i < MOST_ORIGIN_STEPS; i++) {
    if (operand->kind != OPERAND_REGISTER && operand->kind != OPERAND_VARIABLE)
      break;
    way.offset += operand->number;
    if (operand->kind == OPERAND_VARIABLE)
      return begin_at(code, operand, way);
    const PtxInstruction *writer = writer_of(code, operand->index);
    if (writer && writer->opcode->kind == OPCODE_LOAD)
      return begin_at_load(code, writer, way);
    operand = writer ? step_back(writer, &way.offset) : NULL;
  }
  return (AddressOrigin){0};
}
