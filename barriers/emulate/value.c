// The value of a register in the 32 lanes of a warp.
//
// Most are the same in all lanes or grow by a stride from lane to lane, and
// then one addition does for 32.  All arithmetic is modulo two to the number
// of bits, so base and stride may be any representatives.

#include "barriers/emulate/emulate.h"

#include <assert.h>
#include <string.h>

WarpValue value_number(unsigned bits, uint64_t number) {
  return (WarpValue){.bits = bits, .known = UINT32_MAX, .base = number};
}

WarpValue value_plain(const WarpValue *value) {
  WarpValue plain = *value;
  for (uint32_t rest = value->is_anchored ? value->known : 0; rest;
       rest &= rest - 1)
    if (value->anchors[__builtin_ctz(rest)])
      plain.known &= ~(rest & -rest);
  plain.is_anchored = false;
  plain.anchors = NULL;
  return plain;
}

WarpValue value_unknown(unsigned bits, const PtxInstruction *cause) {
  return (WarpValue){.bits = bits, .cause = cause};
}

WarpValue value_data(unsigned bits, const PtxInstruction *cause) {
  return (WarpValue){.bits = bits, .elsewhere = UINT32_MAX, .cause = cause};
}

WarpValue value_any_block(void) {
  WarpValue value = value_data(32, NULL);
  value.alike = UINT32_MAX;
  return value;
}

static WarpValue as_bits(const WarpValue *value) {
  WarpValue bits = *value;
  bits.kind = VALUE_BITS;
  bits.base = 0;
  for (unsigned lane = 0; lane < WARP; lane++)
    bits.base |= value_lane(value, lane) << lane;
  return bits;
}

static unsigned first_lane(uint32_t mask) {
  assert(mask);
  return (unsigned)__builtin_ctz(mask);
}

// The line through the first two known lanes, if all are on it.
static WarpValue simplest(const WarpValue *value) {
  if (value->kind != VALUE_LANES || !value->known)
    return *value;
  if (value->bits == 1)
    return as_bits(value);
  unsigned first = first_lane(value->known);
  uint32_t rest = value->known & (value->known - 1);
  WarpValue line = *value;
  line.kind = VALUE_AFFINE;
  line.stride = 0;
  if (rest && first_lane(rest) == first + 1)
    line.stride = value_lane(value, first + 1) - value_lane(value, first);
  line.base = value_lane(value, first) - line.stride * first;
  for (; rest; rest &= rest - 1)
    if (value_lane(&line, first_lane(rest)) !=
        value_lane(value, first_lane(rest)))
      return *value;
  return line;
}

WarpValue value_lanes(unsigned bits, uint32_t known, uint64_t *lanes) {
  WarpValue value = {
      .kind = VALUE_LANES, .bits = bits, .known = known, .lanes = lanes};
  return simplest(&value);
}

// Both are known.
static bool is_same(const WarpValue *a, unsigned lane, const WarpValue *b,
                    unsigned other) {
  return value_lane(a, lane) == value_lane(b, other) &&
         value_anchor(a, lane) == value_anchor(b, other);
}

bool value_is_uniform(const WarpValue *value, uint32_t mask) {
  if (mask & ~value->known)
    return false;
  bool is_number = value->kind == VALUE_AFFINE && value->stride == 0;
  if (!mask || (is_number && !value->is_anchored))
    return true;
  for (uint32_t rest = mask; rest; rest &= rest - 1)
    if (!is_same(value, first_lane(mask), value, first_lane(rest)))
      return false;
  return true;
}

uint32_t value_alike(const WarpValue *value) {
  if (value->known == UINT32_MAX)
    return value_is_uniform(value, UINT32_MAX) ? UINT32_MAX : 0;
  return value->alike & ~value->known;
}

static void copy_guesses(Arena *arena, WarpValue *slot, const Guess *guesses,
                         uint32_t lanes) {
  if (lanes && !slot->guesses)
    slot->guesses = arena_alloc(arena, WARP * sizeof *slot->guesses);
  for (; lanes; lanes &= lanes - 1)
    slot->guesses[first_lane(lanes)] = guesses[first_lane(lanes)];
}

void value_identify(Arena *arena, WarpValue *slot, const uint64_t *symbols,
                    uint32_t lanes) {
  if (symbols && !slot->symbols)
    slot->symbols = arena_alloc(arena, WARP * sizeof *slot->symbols);
  if (symbols && lanes == UINT32_MAX) {
    memmove(slot->symbols, symbols, WARP * sizeof *symbols);
    return;
  }
  for (uint32_t rest = slot->symbols ? lanes : 0; rest; rest &= rest - 1)
    slot->symbols[first_lane(rest)] = symbols ? symbols[first_lane(rest)] : 0;
}

static void copy_anchors(Arena *arena, WarpValue *slot,
                         const WarpValue *value) {
  if (!value->is_anchored)
    return;
  if (!slot->anchors)
    slot->anchors = arena_alloc(arena, WARP * sizeof *slot->anchors);
  memmove(slot->anchors, value->anchors, WARP * sizeof *slot->anchors);
}

// But for the symbols.
static void copy_numbers(Arena *arena, WarpValue *slot,
                         const WarpValue *value) {
  uint64_t *room = slot->lanes, *symbols = slot->symbols;
  const uint64_t *from = value->lanes;
  Guess *guesses = slot->guesses;
  Anchor *anchors = slot->anchors;
  *slot = *value;
  slot->anchors = anchors;
  copy_anchors(arena, slot, value);
  slot->lanes = room;
  slot->guesses = guesses;
  slot->symbols = symbols;
  copy_guesses(arena, slot, value->guesses, value->guessed);
  if (value->kind != VALUE_LANES)
    return;
  if (!room)
    slot->lanes = arena_alloc(arena, WARP * sizeof *slot->lanes);
  memmove(slot->lanes, from, WARP * sizeof *slot->lanes);
}

void value_copy(Arena *arena, WarpValue *slot, const WarpValue *value) {
  copy_numbers(arena, slot, value);
  value_identify(arena, slot, value->symbols, UINT32_MAX);
}

static bool is_same_guess(const WarpValue *a, const WarpValue *b,
                          unsigned lane) {
  const Guess *one = &a->guesses[lane], *two = &b->guesses[lane];
  return one->try == two->try && one->is[0] == two->is[0] &&
         one->is[1] == two->is[1];
}

bool value_covers(const WarpValue *value, const WarpValue *other,
                  uint32_t lanes) {
  uint32_t unknown = lanes & ~value->known;
  if (lanes & value->known & ~other->known)
    return false;
  if (unknown & value->elsewhere & (other->known | ~other->elsewhere))
    return false;
  if (unknown &
      ((value->guessed & ~other->guessed) | (value->alike & ~other->alike)))
    return false;
  for (uint32_t rest = unknown & value->guessed; rest; rest &= rest - 1)
    if (!is_same_guess(value, other, first_lane(rest)))
      return false;
  for (uint32_t rest = lanes & value->known; rest; rest &= rest - 1)
    if (!is_same(value, first_lane(rest), other, first_lane(rest)))
      return false;
  for (uint32_t rest = value->symbols ? unknown : 0; rest; rest &= rest - 1) {
    uint64_t symbol = value->symbols[first_lane(rest)];
    if (symbol && symbol != symbol_of(other, first_lane(rest)))
      return false;
  }
  return true;
}

// Lanes in which both are known, and the same.
static uint32_t agreeing(const WarpValue *a, const WarpValue *b,
                         uint32_t lanes) {
  uint32_t same = lanes & a->known & b->known;
  for (uint32_t rest = same; rest; rest &= rest - 1)
    if (!is_same(a, first_lane(rest), b, first_lane(rest)))
      same &= ~(rest & -rest);
  return same;
}

void value_join(const Emulation *emulation, WarpValue *slot,
                const WarpValue *other, uint32_t lanes,
                const PtxInstruction *cause) {
  uint32_t lost = lanes & ~agreeing(slot, other, lanes);
  uint32_t guessed = lost & slot->guessed & other->guessed;
  uint32_t outside =
      anchor_elsewhere(emulation, slot) & anchor_elsewhere(emulation, other);
  for (uint32_t rest = guessed; rest; rest &= rest - 1)
    if (!is_same_guess(slot, other, first_lane(rest)))
      guessed &= ~(rest & -rest);
  if (lost & slot->known)
    slot->cause = lost & ~other->known && other->cause ? other->cause : cause;
  slot->known &= ~lost;
  slot->elsewhere = (slot->elsewhere & ~lost) | (outside & lost);
  slot->alike &= ~lost;
  slot->guessed &= ~lost | guessed;
}

static bool is_same_line(const WarpValue *a, const WarpValue *b) {
  return a->kind == VALUE_AFFINE && b->kind == VALUE_AFFINE &&
         a->bits == b->bits && a->base == b->base && a->stride == b->stride;
}

// What slot := value in some lanes leaves the numbers of all to count from;
// false: from nothing.
static bool merge_anchors(const WarpValue *slot, const WarpValue *value,
                          uint32_t mask, uint32_t kept, Anchor anchors[WARP]) {
  Anchor any = 0;
  if (!value->is_anchored && !slot->is_anchored)
    return false;
  for (unsigned lane = 0; lane < WARP; lane++) {
    anchors[lane] = mask & value->known & UINT32_C(1) << lane
                        ? value_anchor(value, lane)
                    : kept >> lane & 1 ? value_anchor(slot, lane)
                                       : 0;
    any |= anchors[lane];
  }
  return any;
}

static void merge(Arena *arena, WarpValue *slot, const WarpValue *value,
                  uint32_t mask, uint32_t kept) {
  uint64_t lanes[WARP];
  for (unsigned lane = 0; lane < WARP; lane++)
    lanes[lane] = value_lane(mask >> lane & 1 ? value : slot, lane);
  WarpValue merged =
      value_lanes(slot->bits, (value->known & mask) | kept, lanes);
  merged.elsewhere = slot->elsewhere;
  merged.cause = slot->cause;
  copy_numbers(arena, slot, &merged);
}

void value_write(Arena *arena, WarpValue *slot, const WarpValue *value,
                 uint32_t mask, uint32_t alive) {
  uint32_t others = ~mask & alive;
  uint32_t elsewhere = (value->elsewhere & mask) | (slot->elsewhere & others);
  uint32_t guessed = value->guessed & mask, old = slot->guessed & others;
  uint32_t known = value->known & mask, kept = slot->known & others;
  bool has_cause = mask & ~value->known || value->is_anchored;
  const PtxInstruction *cause = has_cause ? value->cause : slot->cause;
  Anchor anchors[WARP];
  bool is_anchored = merge_anchors(slot, value, mask, kept, anchors);
  if (!kept) {
    WarpValue plain = *value;
    plain.guessed = 0;
    plain.is_anchored = false;
    copy_numbers(arena, slot, &plain);
  } else if (known && !is_same_line(slot, value)) {
    assert(slot->bits == value->bits);
    merge(arena, slot, value, mask, kept);
  }
  slot->known = known | kept;
  slot->is_anchored = is_anchored;
  copy_anchors(arena, slot,
               &(WarpValue){.is_anchored = is_anchored, .anchors = anchors});
  slot->elsewhere = elsewhere;
  copy_guesses(arena, slot, value->guesses, guessed);
  slot->guessed = guessed | old;
  slot->alike = value->alike & mask;
  slot->cause = cause;
  value_identify(arena, slot, value->symbols, mask);
}
