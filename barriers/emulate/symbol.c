// What values that nobody knows have in common.
//
// Where several threads write the same value to the same place it does not
// matter who is last, and much code has them do so: all lanes of a warp know
// the sum after a butterfly of shuffles, and all of them write it.  The value
// is data, but how it was computed is known.  So in an execution that follows
// symbols, the value of a lane that is not known may have a number that stands
// for the way it was computed, from arguments, loads and numbers.  Equal
// symbols are equal values; 0 says nothing.
//
// An instruction hashes its name and the symbols of its operands, sorted where
// their order does not matter, to 64 bits.  Moves and shuffles hand symbols on,
// and what is taken apart into halves and put together again is what it was.
// Shared memory has a symbol for each byte.
//
// A load from global memory brings the same to all who load from there in one
// interval between barriers of the whole block, for a thread that writes there
// in the same interval would race with them (SOUND(same-loads)).  Where a
// kernel has other barriers, intervals are not the same for all, and this is
// said of the lanes of one execution of one instruction alone; so it is where
// the thread itself may have written since the barrier (rewritten.c).
//
// Where the question is only whether some pairs of stores write the same, less
// may do.  Many add to what is in shared memory, and then it need not be known
// what that is: whoever loads the same bytes adds the same.  So at first a
// value passes shared memory once; each byte of what came from there and is
// stored again is something open, which floating-point operations hand on.  Of
// two results with the same open bytes in the same places the rest says whether
// they differ (programs_match); else all has to be followed.  One thing is
// taken for granted there: that two sums of something open and something else
// are not the same the other way round.

#include "barriers/emulate/emulate.h"

#include <assert.h>
#include <string.h>

// An instruction that is being executed: its operands, then its results.
typedef struct Use {
  Emulation *emulation;
  const Warp *warp;
  const LaneGroup *group;
  const PtxInstruction *instruction;
  uint32_t lanes;
} Use;

// For each lane of each operand, therefore inline.
static inline uint64_t mixed(uint64_t a, uint64_t b) {
  uint64_t hash = (a ^ b >> 32 ^ b << 32) + 0x9E3779B97F4A7C15u;
  hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9u;
  hash = (hash ^ b ^ hash >> 27) * 0x94D049BB133111EBu;
  hash = (hash ^ hash >> 31) & ~(uint64_t)(EXCHANGED | OPEN);
  return hash ? hash : 2 * OPEN;
}

uint64_t symbol_mix(uint64_t a, uint64_t b) { return mixed(a, b); }

static uint64_t where_open(uint64_t symbol) {
  return symbol_is_open(symbol) ? symbol >> OPEN_BITS : 0;
}

static uint64_t join_open(uint64_t a, uint64_t b) {
  if (a == OPEN || b == OPEN)
    return OPEN;
  uint64_t where = symbol_mix(where_open(a), where_open(b)) >> OPEN_BITS;
  uint64_t how = symbol_mix(a, b) >> (64 - OPEN_BITS) & ~(uint64_t)EXCHANGED;
  return (where ? where : 1) << OPEN_BITS | how | OPEN;
}

uint64_t symbol_join(uint64_t a, uint64_t b) {
  uint64_t bit = (a | b) & EXCHANGED;
  if (!a || !b)
    return 0;
  if ((a | b) & OPEN)
    return join_open(symbol_hash(a), symbol_hash(b)) | bit;
  return symbol_mix(symbol_hash(a), symbol_hash(b)) | bit;
}

static inline uint64_t joined(uint64_t a, uint64_t b) {
  bool is_plain = a && b && !((a | b) & (EXCHANGED | OPEN));
  return is_plain ? mixed(a, b) : symbol_join(a, b);
}

// What a symbol is about comes first in its hash, a number from this list, so
// that a number of the program is never taken for one.
uint64_t symbol_of_number(uint64_t number) { return symbol_mix(1, number); }

uint64_t symbol_of(const WarpValue *value, unsigned lane) {
  if (value->known >> lane & 1) {
    uint64_t number = symbol_of_number(value_lane(value, lane));
    Anchor from = value_anchor(value, lane);
    return from ? symbol_mix(number, from) : number;
  }
  return value->symbols ? value->symbols[lane] : 0;
}

uint64_t symbol_exchanged(uint64_t symbol) {
  return symbol ? symbol | EXCHANGED : 0;
}

static uint64_t hash_of_name(const PtxInstruction *instruction) {
  uint64_t hash = 0;
  for (unsigned i = 0; i < instruction->text_length; i++) {
    unsigned char c = (unsigned char)instruction->text[i];
    if (c <= ' ')
      break;
    hash = symbol_mix(hash, c);
  }
  return hash;
}

// --------------------------------------------------------------- operands ---

static uint64_t negated(uint64_t symbol) {
  return symbol_join(symbol, symbol_mix(5, 0));
}

// What has no value in the execution, and is nevertheless the same for all.
static uint64_t special_symbol(const Operand *operand) {
  if (operand->kind != OPERAND_SPECIAL)
    return 0;
  bool is_same =
      (operand->index >= PTX_NCTAID_X && operand->index <= PTX_NCTAID_Z) ||
      operand->index == PTX_NSMID || operand->index == PTX_GRIDID ||
      operand->index == PTX_TOTAL_SMEM_SIZE;
  return is_same ? symbol_mix(6, operand->index) : 0;
}

// What an operand has in the lanes; if it is one for all, it is in the first.
typedef struct Lanes {
  bool is_one;
  uint64_t at[WARP];
} Lanes;

static void spread(Lanes *lanes) {
  for (unsigned lane = 1; lanes->is_one && lane < WARP; lane++)
    lanes->at[lane] = lanes->at[0];
  lanes->is_one = false;
}

static bool are_equal(const uint64_t symbols[WARP]) {
  uint64_t differing = 0;
  for (unsigned lane = 1; lane < WARP; lane++)
    differing |= symbols[lane] ^ symbols[0];
  return !differing;
}

static void read_lanes(const Use *use, const Operand *operand, Lanes *lanes) {
  Operand plain = *operand;
  plain.is_negated = false;
  WarpValue value = operand_anchored(use->emulation, use->warp,
                                     use->group->frame, &plain, 64);
  uint64_t special = special_symbol(operand);
  lanes->is_one = value.known == UINT32_MAX && value.kind == VALUE_AFFINE &&
                  value.stride == 0 && !value.is_anchored;
  if (!value.known && value.symbols) {
    lanes->is_one = are_equal(value.symbols);
    memcpy(lanes->at, value.symbols, sizeof lanes->at);
  }
  bool is_read =
      !value.known && value.symbols && !operand->is_negated && !special;
  for (unsigned lane = 0; !is_read && lane < (lanes->is_one ? 1 : WARP);
       lane++) {
    uint64_t symbol = symbol_of(&value, lane);
    symbol = symbol ? symbol : special;
    lanes->at[lane] = operand->is_negated ? negated(symbol) : symbol;
  }
}

static void read_operand(const Use *use, const Operand *operand,
                         uint64_t symbols[WARP]) {
  Lanes lanes;
  read_lanes(use, operand, &lanes);
  spread(&lanes);
  memcpy(symbols, lanes.at, sizeof lanes.at);
}

static void join_lanes(Lanes *to, Lanes *from) {
  unsigned count = to->is_one && from->is_one ? 1 : WARP;
  if (count != 1) {
    spread(to);
    spread(from);
  }
  for (unsigned lane = 0; lane < count; lane++)
    to->at[lane] = joined(to->at[lane], from->at[lane]);
}

static bool is_named(const PtxInstruction *instruction,
                     const char *const *names) {
  for (; *names; names++)
    if (!strcmp(instruction->opcode->name, *names))
      return true;
  return false;
}

enum { MOST_COMMUTING = 3 };

static bool are_single(const PtxInstruction *instruction) {
  for (unsigned i = 1; i < instruction->count; i++)
    if (operand_count(&instruction->operands[i]) != 1)
      return false;
  return instruction->count > 2 && instruction->count <= MOST_COMMUTING + 1;
}

// How many operands may come in any order.
static unsigned count_commuting(const PtxInstruction *instruction) {
  static const char *const all[] = {"add", "mul", "min", "max",
                                    "and", "or",  "xor", NULL};
  static const char *const two[] = {"fma", "mad", NULL};
  if (!are_single(instruction) || instruction->second.bits)
    return 0; // of two types, as add.f32.f16
  if (is_named(instruction, all))
    return instruction->count - 1u;
  return is_named(instruction, two) ? 2 : 0;
}

// More decides about the result than the operands of the lane.
static bool has_hidden_sources(const PtxInstruction *instruction) {
  static const char *const names[] = {"addc", "subc", "madc", "activemask",
                                      "tex",  "tld4", "suld", NULL};
  return is_named(instruction, names);
}

static bool is_of_warp(const PtxInstruction *instruction) {
  static const char *const names[] = {"mma", "wmma.mma", "movmatrix", NULL};
  return is_named(instruction, names);
}

// Of an instruction, found when it is executed for the first time.
static const InstructionTraits *traits_of(const Use *use) {
  const PtxInstruction *instruction = use->instruction;
  InstructionTraits *traits =
      &use->emulation->symbols->traits[instruction->number];
  if (!traits->name)
    *traits = (InstructionTraits){
        .name = hash_of_name(instruction),
        .commuting = (uint8_t)count_commuting(instruction),
        .is_of_warp = is_of_warp(instruction),
        .has_hidden_sources = has_hidden_sources(instruction),
        .moves_halves = instruction->opcode->kind == OPCODE_INTEGER &&
                        symbol_moves_halves(instruction)};
  return traits;
}

// What is open comes last, wherever its bits would put it: of two results, it
// has to be in the same place.
static bool is_behind(uint64_t a, uint64_t b) {
  bool is_open = symbol_is_open(a);
  return is_open == symbol_is_open(b) ? symbol_hash(a) > symbol_hash(b)
                                      : is_open;
}

static void sort_two(Lanes *a, Lanes *b) {
  unsigned count = a->is_one && b->is_one ? 1 : WARP;
  if (count != 1) {
    spread(a);
    spread(b);
  }
  for (unsigned lane = 0; lane < count; lane++) {
    uint64_t one = a->at[lane], two = b->at[lane];
    bool swaps = is_behind(one, two);
    a->at[lane] = swaps ? two : one;
    b->at[lane] = swaps ? one : two;
  }
}

// Few; of a lane each goes to its place.
static void sort_lanes(Lanes *all, unsigned count) {
  for (unsigned i = 1; i < count; i++)
    for (unsigned k = i; k > 0; k--)
      sort_two(&all[k - 1], &all[k]);
}

// ---------------------------------------------------------------- results ---

// From numbers it computes a number, which says less than how it was computed.
static bool folds(const PtxInstruction *instruction) {
  OpcodeKind kind = instruction->opcode->kind;
  return kind == OPCODE_SET_PREDICATE || kind == OPCODE_ADDRESS ||
         (kind == OPCODE_INTEGER && is_integer(instruction));
}

static uint64_t bits_of_all(const Lanes *lanes) {
  uint64_t bits = 0;
  for (unsigned lane = 0; lane < (lanes->is_one ? 1 : WARP); lane++)
    bits |= lanes->at[lane];
  return bits;
}

// Where what is open may be anything, it is not to be compared: a number that
// is folded, or two operands that change places.
static void close(const Use *use, Lanes *sorted, unsigned commuting,
                  Lanes *hash) {
  bool is_folded = folds(use->instruction);
  if (commuting > 1)
    spread(&sorted[commuting - 2]);
  spread(hash);
  for (unsigned lane = 0; lane < WARP; lane++) {
    bool are_two =
        commuting > 1 && symbol_is_open(sorted[commuting - 2].at[lane]);
    if (symbol_is_open(hash->at[lane]) && (is_folded || are_two))
      hash->at[lane] = OPEN | (hash->at[lane] & EXCHANGED);
  }
}

// In each lane, what all operands come to.
static void hash_operands(const Use *use, uint64_t hash[WARP]) {
  const PtxInstruction *instruction = use->instruction;
  const InstructionTraits *traits = traits_of(use);
  unsigned commuting = traits->commuting;
  Lanes result = {.is_one = true, .at = {traits->name}}, sorted[MOST_COMMUTING];
  assert(commuting <= MOST_COMMUTING);
  for (unsigned i = 1; i < instruction->count; i++) {
    const Operand *operand = &instruction->operands[i];
    for (unsigned k = 0; k < operand_count(operand); k++) {
      Lanes lanes;
      Lanes *to = i <= commuting ? &sorted[i - 1] : &lanes;
      read_lanes(use, operand_item(operand, k), to);
      if (i > commuting)
        join_lanes(&result, to);
    }
  }
  sort_lanes(sorted, commuting);
  for (unsigned i = 0; i < commuting; i++)
    join_lanes(&result, &sorted[i]);
  if (bits_of_all(&result) & OPEN)
    close(use, sorted, commuting, &result);
  spread(&result);
  memcpy(hash, result.at, sizeof result.at);
}

static void add_result(const Use *use, const Operand *to,
                       const uint64_t hash[WARP], uint64_t which) {
  SymbolStore *symbols = use->emulation->symbols;
  if (!is_wanted(use->group->frame, to) || symbols->count == MOST_RESULTS)
    return;
  uint64_t *at = symbols->at[symbols->count];
  memcpy(at, hash, WARP * sizeof *at);
  for (unsigned lane = 0; which && lane < WARP; lane++)
    at[lane] = joined(at[lane], which);
  symbols->to[symbols->count++] = to;
}

static void add_results(const Use *use, const uint64_t hash[WARP]) {
  const Operand *to = &use->instruction->operands[0];
  for (unsigned i = 0; i < operand_count(to); i++)
    add_result(use, operand_item(to, i), hash, symbol_mix(7, i));
  add_result(use, use->instruction->other, hash, symbol_mix(8, 0));
}

// A lane's result depends on what all lanes have.
static void compute_of_warp(const Use *use) {
  uint64_t hash[WARP], all = symbol_mix(9, 0);
  hash_operands(use, hash);
  for (unsigned lane = 0; lane < WARP; lane++)
    all = symbol_join(all, hash[lane]);
  if (use->lanes != UINT32_MAX)
    all = 0;
  for (unsigned lane = 0; lane < WARP; lane++)
    hash[lane] = symbol_join(all, symbol_mix(10, lane));
  add_results(use, hash);
}

static void compute(const Use *use) {
  uint64_t hash[WARP];
  hash_operands(use, hash);
  add_results(use, hash);
}

static unsigned width_of_parts(const PtxInstruction *move,
                               const Operand *list) {
  return move->type.bits / list->count;
}

static void compute_unpack(const Use *use) {
  const Operand *list = &use->instruction->operands[0];
  uint64_t whole[WARP], part[MOST_PARTS][WARP];
  read_operand(use, &use->instruction->operands[1], whole);
  for (unsigned lane = 0; lane < WARP; lane++) {
    Parts parts = {.whole = whole[lane],
                   .count = list->count,
                   .width = width_of_parts(use->instruction, list)};
    symbol_split(use->emulation, &parts);
    for (unsigned i = 0; i < list->count; i++)
      part[i][lane] = parts.at[i];
  }
  for (unsigned i = 0; i < list->count; i++)
    add_result(use, &list->items[i], part[i], 0);
}

static void compute_pack(const Use *use) {
  const Operand *list = &use->instruction->operands[1];
  uint64_t whole[WARP], part[MOST_PARTS][WARP];
  for (unsigned i = 0; i < list->count; i++)
    read_operand(use, &list->items[i], part[i]);
  for (unsigned lane = 0; lane < WARP; lane++) {
    Parts parts = {.count = list->count,
                   .width = width_of_parts(use->instruction, list)};
    for (unsigned i = 0; i < list->count; i++)
      parts.at[i] = part[i][lane];
    symbol_unite(use->emulation, &parts);
    whole[lane] = parts.whole;
  }
  add_result(use, &use->instruction->operands[0], whole, 0);
}

// Halves of 64 bits that are moved by arithmetic.
static void compute_integer(const Use *use) {
  uint64_t in[2][WARP], hash[WARP];
  const PtxInstruction *instruction = use->instruction;
  bool may_move = traits_of(use)->moves_halves;
  uint64_t first = symbol_mix(7, 0);
  hash_operands(use, hash);
  for (unsigned i = 0; may_move && i < 2 && i + 1 < instruction->count; i++)
    read_operand(use, &instruction->operands[i + 1], in[i]);
  for (unsigned lane = 0; lane < WARP; lane++) {
    uint64_t moved =
        !may_move ? 0
                  : symbol_of_halves(use->emulation, instruction, in[0][lane],
                                     instruction->count > 2 ? in[1][lane] : 0);
    hash[lane] = moved ? moved : joined(hash[lane], first);
  }
  add_result(use, &instruction->operands[0], hash, 0);
}

static unsigned bits_of(const Use *use, const Operand *reg) {
  return use->group->frame->code->function->registers.at[reg->index].bits;
}

static void compute_move(const Use *use) {
  const PtxInstruction *move = use->instruction;
  const Operand *to = &move->operands[0], *from = &move->operands[1];
  uint64_t symbols[WARP];
  if (to->kind == OPERAND_LIST && from->kind != OPERAND_LIST) {
    compute_unpack(use);
  } else if (from->kind == OPERAND_LIST && to->kind != OPERAND_LIST) {
    compute_pack(use);
  } else if (to->kind == OPERAND_REGISTER &&
             bits_of(use, to) == move->type.bits) {
    read_operand(use, from, symbols);
    add_result(use, to, symbols, 0);
  }
}

// ------------------------------------------------------------------ loads ---

static bool is_of_part(const PtxInstruction *instruction) {
  if (!instruction->opcode)
    return false;
  OpcodeKind kind = instruction->opcode->kind;
  if (kind == OPCODE_SYNC)
    return instruction->count > 1;
  return kind == OPCODE_ARRIVE || kind == OPCODE_REDUCE ||
         kind == OPCODE_CLUSTER_ARRIVE || kind == OPCODE_MBARRIER_INIT;
}

// Who has the same has passed as many barriers, or is the same execution.
static uint64_t interval_of(const Use *use) {
  const Warp *warp = use->warp;
  const LaneGroup *group = use->group;
  if (use->emulation->symbols->has_parts ||
      group->frame->code->is_rewritten[group->at])
    return symbol_mix(symbol_mix(11, warp->index), warp->steps);
  return symbol_mix(symbol_mix(12, warp->syncs), warp->lane_syncs);
}

static bool is_ordered(const PtxInstruction *instruction) {
  return instruction->order == CHOICE_ORDERED;
}

// Lanes that run together here may have waited for different threads before, or
// one for another that has.
static bool may_have_learnt(const Use *use) {
  const LaneGroup *group = use->group;
  return use->emulation->symbols->has_outside_order &&
         (group->frame->code->is_rewritten[group->at] || use->warp->lane_syncs);
}

// SOUND(same-loads)
static void compute_load(const Use *use) {
  const PtxInstruction *load = use->instruction;
  if (load->cells)
    return;
  const Operand *address = &load->operands[1];
  WarpValue at = operand_anchored(use->emulation, use->warp, use->group->frame,
                                  address, 64);
  // In local memory, one address is another place for each thread.
  bool is_global =
      load->space == SPACE_GLOBAL ||
      (load->space == SPACE_GENERIC && !use->emulation->has_local &&
       !(use->lanes & ~anchor_elsewhere(use->emulation, &at)));
  if (!is_global || load->is_volatile || load->order != CHOICE_NONE ||
      may_have_learnt(use))
    return;
  uint64_t hash[WARP];
  uint64_t how = symbol_mix(hash_of_name(load), interval_of(use));
  uint64_t distance = address->kind == OPERAND_REGISTER ? address->number : 0;
  for (unsigned lane = 0; lane < WARP; lane++)
    hash[lane] = symbol_join(symbol_of(&at, lane), symbol_mix(how, distance));
  add_results(use, hash);
}

// --------------------------------------------------------------- execution ---

// Where it is not known whether it is executed: one or the other.
static void choose(const Use *use, uint32_t unknown) {
  SymbolStore *symbols = use->emulation->symbols;
  const Frame *frame = use->group->frame;
  if (!unknown)
    return;
  uint64_t guard[WARP], old[WARP];
  Operand operand = {.kind = OPERAND_REGISTER,
                     .index = use->instruction->guard,
                     .is_negated = use->instruction->guard_negated};
  read_operand(use, &operand, guard);
  for (unsigned i = 0; i < symbols->count; i++) {
    Operand to = {.kind = OPERAND_REGISTER, .index = symbols->to[i]->index};
    assert(is_wanted(frame, &to));
    read_operand(use, &to, old);
    for (uint32_t rest = unknown; rest; rest &= rest - 1) {
      unsigned lane = (unsigned)__builtin_ctz(rest);
      uint64_t *new = &symbols->at[i][lane];
      *new = symbol_join(symbol_join(guard[lane], *new), old[lane]);
    }
  }
}

static bool is_number(const Use *use, const Operand *operand) {
  const Frame *frame = use->group->frame;
  if (operand->kind != OPERAND_REGISTER)
    return operand->kind == OPERAND_NUMBER;
  uint32_t slot = frame->code->slot[operand->index];
  return slot != NO_REGISTER && !frame->slots[slot].is_anchored &&
         !(use->lanes & ~frame->slots[slot].known);
}

// What is computed from numbers alone is one, and needs no symbol.
static bool computes_number(const Use *use) {
  const PtxInstruction *instruction = use->instruction;
  OpcodeKind kind = instruction->opcode->kind;
  if (kind != OPCODE_MOVE &&
      (kind != OPCODE_INTEGER || !is_integer(instruction)))
    return false;
  for (unsigned i = 1; i < instruction->count; i++)
    for (unsigned k = 0; k < operand_count(&instruction->operands[i]); k++)
      if (!is_number(use, operand_item(&instruction->operands[i], k)))
        return false;
  return true;
}

static void compute_unknown(const Use *use) {
  if (traits_of(use)->is_of_warp)
    compute_of_warp(use);
  else if (!traits_of(use)->has_hidden_sources)
    compute(use);
}

static void (*const computes[])(const Use *) = {
    [OPCODE_INTEGER] = compute_integer, [OPCODE_SET_PREDICATE] = compute,
    [OPCODE_ADDRESS] = compute,         [OPCODE_UNKNOWN] = compute_unknown,
    [OPCODE_MOVE] = compute_move,       [OPCODE_LOAD] = compute_load,
};

void symbols_compute(Emulation *emulation, const Warp *warp,
                     const LaneGroup *group, const PtxInstruction *instruction,
                     uint32_t lanes, uint32_t unknown) {
  Use use = {emulation, warp, group, instruction, lanes | unknown};
  emulation->symbols->count = 0;
  if ((!emulation->slice.passes && has_enough_of(emulation, warp)) ||
      (!unknown && computes_number(&use)))
    return;
  OpcodeKind kind = instruction->opcode->kind;
  if (kind < sizeof computes / sizeof *computes && computes[kind])
    computes[kind](&use);
  choose(&use, unknown);
}

void symbols_assign(Emulation *emulation, const Frame *frame, uint32_t lanes) {
  const SymbolStore *symbols = emulation->symbols;
  for (unsigned i = 0; i < symbols->count; i++) {
    WarpValue *slot = &frame->slots[frame->code->slot[symbols->to[i]->index]];
    value_identify(&emulation->task->arena, slot, symbols->at[i], lanes);
  }
}

// ----------------------------------------------------------------- memory ---

void symbols_store(Emulation *emulation, uint64_t at, uint64_t symbol,
                   unsigned bytes) {
  for (unsigned i = 0; emulation->symbols && i < bytes; i++)
    emulation->symbols->shared[at + i] = symbol_join(symbol, symbol_mix(13, i));
}

void symbols_lose(Emulation *emulation, uint64_t at, unsigned bytes) {
  SymbolStore *symbols = emulation->symbols;
  uint64_t bits =
      OPEN | (emulation->slice.has_butterflies ? (uint64_t)EXCHANGED : 0);
  for (unsigned i = 0; i < bytes; i++)
    symbols->shared[at + i] = ++symbols->lost << OPEN_BITS | bits;
}

// Whoever reads it then reads the same.
void symbols_renew(Emulation *emulation, uint64_t at, unsigned bytes) {
  if (emulation->symbols)
    symbols_store(emulation, at, symbol_mix(18, ++emulation->symbols->fresh),
                  bytes);
}

uint64_t symbols_load(const Emulation *emulation, uint64_t at, unsigned bytes,
                      bool extends_sign) {
  uint64_t symbol = symbol_mix(extends_sign ? 19 : 14, bytes);
  for (unsigned i = 0; i < bytes; i++)
    symbol = symbol_join(symbol, emulation->symbols->shared[at + i]);
  return symbol;
}

bool symbols_matter(const Emulation *emulation, const Warp *warp,
                    const PtxInstruction *store) {
  return emulation->symbols && !has_enough_of(emulation, warp) &&
         (!emulation->is_followed || emulation->is_followed[store->number]);
}

static uint32_t keep_written(Emulation *emulation, const PtxInstruction *store,
                             const uint64_t written[WARP]) {
  Programs *programs = emulation->programs;
  uint32_t first = (uint32_t)programs->values.count;
  if (first > UINT32_MAX - WARP - 1)
    give_up(emulation, store, "too many values are written");
  for (unsigned lane = 0; lane < WARP; lane++)
    push_moving(emulation->arena, &programs->values,
                symbol_hash(written[lane]));
  return first + 1;
}

void symbols_write(Emulation *emulation, const Warp *warp,
                   const LaneGroup *group, const PtxInstruction *store,
                   Command *command) {
  Use use = {emulation, warp, group, store, command->lanes};
  const Operand *from = &store->operands[1];
  uint64_t written[WARP], symbols[WARP];
  for (unsigned lane = 0; lane < WARP; lane++)
    written[lane] = symbol_mix(15, store->type.bits);
  for (unsigned i = 0; i < operand_count(from); i++) {
    read_operand(&use, operand_item(from, i), symbols);
    for (unsigned lane = 0; lane < WARP; lane++)
      written[lane] = joined(written[lane], symbols[lane]);
  }
  uint64_t any = 0, first = written[__builtin_ctz(command->lanes)];
  bool is_one = first && !symbol_is_open(first);
  for (uint32_t rest = command->lanes; rest; rest &= rest - 1) {
    uint64_t symbol = written[__builtin_ctz(rest)];
    any |= symbol;
    is_one &= symbol_hash(symbol) == symbol_hash(first);
  }
  command->is_exchanged = any & EXCHANGED;
  command->same_value |= is_one;
  if (any)
    command->value = keep_written(emulation, store, written);
}

// ------------------------------------------------------------------ set up ---

uint64_t *symbols_all(Emulation *emulation, uint64_t symbol) {
  SymbolStore *symbols = emulation->symbols;
  for (unsigned lane = 0; symbols && lane < WARP; lane++)
    symbols->room[lane] = symbol;
  return symbols ? symbols->room : NULL;
}

uint64_t *symbols_alike(Emulation *emulation) {
  SymbolStore *symbols = emulation->symbols;
  return symbols ? symbols_all(emulation, symbol_mix(16, ++symbols->fresh))
                 : NULL;
}

uint64_t *symbols_open(Emulation *emulation) {
  return symbols_all(emulation, OPEN);
}

uint64_t *symbols_apart(Emulation *emulation) {
  SymbolStore *symbols = emulation->symbols;
  uint64_t first = symbol_mix(16, ++symbols->fresh) & ~(uint64_t)(4 * WARP - 1);
  for (unsigned lane = 0; lane < WARP; lane++)
    symbols->room[lane] = first + 4 * (lane + 1);
  return symbols->room;
}

void symbols_of_argument(Emulation *emulation, const Frame *frame,
                         const PtxVariable *parameter, const PtxCell *cell) {
  Operand to = {.kind = OPERAND_REGISTER, .index = cell->reg};
  if (!emulation->symbols || !is_wanted(frame, &to))
    return;
  uint64_t symbol =
      symbol_mix(symbol_mix(17, parameter->parameter), cell->offset);
  uint64_t symbols[WARP];
  for (unsigned lane = 0; lane < WARP; lane++)
    symbols[lane] = symbol_mix(symbol, cell->bytes);
  value_identify(&emulation->task->arena,
                 &frame->slots[frame->code->slot[cell->reg]], symbols,
                 UINT32_MAX);
}

void symbols_set_up(Emulation *emulation) {
  Arena *arena = &emulation->task->arena;
  if (!emulation->options->follows_symbols)
    return;
  SymbolStore *symbols = NEW(arena, SymbolStore);
  symbols->shared =
      arena_alloc(arena, memory_bytes(emulation) * sizeof *symbols->shared);
  symbols->has_parts = find_instruction(emulation, is_of_part);
  symbols->has_outside_order =
      find_instruction(emulation, looks_outside) &&
      (emulation->has_fences || find_instruction(emulation, is_ordered));
  symbols->traits =
      arena_alloc(arena, (emulation->kernel->ptx->instruction_count + 1u) *
                             sizeof *symbols->traits);
  emulation->symbols = symbols;
}
