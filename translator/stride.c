// Counters that go by the number of threads.
//
//   for (i = thread; i < n; i += threads)
//
// goes on while the counter, or what it is soon, is below a number, and that
// number is one of elements.  That such a counter does not come to the end of
// its type is SOUND(long-counters) of 64 bits, unless it is a constant near
// that end; of fewer it is a fact under the name of SOUND(sizes-fit): that
// number and a step more fit.
//
// The type has a sign if the counter is extended to more bits with one, or else
// if it is compared with one.

#include "translator/translator.h"

// How a loop compares its counter with what it has to be below.
typedef struct Bound {
  ExprOp op;
  Expr *number;
  Expr *more; // what is added to the counter before, or NULL
  bool has_sign, is_mixed;
} Bound;

// ----------------------------------------------------------------- steps ---

static bool is_size(const Expr *a) {
  return a->op == EXPR_SYMBOL && (a->symbol->kind == SYMBOL_BLOCK_SIZE ||
                                  a->symbol->kind == SYMBOL_GRID_SIZE);
}

// The threads of the sizes that are known.
static double known_threads(const Kernel *kernel) {
  double threads = 1;
  for (unsigned axis = 0; axis < 3; axis++) {
    if (expr_is_const(kernel->block_size[axis]))
      threads *= (double)kernel->block_size[axis]->value;
    if (expr_is_const(kernel->grid_size[axis]))
      threads *= (double)kernel->grid_size[axis]->value;
  }
  return threads;
}

// What is cut to fewer bits than an int has may be any number.
static bool keeps_size(const Expr *e) {
  enum { INT_BITS = 32, MOST_BITS = 10 };
  bool is_whole =
      e->op == EXPR_EXTRACT && e->value == 0 && e->width >= INT_BITS;
  bool is_multiple = e->op == EXPR_SHL && expr_is_const(e->args[1]) &&
                     e->args[1]->value <= MOST_BITS;
  return e->count == 0 || e->op == EXPR_ADD || e->op == EXPR_MUL ||
         e->op == EXPR_UDIV || is_multiple || e->op == EXPR_LSHR ||
         e->op == EXPR_ZEXT || e->op == EXPR_SEXT || is_whole;
}

static bool is_small(const Kernel *kernel, const Expr *e) {
  const double most_each = 1 << 10; // elements of a thread
  return expr_is_const(e) && !(e->value >> (e->width - 1) & 1) &&
         (double)e->value <= known_threads(kernel) * most_each;
}

// Made of the sizes of the launch and of small numbers.
static bool is_stride(Task *task, const Kernel *kernel, Expr *step) {
  Exprs order = {0};
  expr_order(task, step, expr_map_new(task), &order);
  for (size_t i = 0; i < order.count; i++) {
    const Expr *e = order.at[i];
    if (!keeps_size(e) ||
        (e->count == 0 && !is_size(e) && !is_small(kernel, e)))
      return false;
  }
  return true;
}

// The same with so many bits for each number on the way.
static Expr *widened(Task *task, Expr *e, unsigned width) {
  if (e->count == 0)
    return expr_zext(task, e, width);
  Expr *a = widened(task, e->args[0], width);
  if (e->count == 1)
    return a;
  Expr *b = widened(task, e->args[1], width);
  return expr_binary(task, e->op, a, b);
}

// No number on the way to the step wraps: as many elements as it says.  NULL:
// it may be too large to say so.
static Expr *is_exact(Task *task, Expr *step) {
  static const unsigned widths[] = {64, 128};
  for (unsigned i = 0; i < 2; i++) {
    Expr *wide = widened(task, step, widths[i]);
    unsigned bits = counter_bits(wide);
    if (bits <= step->width)
      return expr_bool(task, true);
    if (bits < widths[i])
      return expr_eq(task, wide, expr_zext(task, step, widths[i]));
  }
  return NULL;
}

// ---------------------------------------------------------------- bounds ---

// The counter itself, or what it is soon.
static bool is_soon(const Symbol *phi, const Expr *step, const Expr *a,
                    Expr **more) {
  enum { SOON = 1 << 10 };
  *more = NULL;
  if (a == phi->expr || a->op != EXPR_ADD)
    return a == phi->expr;
  bool is_left = a->args[0] == phi->expr;
  *more = a->args[is_left];
  bool is_few = expr_is_const(*more) && (*more)->value <= SOON;
  return (is_left || a->args[1] == phi->expr) && (is_few || *more == step);
}

// Without what extends it to more bits; one that extends another one is none.
static Expr *narrow(Expr *a, bool *has_sign) {
  ExprOp op = a->op;
  if (op != EXPR_SEXT && op != EXPR_ZEXT)
    return a;
  *has_sign = op == EXPR_SEXT;
  return a->args[0];
}

static bool is_comparison(const Expr *a, bool or_equal) {
  return a->op == EXPR_SLT || a->op == EXPR_ULT ||
         (or_equal && (a->op == EXPR_SLE || a->op == EXPR_ULE));
}

// A comparison of the counter with a number that stays as it is in the loop.
static void find_bound(Task *task, const Symbol *phi, const Expr *step,
                       const Expr *again, bool or_equal, Bound *bound) {
  for (unsigned i = 0; again->op == EXPR_AND && i < again->count; i++)
    find_bound(task, phi, step, again->args[i], or_equal, bound);
  if (!is_comparison(again, or_equal))
    return;
  bool has_sign = again->op == EXPR_SLT || again->op == EXPR_SLE;
  Expr *a = narrow(again->args[0], &has_sign), *number = again->args[1], *more;
  if (!is_soon(phi, step, a, &more) || !loop_keeps(task, phi->loop, number))
    return;
  bool is_mixed = bound->number && bound->has_sign != has_sign;
  *bound =
      (Bound){again->op, number, more, has_sign, bound->is_mixed || is_mixed};
}

// A number of elements is; a constant may be anything.
static bool may_be_number_of_elements(const Bound *bound) {
  const Expr *number = bound->number;
  return number && (!expr_is_const(number) || number->width > 64 ||
                    number->value >> (number->width - 2) == 0);
}

bool stride_ends_loop(Task *task, const Kernel *kernel, const Symbol *phi,
                      Expr *step) {
  Bound bound = {0};
  find_bound(task, phi, step, phi->loop->again, true, &bound);
  return may_be_number_of_elements(&bound) && is_stride(task, kernel, step);
}

// --------------------------------------------------------------- premise ---

// a + b, as integers, is a number of the type; b is not negative.
static Expr *sum_fits(Task *task, const Bound *bound, Expr *a, Expr *b,
                      unsigned width) {
  unsigned wide = (a->width > b->width ? a->width : b->width) + 2;
  Expr *first =
      bound->has_sign ? expr_sext(task, a, wide) : expr_zext(task, a, wide);
  Expr *sum = expr_add(task, first, expr_zext(task, b, wide));
  Expr *end = expr_binary(task, EXPR_SHL, expr_const(task, wide, 1),
                          expr_const(task, wide, width - bound->has_sign));
  return expr_binary(task, bound->has_sign ? EXPR_SLT : EXPR_ULT, sum, end);
}

// In the first round what is compared has not wrapped: it is below the number
// if the counter is, or else a number of the type.
static Expr *begins_below(Task *task, const Symbol *phi, Expr *step,
                          const Bound *bound) {
  unsigned width = bound->number->width;
  if (!bound->more)
    return expr_bool(task, true);
  Expr *fits = sum_fits(task, bound, phi->init, bound->more, phi->width);
  Expr *start = bound->has_sign ? expr_sext(task, phi->init, width)
                                : expr_zext(task, phi->init, width);
  if (bound->more != step)
    return fits;
  return expr_or(task, fits,
                 expr_binary(task, bound->op, start, bound->number));
}

void stride_add_premise(Task *task, Kernel *kernel, const Symbol *phi,
                        Expr *step) {
  Bound bound = {0};
  find_bound(task, phi, step, phi->loop->again, false, &bound);
  bool is_bounded = bound.number && !bound.is_mixed;
  if (!is_bounded || !is_stride(task, kernel, step))
    return;
  Expr *known = is_exact(task, step);
  if (!known)
    return;
  known = expr_and(task, known, begins_below(task, phi, step, &bound));
  if (expr_is_const(bound.number)) // what the program says is no premise
    known = expr_and(task, known,
                     sum_fits(task, &bound, bound.number, step, phi->width));
  Expr *fact = counter_stays_below(task, phi, step, bound.has_sign,
                                   phi->width - bound.has_sign);
  known = expr_and(task, known, phi->loop->entry);
  premise_add(
      task, kernel, PREMISE_SIZES_FIT,
      (Premise){.fact = expr_implies(task, known, fact), .loop = phi->loop});
}
