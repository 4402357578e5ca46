// Counters that do not wrap.
//
// A loop-carried value that goes by equal steps is i0 + k * d modulo its width
// (recurrence.c).  That it has not wrapped on the way is guessed and proved
// where the loop's own bound sees to it (candidates.c).  Where the bound does
// not see to it:
//
// A counter of 64 bits is assumed not to wrap, if that would take too long, or
// lead to an address (counter_index.c) or a number of elements (stride.c) that
// no machine has: SOUND(long-counters).
//
// A counter of 32 bits may wrap: with n near 2^32, i += stride passes 2^32
// before it passes n.  The fact that it does not is kept aside: an alarm that
// contradicts it says so, and --no-overflow assumes it.  Counters of fewer bits
// wrap in real programs; nothing is kept of them.

#include "translator/translator.h"

// In the counter's own width the number of the iteration is the factor that
// the closed form has, too.
Expr *counter_is_exact(Task *task, const Symbol *phi, Expr *step) {
  unsigned width = phi->width, wide = 2 * width;
  Expr *iteration = phi->loop->iteration->expr;
  Expr *k = expr_to_width(task, iteration, width, false);
  Expr *gone = expr_sub(task, phi->expr, phi->init);
  Expr *product =
      expr_mul(task, expr_zext(task, step, wide), expr_zext(task, k, wide));
  Expr *is_all = expr_eq(task, expr_zext(task, k, iteration->width), iteration);
  return expr_and(task, is_all,
                  expr_eq(task, expr_zext(task, gone, wide), product));
}

// With a step of zero the loop may go round any number of times.
Expr *counter_stays_below(Task *task, const Symbol *phi, Expr *step,
                          bool is_signed, unsigned bits) {
  unsigned width = phi->width, wide = 2 * width + 1;
  Expr *iteration = phi->loop->iteration->expr;
  Expr *k = expr_to_width(task, iteration, width, false);
  Expr *gone = expr_mul(task, expr_zext(task, step, 2 * width),
                        expr_zext(task, k, 2 * width));
  Expr *init = is_signed ? expr_sext(task, phi->init, wide)
                         : expr_zext(task, phi->init, wide);
  Expr *sum = expr_add(task, init, expr_zext(task, gone, wide));
  Expr *limit = expr_binary(task, EXPR_SHL, expr_const(task, wide, 1),
                            expr_const(task, wide, bits));
  Expr *is_all = expr_eq(task, expr_zext(task, k, iteration->width), iteration);
  Expr *stays = expr_eq(task, step, expr_const(task, width, 0));
  return expr_and(
      task, expr_or(task, stays, is_all),
      expr_binary(task, is_signed ? EXPR_SLT : EXPR_ULT, sum, limit));
}

// ----------------------------------------------------------- of 64 bits ---

static unsigned bits_of_constant(uint64_t value) {
  unsigned bits = 0;
  while (bits < 64 && value >> bits)
    bits++;
  return bits;
}

static unsigned bits_of_symbol(const Symbol *symbol) {
  enum { BLOCK_SIZE_BITS = 17, LARGE_SIZE_BITS = 28, GRID_SIZE_BITS = 31 };
  if (symbol->kind == SYMBOL_BLOCK_SIZE || symbol->kind == SYMBOL_THREAD_ID)
    return symbol->is_large ? LARGE_SIZE_BITS : BLOCK_SIZE_BITS;
  if (symbol->kind == SYMBOL_GRID_SIZE || symbol->kind == SYMBOL_BLOCK_ID)
    return GRID_SIZE_BITS;
  return symbol->width;
}

static bool is_share(const Expr *a) {
  return a->op == EXPR_LSHR ||
         (a->op == EXPR_UDIV && expr_is_const(a->args[1]) && a->args[1]->value);
}

static unsigned bits_within(const Expr *a, unsigned depth) {
  unsigned bits[2] = {0}, most = a->width;
  for (unsigned i = 0; depth && i < a->count && i < 2; i++)
    bits[i] = bits_within(a->args[i], depth - 1);
  if (a->op == EXPR_CONST)
    most = bits_of_constant(a->value);
  else if (a->op == EXPR_SYMBOL)
    most = bits_of_symbol(a->symbol);
  else if (depth && a->op == EXPR_ZEXT)
    most = bits[0];
  else if (depth && a->op == EXPR_MUL)
    most = bits[0] + bits[1];
  else if (depth && is_share(a))
    most = bits[0];
  else if (depth && a->op == EXPR_ADD)
    most = (bits[0] > bits[1] ? bits[0] : bits[1]) + 1;
  return most < a->width ? most : a->width;
}

unsigned counter_bits(const Expr *a) {
  enum { DEPTH = 8 };
  return bits_within(a, DEPTH);
}

bool counter_is_long(Task *task, const Kernel *kernel, Symbol *phi,
                     Expr *step) {
  enum { WIDTH = 64, SLOW_BITS = 16, STEP_BITS = 48, START_BITS = 62 };
  unsigned bits = counter_bits(step);
  if (phi->width != WIDTH || bits > STEP_BITS ||
      counter_bits(phi->init) > START_BITS)
    return false;
  return bits <= SLOW_BITS || counter_is_index(task, kernel, phi, step) ||
         stride_ends_loop(task, kernel, phi, step);
}

static void assume_long(Task *task, Kernel *kernel, Symbol *phi, Expr *step) {
  enum { BITS = 63 };
  push(&task->arena, &phi->loop->invariants,
       counter_stays_below(task, phi, step, false, BITS));
  kernel_assume(task, kernel, "long-counters");
}

// ----------------------------------------------------------- of 32 bits ---

// Does the loop compare the counter, or what is made of it, as signed?
static bool is_signed(Task *task, const Symbol *phi) {
  Exprs order = {0};
  expr_order(task, phi->loop->again, expr_map_new(task), &order);
  for (size_t i = 0; i < order.count; i++) {
    Expr *e = order.at[i];
    if ((e->op == EXPR_SLT || e->op == EXPR_SLE) && expr_mentions(task, e, phi))
      return true;
  }
  return false;
}

static void keep_aside(Task *task, Kernel *kernel, Symbol *phi, Expr *step) {
  bool has_sign = is_signed(task, phi);
  Expr *fact =
      counter_stays_below(task, phi, step, has_sign, phi->width - has_sign);
  push(&task->arena, &kernel->no_overflow,
       expr_implies(task, phi->loop->entry, fact));
}

// SOUND(no-signed-overflow), of a counter that goes up, whatever it is used
// for: each round has added.  What is added may be negative where nobody knows
// it: then nothing is said.
static void add_premise(Task *task, Kernel *kernel, Symbol *phi, Expr *step) {
  if (!phi->steps_as_signed)
    return;
  Expr *goes_up =
      expr_binary(task, EXPR_SLE, expr_const(task, step->width, 0), step);
  Expr *fact = counter_stays_below(task, phi, step, true, phi->width - 1);
  fact = expr_implies(task, expr_and(task, phi->loop->entry, goes_up), fact);
  premise_add(task, kernel, PREMISE_NO_SIGNED_OVERFLOW,
              (Premise){.fact = fact, .loop = phi->loop});
}

// SOUND(no-signed-overflow): each of so many rounds has added one number, up or
// down, the same in each.  Twice the bits have room for their sum.
void counter_of_rounds(Task *task, Kernel *kernel, const Symbol *phi,
                       Expr *step) {
  enum { BITS = 32, LONG = 64 };
  const Loop *loop = phi->loop;
  bool is_known = expr_is_const(phi->init) && expr_is_const(step);
  if (phi->width != BITS || is_known || phi->is_for_annotations ||
      !phi->steps_once || !loop_keeps(task, loop, step) ||
      counter_bits(loop->rounds) >= BITS)
    return;
  Expr *added = expr_mul(task, expr_sext(task, step, LONG),
                         expr_to_width(task, loop->iteration->expr, LONG, 0));
  Expr *sum = expr_add(task, expr_sext(task, phi->init, LONG), added);
  Expr *is_all = expr_eq(task, sum, expr_sext(task, phi->expr, LONG));
  premise_add(
      task, kernel, PREMISE_NO_SIGNED_OVERFLOW,
      (Premise){.fact = expr_implies(task, loop->entry, is_all), .loop = loop});
}

bool counter_assume(Task *task, Kernel *kernel, Symbol *phi, Expr *step) {
  enum { LEAST_WIDTH = 32 };
  bool goes_down = expr_is_const(step) && step->width <= 64 &&
                   step->value >> (step->width - 1) & 1;
  if (goes_down || phi->width < LEAST_WIDTH)
    return false;
  bool is_run = !phi->is_for_annotations;
  if (is_run && counter_is_long(task, kernel, phi, step)) {
    assume_long(task, kernel, phi, step);
    return true;
  }
  keep_aside(task, kernel, phi, step);
  if (is_run) {
    add_premise(task, kernel, phi, step);
    stride_add_premise(task, kernel, phi, step);
  }
  return false;
}
