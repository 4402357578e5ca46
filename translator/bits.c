// How many bits of a number are set, and which is the first or the last.
//
// Solvers do not know these functions.  A count is a function without a
// meaning, of so few bits as it needs, and what is known of it is said of the
// numbers whose bits an obligation counts: who has all bits of another one and
// some more counts more.  So of two lanes in a mask the higher one has more of
// the mask below it, and the mask as a whole has more than that.  The first and
// the last bit are said exactly.

#include "translator/expr.h"

#include <string.h>

enum { MOST_COUNTED = 16 };

static const char count_name[] = "ones", first_name[] = "first_set",
                  last_name[] = "last_set";

// Bits for all numbers up to the width.
static unsigned bits_for(unsigned width) {
  unsigned bits = 1;
  while (width >> bits)
    bits++;
  return bits;
}

static unsigned count_of(uint64_t value) {
  unsigned count = 0;
  for (; value; value &= value - 1)
    count++;
  return count;
}

static unsigned first_of(uint64_t value) {
  unsigned first = 1;
  if (!value)
    return 0;
  for (; !(value & 1); value >>= 1)
    first++;
  return first;
}

static unsigned last_of(uint64_t value) {
  unsigned last = 0;
  for (; value; value >>= 1)
    last++;
  return last;
}

// What other files name functions by has a dot behind the stroke.
static const char *function_name(Task *task, const char *name, unsigned width) {
  return arena_printf(&task->arena, "%s/%u", name, width);
}

static Expr *apply(Task *task, const char *name, Expr *a) {
  return expr_apply(task, function_name(task, name, a->width),
                    bits_for(a->width), &a, 1);
}

static Expr *apply_or_fold(Task *task, const char *name,
                           unsigned of(uint64_t value), Expr *a) {
  return expr_is_const(a) ? expr_const(task, bits_for(a->width), of(a->value))
                          : apply(task, name, a);
}

Expr *bits_count(Task *task, Expr *a) {
  return apply_or_fold(task, count_name, count_of, a);
}

Expr *bits_first(Task *task, Expr *a) {
  return apply_or_fold(task, first_name, first_of, a);
}

Expr *bits_last(Task *task, Expr *a) {
  return apply_or_fold(task, last_name, last_of, a);
}

// ----------------------------------------------------------------- facts ---

static bool is_call(Task *task, const Expr *e, const char *name) {
  return e->op == EXPR_APPLY && e->count == 1 &&
         !strcmp(e->function, function_name(task, name, e->args[0]->width));
}

static Expr *is_zero(Task *task, Expr *a) {
  return expr_eq(task, a, expr_const(task, a->width, 0));
}

// It is the number of a bit of `a`, counted from 1, all of `rest` are 0, and
// there is none if and only if `a` is 0.
static Expr *is_place(Task *task, Expr *place, Expr *a, Expr *rest) {
  Expr *least = expr_const(task, place->width, 1);
  Expr *most = expr_const(task, place->width, a->width);
  Expr *is_bit = expr_and(task, expr_binary(task, EXPR_ULE, least, place),
                          expr_binary(task, EXPR_ULE, place, most));
  return expr_ite(task, is_zero(task, a), is_zero(task, place),
                  expr_and(task, is_bit, rest));
}

static Expr *has_bit(Task *task, Expr *mask, Expr *number) {
  return expr_extract(task, expr_binary(task, EXPR_LSHR, mask, number), 0, 1);
}

// The bit is set.  Which of several it is helps no proof so far.
static Expr *is_place_of(Task *task, Expr *place) {
  Expr *a = place->args[0], *last = expr_const(task, a->width, a->width - 1);
  Expr *number = expr_sub(task, expr_to_width(task, place, a->width, false),
                          expr_const(task, a->width, 1));
  Expr *low = expr_binary(task, EXPR_AND, number, last);
  return is_place(
      task, place, a,
      expr_and(task, expr_eq(task, low, number), has_bit(task, a, low)));
}

// Said of functions, for solvers that take each call for a number of its own.
static Expr *is_function(Task *task, Expr *a, Expr *b) {
  return expr_implies(task, expr_eq(task, a->args[0], b->args[0]),
                      expr_eq(task, a, b));
}

static bool are_of_one_function(const Expr *a, const Expr *b) {
  return a->function == b->function && a->args[0]->width == b->args[0]->width;
}

static void add_places(Task *task, const Exprs *places, Exprs *facts) {
  for (size_t i = 0; i < places->count; i++) {
    push(&task->arena, facts, is_place_of(task, places->at[i]));
    for (size_t k = 0; k < i; k++)
      if (are_of_one_function(places->at[i], places->at[k]))
        push(&task->arena, facts,
             is_function(task, places->at[i], places->at[k]));
  }
}

// A bit that is asked for somewhere: if it is set, the number is not 0.
static Expr *is_not_zero(Task *task, Expr *bit) {
  Expr *shifted = bit->args[0];
  return expr_implies(task, bit,
                      expr_not(task, is_zero(task, shifted->args[0])));
}

static bool is_bit(const Expr *e) {
  return e->op == EXPR_EXTRACT && e->width == 1 && e->value == 0 &&
         e->args[0]->op == EXPR_LSHR;
}

// What is counted: of a mask all bits, or those below a lane, or others.
typedef struct Counted {
  Expr *count, *mask;
  Expr *below; // the lane, or NULL: all of the mask
} Counted;
typedef Vec(Counted) Counteds;

// (1 << lane) - 1 has the bits below a lane, and so has ~(-1 << lane).
static Expr *lane_above(Task *task, Expr *a) {
  Expr *one = expr_const(task, a->width, 1);
  Expr *all = expr_const(task, a->width, UINT64_MAX);
  Expr *bit = expr_add(task, a, one), *high = expr_not(task, a);
  if (bit->op == EXPR_SHL && bit->args[0] == one)
    return bit->args[1];
  return high->op == EXPR_SHL && high->args[0] == all ? high->args[1] : NULL;
}

static Counted counted_by(Task *task, Expr *count) {
  Expr *a = count->args[0];
  for (unsigned i = 0; a->op == EXPR_AND && i < 2; i++) {
    Expr *lane = lane_above(task, a->args[i]);
    if (lane)
      return (Counted){count, a->args[1 - i], lane};
  }
  return (Counted){count, a, NULL};
}

static Expr *less(Task *task, const Counted *a, const Counted *b) {
  return expr_binary(task, EXPR_ULT, a->count, b->count);
}

// Of one mask, below a lane of it are fewer than below a higher one, and than
// in all.
static Expr *lane_counts_less(Task *task, const Counted *a, const Counted *b) {
  Expr *is_lower = b->below ? expr_binary(task, EXPR_ULT, a->below, b->below)
                            : expr_bool(task, true);
  Expr *is_in = has_bit(task, a->mask, a->below);
  Expr *is_below = expr_and(task, is_lower, is_in);
  Expr *is_of_one = expr_and(task, expr_eq(task, a->mask, b->mask), is_below);
  return expr_implies(task, is_of_one, less(task, a, b));
}

// All bits of `a` are in `b`.
static Expr *part_counts_less(Task *task, const Counted *a, const Counted *b) {
  Expr *x = a->count->args[0], *y = b->count->args[0];
  Expr *is_part = expr_eq(task, expr_binary(task, EXPR_AND, x, y), x);
  return expr_implies(task, is_part,
                      expr_or(task, expr_eq(task, x, y), less(task, a, b)));
}

static bool is_combined(const Counted *a) {
  return !a->below && a->mask->op != EXPR_SYMBOL;
}

static void compare(Task *task, const Counted *a, const Counted *b,
                    Exprs *facts) {
  if (a->mask->width != b->mask->width)
    return;
  if (a->below)
    push(&task->arena, facts, lane_counts_less(task, a, b));
  if (is_combined(a) || is_combined(b))
    push(&task->arena, facts, part_counts_less(task, a, b));
}

// No more than the lanes below, or than there are bits.
static Expr *is_count(Task *task, const Counted *counted) {
  Expr *count = counted->count, *a = count->args[0];
  Expr *most =
      counted->below ? counted->below : expr_const(task, a->width, a->width);
  return expr_and(task, expr_eq(task, is_zero(task, count), is_zero(task, a)),
                  expr_binary(task, EXPR_ULE,
                              expr_to_width(task, count, a->width, false),
                              most));
}

static void add_counts(Task *task, const Counteds *all, Exprs *facts) {
  for (size_t i = 0; i < all->count; i++) {
    push(&task->arena, facts, is_count(task, &all->at[i]));
    for (size_t k = 0; k < all->count; k++)
      if (i != k)
        compare(task, &all->at[i], &all->at[k], facts);
  }
}

void bits_add_facts(Task *task, Obligation *obligation) {
  Counteds counts = {0};
  Exprs order = {0}, places = {0}, bits = {0}, *facts = &obligation->facts;
  ExprMap *seen = expr_map_new(task);
  expr_order(task, obligation->violation, seen, &order);
  for (size_t i = 0; i < facts->count; i++)
    expr_order(task, facts->at[i], seen, &order);
  for (size_t i = 0; i < order.count; i++) {
    Expr *e = order.at[i];
    if (is_call(task, e, count_name))
      push(&task->arena, &counts, counted_by(task, e));
    else if (is_call(task, e, first_name) || is_call(task, e, last_name))
      push(&task->arena, &places, e);
    else if (is_bit(e))
      push(&task->arena, &bits, e);
  }
  if (counts.count > MOST_COUNTED || places.count > MOST_COUNTED)
    return;
  add_places(task, &places, facts);
  for (size_t i = 0; places.count && i < bits.count; i++)
    push(&task->arena, facts, is_not_zero(task, bits.at[i]));
  add_counts(task, &counts, facts);
}
