// Stores of what did not come from shared memory.
//
// In any order of the instructions: a register may have come from there if any
// instruction that writes it loads from there, or reads such a register, or is
// none whose results come from its operands alone.  What a branch decides that
// depends on such a register does not count; whoever follows the values sees
// that when he comes there.

#include "barriers/emulate.h"

// Its results come from its operands and from nowhere else.
static bool is_of_operands(const PtxInstruction *instruction) {
  switch (instruction->opcode->kind) {
  case OPCODE_INTEGER:
  case OPCODE_MOVE:
  case OPCODE_SET_PREDICATE:
  case OPCODE_ADDRESS:
  case OPCODE_UNKNOWN:
    return true;
  case OPCODE_LOAD:
    return !is_shared_access(instruction);
  default:
    return false;
  }
}

static bool has_any_of(const bool *registers, const Operand *operand) {
  for (unsigned i = 0; i < operand_count(operand); i++)
    if (operand_item(operand, i)->kind == OPERAND_REGISTER &&
        registers[operand_item(operand, i)->index])
      return true;
  return false;
}

static bool is_from_shared(const bool *registers,
                           const PtxInstruction *instruction) {
  if (!is_of_operands(instruction) ||
      (instruction->guard != NO_REGISTER && registers[instruction->guard]))
    return true;
  for (unsigned i = 1; i < instruction->count; i++)
    if (has_any_of(registers, &instruction->operands[i]))
      return true;
  return false;
}

// True: some register is new.
static bool add_registers(bool *registers, const Operand *operand) {
  bool has_new = false;
  for (unsigned i = 0; i < operand_count(operand); i++) {
    const Operand *item = operand_item(operand, i);
    if (item->kind != OPERAND_REGISTER || item->is_bracketed ||
        registers[item->index])
      continue;
    registers[item->index] = has_new = true;
  }
  return has_new;
}

// The registers with what came from shared memory, or may have.
static bool *find_loaded(Task *task, const PtxFunction *function) {
  bool *registers = arena_alloc(&task->arena, function->registers.count + 1);
  for (bool has_new = true; has_new;) {
    has_new = false;
    for (size_t i = 0; i < function->code.count; i++) {
      const PtxInstruction *instruction = function->code.at[i];
      if (!instruction->opcode || !is_from_shared(registers, instruction))
        continue;
      if (has_destination(instruction))
        has_new |= add_registers(registers, &instruction->operands[0]);
      has_new |= add_registers(registers, instruction->other);
    }
  }
  return registers;
}

bool *find_passing(Task *task, const PtxFunction *kernel) {
  bool *passes = arena_alloc(&task->arena, kernel->ptx->instruction_count + 1u);
  const bool *loaded = find_loaded(task, kernel);
  for (size_t i = 0; i < kernel->code.count; i++) {
    const PtxInstruction *store = kernel->code.at[i];
    passes[store->number] =
        is_store_to_shared(store) && !has_any_of(loaded, &store->operands[1]);
  }
  return passes;
}
