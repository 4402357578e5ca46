// Comparisons of floating-point numbers that are known: constants, and what the
// kernel gets as arguments.  Nothing else is computed in floating point.
//
// Whether a subnormal number of 32 bits counts as zero (.ftz) we have not kept,
// so of these nothing is known.

#include "barriers/emulate/emulate.h"

#include <math.h>
#include <string.h>

static bool float_of(PtxType type, uint64_t bits, double *number) {
  if (type.bits == 64) {
    memcpy(number, &bits, sizeof *number);
    return true;
  }
  uint32_t half = (uint32_t)bits;
  float narrow;
  memcpy(&narrow, &half, sizeof narrow);
  *number = (double)narrow;
  return type.bits == 32 && fpclassify(narrow) != FP_SUBNORMAL;
}

// Exactly one of them is how two numbers relate.
enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

static const uint8_t holds_of[] = {
    [CHOICE_EQ] = EQUAL,
    [CHOICE_NE] = LESS | GREATER,
    [CHOICE_LT] = LESS,
    [CHOICE_LE] = LESS | EQUAL,
    [CHOICE_GT] = GREATER,
    [CHOICE_GE] = GREATER | EQUAL,
    [CHOICE_EQU] = EQUAL | UNORDERED,
    [CHOICE_NEU] = LESS | GREATER | UNORDERED,
    [CHOICE_LTU] = LESS | UNORDERED,
    [CHOICE_LEU] = LESS | EQUAL | UNORDERED,
    [CHOICE_GTU] = GREATER | UNORDERED,
    [CHOICE_GEU] = GREATER | EQUAL | UNORDERED,
    [CHOICE_NUM] = LESS | EQUAL | GREATER,
    [CHOICE_NAN] = UNORDERED,
};

bool float_compare(const PtxInstruction *instruction, uint64_t a, uint64_t b,
                   bool *is_true) {
  double x, y;
  if (!float_of(instruction->type, a, &x) ||
      !float_of(instruction->type, b, &y))
    return false;
  unsigned relation = isunordered(x, y) ? UNORDERED
                      : x < y           ? LESS
                      : x > y           ? GREATER
                                        : EQUAL;
  Modifier compare = instruction->compare;
  if (compare >= sizeof holds_of / sizeof *holds_of || !holds_of[compare])
    return false;
  *is_true = holds_of[compare] & relation;
  return true;
}
