// Closed forms of what loops carry.
//
// With k the number of back edges taken so far (Loop.iteration):
//
//   i' = i            i = i0
//   i' = i + d        i = i0 + k * d            d does not change in the loop
//   i' = c ? i + d : i
//                     i = c ? i0 + k * d : i0   nor does c
//   i' = i * 2^c      i = i0 << k * c
//   i' = i >> c       i = i0 >> k * c           both shifts, and i / 2^c, which
//                                              is one where i has no sign
//   i' = d - i        i = k odd ? d - i0 : i0   also i ^ d
//   i' = j, j' = i    i = k odd ? j0 : i0       two buffers that swap, and
//                                              three or four that go round
//
// All of it is exact modulo 2^width; shifts are cut off at the width.  What
// has no closed form stays free, within the invariants that are proven of it.

#include "translator/translator.h"

#include <assert.h>

// Is `inner` the loop `outer` or inside of it?
bool loop_is_inside(const Loop *inner, const Loop *outer) {
  while (inner && inner != outer)
    inner = inner->parent;
  return inner == outer;
}

bool loop_contains(const Loop *loop, const BasicBlock *block) {
  return loop_is_inside(block->loop, loop);
}

bool loop_keeps(Task *task, const Loop *loop, Expr *a) {
  Symbols symbols = {0};
  expr_symbols(task, a, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (symbols.at[i]->loop && loop_is_inside(symbols.at[i]->loop, loop))
      return false;
  return true;
}

static Expr *iteration(Task *task, const Symbol *phi) {
  return expr_to_width(task, phi->loop->iteration->expr, phi->width, false);
}

static Expr *number(Task *task, const Symbol *phi, uint64_t value) {
  return expr_const(task, phi->width, value);
}

static Expr *when_odd(Task *task, const Symbol *phi, Expr *odd, Expr *even) {
  Expr *bit = expr_extract(task, phi->loop->iteration->expr, 0, 1);
  return expr_ite(task, bit, odd, even);
}

// k * by, or the width where that is more.
static Expr *shift_amount(Task *task, const Symbol *phi, uint64_t by) {
  Expr *k = phi->loop->iteration->expr;
  uint64_t most = (phi->width + by - 1) / by;
  Expr *fits = expr_binary(task, EXPR_ULT, k, expr_const(task, 64, most));
  Expr *amount = expr_mul(task, iteration(task, phi), number(task, phi, by));
  return expr_ite(task, fits, amount, number(task, phi, phi->width));
}

// Where `next` is what comes after it in each iteration.  Branches may have
// parts in common, which are looked at once for each way to them.
static Expr *sum_by(Task *task, const Symbol *phi, Expr *next, unsigned depth) {
  Expr *step = expr_sub(task, next, phi->expr);
  if (loop_keeps(task, phi->loop, step))
    return expr_add(task, phi->init,
                    expr_mul(task, iteration(task, phi), step));
  if (next->op != EXPR_ITE || !depth ||
      !loop_keeps(task, phi->loop, next->args[0]))
    return NULL;
  Expr *then = sum_by(task, phi, next->args[1], depth - 1);
  Expr *otherwise = then ? sum_by(task, phi, next->args[2], depth - 1) : NULL;
  return otherwise ? expr_ite(task, next->args[0], then, otherwise) : NULL;
}

static Expr *solve_sum(Task *task, const Symbol *phi) {
  enum { DEPTH = 6 };
  return sum_by(task, phi, phi->next, DEPTH);
}

static bool is_power_of_two(uint64_t value, unsigned *exponent) {
  if (value < 2 || (value & (value - 1)) != 0)
    return false;
  *exponent = (unsigned)__builtin_ctzll(value);
  return true;
}

static Expr *solve_product(Task *task, const Symbol *phi) {
  unsigned exponent;
  for (unsigned c = 1; c < phi->width && c <= 8; c++) {
    uint64_t factor = (uint64_t)1 << c;
    if (phi->next == expr_mul(task, phi->expr, number(task, phi, factor)) &&
        is_power_of_two(factor, &exponent))
      return expr_binary(task, EXPR_SHL, phi->init,
                         shift_amount(task, phi, exponent));
  }
  return NULL;
}

// Truncation towards zero composes: (i / 2) / 2 is i / 4 for every sign.
static Expr *signed_quotient(Task *task, Expr *init, Expr *amount) {
  Expr *zero = expr_const(task, init->width, 0);
  Expr *is_negative = expr_binary(task, EXPR_SLT, init, zero);
  Expr *negated =
      expr_binary(task, EXPR_LSHR, expr_sub(task, zero, init), amount);
  return expr_ite(task, is_negative, expr_sub(task, zero, negated),
                  expr_binary(task, EXPR_LSHR, init, amount));
}

static Expr *solve_shift(Task *task, const Symbol *phi) {
  Expr *next = phi->next;
  unsigned exponent;
  if (next->count != 2 || next->args[0] != phi->expr ||
      !expr_is_const(next->args[1]))
    return NULL;
  uint64_t by = next->args[1]->value;
  bool shifts = next->op == EXPR_LSHR || next->op == EXPR_ASHR;
  if (shifts && by > 0)
    return expr_binary(task, next->op, phi->init, shift_amount(task, phi, by));
  if (next->op == EXPR_SDIV && is_power_of_two(by, &exponent) &&
      exponent + 1 < phi->width)
    return signed_quotient(task, phi->init, shift_amount(task, phi, exponent));
  return NULL;
}

static Expr *solve_flip(Task *task, const Symbol *phi) {
  Expr *sum = expr_add(task, phi->next, phi->expr);
  if (loop_keeps(task, phi->loop, sum))
    return when_odd(task, phi, expr_sub(task, sum, phi->init), phi->init);
  Expr *mask = expr_binary(task, EXPR_XOR, phi->next, phi->expr);
  if (loop_keeps(task, phi->loop, mask))
    return when_odd(task, phi, expr_binary(task, EXPR_XOR, phi->init, mask),
                    phi->init);
  if (phi->next->op == EXPR_XOR)
    for (unsigned i = 0; i < 2; i++)
      if (phi->next->args[i] == phi->expr &&
          loop_keeps(task, phi->loop, phi->next->args[1 - i]))
        return when_odd(
            task, phi,
            expr_binary(task, EXPR_XOR, phi->init, phi->next->args[1 - i]),
            phi->init);
  return NULL;
}

// The phi whose value this one has an iteration later, if that is all it is.
static const Symbol *comes_from(const Symbol *phi) {
  const Expr *next = phi->next;
  if (next->op != EXPR_SYMBOL || next->symbol->kind != SYMBOL_PHI ||
      next->symbol->loop != phi->loop)
    return NULL;
  return next->symbol;
}

// How many phis pass their values round in a circle; 0: it is none.
static unsigned circle(const Symbol *phi) {
  enum { MOST = 4 };
  const Symbol *at = comes_from(phi);
  for (unsigned count = 1; at && count <= MOST; count++, at = comes_from(at))
    if (at == phi)
      return count;
  return 0;
}

static Expr *solve_rotation(Task *task, const Symbol *phi) {
  unsigned count = circle(phi);
  if (count < 2)
    return NULL;
  if (count == 2)
    return when_odd(task, phi, comes_from(phi)->init, phi->init);
  Expr *turn = expr_binary(task, EXPR_UREM, phi->loop->iteration->expr,
                           expr_const(task, 64, count));
  Expr *value = phi->init;
  const Symbol *at = comes_from(phi);
  for (unsigned i = 1; i < count; i++, at = comes_from(at))
    value = expr_ite(task, expr_eq(task, turn, expr_const(task, 64, i)),
                     at->init, value);
  return value;
}

static Expr *solve_boolean(Task *task, const Symbol *phi) {
  if (phi->next == expr_not(task, phi->expr))
    return when_odd(task, phi, expr_not(task, phi->init), phi->init);
  return NULL;
}

static Expr *solve(Task *task, const Symbol *phi) {
  assert(phi->init && phi->next);
  if (phi->next == phi->expr)
    return phi->init;
  if (phi->width == 1)
    return solve_boolean(task, phi);
  if (phi->width > 64)
    return NULL;
  Expr *closed = solve_sum(task, phi);
  if (!closed)
    closed = solve_product(task, phi);
  if (!closed)
    closed = solve_shift(task, phi);
  if (!closed)
    closed = solve_flip(task, phi);
  if (!closed)
    closed = solve_rotation(task, phi);
  return closed;
}

void kernel_solve_recurrences(Task *task, Kernel *kernel) {
  for (size_t i = 0; i < kernel->symbols.count; i++) {
    Symbol *symbol = kernel->symbols.at[i];
    if (symbol->kind == SYMBOL_PHI)
      symbol->closed = solve(task, symbol);
  }
  kernel_count_rounds(task, kernel);
}
