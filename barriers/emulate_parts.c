// Symbols of numbers that are taken apart and put together again.
//
// A shuffle moves 32 bits, so a double goes through it in two halves, and two
// short numbers as one.  What is put together from all parts of something is
// that again.  Halves of 64 bits are also moved by conversions, shifts by 32
// and `or`.

#include "barriers/emulate.h"

#include <string.h>

enum { FIRST_SLOTS = 256, HALF = 32 };

static uint64_t hash_of_parts(const Parts *parts) {
  uint64_t hash = symbol_mix(4, parts->count);
  for (unsigned i = 0; i < parts->count; i++)
    hash = symbol_join(hash, parts->at[i]);
  return hash;
}

// By the whole, and by all parts.
static const Parts **slot_of(Symbols *symbols, uint64_t key, bool by_parts) {
  size_t mask = symbols->slot_count - 1, i = (key + by_parts) & mask;
  for (; symbols->slots[i]; i = (i + 1) & mask) {
    const Parts *parts = symbols->slots[i];
    if (key == (by_parts ? hash_of_parts(parts) : parts->whole))
      break;
  }
  return &symbols->slots[i];
}

static void enter(Symbols *symbols, const Parts *parts) {
  *slot_of(symbols, parts->whole, false) = parts;
  *slot_of(symbols, hash_of_parts(parts), true) = parts;
}

static void make_room(Emulation *emulation) {
  Symbols *symbols = emulation->symbols;
  size_t count = symbols->slot_count;
  if (4 * (symbols->parts.count + 1) < count)
    return;
  symbols->slot_count = count ? 2 * count : FIRST_SLOTS;
  symbols->slots = (const Parts **)arena_alloc(
      &emulation->task->arena, symbols->slot_count * sizeof *symbols->slots);
  for (size_t i = 0; i < symbols->parts.count; i++)
    enter(symbols, symbols->parts.at[i]);
}

static void note(Emulation *emulation, const Parts *parts) {
  Arena *arena = &emulation->task->arena;
  Parts *kept = NEW(arena, Parts);
  *kept = *parts;
  enter(emulation->symbols, kept);
  push(arena, &emulation->symbols->parts, kept);
}

void symbol_split(Emulation *emulation, Parts *parts) {
  uint64_t bit = parts->whole & EXCHANGED;
  make_room(emulation);
  parts->whole = symbol_hash(parts->whole);
  const Parts *known = *slot_of(emulation->symbols, parts->whole, false);
  if (known && known->count == parts->count) {
    *parts = *known;
  } else {
    for (unsigned i = 0; i < parts->count; i++)
      parts->at[i] = symbol_join(parts->whole, symbol_mix(3, i));
    if (parts->whole && !known)
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
  if (!parts->whole)
    return;
  const Parts *known = *slot_of(emulation->symbols, parts->whole, true);
  if (known)
    parts->whole = known->whole;
  else
    note(emulation, parts);
  parts->whole |= bit;
}

// ----------------------------------------------------------------- halves ---

static uint64_t half_of(Emulation *emulation, uint64_t whole, unsigned which) {
  Parts parts = {.whole = whole, .count = 2};
  symbol_split(emulation, &parts);
  return parts.at[which];
}

static uint64_t united(Emulation *emulation, uint64_t low, uint64_t high) {
  Parts parts = {.count = 2, .at = {low, high}};
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

uint64_t symbol_of_halves(Emulation *emulation,
                          const PtxInstruction *instruction, uint64_t a,
                          uint64_t b) {
  const char *name = instruction->opcode->name;
  uint64_t zero = symbol_of_number(0), by_half = symbol_of_number(HALF);
  PtxType type = instruction->type;
  if (!strcmp(name, "cvt"))
    return a ? converted(emulation, instruction, a) : 0;
  if (!a || !b || type.bits != 2 * HALF || type.class == 'f')
    return 0;
  if (!strcmp(name, "or"))
    return merged(emulation, a, b);
  if (!strcmp(name, "shl") && b == by_half)
    return united(emulation, zero, half_of(emulation, a, 0));
  if (!strcmp(name, "shr") && b == by_half && type.class != 's')
    return united(emulation, half_of(emulation, a, 1), zero);
  return 0;
}
