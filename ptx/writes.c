// What each instruction writes.
//
// The row of its opcode says so, by the first letter of its shape: the first
// operand, the results of a call, or nothing; what stands behind a | is written
// whatever the row says.  The cell of a parameter that something is stored to
// is written, and so is any other one that has a byte in common with it.

#include "ptx/syntax.h"

#include <assert.h>
#include <string.h>

typedef struct Writes {
  Arena *arena;
  Vec(uint32_t) registers; // of one instruction
} Writes;

static void add(Writes *writes, uint32_t reg) {
  for (size_t i = 0; i < writes->registers.count; i++)
    if (writes->registers.at[i] == reg)
      return;
  push(writes->arena, &writes->registers, reg);
}

static void add_operand(Writes *writes, const Operand *operand) {
  for (unsigned i = 0; i < operand_count(operand); i++) {
    const Operand *item = operand_item(operand, i);
    if (item->kind == OPERAND_REGISTER && !item->is_bracketed)
      add(writes, item->index);
  }
}

static void add_cells(Writes *writes, const PtxVariable *parameter) {
  for (const PtxCell *cell = parameter->cells; cell; cell = cell->next)
    add(writes, cell->reg);
}

// The registers, and the parameters that are filled.
static void add_results(Writes *writes, const Operand *results) {
  if (results->kind != OPERAND_LIST)
    return;
  add_operand(writes, results);
  for (unsigned i = 0; i < results->count; i++)
    if (results->items[i].kind == OPERAND_VARIABLE)
      add_cells(writes, results->items[i].variable);
}

static const PtxCell *cell_of(const PtxFunction *function, uint32_t reg) {
  assert(function->registers.at[reg].is_cell);
  return function->registers.at[reg].cell;
}

static void add_stored(Writes *writes, const PtxFunction *function,
                       const PtxInstruction *store) {
  assert(store->cells && store->count > 1);
  for (unsigned i = 0; i < operand_count(&store->operands[1]); i++) {
    const PtxCell *stored = cell_of(function, store->cells[i]);
    for (const PtxCell *cell = stored->of->cells; cell; cell = cell->next)
      if (cell->offset < stored->offset + stored->bytes &&
          stored->offset < cell->offset + cell->bytes)
        add(writes, cell->reg);
  }
}

static void find(Writes *writes, const PtxFunction *function,
                 PtxInstruction *instruction) {
  const char *shape = instruction->opcode ? instruction->opcode->shape : "";
  bool is_store =
      instruction->opcode && instruction->opcode->kind == OPCODE_STORE;
  writes->registers.count = 0;
  if (has_destination(instruction))
    add_operand(writes, &instruction->operands[0]);
  if (instruction->count && *shape == 'r')
    add_results(writes, &instruction->operands[0]);
  if (is_store && instruction->cells)
    add_stored(writes, function, instruction);
  add_operand(writes, instruction->other);
  size_t count = writes->registers.count;
  uint32_t *kept = arena_alloc(writes->arena, count * sizeof *kept);
  if (count)
    memcpy(kept, writes->registers.at, count * sizeof *kept);
  instruction->writes = kept;
  instruction->write_count = (unsigned)count;
}

// Its cells alone do not say any more what is in it.
static void show(const PtxFunction *function, Ptx *ptx,
                 const Operand *operand) {
  for (unsigned i = 0; i < operand_count(operand); i++) {
    const Operand *item = operand_item(operand, i);
    if (item->kind == OPERAND_VARIABLE && item->variable->space == SPACE_PARAM)
      ptx->variables.at[item->variable->number]->is_shown |=
          !function->is_entry;
  }
}

// What takes the address of a parameter: all but ld.param, st.param and calls.
static void find_shown(const PtxFunction *function, Ptx *ptx,
                       const PtxInstruction *instruction) {
  bool is_call =
      instruction->opcode && instruction->opcode->kind == OPCODE_CALL;
  for (unsigned i = 0; i < instruction->count; i++)
    if (!is_call &&
        !(instruction->cells && instruction->operands[i].is_bracketed))
      show(function, ptx, &instruction->operands[i]);
}

void find_writes(Task *task, Ptx *ptx) {
  Writes writes = {.arena = &task->arena};
  for (size_t f = 0; f < ptx->functions.count; f++) {
    const PtxFunction *function = ptx->functions.at[f];
    for (size_t i = 0; i < function->code.count; i++) {
      find(&writes, function, function->code.at[i]);
      find_shown(function, ptx, function->code.at[i]);
    }
  }
}
