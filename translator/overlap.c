// Do two accesses have a byte in common?
//
// Ranges of bytes meet if either begins within the other.  Most accesses are of
// one size and at multiples of it, as can be seen from the sums and products of
// their offsets; then they meet if they begin at one byte, which is much easier
// to decide.

#include "translator/pair.h"

typedef struct Overlap {
  Task *task;
  ExprMap *divisors; // of terms
} Overlap;

static uint64_t known_divisor(Overlap *overlap, const Expr *a);

static uint64_t divisor_of_both(Overlap *overlap, const Expr *a,
                                const Expr *b) {
  uint64_t x = known_divisor(overlap, a), y = known_divisor(overlap, b);
  return !x ? y : !y ? x : x < y ? x : y;
}

static uint64_t divisor_of_product(Overlap *overlap, const Expr *a,
                                   const Expr *b) {
  uint64_t x = known_divisor(overlap, a), y = known_divisor(overlap, b);
  return x && y && x < UINT32_MAX && y < UINT32_MAX ? x * y : 1;
}

static uint64_t divisor_of(Overlap *overlap, const Expr *a) {
  if (a->op == EXPR_CONST)
    return a->value & -a->value;
  if (a->op == EXPR_ADD)
    return divisor_of_both(overlap, a->args[0], a->args[1]);
  if (a->op == EXPR_MUL)
    return divisor_of_product(overlap, a->args[0], a->args[1]);
  if (a->op == EXPR_ITE)
    return divisor_of_both(overlap, a->args[1], a->args[2]);
  if (a->op == EXPR_ZEXT || a->op == EXPR_SEXT)
    return known_divisor(overlap, a->args[0]);
  return 1;
}

// A power of two that divides every value of `a`; 0 divides zero.  Remembered,
// for one term may be a part of another in many ways.
static uint64_t known_divisor(Overlap *overlap, const Expr *a) {
  Expr *known = expr_map_get(overlap->divisors, a);
  if (!known) {
    known = expr_const(overlap->task, 64, divisor_of(overlap, a));
    expr_map_put(overlap->task, overlap->divisors, a, known);
  }
  return known->value;
}

static bool is_multiple(Overlap *overlap, const Expr *a, uint64_t of) {
  uint64_t divisor = known_divisor(overlap, a);
  return divisor == 0 || divisor % of == 0;
}

// Visits `left` terms at most.
static bool is_believed(Overlap *overlap, const Expr *a, uint64_t of,
                        unsigned *left) {
  if (is_multiple(overlap, a, of))
    return true;
  if (!*left)
    return false;
  --*left;
  switch ((unsigned)a->op) {
  case EXPR_SYMBOL:
    return a->symbol->kind == SYMBOL_PARAMETER;
  case EXPR_ZEXT:
  case EXPR_SEXT:
    return is_believed(overlap, a->args[0], of, left);
  case EXPR_ADD:
    return is_believed(overlap, a->args[1], of, left) &&
           is_believed(overlap, a->args[0], of, left);
  case EXPR_MUL: {
    uint64_t divisor = known_divisor(overlap, a->args[1]);
    if (expr_is_const(a->args[1]))
      return divisor >= of ||
             is_believed(overlap, a->args[0], of / divisor, left);
    return is_believed(overlap, a->args[0], of, left) ||
           is_believed(overlap, a->args[1], of, left);
  }
  }
  return false;
}

bool bytes_are_aligned_by_arguments(Task *task, ExprMap *divisors,
                                    const Expr *a, uint64_t of) {
  enum { MOST_TERMS = 100 };
  Overlap overlap = {task, divisors};
  unsigned left = MOST_TERMS;
  return is_believed(&overlap, a, of, &left);
}

// Is the distance from `a` up to `b` below `bytes`?  If it changes in steps
// that are no shorter, there is at most one that is.  That they begin at one
// byte is said of `a` and `b` in one order only.
static Expr *is_above_within(Overlap *overlap, Expr *a, Expr *b, Expr *bytes,
                             bool is_first) {
  Task *task = overlap->task;
  Expr *distance = expr_sub(task, b, a), *steps = distance;
  uint64_t least = 0;
  if (distance->op == EXPR_ADD && expr_is_const(distance->args[1])) {
    steps = distance->args[0];
    least = distance->args[1]->value;
  }
  uint64_t step = known_divisor(overlap, steps);
  if (!step || !expr_is_const(bytes) || bytes->value > step)
    return expr_binary(task, EXPR_ULT, distance, bytes);
  least &= step - 1;
  if (least >= bytes->value || (least == 0 && !is_first))
    return expr_bool(task, false);
  return expr_eq(task, a, expr_sub(task, b, expr_const(task, 64, least)));
}

Expr *bytes_overlap(Task *task, ExprMap *divisors, Expr *a, Expr *n, Expr *b,
                    Expr *m) {
  Overlap overlap = {task, divisors};
  bool are_aligned = n == m && expr_is_const(n) && n->value &&
                     is_multiple(&overlap, a, n->value) &&
                     is_multiple(&overlap, b, n->value);
  if (are_aligned)
    return expr_eq(task, a, b);
  return expr_or(task, is_above_within(&overlap, a, b, n, true),
                 is_above_within(&overlap, b, a, m, false));
}
