// SIMD video instructions of inline assembly: vadd4, vabsdiff2, vset4 and their
// like, which __vadd4, __vabsdiffu2 and __vcmpgtu4 are made of.
//
// A register holds two numbers of 16 bits or four of 8.  Each is computed in 32
// bits, where nothing is lost; then it becomes the lane of the result,
// saturated with .sat, or is added to the last operand with .add.  Other lanes
// than the operand's own, in a mask or a selection, are not known.

#include "ptx/operations.h"

typedef Number Combine(const Making *m, Number x, Number y);

// Lane n of a word, as 32 bits.
static Number lane_of(const Making *m, unsigned operand, unsigned n,
                      unsigned bits, bool is_signed) {
  Number word = source_bits(m, operand, 32);
  word = right(m, word, number(m, 32, (uint64_t)n * bits));
  return resized(m, resized(m, word, bits, false), 32, is_signed);
}

static Number least(const Making *m, Number x, Number y) {
  return chosen(m, is_less(m, x, y, true), x, y);
}

static Number greatest(const Making *m, Number x, Number y) {
  return chosen(m, is_more(m, x, y, true), x, y);
}

static Number distance(const Making *m, Number x, Number y) {
  return greatest(m, minus(m, x, y), minus(m, y, x));
}

// Halves are rounded away from zero.
static Number average(const Making *m, Number x, Number y) {
  Number sum = plus(m, x, y), zero = number(m, 32, 0), one = number(m, 32, 1);
  Number is_negative = is_less(m, sum, zero, true);
  sum = plus(m, sum, chosen(m, is_negative, zero, one));
  return right_signed(m, sum, one);
}

// The lanes have become wider, and so signed.
static Number relation(const Making *m, Number x, Number y) {
  AsmType wide = {'s', 32, 1};
  return resized(m, asm_related(m->a, m->i, wide, x, y), 32, false);
}

static Number saturated(const Making *m, Number x, unsigned bits) {
  uint64_t most = (UINT64_C(1) << (bits - is_signed(m))) - 1;
  uint64_t fewest = is_signed(m) ? (uint32_t)~most : 0;
  return least(m, greatest(m, x, number(m, 32, fewest)), number(m, 32, most));
}

static Number in_place(const Making *m, Number x, unsigned n, unsigned bits) {
  x = resized(m, resized(m, x, bits, false), 32, false);
  return left(m, x, number(m, 32, (uint64_t)n * bits));
}

static void combine(Emitter *a, const AsmInstruction *i, Combine *of_lane) {
  Making m = {a, i, i->type, NULL};
  bool adds = asm_has(i, "add");
  unsigned count = i->words[0][strlen(i->words[0]) - 1] == '2' ? 2 : 4;
  unsigned bits = 32 / count;
  Number all = adds ? source_bits(&m, 3, 32) : number(&m, 32, 0);
  for (unsigned n = 0; n < count; n++) {
    Number x = lane_of(&m, 1, n, bits, is_signed(&m));
    Number one = of_lane(&m, x, lane_of(&m, 2, n, bits, is_signed(&m)));
    if (asm_has(i, "sat"))
      one = saturated(&m, one, bits);
    all = plus(&m, all, adds ? one : in_place(&m, one, n, bits));
  }
  asm_put_bits(a, &i->operands[0], all, is_signed(&m));
}

#define VIDEO(name, of_lane)                                                   \
  void asm_emit_video_##name(Emitter *a, const AsmInstruction *i) {            \
    combine(a, i, of_lane);                                                    \
  }
VIDEO(sum, plus)
VIDEO(difference, minus)
VIDEO(least, least)
VIDEO(greatest, greatest)
VIDEO(distance, distance)
VIDEO(average, average)
VIDEO(relation, relation)

// dp4a: four bytes by four; dp2a: two halves by the lower or upper two bytes.
void asm_emit_add_dot(Emitter *a, const AsmInstruction *i) {
  unsigned count = asm_is(i, "dp4a") ? 4 : 2, first = asm_has(i, "hi") ? 2 : 0;
  Making m = {a, i, i->type, NULL};
  Number all = source_bits(&m, 3, 32);
  for (unsigned n = 0; n < count; n++) {
    Number own = lane_of(&m, 1, n, 32 / count, i->to.kind == 's');
    Number other = lane_of(&m, 2, first + n, 8, is_signed(&m));
    all = plus(&m, all, times(&m, own, other));
  }
  asm_put_bits(a, &i->operands[0], all, false);
}
