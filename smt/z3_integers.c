// Expressions as integers, roughly.
//
// The value of an expression as an integer, for linear arithmetic, which
// proves in milliseconds what adders and comparators hide from a SAT solver.
// Sums and products by constants stay as they are as long as only their low
// bits matter (`loose`) and are reduced where their value does (`tight`), not
// even that where it cannot have left the range.  What is not linear is any
// number of the right size, so that only "no model" carries over.

#include "smt/z3_terms.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

enum {
  MOST_AT_ONCE = 2,  // lemmas
  HARDLY_ANY = 1000, // branches for a cut
};

// ------------------------------------------------------------- shorthand ---

static double power(unsigned exponent) { return ldexp(1, (int)exponent); }

// `value` has to be exact: a power of two or a small number.
static Z3_ast whole(Task *task, Z3Solver *solver, double value) {
  char text[400];
  snprintf(text, sizeof text, "%.0f", value);
  return z3_keep(task, solver,
                 Z3_mk_numeral(solver->z3, text, Z3_mk_int_sort(solver->z3)));
}

static Z3_ast plus(Task *task, Z3Solver *solver, Z3_ast a, Z3_ast b) {
  return z3_keep(task, solver, Z3_mk_add(solver->z3, 2, (Z3_ast[]){a, b}));
}

static Z3_ast minus(Task *task, Z3Solver *solver, Z3_ast a, Z3_ast b) {
  return z3_keep(task, solver, Z3_mk_sub(solver->z3, 2, (Z3_ast[]){a, b}));
}

static Z3_ast times(Task *task, Z3Solver *solver, Z3_ast a, Z3_ast b) {
  return z3_keep(task, solver, Z3_mk_mul(solver->z3, 2, (Z3_ast[]){a, b}));
}

static Z3_ast choose(Task *task, Z3Solver *solver, Z3_ast c, Z3_ast a,
                     Z3_ast b) {
  return z3_keep(task, solver, Z3_mk_ite(solver->z3, c, a, b));
}

// Division towards minus infinity, and its remainder, by a positive number.
static Z3_ast div_by(Task *task, Z3Solver *solver, Z3_ast a, Z3_ast n) {
  return z3_keep(task, solver, Z3_mk_div(solver->z3, a, n));
}

static Z3_ast mod_by(Task *task, Z3Solver *solver, Z3_ast a, Z3_ast n) {
  return z3_keep(task, solver, Z3_mk_mod(solver->z3, a, n));
}

static Z3_ast at_most(Task *task, Z3Solver *solver, Z3_ast a, Z3_ast b) {
  return z3_keep(task, solver, Z3_mk_le(solver->z3, a, b));
}

static double outwards(double bound, double direction) {
  return fabs(bound) < power(52) ? bound
                                 : bound + direction * ldexp(fabs(bound), -50);
}

static Integer bounded(Z3_ast loose, double low, double high) {
  return (Integer){
      .loose = loose, .low = outwards(low, -1), .high = outwards(high, 1)};
}

static Integer *integer_of(const Z3Solver *solver, const Expr *e) {
  assert(e->id < solver->integers.count && solver->integers.at[e->id].loose);
  return &solver->integers.at[e->id];
}

static Z3_ast tight(Task *task, Z3Solver *solver, const Expr *e) {
  Integer *a = integer_of(solver, e);
  bool is_inside = a->low >= 0 && a->high < power(e->width);
  if (!a->tight && is_inside)
    a->tight = a->loose;
  if (!a->tight)
    a->tight =
        mod_by(task, solver, a->loose, whole(task, solver, power(e->width)));
  return a->tight;
}

static double tight_low(Task *task, Z3Solver *solver, const Expr *e) {
  Integer *a = integer_of(solver, e);
  return tight(task, solver, e) == a->loose ? fmax(a->low, 0) : 0;
}

static double tight_high(Task *task, Z3Solver *solver, const Expr *e) {
  Integer *a = integer_of(solver, e);
  double all = power(e->width) - 1;
  return tight(task, solver, e) == a->loose && a->high < all ? a->high : all;
}

// The value in two's complement.
static Z3_ast signed_value(Task *task, Z3Solver *solver, const Expr *e) {
  Integer *a = integer_of(solver, e);
  double half = power(e->width - 1);
  if (a->low >= -half && a->high < half)
    return a->loose;
  Z3_ast value = tight(task, solver, e);
  if (tight_high(task, solver, e) < half)
    return value;
  Z3_ast is_positive = z3_keep(
      task, solver, Z3_mk_lt(solver->z3, value, whole(task, solver, half)));
  return choose(
      task, solver, is_positive, value,
      minus(task, solver, value, whole(task, solver, power(e->width))));
}

static Integer unknown(Task *task, Z3Solver *solver, unsigned width) {
  Z3_context z3 = solver->z3;
  if (width == 1)
    return (Integer){
        .loose = z3_keep(task, solver,
                         Z3_mk_fresh_const(z3, "b", bits_sort(solver, 1)))};
  Z3_ast a =
      z3_keep(task, solver, Z3_mk_fresh_const(z3, "i", Z3_mk_int_sort(z3)));
  Z3_ast is_small =
      z3_keep(task, solver, Z3_mk_lt(z3, a, whole(task, solver, power(width))));
  Integer integer = bounded(a, 0, power(width) - 1);
  integer.tight = a;
  integer.range = bits_and(
      task, solver, at_most(task, solver, whole(task, solver, 0), a), is_small);
  return integer;
}

static Integer constant_integer(Task *task, Z3Solver *solver, const Expr *e) {
  if (e->width == 1)
    return (Integer){.loose = bits_constant(task, solver, e)};
  Z3_sort sort = Z3_mk_int_sort(solver->z3);
  bool is_negative = e->width <= 64 && e->value >> (e->width - 1);
  int64_t value = (int64_t)(e->width < 64 && is_negative
                                ? e->value - (UINT64_C(1) << e->width)
                                : e->value);
  Z3_ast natural =
      z3_keep(task, solver, Z3_mk_unsigned_int64(solver->z3, e->value, sort));
  Integer integer = bounded(natural, (double)e->value, (double)e->value);
  if (is_negative)
    integer =
        bounded(z3_keep(task, solver, Z3_mk_int64(solver->z3, value, sort)),
                (double)value, (double)value);
  integer.tight = natural;
  return integer;
}

static Integer scaled(Task *task, Z3Solver *solver, const Expr *e,
                      const Integer *factor) {
  Integer *a = integer_of(solver, e);
  double corners[] = {a->low * factor->low, a->low * factor->high,
                      a->high * factor->low, a->high * factor->high};
  double low = corners[0], high = corners[0];
  for (unsigned i = 1; i < 4; i++) {
    low = fmin(low, corners[i]);
    high = fmax(high, corners[i]);
  }
  return bounded(times(task, solver, factor->loose, a->loose), low, high);
}

static Integer sum(Task *task, Z3Solver *solver, const Expr *e) {
  Integer *a = integer_of(solver, e->args[0]);
  Integer *b = integer_of(solver, e->args[1]);
  if (e->op == EXPR_SUB)
    return bounded(minus(task, solver, a->loose, b->loose), a->low - b->high,
                   a->high - b->low);
  return bounded(plus(task, solver, a->loose, b->loose), a->low + b->low,
                 a->high + b->high);
}

static Integer product(Task *task, Z3Solver *solver, const Expr *e) {
  if (expr_is_const(e->args[1]))
    return scaled(task, solver, e->args[0], integer_of(solver, e->args[1]));
  if (expr_is_const(e->args[0]))
    return scaled(task, solver, e->args[1], integer_of(solver, e->args[0]));
  return unknown(task, solver, e->width);
}

static Integer shifted_left(Task *task, Z3Solver *solver, const Expr *e) {
  const Expr *amount = e->args[1];
  if (!expr_is_const(amount) || amount->value >= e->width)
    return unknown(task, solver, e->width);
  double factor = power((unsigned)amount->value);
  Integer by = bounded(whole(task, solver, factor), factor, factor);
  return scaled(task, solver, e->args[0], &by);
}

static Integer quotient(Task *task, Z3Solver *solver, const Expr *a,
                        double divisor) {
  double high = tight_high(task, solver, a);
  return bounded(div_by(task, solver, tight(task, solver, a),
                        whole(task, solver, divisor)),
                 0, floor(high / divisor));
}

static Integer rest(Task *task, Z3Solver *solver, const Expr *a,
                    double divisor) {
  double high = tight_high(task, solver, a);
  return bounded(mod_by(task, solver, tight(task, solver, a),
                        whole(task, solver, divisor)),
                 0, fmin(high, divisor - 1));
}

static Integer shifted_right(Task *task, Z3Solver *solver, const Expr *e) {
  const Expr *amount = e->args[1];
  if (!expr_is_const(amount) || amount->value >= e->width)
    return unknown(task, solver, e->width);
  return quotient(task, solver, e->args[0], power((unsigned)amount->value));
}

// Towards minus infinity.
static Integer shifted_as_signed(Task *task, Z3Solver *solver, const Expr *e) {
  const Expr *number = e->args[0], *amount = e->args[1];
  if (!expr_is_const(amount) || amount->value >= e->width)
    return unknown(task, solver, e->width);
  double divisor = power((unsigned)amount->value);
  double half = power(e->width - 1);
  return bounded(div_by(task, solver, signed_value(task, solver, number),
                        whole(task, solver, divisor)),
                 floor(-half / divisor), floor((half - 1) / divisor));
}

static Integer signed_division(Task *task, Z3Solver *solver, const Expr *e,
                               double divisor) {
  Z3_ast a = signed_value(task, solver, e->args[0]);
  Z3_ast zero = whole(task, solver, 0);
  Z3_ast n = whole(task, solver, divisor);
  Z3_ast opposite = minus(task, solver, zero, a);
  bool is_quotient = e->op == EXPR_SDIV;
  Z3_ast plain =
      is_quotient ? div_by(task, solver, a, n) : mod_by(task, solver, a, n);
  Z3_ast mirrored = is_quotient ? div_by(task, solver, opposite, n)
                                : mod_by(task, solver, opposite, n);
  double most =
      is_quotient ? floor(power(e->width - 1) / divisor) : divisor - 1;
  return bounded(choose(task, solver, at_most(task, solver, zero, a), plain,
                        minus(task, solver, zero, mirrored)),
                 -most, most);
}

// Divisors that a double holds exactly.
static Integer division(Task *task, Z3Solver *solver, const Expr *e) {
  const Expr *n = e->args[1];
  if (!expr_is_const(n) || n->value == 0 || n->value >> 30)
    return unknown(task, solver, e->width);
  bool is_negative = n->value >> (e->width - 1) & 1;
  double divisor = (double)n->value;
  if (e->op == EXPR_UDIV)
    return quotient(task, solver, e->args[0], divisor);
  if (e->op == EXPR_UREM)
    return rest(task, solver, e->args[0], divisor);
  return is_negative ? unknown(task, solver, e->width)
                     : signed_division(task, solver, e, divisor);
}

static bool are_low_bits(uint64_t mask) {
  return mask < UINT64_MAX && (mask & (mask + 1)) == 0;
}

// What is left without the remainder.
static Integer rounded_down(Task *task, Z3Solver *solver, const Expr *a,
                            double divisor) {
  Integer low = rest(task, solver, a, divisor);
  return bounded(minus(task, solver, tight(task, solver, a), low.loose), 0,
                 tight_high(task, solver, a));
}

// A mask of low bits is a remainder, one of high bits takes it away; other
// masks only make smaller.
static Integer masked(Task *task, Z3Solver *solver, const Expr *e) {
  const Expr *mask = e->args[1];
  if (expr_is_const(mask) && e->width <= 64) {
    uint64_t all = UINT64_MAX >> (64 - e->width), low = ~mask->value & all;
    if (are_low_bits(mask->value))
      return rest(task, solver, e->args[0], (double)(mask->value + 1));
    if (are_low_bits(low))
      return rounded_down(task, solver, e->args[0], (double)(low + 1));
  }
  Integer integer = unknown(task, solver, e->width);
  for (unsigned i = 0; i < 2; i++)
    integer.range = bits_and(
        task, solver, integer.range,
        at_most(task, solver, integer.loose, tight(task, solver, e->args[i])));
  return integer;
}

static Integer complement(Task *task, Z3Solver *solver, const Expr *e) {
  Integer *a = integer_of(solver, e->args[0]);
  return bounded(minus(task, solver, whole(task, solver, -1), a->loose),
                 -1 - a->high, -1 - a->low);
}

// The low bits of a counter or a size: itself where it is small.  That they
// are a remainder elsewhere is true, but costs far more than it gives.
static Integer low_part(Task *task, Z3Solver *solver, const Expr *e) {
  Z3_ast all = tight(task, solver, e->args[0]);
  Integer part = unknown(task, solver, e->width);
  Z3_ast is_large =
      at_most(task, solver, whole(task, solver, power(e->width)), all);
  Z3_ast is_all = z3_keep(task, solver, Z3_mk_eq(solver->z3, part.loose, all));
  part.range = bits_and(task, solver, part.range,
                        bits_or(task, solver, is_large, is_all));
  return part;
}

static Integer bits_of(Task *task, Z3Solver *solver, const Expr *e) {
  const Expr *a = e->args[0];
  if (a->width == 1)
    return *integer_of(solver, a);
  Integer high = e->value ? quotient(task, solver, a, power((unsigned)e->value))
                          : *integer_of(solver, a);
  if (e->width > 1 && e->value == 0 && a->op == EXPR_SYMBOL)
    return low_part(task, solver, e);
  if (e->width > 1)
    return bounded(high.loose, high.low, high.high);
  Z3_ast bit = mod_by(task, solver, high.loose, whole(task, solver, 2));
  return (Integer){
      .loose = z3_keep(task, solver,
                       Z3_mk_eq(solver->z3, bit, whole(task, solver, 1)))};
}

static Integer extended(Task *task, Z3Solver *solver, const Expr *e) {
  const Expr *a = e->args[0];
  double one = e->op == EXPR_SEXT ? -1 : 1;
  if (a->width == 1)
    return bounded(choose(task, solver, integer_of(solver, a)->loose,
                          whole(task, solver, one), whole(task, solver, 0)),
                   fmin(one, 0), fmax(one, 0));
  if (e->op == EXPR_ZEXT)
    return bounded(tight(task, solver, a), tight_low(task, solver, a),
                   tight_high(task, solver, a));
  double half = power(a->width - 1);
  bool is_natural = tight_high(task, solver, a) < half;
  return bounded(signed_value(task, solver, a),
                 is_natural ? tight_low(task, solver, a) : -half,
                 fmin(half - 1, tight_high(task, solver, a)));
}

static Integer joined(Task *task, Z3Solver *solver, const Expr *e) {
  const Expr *high = e->args[0], *low = e->args[1];
  if (high->width == 1 || low->width == 1)
    return unknown(task, solver, e->width);
  double factor = power(low->width);
  return bounded(plus(task, solver,
                      times(task, solver, whole(task, solver, factor),
                            tight(task, solver, high)),
                      tight(task, solver, low)),
                 0,
                 factor * tight_high(task, solver, high) +
                     tight_high(task, solver, low));
}

static Integer chosen(Task *task, Z3Solver *solver, const Expr *e) {
  Integer *a = integer_of(solver, e->args[1]);
  Integer *b = integer_of(solver, e->args[2]);
  return bounded(choose(task, solver, integer_of(solver, e->args[0])->loose,
                        a->loose, b->loose),
                 fmin(a->low, b->low), fmax(a->high, b->high));
}

Z3_ast z3_loose(const Z3Solver *solver, const Expr *e) {
  return integer_of(solver, e)->loose;
}

// Equal modulo 2^w: one remainder, where two would have two quotients.
static Integer equality(Task *task, Z3Solver *solver, const Expr *e) {
  const Expr *x = e->args[0], *y = e->args[1];
  Z3_ast a = tight(task, solver, x), b = tight(task, solver, y);
  Z3_ast loose_a = z3_loose(solver, x), loose_b = z3_loose(solver, y);
  Z3_ast definitions = NULL, zero = whole(task, solver, 0);
  Z3_ast apart = z3_difference(task, solver, x, y, &definitions);
  bool is_exact = a == loose_a && b == loose_b;
  if (!apart && is_exact)
    return (Integer){.loose =
                         z3_keep(task, solver, Z3_mk_eq(solver->z3, a, b))};
  if (!apart)
    apart = minus(task, solver, loose_a, loose_b);
  if (!is_exact)
    apart = mod_by(task, solver, apart, whole(task, solver, power(x->width)));
  return (Integer){.loose =
                       z3_keep(task, solver, Z3_mk_eq(solver->z3, apart, zero)),
                   .range = definitions};
}

static Z3_ast comparison(Task *task, Z3Solver *solver, const Expr *e) {
  bool is_signed = e->op == EXPR_SLT || e->op == EXPR_SLE;
  Z3_ast value[2];
  for (unsigned i = 0; i < 2; i++)
    value[i] = is_signed ? signed_value(task, solver, e->args[i])
                         : tight(task, solver, e->args[i]);
  if (e->op == EXPR_ULT || e->op == EXPR_SLT)
    return z3_keep(task, solver, Z3_mk_lt(solver->z3, value[0], value[1]));
  return at_most(task, solver, value[0], value[1]);
}

static Z3_ast boolean(Task *task, Z3Solver *solver, const Expr *e) {
  Z3_ast a = integer_of(solver, e->args[0])->loose;
  if (e->op == EXPR_NOT)
    return bits_not(task, solver, a);
  Z3_ast b = integer_of(solver, e->args[1])->loose;
  if (e->op == EXPR_EQ)
    return z3_keep(task, solver, Z3_mk_eq(solver->z3, a, b));
  return bits_operation(task, solver, e, a, b);
}

static bool is_boolean_operator(const Expr *e) {
  return e->count > 0 && e->count < 3 && e->op != EXPR_APPLY &&
         e->args[0]->width == 1 && e->width == 1 && e->op != EXPR_EXTRACT;
}

// Needs the integers of all arguments.
static Integer make_integer(Task *task, Z3Solver *solver, const Expr *e) {
  if (is_boolean_operator(e))
    return (Integer){.loose = boolean(task, solver, e)};
  switch (e->op) {
  case EXPR_CONST:
    return constant_integer(task, solver, e);
  case EXPR_ADD:
  case EXPR_SUB:
    return sum(task, solver, e);
  case EXPR_MUL:
    return product(task, solver, e);
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_UREM:
  case EXPR_SREM:
    return division(task, solver, e);
  case EXPR_AND:
    return masked(task, solver, e);
  case EXPR_SHL:
    return shifted_left(task, solver, e);
  case EXPR_LSHR:
    return shifted_right(task, solver, e);
  case EXPR_ASHR:
    return shifted_as_signed(task, solver, e);
  case EXPR_EQ:
    return equality(task, solver, e);
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_SLT:
  case EXPR_SLE:
    return (Integer){.loose = comparison(task, solver, e)};
  case EXPR_NOT:
    return complement(task, solver, e);
  case EXPR_ITE:
    return chosen(task, solver, e);
  case EXPR_EXTRACT:
    return bits_of(task, solver, e);
  case EXPR_ZEXT:
  case EXPR_SEXT:
    return extended(task, solver, e);
  case EXPR_CONCAT:
    return joined(task, solver, e);
  case EXPR_SYMBOL:
  case EXPR_APPLY:
  case EXPR_OR:
  case EXPR_XOR:
  case EXPR_OPS:
    break;
  }
  return unknown(task, solver, e->width);
}

static void limit(Task *task, Z3Solver *solver, Integer *integer, Interval to) {
  if (to.low <= integer->low && to.high >= integer->high)
    return;
  integer->low = fmax(integer->low, to.low);
  integer->high = fmin(integer->high, to.high);
  Z3_ast low = whole(task, solver, integer->low);
  Z3_ast high = whole(task, solver, integer->high);
  Z3_ast range =
      bits_and(task, solver, at_most(task, solver, low, integer->loose),
               at_most(task, solver, integer->loose, high));
  integer->range =
      integer->range ? bits_and(task, solver, integer->range, range) : range;
}

// Of the numbers that are equal modulo 2^w, can one only be both what the
// integer can be and within these bounds?
static bool is_unique(const Integer *integer, unsigned width, Interval bounds) {
  double all = power(width);
  return integer->low - bounds.high > -all && integer->high - bounds.low < all;
}

static void narrow(Task *task, Z3Solver *solver, const Expr *e,
                   Integer *integer, const Bounds *bounds) {
  bool is_plain = integer->tight == integer->loose;
  if (is_plain || is_unique(integer, e->width, bounds->plain))
    limit(task, solver, integer, bounds->plain);
  if (is_unique(integer, e->width, bounds->two))
    limit(task, solver, integer, bounds->two);
}

static bool are_equal(Interval a, Interval b) {
  return a.low == b.low && a.high == b.high;
}

// It can be used again if all that it was made of is the same.
static bool is_current(const Z3Solver *solver, const Expr *e,
                       const Bounds *bounds) {
  const Integer *known = &solver->integers.at[e->id];
  if (!known->loose || !are_equal(known->bounds.plain, bounds->plain) ||
      !are_equal(known->bounds.two, bounds->two))
    return false;
  for (unsigned i = 0; i < e->count; i++)
    if (integer_of(solver, e->args[i])->made > known->made)
      return false;
  return true;
}

static void renew_integer(Task *task, Z3Solver *solver, const Expr *e,
                          const Bounds *bounds) {
  Integer integer = make_integer(task, solver, e);
  if (e->width > 1)
    narrow(task, solver, e, &integer, bounds);
  integer.bounds = *bounds;
  integer.made = solver->queries;
  solver->integers.at[e->id] = integer;
}

// All expressions of the formulas, arguments first.
static Exprs make_integers(Task *task, Z3Solver *solver, const Exprs *formulas,
                           const Exprs *lemmas) {
  ExprMap *seen = expr_map_new(task);
  Exprs order = {0};
  BoundsTable table = {0};
  for (size_t i = 0; i < formulas->count; i++)
    expr_order(task, formulas->at[i], seen, &order);
  for (size_t i = 0; i < lemmas->count; i++)
    expr_order(task, lemmas->at[i], seen, &order);
  bounds_find(task, formulas, &order, &table);
  solver->queries++;
  for (size_t i = 0; i < order.count; i++) {
    const Expr *e = order.at[i];
    while (solver->integers.count <= e->id)
      push(task_lasting(task), &solver->integers, (Integer){0});
    if (!is_current(solver, e, &table.at[e->id]))
      renew_integer(task, solver, e, &table.at[e->id]);
  }
  return order;
}

// --------------------------------------------------------------- queries ---

// Without relevancy, lemmas about products are refuted several times faster
// (Z3 4.8.12, the queries of test_product.c).  The older simplex, solver 2,
// is faster still, but crashes.  Cuts decide some queries at once and lose
// others in numbers of a thousand digits, which no effort counts; so every
// other seed hardly makes them.
static Z3_solver new_integer_solver(Z3Solver *solver, unsigned seed) {
  Z3_solver z3_solver = Z3_mk_simple_solver(solver->z3);
  Z3_solver_inc_ref(solver->z3, z3_solver);
  Z3_params params = z3_new_parameters(solver);
  z3_set_number(solver->z3, params, "relevancy", 0);
  z3_set_number(solver->z3, params, "random_seed", seed);
  if (seed % 2 == 0)
    z3_set_number(solver->z3, params, "arith.branch_cut_ratio", HARDLY_ANY);
  Z3_solver_set_params(solver->z3, z3_solver, params);
  Z3_params_dec_ref(solver->z3, params);
  return z3_solver;
}

static void assert_ranges(Z3Solver *solver, Z3_solver z3_solver,
                          const Exprs *order) {
  for (size_t i = 0; i < order->count; i++) {
    Z3_ast range = integer_of(solver, order->at[i])->range;
    if (range)
      Z3_solver_assert(solver->z3, z3_solver, range);
  }
}

static void assert_integer(Z3Solver *solver, Z3_solver z3_solver,
                           const Expr *formula) {
  Z3_solver_assert(solver->z3, z3_solver, integer_of(solver, formula)->loose);
}

static bool holds_in(Z3Solver *solver, Z3_model model, const Expr *formula) {
  Z3_ast value = NULL;
  Z3_model_eval(solver->z3, model, integer_of(solver, formula)->loose, true,
                &value);
  return !z3_failure(solver) && value &&
         Z3_get_bool_value(solver->z3, value) == Z3_L_TRUE;
}

// Asserts the first of the lemmas that the solver's model breaks.  Were there
// any?
static bool refine(Z3Solver *solver, Z3_solver z3_solver, const Exprs *lemmas,
                   bool *is_asserted) {
  Z3_model model = Z3_solver_get_model(solver->z3, z3_solver);
  if (z3_failure(solver) || !model)
    return false;
  Z3_model_inc_ref(solver->z3, model);
  unsigned added = 0;
  for (size_t i = 0; i < lemmas->count && added < MOST_AT_ONCE; i++) {
    if (is_asserted[i] || holds_in(solver, model, lemmas->at[i]))
      continue;
    assert_integer(solver, z3_solver, lemmas->at[i]);
    is_asserted[i] = true;
    added++;
  }
  Z3_model_dec_ref(solver->z3, model);
  return added;
}

// Most lemmas are never needed, and many at once are a burden.  Those that
// tend to help come first.
static Answer check_lazily(Task *task, Z3Solver *solver, Z3_solver z3_solver,
                           const Exprs *lemmas, unsigned effort) {
  bool *is_asserted = arena_alloc(&task->arena, lemmas->count + 1);
  const double end = solver->common.effort + effort;
  for (;;) {
    double left = end - solver->common.effort;
    if (left <= 0)
      return ANSWER_UNKNOWN;
    Answer answer =
        z3_run(task, solver, z3_solver, LANGUAGE_INTEGERS, left, NULL);
    if (answer != ANSWER_MODEL ||
        !refine(solver, z3_solver, lemmas, is_asserted))
      return answer;
  }
}

Answer z3_check_integers(Task *task, Solver *common, const Exprs *formulas,
                         const Exprs *lemmas, unsigned seed, unsigned effort) {
  Z3Solver *solver = z3_of(common);
  Exprs order = make_integers(task, solver, formulas, lemmas);
  if (task_is_late(task) || solver->context->is_spoiled)
    return ANSWER_UNKNOWN;
  Z3_solver z3_solver = new_integer_solver(solver, seed);
  assert_ranges(solver, z3_solver, &order);
  for (size_t i = 0; i < formulas->count; i++)
    assert_integer(solver, z3_solver, formulas->at[i]);
  Answer answer = z3_failure(solver)
                      ? ANSWER_UNKNOWN
                      : check_lazily(task, solver, z3_solver, lemmas, effort);
  Z3_solver_dec_ref(solver->z3, z3_solver);
  return answer;
}
