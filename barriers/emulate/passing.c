// Stores of what did not come from shared memory.
//
// In any order of the instructions: a register may have come from there if any
// instruction that writes it loads from there, or reads such a register, or is
// none whose results come from its operands alone.  What a branch decides that
// depends on such a register does not count; whoever follows the values sees
// that when he comes there.

#include "barriers/emulate/emulate.h"

// Its results come from its operands and from nowhere else.
static bool is_of_operands(const PtxInstruction *instruction) {
  switch (opcode_facts(instruction->opcode->kind)->pure) {
  case PURE_NO:
    return false;
  case PURE_YES:
    return true;
  case PURE_NOT_SHARED:
    return !is_shared_access(instruction);
  }
  return false;
}

static bool has_any_of(const bool *registers, const Operand *operand) {
  for (unsigned i = 0; i < operand_count(operand); i++)
    if (operand_item(operand, i)->kind == OPERAND_REGISTER &&
        registers[operand_item(operand, i)->index])
      return true;
  return false;
}

// Of a load: the only one of its kind.
static unsigned cell_count(const PtxInstruction *load) {
  return operand_count(&load->operands[0]);
}

static bool is_from_shared(const bool *registers,
                           const PtxInstruction *instruction) {
  if (!is_of_operands(instruction) ||
      (instruction->guard != NO_REGISTER && registers[instruction->guard]))
    return true;
  for (unsigned i = 1; i < instruction->count; i++)
    if (has_any_of(registers, &instruction->operands[i]))
      return true;
  for (unsigned i = 0; instruction->cells && i < cell_count(instruction); i++)
    if (registers[instruction->cells[i]])
      return true;
  return false;
}

// True: some register is new.
static bool add_written(bool *registers, const PtxInstruction *instruction) {
  bool has_new = false;
  for (unsigned i = 0; i < instruction->write_count; i++) {
    has_new |= !registers[instruction->writes[i]];
    registers[instruction->writes[i]] = true;
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
      if (instruction->opcode && is_from_shared(registers, instruction))
        has_new |= add_written(registers, instruction);
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
