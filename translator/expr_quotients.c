// Remainders with what completes them.
//
//   x % y  +  y * (x / y)        ==  x
//   x % y  +  y * (x / y % m)    ==  x % (y * m)
//
// over the integers, whatever the sign of x, and so in words of some bits as
// long as y * m fits.  A quotient by one constant after another is that by
// their product: x / 640 / 480 and x / 307200 are the same.  Where no sign is
// in play a shift to the right is a quotient, and a mask of low bits a
// remainder.

#include "translator/expr.h"

// The greatest divisor that there is.
static uint64_t most_of(const Expr *e, ExprOp quotient) {
  return expr_mask(e->width) >> (quotient == EXPR_SDIV);
}

static bool is_mask(const Expr *e) {
  return e->op == EXPR_AND && expr_is_foldable(e) &&
         expr_is_const(e->args[1]) &&
         !(e->args[1]->value & (e->args[1]->value + 1)) &&
         e->args[1]->value < expr_mask(e->width);
}

bool remainder_find(Task *task, const Expr *e, Remainder *rest) {
  if (e->op == EXPR_UREM || e->op == EXPR_SREM) {
    ExprOp quotient = e->op == EXPR_UREM ? EXPR_UDIV : EXPR_SDIV;
    *rest = (Remainder){quotient, e->args[0], e->args[1]};
    return true;
  }
  if (is_mask(e)) {
    Expr *by = expr_const(task, e->width, e->args[1]->value + 1);
    *rest = (Remainder){EXPR_UDIV, e->args[0], by};
    return true;
  }
  return false;
}

// ------------------------------------------------------------- quotients ---

// base / by
typedef struct Quotient {
  const Expr *base;
  uint64_t by;
} Quotient;

// What `e` divides by, if that is a constant; else 0.
static uint64_t divisor_of(const Expr *e, ExprOp op) {
  bool is_shift = e->op == EXPR_LSHR && op == EXPR_UDIV;
  if ((e->op != op && !is_shift) || !expr_is_const(e->args[1]))
    return 0;
  uint64_t number = e->args[1]->value;
  if (is_shift)
    return number < e->width ? UINT64_C(1) << number : 0;
  return number;
}

// Divisors that do not fit into one stay with what is divided.
static Quotient quotient(const Expr *base, ExprOp op, uint64_t by) {
  for (;;) {
    uint64_t more = divisor_of(base, op), product;
    if (!more || __builtin_mul_overflow(by, more, &product) ||
        product > most_of(base, op))
      return (Quotient){base, by};
    by = product;
    base = base->args[0];
  }
}

// Is the divisor a number, and one above 0?
static bool is_by_number(const Remainder *rest) {
  return expr_is_foldable(rest->by) && expr_is_const(rest->by) &&
         rest->by->value &&
         rest->by->value <= most_of(rest->by, rest->quotient);
}

static bool is_quotient(const Expr *e, const Remainder *rest) {
  if (e->op == rest->quotient && e->args[0] == rest->of &&
      e->args[1] == rest->by)
    return true;
  if (!is_by_number(rest))
    return false;
  const Quotient own = quotient(e, rest->quotient, 1);
  const Quotient wanted = quotient(rest->of, rest->quotient, rest->by->value);
  return own.base == wanted.base && own.by == wanted.by;
}

// ------------------------------------------------------------------ sums ---

// Of two digits; NULL: they are no number's.
static Expr *longer_remainder(Task *task, const Remainder *low,
                              const Remainder *high) {
  uint64_t by;
  if (high->quotient != low->quotient || !is_quotient(high->of, low) ||
      !is_by_number(low) || !is_by_number(high) ||
      __builtin_mul_overflow(low->by->value, high->by->value, &by) ||
      by > most_of(low->of, low->quotient))
    return NULL;
  ExprOp op = low->quotient == EXPR_UDIV ? EXPR_UREM : EXPR_SREM;
  return expr_binary(task, op, low->of, expr_const(task, low->of->width, by));
}

Expr *remainder_complete(Task *task, const Remainder *rest, const Expr *by) {
  Remainder high;
  if (is_quotient(by, rest))
    return rest->of;
  return remainder_find(task, by, &high) ? longer_remainder(task, rest, &high)
                                         : NULL;
}
