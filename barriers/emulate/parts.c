// Symbols of numbers that are taken apart and put together again.
//
// A shuffle moves 32 bits, so a double goes through it in two halves, and two
// short numbers as one.  What is put together from all parts of something is
// that again.  Halves of 64 bits are also moved by conversions, shifts by 32
// and `or`.

#include "barriers/emulate/emulate.h"

#include <assert.h>
#include <string.h>

enum { FIRST_SLOTS = 256, HALF = 32 };

static uint64_t shape_of(const Parts *parts) {
  return (uint64_t)parts->width << 32 | parts->count;
}

static uint64_t hash_of_parts(const Parts *parts) {
  uint64_t hash = symbol_mix(4, shape_of(parts));
  for (unsigned i = 0; i < parts->count; i++)
    hash = symbol_join(hash, parts->at[i]);
  return hash;
}

// What is kept from `at` on: the whole, how many parts and how wide, and these.
static Parts parts_at(const SymbolStore *symbols, uint32_t at) {
  const uint64_t *kept = &symbols->parts.at[at];
  Parts parts = {.whole = kept[0],
                 .count = (uint32_t)kept[1],
                 .width = (unsigned)(kept[1] >> 32)};
  memcpy(parts.at, kept + 2, parts.count * sizeof *parts.at);
  return parts;
}

// By the whole, and by all parts: a place in symbols->parts, plus 1.
static uint32_t *slot_of(const SymbolStore *symbols, uint64_t key,
                         bool by_parts) {
  size_t mask = symbols->slot_count - 1, i = (key + by_parts) & mask;
  for (; symbols->slots[i]; i = (i + 1) & mask) {
    Parts parts = parts_at(symbols, symbols->slots[i] - 1);
    if (key == (by_parts ? hash_of_parts(&parts) : parts.whole))
      break;
  }
  return &symbols->slots[i];
}

static void enter(const SymbolStore *symbols, uint32_t at) {
  Parts parts = parts_at(symbols, at);
  *slot_of(symbols, parts.whole, false) = at + 1;
  *slot_of(symbols, hash_of_parts(&parts), true) = at + 1;
}

static void make_room(Emulation *emulation) {
  SymbolStore *symbols = emulation->symbols;
  size_t count = symbols->slot_count;
  if (4 * (symbols->part_count + 1) < count)
    return;
  symbols->slot_count = count ? 2 * count : FIRST_SLOTS;
  symbols->slots = arena_alloc(&emulation->task->arena,
                               symbols->slot_count * sizeof *symbols->slots);
  for (size_t at = 0; at < symbols->parts.count;
       at += 2 + (uint32_t)symbols->parts.at[at + 1])
    enter(symbols, (uint32_t)at);
}

static void keep(Emulation *emulation, uint64_t number) {
  push_moving(&emulation->task->arena, &emulation->symbols->parts, number);
}

static void note(Emulation *emulation, const Parts *parts) {
  size_t at = emulation->symbols->parts.count;
  if (at > UINT32_MAX / 2)
    unsupported(emulation->task, emulation->kernel->loc,
                "too many numbers are taken apart");
  keep(emulation, parts->whole);
  keep(emulation, shape_of(parts));
  for (unsigned i = 0; i < parts->count; i++)
    keep(emulation, parts->at[i]);
  enter(emulation->symbols, (uint32_t)at);
  emulation->symbols->part_count++;
}

// The parts that are known of a whole, or the whole of parts; count 0: none.
static Parts find(const SymbolStore *symbols, uint64_t key, bool by_parts) {
  uint32_t at = *slot_of(symbols, key, by_parts);
  return at ? parts_at(symbols, at - 1) : (Parts){0};
}

void symbol_split(Emulation *emulation, Parts *parts) {
  uint64_t bit = parts->whole & EXCHANGED;
  if (symbol_is_open(parts->whole)) {
    for (unsigned i = 0; i < parts->count; i++)
      parts->at[i] = OPEN | bit;
    return;
  }
  make_room(emulation);
  parts->whole = symbol_hash(parts->whole);
  Parts known = find(emulation->symbols, parts->whole, false);
  if (shape_of(&known) == shape_of(parts)) {
    *parts = known;
  } else {
    uint64_t shape = symbol_mix(3, shape_of(parts));
    for (unsigned i = 0; i < parts->count; i++)
      parts->at[i] = symbol_join(parts->whole, symbol_mix(shape, i));
    if (parts->whole && !known.count)
      note(emulation, parts);
  }
  for (unsigned i = 0; i < parts->count && parts->whole; i++)
    parts->at[i] |= bit;
}

void symbol_unite(Emulation *emulation, Parts *parts) {
  uint64_t bit = 0;
  make_room(emulation);
  for (unsigned i = 0; i < parts->count; i++) {
    bit |= parts->at[i] & EXCHANGED;
    parts->at[i] = symbol_hash(parts->at[i]);
  }
  parts->whole = hash_of_parts(parts);
  if (symbol_is_open(parts->whole))
    parts->whole = OPEN | bit;
  if (!parts->whole || symbol_is_open(parts->whole))
    return;
  Parts known = find(emulation->symbols, parts->whole, true);
  if (known.count)
    parts->whole = known.whole;
  else
    note(emulation, parts);
  parts->whole |= bit;
}

// ----------------------------------------------------------------- halves ---

static uint64_t half_of(Emulation *emulation, uint64_t whole, unsigned which) {
  Parts parts = {.whole = whole, .count = 2, .width = HALF};
  symbol_split(emulation, &parts);
  return parts.at[which];
}

static uint64_t united(Emulation *emulation, uint64_t low, uint64_t high) {
  Parts parts = {.count = 2, .width = HALF, .at = {low, high}};
  symbol_unite(emulation, &parts);
  return parts.whole;
}

static uint64_t converted(Emulation *emulation,
                          const PtxInstruction *instruction, uint64_t a) {
  PtxType to = instruction->type, from = instruction->second;
  if (!strchr("sub", to.class) || !strchr("sub", from.class))
    return 0;
  if (to.bits == HALF && from.bits == 2 * HALF && !instruction->is_saturating)
    return half_of(emulation, a, 0);
  if (to.bits == 2 * HALF && from.bits == HALF && from.class != 's')
    return united(emulation, a, symbol_of_number(0));
  return 0;
}

static bool is_zero(Emulation *emulation, uint64_t whole, unsigned half) {
  return symbol_hash(half_of(emulation, whole, half)) == symbol_of_number(0);
}

// A half of each is zero.
static uint64_t merged(Emulation *emulation, uint64_t a, uint64_t b) {
  for (unsigned turn = 0; turn < 2; turn++) {
    if (is_zero(emulation, a, 1) && is_zero(emulation, b, 0))
      return united(emulation, half_of(emulation, a, 0),
                    half_of(emulation, b, 1));
    uint64_t other = a;
    a = b;
    b = other;
  }
  return 0;
}

bool symbol_moves_halves(const PtxInstruction *instruction) {
  const char *name = instruction->opcode->name;
  PtxType type = instruction->type;
  if (!strcmp(name, "cvt"))
    return true;
  return type.bits == 2 * HALF && type.class != 'f' &&
         (!strcmp(name, "or") || !strcmp(name, "shl") || !strcmp(name, "shr"));
}

uint64_t symbol_of_halves(Emulation *emulation,
                          const PtxInstruction *instruction, uint64_t a,
                          uint64_t b) {
  const char *name = instruction->opcode->name;
  uint64_t zero = symbol_of_number(0), by_half = symbol_of_number(HALF);
  assert(symbol_moves_halves(instruction));
  if (!strcmp(name, "cvt"))
    return a ? converted(emulation, instruction, a) : 0;
  if (!a || !b)
    return 0;
  if (!strcmp(name, "or"))
    return merged(emulation, a, b);
  if (b != by_half)
    return 0;
  if (!strcmp(name, "shl"))
    return united(emulation, zero, half_of(emulation, a, 0));
  return instruction->type.class != 's'
             ? united(emulation, half_of(emulation, a, 1), zero)
             : 0;
}
