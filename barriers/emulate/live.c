// Which registers are still to be read, at a place of a function.
//
// The usual equations, backwards over the flow graph: a register is live if
// there is a way to an instruction that reads it on which nothing writes it.
// An instruction counts only if it has an effect, writes what is live, or
// decides whether one that counts is executed.  So how often a loop has slept
// is not live, even if its register has another use elsewhere: the slice, which
// knows no places, has to keep it, and here it is dropped.
//
// In doubt a register is live: what an instruction writes under a guard, or a
// call anyway, stays so.

#include "barriers/emulate/emulate.h"

#include <assert.h>
#include <string.h>

enum { BITS = 64 };

typedef struct Live {
  uint64_t *sets; // by block, where it begins: bits of slots
  size_t words;   // of a set
  bool *counts;   // by instruction
  bool changed;   // while they are computed
  Indices **at;   // by instruction; NULL: not asked for yet
} Live;

// ---------------------------------------------------------- instructions ---

static void add(const CodeSlice *code, uint64_t *set, uint32_t reg) {
  uint32_t slot = code->slot[reg];
  if (slot != NO_REGISTER)
    set[slot / BITS] |= UINT64_C(1) << slot % BITS;
}

static void drop(const CodeSlice *code, uint64_t *set, uint32_t reg) {
  uint32_t slot = code->slot[reg];
  if (slot != NO_REGISTER)
    set[slot / BITS] &= ~(UINT64_C(1) << slot % BITS);
}

static void add_cells(const CodeSlice *code, uint64_t *set,
                      const PtxVariable *variable) {
  for (const PtxCell *cell = variable->cells; cell; cell = cell->next)
    add(code, set, cell->reg);
}

// A call reads its arguments, and it may leave its results alone.
static void add_operand(const CodeSlice *code, uint64_t *set,
                        const Operand *operand) {
  for (unsigned i = 0; i < operand_count(operand); i++) {
    const Operand *item = operand_item(operand, i);
    if (item->kind == OPERAND_REGISTER)
      add(code, set, item->index);
    if (item->kind == OPERAND_VARIABLE && item->variable->space == SPACE_PARAM)
      add_cells(code, set, item->variable);
  }
}

static void drop_operand(const CodeSlice *code, uint64_t *set,
                         const Operand *operand) {
  for (unsigned i = 0; i < operand_count(operand); i++)
    if (operand_item(operand, i)->kind == OPERAND_REGISTER)
      drop(code, set, operand_item(operand, i)->index);
}

bool is_silent(const PtxInstruction *instruction) {
  if (!instruction->opcode || instruction->strange)
    return false;
  switch (opcode_facts(instruction->opcode->kind)->silent) {
  case SILENT_NO:
    return false;
  case SILENT_YES:
    return true;
  case SILENT_PARAMETERS:
    return instruction->cells;
  }
  return false;
}

static bool has(const CodeSlice *code, const uint64_t *set, uint32_t reg) {
  uint32_t slot = code->slot[reg];
  return slot != NO_REGISTER && set[slot / BITS] >> slot % BITS & 1;
}

static bool writes_live(const CodeSlice *code, const uint64_t *set,
                        const PtxInstruction *instruction) {
  for (unsigned i = 0; i < instruction->write_count; i++)
    if (has(code, set, instruction->writes[i]))
      return true;
  return false;
}

static void step_back(const CodeSlice *code, uint64_t *set,
                      const PtxInstruction *instruction) {
  bool writes_first = has_destination(instruction);
  bool is_store = instruction->opcode->kind == OPCODE_STORE;
  unsigned cells =
      instruction->cells ? operand_count(&instruction->operands[is_store]) : 0;
  if (instruction->guard != NO_REGISTER) {
    add(code, set, instruction->guard);
  } else {
    if (writes_first)
      drop_operand(code, set, &instruction->operands[0]);
    drop_operand(code, set, instruction->other);
    for (unsigned i = 0; is_store && i < cells; i++)
      drop(code, set, instruction->cells[i]);
  }
  for (unsigned i = writes_first; i < instruction->count; i++)
    add_operand(code, set, &instruction->operands[i]);
  for (unsigned i = 0; !is_store && i < cells; i++)
    add(code, set, instruction->cells[i]);
}

// ---------------------------------------------------------------- blocks ---

// What is live behind a block.
static void join(const CodeSlice *code, const Live *live, uint32_t block,
                 uint64_t *set) {
  const Indices *out = &code->flow->blocks[block].out;
  for (size_t i = 0; i < out->count; i++)
    for (size_t word = 0; word < live->words; word++)
      set[word] |= live->sets[out->at[i] * live->words + word];
}

static void count_one(Live *live, uint32_t at) {
  live->changed |= !live->counts[at];
  live->counts[at] = true;
}

// And the branches that decide about it.
static void count(const CodeSlice *code, Live *live, uint32_t at) {
  const Flow *flow = code->flow;
  const Indices *controls = &flow->blocks[flow->block_of[at]].controls;
  count_one(live, at);
  for (size_t i = 0; i < controls->count; i++)
    count_one(live, flow->blocks[controls->at[i]].end - 1);
}

static void walk_back(const CodeSlice *code, Live *live, uint64_t *set,
                      uint32_t from, uint32_t to) {
  for (uint32_t at = from; at-- > to;) {
    const PtxInstruction *instruction = code->function->code.at[at];
    if (!code->is_relevant[at])
      continue;
    if (live->counts[at] || !is_silent(instruction) ||
        writes_live(code, set, instruction))
      count(code, live, at);
    if (live->counts[at] && instruction->opcode)
      step_back(code, set, instruction);
  }
}

static void update_block(const CodeSlice *code, Live *live, uint32_t block,
                         uint64_t *set) {
  const FlowNode *of = &code->flow->blocks[block];
  uint64_t *known = &live->sets[block * live->words];
  memset(set, 0, live->words * sizeof *set);
  join(code, live, block, set);
  walk_back(code, live, set, of->end, of->first);
  if (memcmp(known, set, live->words * sizeof *set) != 0)
    live->changed = true;
  memcpy(known, set, live->words * sizeof *set);
}

void find_live(Task *task, CodeSlice *code) {
  const Flow *flow = code->flow;
  const PtxFunction *function = code->function;
  Live *live = code->live = NEW(&task->arena, Live);
  size_t count = function->code.count + 1;
  live->words = code->slot_count / BITS + 1;
  live->counts = arena_alloc(&task->arena, count);
  live->at = arena_alloc(&task->arena, count * sizeof *live->at);
  live->sets = arena_alloc(&task->arena, (flow->count + 1) * live->words *
                                             sizeof *live->sets);
  uint64_t *set = arena_alloc(&task->arena, live->words * sizeof *set);
  // Behind the end the caller reads the results.
  for (size_t i = 0; i < function->results.count; i++)
    add_cells(code, &live->sets[flow->count * live->words],
              function->results.at[i]);
  do {
    task_check_time(task, function->loc);
    live->changed = false;
    for (uint32_t block = flow->count; block-- > 0;)
      update_block(code, live, block, set);
  } while (live->changed);
  for (size_t i = 0; i < function->code.count; i++)
    code->is_relevant[i] &= live->counts[i];
}

// ----------------------------------------------------------------- entry ---

const Indices *live_slots(Task *task, CodeSlice *code, uint32_t at) {
  Live *live = code->live;
  assert(live);
  if (live->at[at])
    return live->at[at];
  uint64_t *set = arena_alloc(&task->arena, live->words * sizeof *set);
  uint32_t block = code->flow->block_of[at];
  if (block == code->flow->count) {
    memcpy(set, &live->sets[block * live->words], live->words * sizeof *set);
  } else {
    join(code, live, block, set);
    walk_back(code, live, set, code->flow->blocks[block].end, at);
  }
  Indices *slots = live->at[at] = NEW(&task->arena, Indices);
  for (uint32_t slot = 0; slot < code->slot_count; slot++)
    if (set[slot / BITS] >> slot % BITS & 1)
      push(&task->arena, slots, slot);
  return slots;
}
