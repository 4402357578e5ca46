// Tables in global memory that nothing in the file can write.
//
// A `.global` variable that is initialised with numbers keeps them, as far as
// this file is concerned, if its address comes to nothing but reads.  So we
// follow each such address through the registers of all functions, in any
// order of the instructions: whatever is computed from it may be an address in
// the table.  Where it is written to, or gets out of our sight - it is stored,
// passed on, or in an instruction that is not known - the table is none any
// more.  An address that is put together bit by bit, by branches that look at
// the other one, is not thought of, and neither is an access beyond the end of
// another variable.  The host may write, too: SOUND(constant-tables).

#include "ptx/syntax.h"

#include <assert.h>

enum { NOTHING = 0, SEVERAL = INT32_MAX };

// What the value of a register may have come from: the number of a variable
// plus one.
typedef struct Search {
  Ptx *ptx;
  uint32_t *from; // of one function, by register
  bool has_news;
} Search;

static bool is_candidate(const PtxVariable *variable) {
  return variable->space == SPACE_GLOBAL && variable->is_plain &&
         !variable->is_extern && !variable->is_exposed;
}

static uint32_t both(uint32_t a, uint32_t b) {
  return !a ? b : !b || a == b ? a : SEVERAL;
}

static uint32_t number_from(const PtxVariable *variable) {
  assert(variable->number + 1 < SEVERAL);
  return variable->number + 1;
}

static uint32_t of_operand(const Search *search, const Operand *operand) {
  uint32_t from = NOTHING;
  for (unsigned i = 0; i < operand->count; i++)
    from = both(from, of_operand(search, &operand->items[i]));
  if (operand->kind == OPERAND_REGISTER)
    from = both(from, search->from[operand->index]);
  if (operand->kind == OPERAND_VARIABLE && operand->variable->is_table)
    from = both(from, number_from(operand->variable));
  // Something was added that the parser has not kept.
  if (operand->kind == OPERAND_OTHER && !operand->count)
    from = SEVERAL;
  return from;
}

static void lose(Search *search, uint32_t from) {
  for (size_t i = 0; i < search->ptx->variables.count; i++)
    if (from == SEVERAL || from == i + 1)
      search->ptx->variables.at[i]->is_table = false;
}

static void come_to(Search *search, const Operand *to, uint32_t from) {
  for (unsigned i = 0; i < operand_count(to); i++) {
    const Operand *item = operand_item(to, i);
    if (item->kind != OPERAND_REGISTER || item->is_bracketed)
      continue;
    uint32_t now = both(search->from[item->index], from);
    search->has_news |= now != search->from[item->index];
    search->from[item->index] = now;
  }
}

typedef enum Use {
  USE_READS,    // what is found there is no address
  USE_COPIES,   // the same, but the first operand is written to
  USE_COMPUTES, // the result may be one
  USE_EXPOSES,
} Use;

static Use use_of(const PtxInstruction *instruction) {
  if (!instruction->opcode || instruction->strange)
    return USE_EXPOSES;
  OpcodeKind kind = instruction->opcode->kind;
  if (kind == OPCODE_LOAD)
    return USE_READS;
  if (kind == OPCODE_COPY || kind == OPCODE_BULK_LOAD)
    return USE_COPIES;
  return opcode_facts(kind)->result == RESULT_NOTHING ? USE_EXPOSES
                                                      : USE_COMPUTES;
}

static void follow(Search *search, const PtxInstruction *instruction) {
  Use use = use_of(instruction);
  unsigned first = use == USE_COMPUTES && has_destination(instruction);
  unsigned end = use == USE_COPIES ? 1 : instruction->count;
  uint32_t from = NOTHING;
  for (unsigned i = first; i < end; i++)
    from = both(from, of_operand(search, &instruction->operands[i]));
  if (!from || use == USE_READS)
    return;
  if (use != USE_COMPUTES) {
    lose(search, from);
    return;
  }
  come_to(search, &instruction->operands[0], from);
  come_to(search, instruction->other, from);
}

static void follow_function(Task *task, Search *search, PtxFunction *function) {
  size_t count = function->registers.count;
  search->from = arena_alloc(&task->arena, (count + 1) * sizeof(uint32_t));
  do {
    search->has_news = false;
    for (size_t i = 0; i < function->code.count; i++)
      follow(search, function->code.at[i]);
  } while (search->has_news);
  function->table_of = search->from;
}

static const Operand *address_of(const PtxInstruction *load) {
  return load->count > 1 && load->operands[1].is_bracketed ? &load->operands[1]
                                                           : NULL;
}

bool ptx_reads_table(const PtxFunction *function, const PtxInstruction *load) {
  const Operand *address = address_of(load);
  if (!function->table_of || !address)
    return false;
  return address->kind == OPERAND_REGISTER
             ? function->table_of[address->index] != NOTHING
             : address->kind == OPERAND_VARIABLE && address->variable->is_table;
}

void find_tables(Task *task, Ptx *ptx) {
  Search search = {.ptx = ptx};
  bool has_any = false;
  for (size_t i = 0; i < ptx->variables.count; i++) {
    PtxVariable *variable = ptx->variables.at[i];
    variable->is_table = is_candidate(variable);
    has_any |= variable->is_table;
  }
  for (size_t i = 0; i < ptx->functions.count && has_any; i++)
    follow_function(task, &search, ptx->functions.at[i]);
}
