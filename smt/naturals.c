// What terms are as natural numbers, and which are below which.
//
//   z = i / x_size / y_size,  y = i / x_size % y_size,  x = i % x_size
//
// are digits of an element's number, and programs make places of them in which
// digits have other sizes: 2 * x_size, or x_size + 2.  That  2 * x + 1  is
// below 2 * x_size  is plain: x is at most x_size - 1, and what is left when
// that is put in its place has no negative factor.  Solvers lose themselves in
// such products; here they are polynomials.
//
// A term is the polynomial that its form says, if neither its sums nor its
// products wrap: the bounds of the query say so, or a fact that it is the same
// in more bits.  To show p >= 0, a term of a monomial with a negative factor is
// replaced by something that it is at most, until no such monomial is left when
// each term t is written as its least value and what it is more than that.  Of
// all such ways the one is gone first that leaves the least to be shown.  A sum
// that is compared, as the number of a row, is one term at first: it goes away
// as a whole.

#include "smt/bounds.h"
#include "smt/polynomial.h"
#include "translator/expr.h"

#include <math.h>

enum {
  FEW_STEPS = 16, // of one proof
  MOST_STEPS = 60,
  MOST_STEPS_IN_ALL = 4000,
  MOST_DEPTH = 12,
  MOST_NESTING = 24, // of terms
  MOST_VISITS = 500,
  MOST_BELOW = 4,
  MOST_WAYS = 16,
};

typedef struct Whole {
  const Expr *term;
  Expr *same; // in more bits
} Whole;

// whole = divisor * quotient + rest
typedef struct Division {
  const Expr *whole;
  Expr *divisor, *quotient, *rest;
} Division;

struct Naturals {
  Task *task;
  Exprs order;
  ExprMap *known; // terms of the order
  BoundsTable bounds;
  Exprs less;       // a < b, a <= b that are true
  ExprMap *limited; // sums that are the smaller one of these
  bool keeps_sums;  // ... are terms, not what they are made of
  Vec(Whole) wholes;
  Vec(Division) divisions;
  Exprs limits;     // sums and products that do not wrap
  ExprMap *fitting; // other sums that do not wrap
  unsigned visits;  // of terms that may still be made for a value
  unsigned steps_in_all;
  unsigned steps_of_one; // proof; none: what is plain
  unsigned steps;        // that may still be made
};

// What a term is below.
typedef struct Below {
  unsigned count;
  Polynomial at[MOST_BELOW];
} Below;

// ----------------------------------------------------------------- bounds ---

// Of a term that is not in the query nothing is known.
static const Bounds *bounds_of(const Naturals *to, const Expr *e) {
  static const Bounds none = {.plain = {0, INFINITY},
                              .two = {-INFINITY, INFINITY}};
  return expr_map_get(to->known, e) ? &to->bounds.at[e->id] : &none;
}

static bool is_natural(const Naturals *to, const Expr *e) {
  return bounds_of(to, e)->two.low >= 0;
}

bool naturals_is_natural(const Naturals *to, const Expr *e) {
  return is_natural(to, e);
}

static int64_t least(const Naturals *to, const Expr *e) {
  const double exact = ldexp(1, 52);
  double low = bounds_of(to, e)->plain.low;
  return low > 0 && low < exact ? (int64_t)low : 0;
}

static bool is_of_naturals(const Naturals *to, const Expr *division) {
  bool is_signed = division->op == EXPR_SDIV || division->op == EXPR_SREM;
  return bounds_of(to, division->args[1])->plain.low >= 1 &&
         (!is_signed || (is_natural(to, division->args[0]) &&
                         is_natural(to, division->args[1])));
}

static Expr *whole_of(const Naturals *to, const Expr *e) {
  for (size_t i = 0; i < to->wholes.count; i++)
    if (to->wholes.at[i].term == e)
      return to->wholes.at[i].same;
  return NULL;
}

// ------------------------------------------------------------ polynomials ---

// Sums and products of `room` bits do not wrap.
static Polynomial value(Naturals *to, Expr *e, unsigned room, unsigned depth);

static Polynomial of_sum(Naturals *to, const Expr *e, unsigned room,
                         unsigned depth) {
  Polynomial a = value(to, e->args[0], room, depth);
  Polynomial b = value(to, e->args[1], room, depth);
  return e->op == EXPR_ADD ? polynomial_add(a, &b, 1)
                           : polynomial_multiply(&a, &b);
}

// What is taken apart into digits is put together of them.
static Polynomial of_digits(Naturals *to, Expr *e, unsigned depth) {
  for (size_t i = 0; i < to->divisions.count; i++) {
    const Division *division = &to->divisions.at[i];
    if (division->whole != e)
      continue;
    Polynomial divisor = value(to, division->divisor, 0, depth);
    Polynomial quotient = value(to, division->quotient, 0, depth);
    Polynomial rest = value(to, division->rest, 0, depth);
    quotient = polynomial_multiply(&divisor, &quotient);
    return polynomial_add(quotient, &rest, 1);
  }
  return polynomial_of_term(e);
}

static unsigned bits_of(const Expr *e) {
  return e->op == EXPR_ZEXT ? e->args[0]->width : e->width;
}

// The widths of both numbers say so.
static bool never_wraps(const Expr *e) {
  unsigned a = bits_of(e->args[0]), b = bits_of(e->args[1]);
  return e->op == EXPR_MUL ? a + b <= e->width : a < e->width && b < e->width;
}

static bool is_exact(const Naturals *to, const Expr *e, unsigned room) {
  return e->width == room || bounds_of(to, e)->fits || never_wraps(e) ||
         expr_map_get(to->fitting, e);
}

// k, if e is a - k and no less than 0, so that a is k more; else 0.
static int64_t taken_away(const Naturals *to, const Expr *e) {
  const int64_t most = (int64_t)1 << 31;
  if (e->op != EXPR_ADD || e->width > 64 || !expr_is_const(e->args[1]))
    return 0;
  if (!is_natural(to, e))
    return 0;
  uint64_t less = -e->args[1]->value & expr_mask(e->width);
  return less <= (uint64_t)most && less >> (e->width - 1) == 0 ? (int64_t)less
                                                               : 0;
}

static Polynomial of_rest(Naturals *to, const Expr *e, int64_t less,
                          unsigned depth) {
  Polynomial a = value(to, e->args[0], 0, depth);
  Polynomial one = polynomial_of_number(1);
  return polynomial_add(a, &one, -less);
}

static Polynomial value(Naturals *to, Expr *e, unsigned room, unsigned depth) {
  Expr *whole = whole_of(to, e);
  bool is_sum = e->op == EXPR_ADD || e->op == EXPR_MUL;
  const int64_t less = taken_away(to, e);
  if (depth == 0 || to->visits == 0)
    return polynomial_of_term(e);
  to->visits--;
  if (to->keeps_sums && expr_map_get(to->limited, e))
    return polynomial_of_term(e);
  if (expr_is_const(e) && e->value <= INT64_MAX)
    return polynomial_of_number((int64_t)e->value);
  if (e->op == EXPR_ZEXT || (e->op == EXPR_SEXT && is_natural(to, e->args[0])))
    return value(to, e->args[0], 0, depth - 1);
  if (whole)
    return value(to, whole, 0, depth - 1);
  if (less)
    return of_rest(to, e, less, depth - 1);
  return (is_sum && is_exact(to, e, room)) || product_is_wide(e)
             ? of_sum(to, e, room, depth - 1)
             : of_digits(to, e, depth - 1);
}

// A square of a square is made of as many as there are ways to them.
static Polynomial value_of(Naturals *to, Expr *e, unsigned room) {
  to->visits = MOST_VISITS;
  return value(to, e, room, MOST_NESTING);
}

// ------------------------------------------------------------------ below ---

static void add_below(Below *to, const Polynomial *p) {
  if (to->count < MOST_BELOW && !p->is_lost)
    to->at[to->count++] = *p;
}

static Expr *without_extension(const Naturals *to, Expr *e) {
  while (e->op == EXPR_ZEXT ||
         (e->op == EXPR_SEXT && is_natural(to, e->args[0])))
    e = e->args[0];
  return e;
}

// What the smaller one of a fact is below.
static Polynomial limit_of(Naturals *to, const Expr *fact) {
  bool is_strict = fact->op == EXPR_ULT || fact->op == EXPR_SLT;
  Polynomial most = value_of(to, fact->args[1], 0);
  Polynomial one = polynomial_of_number(is_strict ? 0 : 1);
  return polynomial_add(most, &one, 1);
}

static void add_said(Naturals *to, const Expr *e, Below *below) {
  for (size_t i = 0; i < to->less.count; i++)
    if (without_extension(to, to->less.at[i]->args[0]) == e) {
      Polynomial limit = limit_of(to, to->less.at[i]);
      add_below(below, &limit);
    }
}

static bool has_summand(const Polynomial *sum, const Expr *e) {
  for (unsigned i = 0; i < sum->count; i++)
    if (sum->at[i].degree == 1 && sum->at[i].at[0] == e)
      return sum->at[i].factor > 0;
  return false;
}

static Polynomial summands_of(Naturals *to, Expr *sum) {
  bool keeps_sums = to->keeps_sums;
  to->keeps_sums = false;
  Polynomial value = value_of(to, sum, 0);
  to->keeps_sums = keeps_sums;
  return value;
}

// If  e + rest < limit,  it is below  limit - rest.
static void add_said_of_sums(Naturals *to, Expr *e, Below *below) {
  for (size_t i = 0; i < to->less.count && below->count < MOST_BELOW; i++) {
    Expr *sum = without_extension(to, to->less.at[i]->args[0]);
    if (sum == e || sum->op != EXPR_ADD)
      continue;
    Polynomial rest = summands_of(to, sum), own = polynomial_of_term(e);
    if (rest.is_lost || !has_summand(&rest, e))
      continue;
    rest = polynomial_add(rest, &own, -1);
    Polynomial limit = limit_of(to, to->less.at[i]);
    limit = polynomial_add(limit, &rest, -1);
    add_below(below, &limit);
  }
}

// Where nothing else is said of it: the number that its bounds say.
static void add_number(const Naturals *to, const Expr *e, Below *below) {
  const double exact = ldexp(1, 52);
  double high = bounds_of(to, e)->plain.high;
  Polynomial limit = polynomial_of_number(high < exact ? (int64_t)high + 1 : 0);
  if (!below->count && high < exact)
    add_below(below, &limit);
}

static Below below(Naturals *to, Expr *e, unsigned depth);

// x / y is below n, if x is below n * y.
static void add_quotient(Naturals *to, const Expr *e, unsigned depth,
                         Below *to_below) {
  Below whole = below(to, e->args[0], depth);
  Polynomial divisor = value_of(to, e->args[1], 0), quotient;
  for (unsigned i = 0; i < whole.count; i++)
    if (polynomial_divide(&whole.at[i], &divisor, &quotient))
      add_below(to_below, &quotient);
}

// What it is below.
static Below below(Naturals *to, Expr *e, unsigned depth) {
  Below found;
  bool is_rest = e->op == EXPR_UREM || e->op == EXPR_SREM;
  found.count = 0;
  add_said(to, e, &found);
  add_said_of_sums(to, e, &found);
  if (depth && expr_is_division(e) && is_of_naturals(to, e)) {
    Polynomial divisor = value_of(to, e->args[1], 0);
    if (is_rest)
      add_below(&found, &divisor);
    else
      add_quotient(to, e, depth - 1, &found);
  }
  add_number(to, e, &found);
  return found;
}

// ----------------------------------------------------------------- proofs ---

static bool has_minus(const Polynomial *p) {
  for (unsigned i = 0; i < p->count; i++)
    if (p->at[i].factor < 0)
      return true;
  return false;
}

// Each term as its least value and a natural number, which goes by its name.
static Polynomial from_least(const Naturals *to, const Polynomial *p) {
  Polynomial sum = polynomial_of_number(0);
  for (unsigned i = 0; i < p->count; i++) {
    Polynomial product = polynomial_of_number(p->at[i].factor);
    for (unsigned k = 0; k < p->at[i].degree; k++) {
      Polynomial low = polynomial_of_number(least(to, p->at[i].at[k]));
      Polynomial term = polynomial_of_term(p->at[i].at[k]);
      term = polynomial_add(term, &low, 1);
      product = polynomial_multiply(&product, &term);
    }
    sum = polynomial_add(sum, &product, 1);
  }
  return sum;
}

// A term that is not in the query is at most what its bits hold.
static double most(const Naturals *to, const Expr *e) {
  return fmin(bounds_of(to, e)->plain.high, ldexp(1, (int)e->width));
}

// What is subtracted is as large as its numbers may be, and all else as small.
static bool is_natural_by_numbers(const Naturals *to, const Polynomial *p) {
  const double exact = ldexp(1, 40);
  double sum = 0, size = 0;
  for (unsigned i = 0; i < p->count; i++) {
    const bool is_minus = p->at[i].factor < 0;
    double product = (double)p->at[i].factor;
    for (unsigned k = 0; k < p->at[i].degree; k++) {
      const Expr *e = p->at[i].at[k];
      product *= is_minus ? most(to, e) : (double)least(to, e);
    }
    sum += product;
    size += fabs(product);
  }
  return sum >= 0 && size < exact;
}

static bool is_plainly_natural(const Naturals *to, const Polynomial *p) {
  Polynomial shifted;
  if (p->is_lost)
    return false;
  if (!has_minus(p) || is_natural_by_numbers(to, p))
    return true;
  shifted = from_least(to, p);
  return !shifted.is_lost && !has_minus(&shifted);
}

// One factor of a monomial that is subtracted, as large as it can be.
typedef struct Way {
  unsigned monomial, factor, limit;
  unsigned weight; // of what is then to be shown
} Way;

static Polynomial put_at_most(const Polynomial *p, const Way *way,
                              const Below *limits) {
  const Polynomial rest =
      polynomial_of_rest(&p->at[way->monomial], way->factor);
  const Polynomial one = polynomial_of_number(1);
  Polynomial most = polynomial_add(limits->at[way->limit], &one, -1);
  most = polynomial_multiply(&rest, &most);
  Polynomial less = *p;
  less.at[way->monomial] = less.at[--less.count];
  return polynomial_add(less, &most, 1);
}

// What is subtracted weighs most.
static unsigned weight_of(const Polynomial *p) {
  unsigned weight = p->count;
  for (unsigned i = 0; i < p->count; i++)
    if (p->at[i].factor < 0)
      weight += MOST_MONOMIALS;
  return weight;
}

typedef struct Ways {
  unsigned count;
  Way at[MOST_WAYS];
} Ways;

// The lightest first.
static void add_way(Ways *ways, Way way) {
  unsigned i = ways->count;
  if (i == MOST_WAYS && ways->at[--i].weight <= way.weight)
    return;
  ways->count = i + 1;
  for (; i > 0 && ways->at[i - 1].weight > way.weight; i--)
    ways->at[i] = ways->at[i - 1];
  ways->at[i] = way;
}

// Is one of them natural as it is?
static bool find_ways(Naturals *to, const Polynomial *p, unsigned monomial,
                      unsigned factor, Ways *ways) {
  const Below limits = below(to, p->at[monomial].at[factor], MOST_DEPTH);
  for (unsigned i = 0; i < limits.count && to->steps; i++) {
    Way way = {monomial, factor, i, 0};
    const Polynomial next = put_at_most(p, &way, &limits);
    to->steps--;
    if (is_plainly_natural(to, &next))
      return true;
    way.weight = weight_of(&next);
    if (!next.is_lost)
      add_way(ways, way);
  }
  return false;
}

static bool find_all_ways(Naturals *to, const Polynomial *p, Ways *ways) {
  for (unsigned i = 0; i < p->count; i++)
    for (unsigned k = 0; p->at[i].factor < 0 && k < p->at[i].degree; k++)
      if (find_ways(to, p, i, k, ways))
        return true;
  return false;
}

static bool is_some_natural(Naturals *to, const Polynomial *p, unsigned depth) {
  Ways ways = {0};
  if (find_all_ways(to, p, &ways))
    return true;
  for (unsigned i = 0; i < ways.count && depth && to->steps; i++) {
    const Way *way = &ways.at[i];
    const Below limits =
        below(to, p->at[way->monomial].at[way->factor], MOST_DEPTH);
    const Polynomial next = put_at_most(p, way, &limits);
    if (is_some_natural(to, &next, depth - 1))
      return true;
  }
  return false;
}

static bool is_never_negative(Naturals *to, const Polynomial *p,
                              unsigned depth) {
  return is_plainly_natural(to, p) ||
         (!p->is_lost && is_some_natural(to, p, depth));
}

static bool is_at_most(Naturals *to, const Polynomial *a, const Polynomial *b) {
  Polynomial rest = polynomial_add(*b, a, -1);
  if (!to->steps_of_one)
    return is_plainly_natural(to, &rest);
  unsigned steps =
      to->steps_in_all < to->steps_of_one ? to->steps_in_all : to->steps_of_one;
  to->steps = steps;
  bool is_so = is_never_negative(to, &rest, MOST_DEPTH);
  to->steps_in_all -= steps - to->steps;
  return is_so;
}

// Do so many of what is no more than the limit fit?
static bool is_limit(const Naturals *to, const Expr *limit, int64_t many,
                     unsigned bits) {
  const double rounded = 1 - ldexp(1, -40);
  return (many == 1 && limit->width <= bits) ||
         (double)many * bounds_of(to, limit)->plain.high <
             rounded * ldexp(1, (int)bits);
}

// Nothing is taken away from a sum whose terms are natural.
static bool is_below_number(const Naturals *to, const Polynomial *p,
                            double number) {
  const double rounded = 1 - ldexp(1, -40); // more than all steps may be off
  double sum = 0;
  for (unsigned i = 0; i < p->count; i++) {
    double product = fmax((double)p->at[i].factor, 0);
    for (unsigned k = 0; k < p->at[i].degree; k++)
      product *= most(to, p->at[i].at[k]);
    sum += product;
  }
  return !p->is_lost && sum < rounded * number;
}

static bool is_number(const Polynomial *p) {
  return !p->is_lost && p->count == 1 && p->at[0].degree == 0;
}

static bool are_below(Naturals *to, Expr *a, Expr *b) {
  Polynomial low = value_of(to, a, a->width);
  Polynomial high = value_of(to, b, b->width);
  Polynomial one = polynomial_of_number(1);
  if (is_number(&high) && is_below_number(to, &low, (double)high.at[0].factor))
    return true;
  low = polynomial_add(low, &one, 1);
  return is_at_most(to, &low, &high);
}

static unsigned degree_of(const Polynomial *p) {
  unsigned degree = 0;
  for (unsigned i = 0; i < p->count; i++)
    if (p->at[i].degree > degree)
      degree = p->at[i].degree;
  return degree;
}

static bool has_factor(const Polynomial *p, const Expr *factor) {
  for (unsigned i = 0; i < p->count; i++)
    for (unsigned k = 0; k < p->at[i].degree; k++)
      if (p->at[i].at[k] == factor)
        return true;
  return false;
}

// Products of as many sizes, one of which both have.
static bool are_alike(const Polynomial *a, const Polynomial *b) {
  unsigned degree = degree_of(a);
  if (degree != degree_of(b))
    return false;
  for (unsigned i = 0; i < a->count; i++)
    for (unsigned k = 0; k < degree && a->at[i].degree == degree; k++)
      if (has_factor(b, a->at[i].at[k]))
        return true;
  return false;
}

// All monomials are so many times others: it is cut to these.
static int64_t take_unit(Polynomial *p) {
  uint64_t unit = 0;
  for (unsigned i = 0; i < p->count; i++)
    unit = p->at[i].factor < 0
               ? 1
               : greatest_common_divisor(unit, (uint64_t)p->at[i].factor);
  const int64_t many = unit ? (int64_t)unit : 1;
  for (unsigned i = 0; i < p->count; i++)
    p->at[i].factor /= many;
  return many;
}

// What is made of others comes after them, so the largest sums are last; what
// is alike is looked at first.
static bool fit(Naturals *to, Expr *e, unsigned bits) {
  Polynomial own = value_of(to, e, e->width);
  if (is_below_number(to, &own, ldexp(1, (int)bits)))
    return true;
  Polynomial one = own;
  const int64_t many = take_unit(&one);
  for (unsigned first = 0; first < 2; first++)
    for (size_t i = to->limits.count; i-- > 0 && to->steps_in_all;) {
      Expr *limit = to->limits.at[i];
      Polynomial largest = value_of(to, limit, 0);
      if (are_alike(&own, &largest) != !first)
        continue;
      if ((is_limit(to, limit, 1, bits) && is_at_most(to, &own, &largest)) ||
          (many > 1 && is_limit(to, limit, many, bits) &&
           is_at_most(to, &one, &largest)))
        return true;
    }
  return false;
}

// What is plain comes first.  A row's number is looked at as it is compared,
// and as it is made.
static bool next_effort(Naturals *to, unsigned number) {
  static const struct {
    bool keeps_sums;
    unsigned steps;
  } efforts[] = {{false, 0},         {true, 0},          {true, FEW_STEPS},
                 {false, FEW_STEPS}, {true, MOST_STEPS}, {false, MOST_STEPS}};
  if (number == sizeof efforts / sizeof *efforts)
    return false;
  to->keeps_sums = efforts[number].keeps_sums;
  to->steps_of_one = efforts[number].steps;
  return true;
}

bool naturals_are_below(Naturals *to, Expr *a, Expr *b) {
  for (unsigned i = 0; next_effort(to, i); i++)
    if (are_below(to, a, b))
      return true;
  return false;
}

bool naturals_fit(Naturals *to, Expr *e, unsigned bits) {
  for (unsigned i = 0; next_effort(to, i); i++)
    if (fit(to, e, bits))
      return true;
  return false;
}

// ------------------------------------------------------------------ facts ---

// ext(e) == wide, if e is a product or a sum.
static void add_whole(Naturals *to, const Expr *extended, Expr *wide) {
  const Expr *e = extended->args[0];
  bool is_wide = product_is_wide(wide) || bounds_of(to, wide)->fits;
  if ((e->op == EXPR_MUL || e->op == EXPR_ADD) && is_wide && !whole_of(to, e))
    push(&to->task->arena, &to->wholes, ((Whole){e, wide}));
}

static void add_equality(Naturals *to, const Expr *fact) {
  for (unsigned i = 0; i < 2; i++) {
    const Expr *side = fact->args[i];
    if (side->op == EXPR_ZEXT ||
        (side->op == EXPR_SEXT && is_natural(to, side->args[0])))
      add_whole(to, side, fact->args[1 - i]);
  }
}

// A sum or product that is below what its own bits hold when it is made in so
// many that nothing wraps.
static void add_narrow(Naturals *to, Expr *wide) {
  bool is_product = wide->op == EXPR_MUL, is_sum = wide->op == EXPR_ADD;
  if ((!is_product && !is_sum) || wide->args[0]->op != EXPR_ZEXT ||
      wide->args[1]->op != EXPR_ZEXT)
    return;
  Expr *a = wide->args[0]->args[0], *b = wide->args[1]->args[0];
  if (a->width != b->width || (is_product && wide->width < 2 * a->width) ||
      bounds_of(to, wide)->plain.high >= ldexp(1, (int)a->width))
    return;
  Expr *narrow = is_sum ? expr_add(to->task, a, b) : expr_mul(to->task, a, b);
  if (expr_map_get(to->known, narrow) && !whole_of(to, narrow))
    push(&to->task->arena, &to->wholes, ((Whole){narrow, wide}));
}

static Expr *quotient_of(const Naturals *to, const Expr *rest) {
  ExprOp op = rest->op == EXPR_UREM ? EXPR_UDIV : EXPR_SDIV;
  for (size_t i = 0; i < to->order.count; i++) {
    Expr *e = to->order.at[i];
    if (e->op == op && e->args[0] == rest->args[0] &&
        e->args[1] == rest->args[1])
      return e;
  }
  return NULL;
}

static void add_division(Naturals *to, Expr *rest) {
  if ((rest->op != EXPR_UREM && rest->op != EXPR_SREM) ||
      !is_of_naturals(to, rest))
    return;
  Expr *quotient = quotient_of(to, rest);
  if (quotient)
    push(&to->task->arena, &to->divisions,
         ((Division){rest->args[0], rest->args[1], quotient, rest}));
}

// Both orders of natural numbers are one.
static bool is_order_of_naturals(const Naturals *to, const Expr *e) {
  bool is_signed = e->op == EXPR_SLT || e->op == EXPR_SLE;
  return e->op == EXPR_ULT || e->op == EXPR_ULE ||
         (is_signed && is_natural(to, e->args[0]));
}

// a <= a + b: it does not come round.
static void add_sum_that_fits(Naturals *to, const Expr *order) {
  Expr *sum = order->args[1];
  bool is_sum = order->op == EXPR_ULE && sum->op == EXPR_ADD;
  if (is_sum &&
      (sum->args[0] == order->args[0] || sum->args[1] == order->args[0]))
    expr_map_put(to->task, to->fitting, sum, sum);
}

static void add_fact(Naturals *to, Expr *e) {
  if (bounds_of(to, e)->plain.low < 1)
    return;
  add_sum_that_fits(to, e);
  if (is_order_of_naturals(to, e)) {
    Expr *smaller = without_extension(to, e->args[0]);
    push(&to->task->arena, &to->less, e);
    if (smaller->op == EXPR_ADD)
      expr_map_put(to->task, to->limited, smaller, smaller);
  }
  if (e->op == EXPR_EQ)
    add_equality(to, e);
}

static void add_limit(Naturals *to, Expr *e) {
  bool is_sum = e->op == EXPR_ADD || e->op == EXPR_MUL;
  if (product_is_wide(e) ||
      (is_sum && (bounds_of(to, e)->fits || whole_of(to, e))))
    push(&to->task->arena, &to->limits, e);
}

// Rows of rows: what a limit counts is a sum that another limit has room for.
static void find_fitting(Naturals *to, const Expr *limit) {
  Exprs parts = {0};
  for (unsigned k = 0; k < limit->count; k++)
    expr_order(to->task, limit->args[k], expr_map_new(to->task), &parts);
  to->steps_of_one = FEW_STEPS;
  for (size_t i = 0; i < parts.count; i++) {
    Expr *part = parts.at[i];
    if ((part->op == EXPR_ADD || part->op == EXPR_MUL) && part->width <= 64 &&
        !is_exact(to, part, 0) && fit(to, part, part->width))
      expr_map_put(to->task, to->fitting, part, part);
  }
}

Naturals *naturals_find(Task *task, const Exprs *facts, const Exprs *terms) {
  Naturals *to = NEW(&task->arena, Naturals);
  to->task = task;
  to->known = expr_map_new(task);
  to->limited = expr_map_new(task);
  to->fitting = expr_map_new(task);
  to->steps_in_all = MOST_STEPS_IN_ALL;
  for (size_t i = 0; i < facts->count; i++)
    expr_order(task, facts->at[i], to->known, &to->order);
  for (size_t i = 0; i < terms->count; i++)
    expr_order(task, terms->at[i], to->known, &to->order);
  bounds_find(task, facts, &to->order, &to->bounds);
  for (size_t i = 0; i < to->order.count; i++) {
    add_fact(to, to->order.at[i]);
    add_narrow(to, to->order.at[i]);
    add_division(to, to->order.at[i]);
  }
  for (size_t i = 0; i < to->order.count; i++)
    add_limit(to, to->order.at[i]);
  for (size_t i = 0; i < to->limits.count; i++)
    find_fitting(to, to->limits.at[i]);
  to->steps_in_all = MOST_STEPS_IN_ALL;
  return to;
}
