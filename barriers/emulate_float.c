// Comparisons of floating-point numbers that are known: constants, and what the
// kernel gets as arguments.  Nothing else is computed in floating point.
//
// Whether a subnormal number of 32 bits counts as zero (.ftz) we have not kept,
// so of these nothing is known.

#include "barriers/emulate.h"

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

bool float_compare(const PtxInstruction *instruction, uint64_t a, uint64_t b,
                   bool *is_true) {
  double x, y;
  if (!float_of(instruction->type, a, &x) ||
      !float_of(instruction->type, b, &y))
    return false;
  bool is_unordered = isunordered(x, y);
  switch (instruction->compare) {
  case CHOICE_EQ:
  case CHOICE_EQU:
    *is_true = x == y;
    break;
  case CHOICE_NE:
  case CHOICE_NEU:
    *is_true = x < y || x > y;
    break;
  case CHOICE_LT:
  case CHOICE_LTU:
    *is_true = x < y;
    break;
  case CHOICE_LE:
  case CHOICE_LEU:
    *is_true = x <= y;
    break;
  case CHOICE_GT:
  case CHOICE_GTU:
    *is_true = x > y;
    break;
  case CHOICE_GE:
  case CHOICE_GEU:
    *is_true = x >= y;
    break;
  case CHOICE_NUM:
    *is_true = !is_unordered;
    return true;
  case CHOICE_NAN:
    *is_true = is_unordered;
    return true;
  default:
    return false;
  }
  if (instruction->compare >= CHOICE_EQU)
    *is_true |= is_unordered;
  return true;
}
