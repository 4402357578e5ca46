// Addresses of variables: numbers that PTX does not give.
//
// Somewhere every variable has to be for the emulation (layout.c), but
// nobody says where it is in a launch: not how far from another one, nor from
// where shared memory begins.  So a number that was computed from an address
// counts from an anchor, the address times a power of two, and what it is
// besides is a multiple of the variable's alignment away from what we have.
// Known is what is the same for all of those:
//
//   the distance between two numbers of one anchor, and which is less;
//   the bits that the address has no part in: below its alignment, and above
//   the 18 bits that an address of shared memory has in its block (that is
//   what descriptors of matrices have, SOUND(shared-addresses));
//   that variables do not overlap, and that no generic address is null.
//
// Arrays of unknown size begin at one place.  What is not on this list makes
// the result one that is not known.

#include "barriers/emulate/emulate.h"

#include <assert.h>
#include <string.h>

enum {
  SHARED_ADDRESS_BITS = 18,
  SHIFT_ZERO = 64, // of a shift that is encoded
  MOST_SHIFT = 40,
  SHIFT_MASK = 0x7f,
  GENERIC = 0x80,
  VARIABLE_AT = 8,
};

// -------------------------------------------------------------- anchors ---

Anchor anchor_make(Anchored from) {
  assert(from.shift > -SHIFT_ZERO && from.shift < SHIFT_ZERO);
  return (from.variable->number + 1) << VARIABLE_AT |
         (from.is_generic ? (Anchor)GENERIC : 0) |
         (Anchor)(from.shift + SHIFT_ZERO);
}

Anchored anchor_of(const Emulation *emulation, Anchor anchor) {
  assert(anchor >> VARIABLE_AT);
  const Ptx *ptx = emulation->kernel->ptx;
  return (Anchored){.variable = ptx->variables.at[(anchor >> VARIABLE_AT) - 1],
                    .is_generic = anchor & GENERIC,
                    .shift = (int)(anchor & SHIFT_MASK) - SHIFT_ZERO};
}

Anchor anchor_turned(const Emulation *emulation, Anchor from, PtxSpace space,
                     bool is_generic) {
  if (from == TOKEN_ANCHOR)
    return NO_ANCHOR;
  Anchored anchored = anchor_of(emulation, from);
  bool is_of_space = space == anchored.variable->space;
  if (anchored.shift || !is_of_space || anchored.is_generic == is_generic)
    return NO_ANCHOR;
  anchored.is_generic = is_generic;
  return anchor_make(anchored);
}

bool anchor_is_address(const Emulation *emulation, Anchor anchor) {
  return anchor >> VARIABLE_AT && !anchor_of(emulation, anchor).shift;
}

static bool anchor_shift(const Emulation *emulation, Anchor from, int by,
                         Anchor *to) {
  Anchored anchored = anchor_of(emulation, from);
  anchored.shift += by;
  if (anchored.shift > MOST_SHIFT || anchored.shift < -MOST_SHIFT)
    return false;
  *to = anchor_make(anchored);
  return true;
}

static bool is_shared(Anchored anchored) {
  return anchored.variable->space == SPACE_SHARED;
}

uint32_t anchor_elsewhere(const Emulation *emulation, const WarpValue *value) {
  uint32_t lanes = value->known | value->elsewhere;
  if (value->bits == 1)
    return UINT32_MAX;
  for (uint32_t rest = value->is_anchored ? value->known : 0; rest;
       rest &= rest - 1) {
    Anchor anchor = value->anchors[__builtin_ctz(rest)];
    if (!anchor || anchor == TOKEN_ANCHOR)
      continue;
    if (is_shared(anchor_of(emulation, anchor)))
      lanes &= ~(rest & -rest);
  }
  return lanes;
}

// --------------------------------------------------------------- windows ---

// The bits of a number that depend on where its variable is; `wraps`: those
// above them do, too, and it may not be the sum that it seems.
typedef struct Window {
  uint64_t bits;
  unsigned low, high;
  bool wraps;
} Window;

// How far it is from where the variable begins.
static uint64_t offset_of(const Emulation *emulation, Anchored anchored,
                          uint64_t number) {
  uint64_t at = emulation->address_of[anchored.variable->number];
  if (anchored.is_generic && is_shared(anchored))
    at += SHARED_WINDOW;
  return number -
         (anchored.shift < 0 ? at >> -anchored.shift : at << anchored.shift);
}

static unsigned alignment_bits(const PtxVariable *variable) {
  unsigned bits = 0;
  while (bits < SHARED_ADDRESS_BITS && !(variable->align >> bits & 1))
    bits++;
  return bits;
}

static uint64_t room_of(const Emulation *emulation,
                        const PtxVariable *variable) {
  return variable->bytes ? variable->bytes
                         : emulation->shared_bytes -
                               emulation->address_of[variable->number];
}

// Of an offset from an address times a power of two: it is within the variable
// or just behind it.
static bool stays_inside(const Emulation *emulation, Anchored anchored,
                         uint64_t offset) {
  uint64_t at =
      anchored.shift < 0 ? offset << -anchored.shift : offset >> anchored.shift;
  return at < room_of(emulation, anchored.variable);
}

// The first bit that no sum of the offset and an address changes; more than
// `width`: there is none.
static unsigned end_of_window(const Emulation *emulation, Anchored anchored,
                              uint64_t offset, unsigned width) {
  int address_bits = SHARED_ADDRESS_BITS + anchored.shift;
  unsigned end = address_bits < 0 ? 0 : (unsigned)address_bits;
  if (end > width)
    return width + 1;
  if (stays_inside(emulation, anchored, offset & bits_mask(end)))
    return end;
  uint64_t span = UINT64_C(1) << end;
  for (; end <= width; end++) {
    uint64_t low = offset & bits_mask(end);
    bool is_above =
        end >= 64 ? low + span - 1 >= low : low + span <= UINT64_C(1) << end;
    if (is_above)
      return end;
  }
  return width + 1;
}

static Window window_of(const Emulation *emulation, Anchor anchor,
                        uint64_t number, unsigned width) {
  Anchored anchored = anchor_of(emulation, anchor);
  int low = (int)alignment_bits(anchored.variable) + anchored.shift;
  Window window = {.low = low < 0 ? 0 : (unsigned)low, .high = width + 1};
  if (is_shared(anchored) && !anchored.is_generic)
    window.high = end_of_window(emulation, anchored,
                                offset_of(emulation, anchored, number), width);
  window.wraps = window.high > width;
  if (window.wraps)
    window.high = width;
  if (window.low > window.high)
    window.low = window.high;
  window.bits = bits_mask(window.high) & ~bits_mask(window.low);
  return window;
}

bool anchor_extends(const Emulation *emulation, Anchor anchor, uint64_t number,
                    PtxType from) {
  if (anchor == TOKEN_ANCHOR)
    return false;
  Window window = window_of(emulation, anchor, number, from.bits);
  return !window.wraps && (from.class != 's' || window.high < from.bits);
}

Anchor anchor_of_part(const Emulation *emulation, Anchor from, uint64_t number,
                      unsigned begin, unsigned bits) {
  if (!from)
    return 0;
  if (from == TOKEN_ANCHOR)
    return NO_ANCHOR;
  Window window = window_of(emulation, from, number, 64);
  bool is_generic = anchor_of(emulation, from).is_generic;
  if (begin + bits <= window.low || (begin >= window.high && !window.wraps))
    return 0;
  return begin || is_generic || bits < 32 ? NO_ANCHOR : from;
}

// ------------------------------------------------------------- operations ---

static bool has_room_for(const Emulation *emulation, PtxType type,
                         Anchor anchor) {
  if (!(anchor >> VARIABLE_AT))
    return !anchor || type.bits == 64;
  return strchr("sub", type.class) && type.class &&
         type.bits >= (anchor_of(emulation, anchor).is_generic ? 64 : 32);
}

// One operand that counts from an anchor, of an instruction in one lane.
typedef struct One {
  const Emulation *emulation;
  const PtxInstruction *instruction;
  const WarpValue *in;
  unsigned count, lane, index; // of the operand
  Anchor from;
  uint64_t number;
} One;

static uint64_t plain_at(const One *one, unsigned index) {
  return value_lane(&one->in[index], one->lane);
}

static Window window_at(const One *one) {
  return window_of(one->emulation, one->from, one->number,
                   one->instruction->type.bits);
}

static bool keeps_generic(const One *one, unsigned bits) {
  return !anchor_of(one->emulation, one->from).is_generic || bits == 64;
}

// What each bit becomes if it is 0, and if it is 1, says whether it counts.
static bool of_bits(const One *one, Anchor *to) {
  uint64_t in[4] = {0}, zero, ones;
  uint64_t bits = window_at(one).bits;
  for (unsigned i = 0; i < one->count; i++)
    in[i] = plain_at(one, i);
  in[one->index] = 0;
  one->instruction->opcode->function(one->instruction, in, &zero);
  in[one->index] = UINT64_MAX;
  one->instruction->opcode->function(one->instruction, in, &ones);
  *to = zero & bits ? 0 : one->from;
  if (!((zero ^ ones) & bits))
    *to = 0;
  else if (zero & bits || ~ones & bits)
    return false;
  return true;
}

static bool of_left_shift(const One *one, Anchor *to) {
  uint64_t by = plain_at(one, 1) & UINT32_MAX;
  if (one->index != 0)
    return false;
  *to = 0;
  return by >= one->instruction->type.bits ||
         anchor_shift(one->emulation, one->from, (int)by, to);
}

// The bits from `from` on, `length` of them.
static bool of_part(const One *one, uint64_t from, uint64_t length,
                    Anchor *to) {
  Window window = window_at(one);
  *to = 0;
  if (from >= window.high || from + length <= window.low)
    return !window.wraps || from + length <= window.low;
  return from <= window.low && from + length >= window.high && !window.wraps &&
         anchor_shift(one->emulation, one->from, -(int)from, to);
}

static bool of_right_shift(const One *one, Anchor *to) {
  PtxType type = one->instruction->type;
  uint64_t by = plain_at(one, 1) & UINT32_MAX;
  if (one->index != 0 || by >= type.bits ||
      (type.class == 's' && window_at(one).high == type.bits))
    return false;
  return of_part(one, by, type.bits - by, to);
}

static bool of_extraction(const One *one, Anchor *to) {
  uint64_t from = plain_at(one, 1) & 0xff, length = plain_at(one, 2) & 0xff;
  PtxType type = one->instruction->type;
  return one->index == 0 && type.class != 's' && from < type.bits &&
         of_part(one, from, length, to);
}

static bool of_insertion(const One *one, Anchor *to) {
  uint64_t from = plain_at(one, 2) & 0xff, length = plain_at(one, 3) & 0xff;
  unsigned bits = one->instruction->type.bits;
  Window window = window_at(one);
  if (one->index > 1 || from + length > bits)
    return false;
  if (one->index == 1) {
    *to = one->from;
    return from >= window.high ? !window.wraps : from + length <= window.low;
  }
  return window.high <= length && !window.wraps &&
         anchor_shift(one->emulation, one->from, (int)from, to);
}

static bool of_conversion(const One *one, Anchor *to) {
  const PtxInstruction *instruction = one->instruction;
  PtxType from = instruction->second;
  bool is_wider = instruction->type.bits > from.bits;
  *to = one->from;
  if (instruction->is_saturating || !keeps_generic(one, from.bits) ||
      !keeps_generic(one, instruction->type.bits))
    return false;
  return !is_wider ||
         anchor_extends(one->emulation, one->from, one->number, from);
}

// + and -, and what is added to a product.
static bool of_sum(const One *one, unsigned addend, Anchor *to) {
  const PtxInstruction *instruction = one->instruction;
  unsigned bits = instruction->type.bits * (instruction->is_wide ? 2u : 1u);
  *to = one->from;
  return (addend == UINT32_MAX || one->index == addend) && bits >= 32 &&
         !instruction->is_saturating && keeps_generic(one, bits);
}

static bool of_one(const One *one, Anchor *to) {
  if (one->from == TOKEN_ANCHOR)
    return false;
  IntegerFunction *function = one->instruction->opcode->function;
  if (function == integer_add)
    return of_sum(one, UINT32_MAX, to);
  if (function == integer_sub)
    return of_sum(one, 0, to);
  if (function == integer_mad)
    return of_sum(one, 2, to);
  if (function == integer_cvt)
    return of_conversion(one, to);
  if (!keeps_generic(one, one->instruction->type.bits))
    return false;
  if (function == integer_and || function == integer_or ||
      function == integer_xor || function == integer_lop3)
    return of_bits(one, to);
  if (function == integer_shl)
    return of_left_shift(one, to);
  if (function == integer_shr)
    return of_right_shift(one, to);
  if (function == integer_bfe)
    return of_extraction(one, to);
  return function == integer_bfi && of_insertion(one, to);
}

// The distance between two numbers of one anchor.
static bool of_two(const PtxInstruction *instruction, const WarpValue *in,
                   unsigned count, unsigned lane, Anchor *to) {
  *to = 0;
  return instruction->opcode->function == integer_sub && count == 2 &&
         !instruction->is_saturating &&
         value_anchor(&in[0], lane) != TOKEN_ANCHOR &&
         value_anchor(&in[0], lane) == value_anchor(&in[1], lane);
}

static bool of_choice(const Emulation *emulation,
                      const PtxInstruction *instruction, const WarpValue *in,
                      unsigned lane, Anchor *to) {
  PtxType type = {'b', instruction->type.bits};
  *to = value_anchor(&in[value_lane(&in[2], lane) & 1 ? 0 : 1], lane);
  return has_room_for(emulation, type, *to);
}

bool anchor_integer(const Emulation *emulation,
                    const PtxInstruction *instruction, const WarpValue *in,
                    unsigned count, unsigned lane, Anchor *anchor) {
  One one = {emulation, instruction, in, count, lane, 0, 0, 0};
  unsigned anchored = 0;
  *anchor = 0;
  if (instruction->opcode->function == integer_selp)
    return of_choice(emulation, instruction, in, lane, anchor);
  for (unsigned i = 0; i < count; i++) {
    Anchor from = value_anchor(&in[i], lane);
    if (!from)
      continue;
    anchored++;
    one.index = i;
    one.from = from;
    one.number = value_lane(&in[i], lane);
  }
  if (anchored == 0)
    return true;
  return anchored == 1 ? of_one(&one, anchor)
                       : of_two(instruction, in, count, lane, anchor);
}

void anchor_lanes(WarpValue *result, Anchor anchors[WARP]) {
  Anchor any = 0;
  for (uint32_t rest = result->known; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    if (anchors[lane] == NO_ANCHOR)
      result->known &= ~(rest & -rest);
    else
      any |= anchors[lane];
  }
  result->is_anchored = any;
  result->anchors = anchors;
}

// ------------------------------------------------------------ comparisons ---

// An address in its variable, or just behind it if that is allowed.
static bool is_inside(const Emulation *emulation, Anchored anchored,
                      uint64_t number, bool may_be_end) {
  uint64_t offset = offset_of(emulation, anchored, number);
  if (!anchored.is_generic && is_shared(anchored))
    offset &= UINT32_MAX;
  return !anchored.shift &&
         offset < room_of(emulation, anchored.variable) + may_be_end;
}

static bool is_equality(const PtxInstruction *instruction) {
  return instruction->compare == CHOICE_EQ || instruction->compare == CHOICE_NE;
}

// Two numbers, of which one or both count from an anchor.
typedef struct Comparison {
  const Emulation *emulation;
  const PtxInstruction *instruction;
  PtxType type;
  Anchor from[2];
  uint64_t number[2];
} Comparison;

static bool outcome(const Comparison *comparison, unsigned which,
                    uint64_t number) {
  const uint64_t *numbers = comparison->number;
  return integer_compare(comparison->instruction, comparison->type,
                         which == 0 ? number : numbers[0],
                         which == 1 ? number : numbers[1]);
}

// With a number that counts from nothing; `which`: the other one.
static bool is_decided(const Comparison *comparison, unsigned which) {
  const Emulation *emulation = comparison->emulation;
  PtxType type = comparison->type;
  uint64_t number = comparison->number[which];
  uint64_t other = comparison->number[!which];
  Anchored anchored = anchor_of(emulation, comparison->from[which]);
  Window window =
      window_of(emulation, comparison->from[which], number, type.bits);
  bool is_equal = is_equality(comparison->instruction);
  if (anchored.is_generic && other == 0 && is_equal)
    return is_inside(emulation, anchored, number, true);
  if (is_equal)
    return (number ^ other) & ~window.bits & bits_mask(type.bits);
  bool least = outcome(comparison, which, number & ~window.bits);
  bool most = outcome(comparison, which, number | window.bits);
  return least == most && (type.class != 's' || window.high < type.bits);
}

// Not so far from its variable that an address of 64 bits would wrap around.
static bool is_near(const Emulation *emulation, Anchored anchored,
                    uint64_t number) {
  int64_t offset = (int64_t)offset_of(emulation, anchored, number);
  return !anchored.shift && offset >= INT32_MIN && offset <= INT32_MAX;
}

// The same order wherever the variable is: neither wraps around.
static bool are_in_order(const Comparison *comparison) {
  const Emulation *emulation = comparison->emulation;
  Anchored anchored = anchor_of(emulation, comparison->from[0]);
  bool is_good = true;
  for (unsigned i = 0; i < 2; i++)
    is_good &= anchored.is_generic || !is_shared(anchored)
                   ? is_near(emulation, anchored, comparison->number[i])
                   : anchor_extends(emulation, comparison->from[0],
                                    comparison->number[i], comparison->type);
  return is_good || is_equality(comparison->instruction);
}

// Of different variables.
static bool are_apart(const Comparison *comparison) {
  const Emulation *emulation = comparison->emulation;
  Anchored a = anchor_of(emulation, comparison->from[0]);
  Anchored b = anchor_of(emulation, comparison->from[1]);
  return is_equality(comparison->instruction) && a.variable != b.variable &&
         a.is_generic == b.is_generic &&
         a.variable->space == b.variable->space &&
         is_inside(emulation, a, comparison->number[0], false) &&
         is_inside(emulation, b, comparison->number[1], false);
}

bool anchor_compares(const Emulation *emulation,
                     const PtxInstruction *instruction, PtxType type,
                     const WarpValue in[2], unsigned lane) {
  Comparison comparison = {emulation, instruction, type, {0}, {0}};
  for (unsigned i = 0; i < 2; i++) {
    comparison.from[i] = value_anchor(&in[i], lane);
    comparison.number[i] = value_lane(&in[i], lane);
    if (comparison.from[i] == TOKEN_ANCHOR ||
        !has_room_for(emulation, type, comparison.from[i]))
      return false;
  }
  if (!comparison.from[0] && !comparison.from[1])
    return true;
  if (!comparison.from[0] || !comparison.from[1])
    return is_decided(&comparison, !comparison.from[0]);
  return comparison.from[0] == comparison.from[1] ? are_in_order(&comparison)
                                                  : are_apart(&comparison);
}
