// What an instruction of integers computes, written from the PTX manual.

#include "test/fuzz/valued.h"

#include <assert.h>

uint64_t valued_cut(unsigned bits, uint64_t number) {
  return bits >= 64 ? number : number & ((UINT64_C(1) << bits) - 1);
}

uint64_t valued_extend(char type, unsigned bits, uint64_t number) {
  number = valued_cut(bits, number);
  if (type == 's' && bits < 64 && number >> (bits - 1) & 1)
    number |= ~UINT64_C(0) << bits;
  return number;
}

static bool is_less(const Act *act, uint64_t a, uint64_t b) {
  a = valued_extend(act->type, act->bits, a);
  b = valued_extend(act->type, act->bits, b);
  return act->type == 's' ? (int64_t)a < (int64_t)b : a < b;
}

bool valued_compare(const Act *act, uint64_t a, uint64_t b) {
  bool is_equal = valued_cut(act->bits, a) == valued_cut(act->bits, b);
  switch (act->comparison) {
  case COMPARISON_EQ:
    return is_equal;
  case COMPARISON_NE:
    return !is_equal;
  case COMPARISON_LT:
    return is_less(act, a, b);
  case COMPARISON_LE:
    return is_equal || is_less(act, a, b);
  case COMPARISON_GT:
    return !is_equal && !is_less(act, a, b);
  case COMPARISON_GE:
    break;
  }
  return !is_less(act, a, b);
}

static uint64_t high_half(const Act *act, uint64_t a, uint64_t b) {
  a = valued_extend(act->type, act->bits, a);
  b = valued_extend(act->type, act->bits, b);
  __extension__ typedef __int128 Wide;
  __extension__ typedef unsigned __int128 WideUnsigned;
  if (act->type == 's')
    return (uint64_t)((Wide)(int64_t)a * (int64_t)b >> act->bits);
  return (uint64_t)((WideUnsigned)a * b >> act->bits);
}

// The most negative number by -1 is left to the machine: nobody asks for it.
static uint64_t quotient(const Act *act, uint64_t a, uint64_t b, bool rest) {
  a = valued_extend(act->type, act->bits, a);
  b = valued_extend(act->type, act->bits, b);
  assert(b && b != UINT64_MAX);
  if (act->type == 's')
    return (uint64_t)(rest ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
  return rest ? a % b : a / b;
}

static uint64_t shifted_right(const Act *act, uint64_t a, uint64_t by) {
  a = valued_extend(act->type, act->bits, a);
  by = valued_cut(32, by);
  if (by >= act->bits)
    return act->type == 's' && a >> 63 ? UINT64_MAX : 0;
  return act->type == 's' && a >> 63 ? ~(~a >> by) : a >> by;
}

static uint64_t reversed(unsigned bits, uint64_t a) {
  uint64_t result = 0;
  for (unsigned i = 0; i < bits; i++)
    result |= (a >> i & 1) << (bits - 1 - i);
  return result;
}

static unsigned ones(unsigned bits, uint64_t a) {
  unsigned count = 0;
  for (unsigned i = 0; i < bits; i++)
    count += a >> i & 1;
  return count;
}

static unsigned leading_zeros(unsigned bits, uint64_t a) {
  unsigned count = 0;
  while (count < bits && !(a >> (bits - 1 - count) & 1))
    count++;
  return count;
}

static uint64_t field(const Act *act, const uint64_t in[4]) {
  unsigned position = in[1] & 0xff, length = in[2] & 0xff, last = act->bits - 1;
  unsigned sign_at = position + length ? position + length - 1 : 0;
  bool sign = act->type == 's' && length &&
              in[0] >> (sign_at < last ? sign_at : last) & 1;
  uint64_t result = 0;
  for (unsigned i = 0; i <= last; i++) {
    bool bit =
        i < length && position + i <= last ? in[0] >> (position + i) & 1 : sign;
    result |= (uint64_t)bit << i;
  }
  return result;
}

static uint64_t distance(const Act *act, uint64_t a, uint64_t b) {
  return is_less(act, a, b) ? b - a : a - b;
}

uint64_t valued_compute(const Act *act, const uint64_t in[4]) {
  unsigned bits = act->bits;
  uint64_t a = in[0], b = in[1];
  switch (act->arithmetic) {
  case ARITHMETIC_ADD:
    return a + b;
  case ARITHMETIC_SUB:
    return a - b;
  case ARITHMETIC_MUL_LO:
    return a * b;
  case ARITHMETIC_MUL_HI:
    return high_half(act, a, b);
  case ARITHMETIC_MUL_WIDE:
    return valued_extend(act->type, bits, a) *
           valued_extend(act->type, bits, b);
  case ARITHMETIC_MAD_LO:
    return a * b + in[2];
  case ARITHMETIC_DIV:
    return quotient(act, a, b, false);
  case ARITHMETIC_REM:
    return quotient(act, a, b, true);
  case ARITHMETIC_AND:
    return a & b;
  case ARITHMETIC_OR:
    return a | b;
  case ARITHMETIC_XOR:
    return a ^ b;
  case ARITHMETIC_NOT:
    return ~a;
  case ARITHMETIC_CNOT:
    return valued_cut(bits, a) == 0;
  case ARITHMETIC_SHL:
    return valued_cut(32, b) >= bits ? 0 : a << valued_cut(32, b);
  case ARITHMETIC_SHR:
    return shifted_right(act, a, b);
  case ARITHMETIC_MIN:
    return is_less(act, a, b) ? a : b;
  case ARITHMETIC_MAX:
    return is_less(act, a, b) ? b : a;
  case ARITHMETIC_NEG:
    return 0 - a;
  case ARITHMETIC_ABS:
    return is_less(act, a, 0) ? 0 - a : a;
  case ARITHMETIC_SAD:
    return distance(act, a, b) + in[2];
  case ARITHMETIC_POPC:
    return ones(bits, a);
  case ARITHMETIC_CLZ:
    return leading_zeros(bits, a);
  case ARITHMETIC_BREV:
    return reversed(bits, a);
  case ARITHMETIC_BFE:
    return field(act, in);
  case ARITHMETIC_MOV:
    return a;
  case ARITHMETICS:
    break;
  }
  assert(!"an arithmetic");
  return 0;
}
