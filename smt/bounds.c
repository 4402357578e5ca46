// How large the terms of a query can be.
//
// A query is full of comparisons with sizes, t < n and n <= 1024, from which
// follows that most of its sums cannot wrap and most of its numbers are not
// negative.  Over the integers each of these is a case less.
// The bounds are found by walking up and down the terms a few times, as in
// Cousot and Halbwachs's interval analysis: up, what a term is made of bounds
// it; down, what is said of a term bounds its parts.  They hold in every model
// of the formulas.
//
// An interval says nothing of x * y with x and y unknown, but the number of a
// thread in the grid is of that kind:
//
//   t < x, y < z  implies  x * y + t < x * z
//
// and x * z, the number of all threads, has a bound.  A product that is
// computed in few bits is the same product in more bits, where that is small.

#include "smt/bounds.h"
#include "translator/expr.h"

#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 6 };

// A product of two factors in fewer and in more bits.
typedef struct Twins {
  const Expr *narrow, *wide;
  bool has_signs; // of extended factors
} Twins;

typedef struct Bounding {
  Task *task;
  const Exprs *order;
  BoundsTable *table;
  Exprs products; // of the order: W(x, y), and x * y with room for it
  Exprs strict;   // x < y that is true
  Vec(Twins) twins;
  Submultiples parts;
  bool has_changed;
} Bounding;

// ------------------------------------------------------------- intervals ---

static double power(unsigned exponent) { return ldexp(1, (int)exponent); }

static double outwards(double bound, double direction) {
  return fabs(bound) < power(52) ? bound
                                 : bound + direction * ldexp(fabs(bound), -50);
}

static Interval interval(double low, double high) {
  return (Interval){outwards(low, -1), outwards(high, 1)};
}

// Of a result that might wrap.  Large bounds are rounded outwards, so those
// that are below the limit belong to numbers that are.
static bool fits_plain(Interval a, unsigned width) {
  return a.low >= 0 && a.high < power(width);
}

static bool fits_signed(Interval a, unsigned width) {
  return a.low >= -power(width - 1) && a.high < power(width - 1);
}

static bool is_inside(Interval a, Interval b) {
  return a.low >= b.low && a.high <= b.high;
}

static Interval intersection(Interval a, Interval b) {
  return (Interval){fmax(a.low, b.low), fmin(a.high, b.high)};
}

static Interval hull(Interval a, Interval b) {
  return (Interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static Interval plus(Interval a, Interval b) {
  return interval(a.low + b.low, a.high + b.high);
}

static Interval minus(Interval a, Interval b) {
  return interval(a.low - b.high, a.high - b.low);
}

static Interval times(Interval a, Interval b) {
  double corners[] = {a.low * b.low, a.low * b.high, a.high * b.low,
                      a.high * b.high};
  Interval product = {corners[0], corners[0]};
  for (unsigned i = 1; i < 4; i++)
    product = hull(product, (Interval){corners[i], corners[i]});
  return interval(product.low, product.high);
}

// Of natural numbers; the divisor is not zero.
static Interval over(Interval a, Interval b) {
  return interval(floor(a.low / b.high), floor(a.high / b.low));
}

static Interval at_most(double high) {
  return (Interval){-INFINITY, outwards(high, 1)};
}

static Interval at_least(double low) {
  return (Interval){outwards(low, -1), INFINITY};
}

// ---------------------------------------------------------------- bounds ---

static Interval all_plain(unsigned width) {
  return interval(0, power(width) - 1);
}

static Interval all_signed(unsigned width) {
  return interval(-power(width - 1), power(width - 1) - 1);
}

static Bounds anything(unsigned width) {
  return (Bounds){.plain = all_plain(width), .two = all_signed(width)};
}

// What each of the two says of the other.
static void reconcile(Bounds *b, unsigned width) {
  double half = power(width - 1), all = power(width);
  if (b->two.low >= 0)
    b->plain = intersection(b->plain, b->two);
  if (b->two.high < 0)
    b->plain =
        intersection(b->plain, interval(b->two.low + all, b->two.high + all));
  if (b->plain.high < half)
    b->two = intersection(b->two, b->plain);
  if (b->plain.low >= half)
    b->two =
        intersection(b->two, interval(b->plain.low - all, b->plain.high - all));
}

static Bounds *bounds_of(const Bounding *to, const Expr *e) {
  return &to->table->at[e->id];
}

static bool is_empty(const Bounds *b) {
  return b->plain.low > b->plain.high || b->two.low > b->two.high;
}

// `e` is within both.  What contradicts itself is left to the solver.
static void narrow(Bounding *to, const Expr *e, Interval plain, Interval two) {
  Bounds *own = bounds_of(to, e), new = *own;
  new.plain = intersection(own->plain, plain);
  new.two = intersection(own->two, two);
  reconcile(&new, e->width);
  if (is_empty(&new) ||
      (is_inside(own->plain, new.plain) && is_inside(own->two, new.two)))
    return;
  *own = new;
  to->has_changed = true;
}

static const Interval any = {-INFINITY, INFINITY};

static void narrow_plain(Bounding *to, const Expr *e, Interval plain) {
  narrow(to, e, plain, any);
}

static void narrow_signed(Bounding *to, const Expr *e, Interval two) {
  narrow(to, e, any, two);
}

// ----------------------------------------------------------------- truth ---

static bool is_true(const Bounding *to, const Expr *e) {
  return bounds_of(to, e)->plain.low == 1;
}

static bool is_false(const Bounding *to, const Expr *e) {
  return bounds_of(to, e)->plain.high == 0;
}

static void settle(Bounding *to, const Expr *e, bool value) {
  narrow_plain(to, e, (Interval){value, value});
}

static void settle_if(Bounding *to, const Expr *e, bool is_so, bool is_not) {
  if (is_so || is_not)
    settle(to, e, is_so);
}

// -------------------------------------------------------------------- up ---

// What it is of natural numbers is no more than that.
static void fit(Bounding *to, const Expr *e, Interval plain) {
  narrow_plain(to, e, plain);
  if (plain.high < power(e->width))
    bounds_of(to, e)->fits = true;
}

static void sum_up(Bounding *to, const Expr *e, Interval plain, Interval two) {
  if (fits_plain(plain, e->width))
    fit(to, e, plain);
  if (fits_signed(two, e->width))
    narrow_signed(to, e, two);
}

static void compare_up(Bounding *to, const Expr *e, Interval a, Interval b) {
  bool is_strict = e->op == EXPR_ULT || e->op == EXPR_SLT;
  bool is_below = is_strict ? a.high < b.low : a.high <= b.low;
  bool is_above = is_strict ? a.low >= b.high : a.low > b.high;
  settle_if(to, e, is_below, is_above);
}

static bool are_apart(Interval a, Interval b) {
  return a.high < b.low || b.high < a.low;
}

// Does `e` extend a product that needs no more bits than it has, and is `wide`
// that product in more bits?
static bool is_twin(const Bounding *to, const Expr *e, const Expr *wide) {
  return e->op == EXPR_ZEXT && bounds_of(to, e->args[0])->whole == wide;
}

static void equal_up(Bounding *to, const Expr *e, const Bounds *a,
                     const Bounds *b) {
  if (is_twin(to, e->args[0], e->args[1]) ||
      is_twin(to, e->args[1], e->args[0]))
    settle(to, e, true);
  if (are_apart(a->plain, b->plain) || are_apart(a->two, b->two))
    settle(to, e, false);
}

static void logic_up(Bounding *to, const Expr *e) {
  const Expr *a = e->args[0], *b = e->args[e->count - 1];
  if (e->op == EXPR_NOT)
    settle_if(to, e, is_false(to, a), is_true(to, a));
  if (e->op == EXPR_AND)
    settle_if(to, e, is_true(to, a) && is_true(to, b),
              is_false(to, a) || is_false(to, b));
  if (e->op == EXPR_OR)
    settle_if(to, e, is_true(to, a) || is_true(to, b),
              is_false(to, a) && is_false(to, b));
}

// All bits below the highest one of either.
static double all_bits(double a, double b) {
  int exponent = 0;
  frexp(fmax(fmax(a, b), 0), &exponent);
  return ldexp(1, exponent) - 1;
}

static void bits_up(Bounding *to, const Expr *e) {
  if (e->op == EXPR_NOT)
    return;
  double a = bounds_of(to, e->args[0])->plain.high;
  double b = bounds_of(to, e->args[1])->plain.high;
  narrow_plain(to, e, at_most(e->op == EXPR_AND ? fmin(a, b) : all_bits(a, b)));
}

// Of a natural number by one of whatever sign; by 0 the quotient is -1.
static void divide_by_any_up(Bounding *to, const Expr *e, const Bounds *a) {
  double most = a->two.high;
  double low = -fmax(most, 1);
  if (e->op == EXPR_SREM)
    low = 0;
  if (a->two.low >= 0)
    narrow_signed(to, e, interval(low, most));
}

static void divide_up(Bounding *to, const Expr *e, const Bounds *a,
                      const Bounds *b) {
  bool is_signed = e->op == EXPR_SDIV || e->op == EXPR_SREM;
  if (is_signed)
    divide_by_any_up(to, e, a);
  if (is_signed && (a->two.low < 0 || b->two.low < 0))
    return;
  bool is_quotient = e->op == EXPR_SDIV || e->op == EXPR_UDIV;
  if (!is_quotient)
    narrow_plain(to, e, at_most(a->plain.high));
  if (b->plain.low < 1)
    return;
  narrow_plain(to, e,
               is_quotient ? over(a->plain, b->plain)
                           : at_most(b->plain.high - 1));
}

static void shift_up(Bounding *to, const Expr *e, const Bounds *a) {
  const Expr *amount = e->args[1];
  if (!expr_is_const(amount) || amount->value >= e->width)
    return;
  double factor = power((unsigned)amount->value);
  Interval by = {factor, factor};
  if (e->op == EXPR_SHL)
    sum_up(to, e, times(a->plain, by), times(a->two, by));
  else if (e->op == EXPR_LSHR || a->two.low >= 0)
    narrow_plain(to, e, over(a->plain, by));
}

static Interval side_of(const Bounds *b, bool is_signed) {
  return is_signed ? b->two : b->plain;
}

// `e`, which is chosen where x < y, or where y <= x: if it is one of these it
// is the smaller one, or the larger one.
static Bounds chosen(const Bounding *to, const Expr *condition, bool is_so,
                     const Expr *e) {
  bool is_signed = condition->op == EXPR_SLT || condition->op == EXPR_SLE;
  bool is_less = condition->op == EXPR_SLT || condition->op == EXPR_ULT;
  Bounds own = *bounds_of(to, e);
  if (!is_signed && !is_less && condition->op != EXPR_ULE)
    return own;
  const bool is_strict = is_less == is_so;
  const Expr *low = condition->args[!is_so], *high = condition->args[is_so];
  Interval below =
      at_most(side_of(bounds_of(to, high), is_signed).high - is_strict);
  Interval above =
      at_least(side_of(bounds_of(to, low), is_signed).low + is_strict);
  Interval both = intersection(e == low ? below : any, e == high ? above : any);
  Interval *side = is_signed ? &own.two : &own.plain;
  *side = intersection(*side, both);
  reconcile(&own, e->width);
  return own;
}

static void choose_up(Bounding *to, const Expr *e) {
  const Bounds a = chosen(to, e->args[0], true, e->args[1]);
  const Bounds b = chosen(to, e->args[0], false, e->args[2]);
  if (is_true(to, e->args[0]) || is_empty(&b))
    narrow(to, e, a.plain, a.two);
  else if (is_false(to, e->args[0]) || is_empty(&a))
    narrow(to, e, b.plain, b.two);
  else
    narrow(to, e, hull(a.plain, b.plain), hull(a.two, b.two));
}

static void extract_up(Bounding *to, const Expr *e, const Bounds *a) {
  double factor = power((unsigned)e->value);
  Interval shifted = over(a->plain, (Interval){factor, factor});
  if (fits_plain(shifted, e->width))
    narrow_plain(to, e, shifted);
  if (e->value == 0 && fits_signed(a->two, e->width))
    narrow_signed(to, e, a->two);
}

static void join_up(Bounding *to, const Expr *e, Interval high, Interval low) {
  double factor = power(e->args[1]->width);
  narrow_plain(to, e, plus(times(high, (Interval){factor, factor}), low));
}

static void constant_up(Bounding *to, const Expr *e) {
  const unsigned unused = e->width > 64 ? 0 : 64 - e->width;
  const double plain = (double)e->value;
  double two = plain;
  if (e->width <= 64)
    two = (double)((int64_t)(e->value << unused) >> unused);
  narrow(to, e, interval(plain, plain), interval(two, two));
}

// The unknown behind extensions and cuts that do not change it.
static const Expr *peel(const Bounding *to, const Expr *e) {
  for (;;) {
    bool is_whole = e->op == EXPR_ZEXT ||
                    (e->op == EXPR_EXTRACT && e->value == 0 &&
                     bounds_of(to, e->args[0])->plain.high < power(e->width));
    if (!is_whole)
      return e;
    e = e->args[0];
  }
}

static bool is_below(const Bounding *to, const Expr *x, const Expr *y) {
  for (size_t i = 0; i < to->strict.count; i++) {
    const Expr *fact = to->strict.at[i];
    if (peel(to, fact->args[0]) == x && peel(to, fact->args[1]) == y)
      return true;
  }
  return false;
}

static const Expr *core(const Expr *e) {
  while (e->op == EXPR_ZEXT || e->op == EXPR_SEXT)
    e = e->args[0];
  return e;
}

static bool has_sign(const Expr *e) {
  while (e->op == EXPR_ZEXT)
    e = e->args[0];
  return e->op == EXPR_SEXT;
}

static bool have_signs(const Expr *e) {
  return has_sign(e->args[0]) || has_sign(e->args[1]);
}

// Then it is the same number however it is extended.
static bool is_natural(const Bounding *to, const Expr *e) {
  return bounds_of(to, e)->two.low >= 0;
}

static bool are_natural(const Bounding *to, const Expr *product) {
  return is_natural(to, core(product->args[0])) &&
         is_natural(to, core(product->args[1]));
}

// What is below zero is a large number when it was extended by its sign: a
// product of it wraps, whatever the room.
static bool is_exact(const Bounding *to, const Expr *product) {
  return product_is_wide(product) || !have_signs(product) ||
         are_natural(to, product);
}

// The least bound of x * z over all z that are above y.
static double limit_of(const Bounding *to, const Expr *x, const Expr *y) {
  double limit = INFINITY;
  for (size_t i = 0; i < to->products.count; i++)
    for (unsigned k = 0; k < 2; k++) {
      const Expr *product = to->products.at[i];
      const Expr *z = peel(to, product->args[!k]);
      if (peel(to, product->args[k]) == x && is_below(to, y, z) &&
          is_exact(to, product))
        limit = fmin(limit, bounds_of(to, product)->plain.high);
    }
  return limit;
}

// x * y with y < z.  What wraps is less.
static void product_up(Bounding *to, const Expr *e) {
  const Expr *x[] = {peel(to, e->args[0]), peel(to, e->args[1])};
  for (unsigned k = 0; k < 2; k++)
    fit(to, e,
        at_most(limit_of(to, x[k], x[!k]) - bounds_of(to, x[k])->plain.low));
}

static void twins_up(Bounding *to, const Expr *e) {
  for (size_t i = 0; i < to->twins.count; i++) {
    const Twins *twins = &to->twins.at[i];
    Interval whole = bounds_of(to, twins->wide)->plain;
    if (twins->narrow != e || whole.high >= power(e->width) ||
        (twins->has_signs && !are_natural(to, e)))
      continue;
    fit(to, e, whole);
    narrow_plain(to, twins->wide, bounds_of(to, e)->plain);
    bounds_of(to, e)->whole = twins->wide;
  }
}

static bool is_power_of_two(const Expr *e, unsigned exponent) {
  bool is_shift = e->op == EXPR_SHL && expr_is_const(e->args[0]) &&
                  expr_is_const(e->args[1]);
  if (is_shift)
    return e->args[0]->value == 1 && e->args[1]->value == exponent;
  return expr_is_const(e) && exponent < 64 &&
         e->value == UINT64_C(1) << exponent;
}

// Large bounds are rounded, so what is said of them is looked at.
static bool is_of_bits(const Bounding *to, const Expr *e, unsigned bits) {
  bool is_so = bounds_of(to, e)->plain.high < power(bits);
  for (size_t i = 0; i < to->strict.count && !is_so; i++)
    is_so = to->strict.at[i]->args[0] == e &&
            is_power_of_two(to->strict.at[i]->args[1], bits);
  return is_so;
}

static bool are_all_natural(const Bounding *to, const Exprs *terms) {
  for (size_t i = 0; i < terms->count; i++)
    if (!is_natural(to, terms->at[i]))
      return false;
  return true;
}

// Is it a product of natural numbers that is no larger than the whole?
static bool is_submultiple(const Bounding *to, const Submultiple *of) {
  for (size_t i = 0; i < of->nested.count; i++)
    if (!bounds_of(to, of->nested.at[i])->fits)
      return false;
  for (size_t i = 0; i < of->rest.count; i++)
    if (bounds_of(to, of->rest.at[i])->plain.low < 1)
      return false;
  if (of->has_signs && !are_all_natural(to, &of->factors))
    return false;
  if (of->has_signs && !are_all_natural(to, &of->nested))
    return false;
  return is_of_bits(to, of->whole, of->part->width);
}

static void parts_up(Bounding *to) {
  for (size_t i = 0; i < to->parts.count; i++) {
    const Submultiple *of = &to->parts.at[i];
    Bounds *own = bounds_of(to, of->part);
    if (!is_submultiple(to, of))
      continue;
    to->has_changed |= !own->fits;
    own->fits = true;
    fit(to, of->part, at_most(bounds_of(to, of->whole)->plain.high));
    if (of->rest.count == 0)
      own->whole = of->whole;
  }
}

// x * y + t with t < x.
static void position_up(Bounding *to, const Expr *e, const Expr *product,
                        const Expr *t) {
  product = peel(to, product);
  if (product->op != EXPR_MUL && !product_is_wide(product))
    return;
  for (unsigned k = 0; k < 2; k++) {
    const Expr *x = peel(to, product->args[k]);
    if (is_below(to, peel(to, t), x))
      fit(to, e, at_most(limit_of(to, x, peel(to, product->args[!k])) - 1));
  }
}

static void add_up(Bounding *to, const Expr *e, const Bounds *a,
                   const Bounds *b) {
  sum_up(to, e, plus(a->plain, b->plain), plus(a->two, b->two));
  position_up(to, e, e->args[0], e->args[1]);
  position_up(to, e, e->args[1], e->args[0]);
}

static void multiply_up(Bounding *to, const Expr *e, const Bounds *a,
                        const Bounds *b) {
  sum_up(to, e, times(a->plain, b->plain), times(a->two, b->two));
  product_up(to, e);
  twins_up(to, e);
}

static void wide_product_up(Bounding *to, const Expr *e) {
  narrow_plain(to, e,
               times(bounds_of(to, peel(to, e->args[0]))->plain,
                     bounds_of(to, peel(to, e->args[1]))->plain));
  product_up(to, e);
}

static void truth_up(Bounding *to, const Expr *e) {
  const Bounds *a = bounds_of(to, e->args[0]);
  const Bounds *b = bounds_of(to, e->args[e->count - 1]);
  if (e->op == EXPR_EQ)
    equal_up(to, e, a, b);
  else if (e->op == EXPR_ULT || e->op == EXPR_ULE)
    compare_up(to, e, a->plain, b->plain);
  else if (e->op == EXPR_SLT || e->op == EXPR_SLE)
    compare_up(to, e, a->two, b->two);
  else
    logic_up(to, e);
}

static void arithmetic_up(Bounding *to, const Expr *e) {
  const Bounds *a = bounds_of(to, e->args[0]), *b = bounds_of(to, e->args[1]);
  if (e->op == EXPR_ADD)
    add_up(to, e, a, b);
  else if (e->op == EXPR_MUL)
    multiply_up(to, e, a, b);
  else if (e->op == EXPR_CONCAT)
    join_up(to, e, a->plain, b->plain);
  else if (e->op == EXPR_SHL || e->op == EXPR_LSHR || e->op == EXPR_ASHR)
    shift_up(to, e, a);
  else
    divide_up(to, e, a, b);
}

static void resize_up(Bounding *to, const Expr *e) {
  const Bounds *a = bounds_of(to, e->args[0]);
  if (e->op == EXPR_EXTRACT)
    extract_up(to, e, a);
  else if (e->op == EXPR_ZEXT)
    narrow_plain(to, e, a->plain);
  else
    narrow_signed(to, e, a->two);
}

static void up(Bounding *to, const Expr *e) {
  switch (e->op) {
  case EXPR_CONST:
    constant_up(to, e);
    return;
  case EXPR_ADD:
  case EXPR_MUL:
  case EXPR_UDIV:
  case EXPR_UREM:
  case EXPR_SDIV:
  case EXPR_SREM:
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR:
  case EXPR_CONCAT:
    arithmetic_up(to, e);
    return;
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_XOR:
  case EXPR_NOT:
    if (e->width > 1)
      bits_up(to, e);
    else
      truth_up(to, e);
    return;
  case EXPR_EQ:
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_SLT:
  case EXPR_SLE:
    truth_up(to, e);
    return;
  case EXPR_ITE:
    choose_up(to, e);
    return;
  case EXPR_EXTRACT:
  case EXPR_ZEXT:
  case EXPR_SEXT:
    resize_up(to, e);
    return;
  case EXPR_APPLY:
    if (product_is_wide(e))
      wide_product_up(to, e);
    return;
  case EXPR_SYMBOL:
  case EXPR_SUB: // up to 64 bits it is a sum
  case EXPR_OPS:
    return;
  }
}

// ------------------------------------------------------------------ down ---

// a < b, or a <= b.
static void order_down(Bounding *to, bool is_signed, const Expr *a,
                       const Expr *b, bool is_strict) {
  Interval x = is_signed ? bounds_of(to, a)->two : bounds_of(to, a)->plain;
  Interval y = is_signed ? bounds_of(to, b)->two : bounds_of(to, b)->plain;
  Interval below = at_most(y.high - is_strict);
  Interval above = at_least(x.low + is_strict);
  narrow(to, a, is_signed ? any : below, is_signed ? below : any);
  narrow(to, b, is_signed ? any : above, is_signed ? above : any);
}

static void compare_down(Bounding *to, const Expr *e) {
  bool is_signed = e->op == EXPR_SLT || e->op == EXPR_SLE;
  bool is_strict = e->op == EXPR_ULT || e->op == EXPR_SLT;
  if (is_true(to, e))
    order_down(to, is_signed, e->args[0], e->args[1], is_strict);
  if (is_false(to, e))
    order_down(to, is_signed, e->args[1], e->args[0], !is_strict);
}

// Not equal to a number at the edge.
static void differ_down(Bounding *to, const Expr *a, const Expr *b) {
  if (!expr_is_const(b) || a->width == 1)
    return;
  double number = bounds_of(to, b)->plain.low;
  Interval own = bounds_of(to, a)->plain;
  if (number >= power(52))
    return;
  if (own.low == number)
    narrow_plain(to, a, at_least(number + 1));
  if (own.high == number)
    narrow_plain(to, a, at_most(number - 1));
}

static void equal_down(Bounding *to, const Expr *e) {
  const Expr *a = e->args[0], *b = e->args[1];
  if (is_true(to, e)) {
    Bounds x = *bounds_of(to, a), y = *bounds_of(to, b);
    narrow(to, a, y.plain, y.two);
    narrow(to, b, x.plain, x.two);
  }
  if (is_false(to, e)) {
    differ_down(to, a, b);
    differ_down(to, b, a);
  }
}

static void logic_down(Bounding *to, const Expr *e) {
  const Expr *a = e->args[0], *b = e->args[e->count - 1];
  if (e->op == EXPR_NOT) {
    settle_if(to, a, is_false(to, e), is_true(to, e));
    return;
  }
  bool decides = e->op == EXPR_OR; // one such argument decides it
  bool is_decided = decides ? is_true(to, e) : is_false(to, e);
  bool is_other = decides ? is_false(to, e) : is_true(to, e);
  bool a_is_other = decides ? is_false(to, a) : is_true(to, a);
  bool b_is_other = decides ? is_false(to, b) : is_true(to, b);
  if (is_other || (is_decided && b_is_other))
    settle(to, a, is_other ? !decides : decides);
  if (is_other || (is_decided && a_is_other))
    settle(to, b, is_other ? !decides : decides);
}

static void add_down(Bounding *to, const Expr *e) {
  const Expr *a = e->args[0], *b = e->args[1];
  Bounds s = *bounds_of(to, e), x = *bounds_of(to, a), y = *bounds_of(to, b);
  if (fits_plain(plus(x.plain, y.plain), e->width)) {
    narrow_plain(to, a, minus(s.plain, y.plain));
    narrow_plain(to, b, minus(s.plain, x.plain));
  }
  if (fits_signed(plus(x.two, y.two), e->width)) {
    narrow_signed(to, a, minus(s.two, y.two));
    narrow_signed(to, b, minus(s.two, x.two));
  }
}

// A factor of a product that does not wrap.
static void factor_down(Bounding *to, const Expr *e, const Expr *x,
                        const Expr *y) {
  Interval product = bounds_of(to, e)->plain, other = bounds_of(to, y)->plain;
  if (other.low >= 1)
    narrow_plain(to, x, at_most(floor(product.high / other.low)));
}

static void product_down(Bounding *to, const Expr *e) {
  const Expr *a = e->args[0], *b = e->args[1];
  if (bounds_of(to, e)->plain.low >= 1) {
    narrow_plain(to, a, at_least(1));
    narrow_plain(to, b, at_least(1));
  }
  Interval most = times(bounds_of(to, a)->plain, bounds_of(to, b)->plain);
  if (!fits_plain(most, e->width))
    return;
  factor_down(to, e, a, b);
  factor_down(to, e, b, a);
}

static void extract_down(Bounding *to, const Expr *e) {
  const Expr *a = e->args[0];
  if (e->value == 0 && bounds_of(to, a)->plain.high < power(e->width))
    narrow_plain(to, a, bounds_of(to, e)->plain);
  if (e->value == 0 && fits_signed(bounds_of(to, a)->two, e->width))
    narrow_signed(to, a, bounds_of(to, e)->two);
}

static void choose_down(Bounding *to, const Expr *e) {
  Bounds own = *bounds_of(to, e);
  if (is_true(to, e->args[0]))
    narrow(to, e->args[1], own.plain, own.two);
  if (is_false(to, e->args[0]))
    narrow(to, e->args[2], own.plain, own.two);
}

static void down(Bounding *to, const Expr *e) {
  switch (e->op) {
  case EXPR_ADD:
    add_down(to, e);
    return;
  case EXPR_MUL:
    product_down(to, e);
    return;
  case EXPR_APPLY:
    if (product_is_wide(e))
      product_down(to, e);
    return;
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_NOT:
    if (e->width == 1)
      logic_down(to, e);
    return;
  case EXPR_EQ:
    equal_down(to, e);
    return;
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_SLT:
  case EXPR_SLE:
    compare_down(to, e);
    return;
  case EXPR_ITE:
    choose_down(to, e);
    return;
  case EXPR_EXTRACT:
    extract_down(to, e);
    return;
  case EXPR_ZEXT:
    narrow_plain(to, e->args[0], bounds_of(to, e)->plain);
    return;
  case EXPR_SEXT:
    narrow_signed(to, e->args[0], bounds_of(to, e)->two);
    return;
  case EXPR_CONST:
  case EXPR_SYMBOL:
  case EXPR_SUB: // up to 64 bits it is a sum
  case EXPR_XOR:
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_UREM:
  case EXPR_SREM:
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR:
  case EXPR_CONCAT:
  case EXPR_OPS:
    return;
  }
}

// ----------------------------------------------------------------- walks ---

// In so many bits that a product of naturals cannot wrap.
static bool has_room(const Expr *e) {
  return product_is_wide(e) ||
         (e->op == EXPR_MUL &&
          core(e->args[0])->width + core(e->args[1])->width <= e->width);
}

static bool have_one_product(const Expr *e, const Expr *f) {
  const Expr *a = core(e->args[0]), *b = core(e->args[1]);
  const Expr *x = core(f->args[0]), *y = core(f->args[1]);
  return (a == x && b == y) || (a == y && b == x);
}

static void find_twins(Bounding *to, const Expr *narrow) {
  for (size_t i = 0; i < to->products.count; i++) {
    const Expr *wide = to->products.at[i];
    if (wide->width > narrow->width && have_one_product(narrow, wide))
      push(&to->task->arena, &to->twins,
           ((Twins){narrow, wide, have_signs(narrow) || have_signs(wide)}));
  }
}

static void start(Bounding *to) {
  for (size_t i = 0; i < to->order->count; i++) {
    Expr *e = to->order->at[i];
    while (to->table->count <= e->id)
      push(&to->task->arena, to->table, (Bounds){0});
    to->table->at[e->id] = anything(e->width);
    if (has_room(e))
      push(&to->task->arena, &to->products, e);
  }
  for (size_t i = 0; i < to->order->count; i++)
    if (to->order->at[i]->op == EXPR_MUL)
      find_twins(to, to->order->at[i]);
  factors_find(to->task, to->order, &to->products, &to->parts);
}

static void find_strict(Bounding *to) {
  to->strict.count = 0;
  for (size_t i = 0; i < to->order->count; i++)
    if (to->order->at[i]->op == EXPR_ULT && is_true(to, to->order->at[i]))
      push(&to->task->arena, &to->strict, to->order->at[i]);
}

static void limit_sums(Bounding *to) {
  const Sums *sums = sums_find(to->task, to->order, to->table);
  for (size_t i = 0; i < to->order->count; i++) {
    const Expr *e = to->order->at[i];
    double most = sums_most(sums, e);
    if (most < power(e->width))
      fit(to, e, at_most(most));
  }
}

void bounds_find(Task *task, const Exprs *formulas, const Exprs *order,
                 BoundsTable *table) {
  Bounding to = {.task = task, .order = order, .table = table};
  start(&to);
  for (size_t i = 0; i < formulas->count; i++)
    settle(&to, formulas->at[i], true);
  to.has_changed = true;
  for (unsigned round = 0; to.has_changed && round < MOST_ROUNDS; round++) {
    to.has_changed = false;
    find_strict(&to);
    for (size_t i = 0; i < order->count; i++)
      up(&to, order->at[i]);
    limit_sums(&to);
    parts_up(&to);
    for (size_t i = order->count; i > 0; i--)
      down(&to, order->at[i - 1]);
  }
}
