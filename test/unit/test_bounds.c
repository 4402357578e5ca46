// Bounds: no value that satisfies the formulas is outside of them, tried with
// every value of every symbol; and those that index computations need are
// found.

#include "smt/bounds.h"
#include "test/unit/formula.h"
#include "test/unit/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 3, SYMBOLS = 3, DEPTH = 3, FORMULAS = 3, TRIES = 150 };

typedef struct Point {
  Expr *symbols[SYMBOLS];
  uint64_t values[SYMBOLS];
} Point;

static BoundsTable table;

static void start(void) {
  setup();
  table = (BoundsTable){0};
}

static Exprs order_of(const Exprs *formulas) {
  Exprs order = {0};
  ExprMap *seen = expr_map_new(&task);
  for (size_t i = 0; i < formulas->count; i++)
    expr_order(&task, formulas->at[i], seen, &order);
  return order;
}

static Exprs find(const Exprs *formulas) {
  Exprs order = order_of(formulas);
  bounds_find(&task, formulas, &order, &table);
  return order;
}

static Bounds bounds_of(const Expr *e) { return table.at[e->id]; }

// ------------------------------------------------------------------ true ---

static uint64_t value_at(const Symbol *symbol, void *data) {
  const Point *point = data;
  for (int i = 0; i < SYMBOLS; i++)
    if (point->symbols[i] == symbol->expr)
      return point->values[i];
  ck_abort_msg("no value for '%s'", symbol->name);
}

static uint64_t multiply(const char *function, const uint64_t *args,
                         unsigned count, void *data) {
  (void)data;
  ck_assert(!strncmp(function, "product", 7) && count == 2);
  return args[0] * args[1];
}

static uint64_t value_of(const Expr *e, Point *point) {
  Valuation valuation = {value_at, multiply, point};
  return expr_evaluate(&task, &valuation, e);
}

static bool satisfies(const Exprs *formulas, Point *point) {
  return all_hold(formulas, &(Valuation){value_at, multiply, point});
}

static void check_term(const Exprs *formulas, const Expr *e, Point *point) {
  Bounds bounds = bounds_of(e);
  uint64_t value = value_of(e, point);
  unsigned unused = 64 - e->width;
  double plain = (double)value;
  double two = (double)((int64_t)(value << unused) >> unused);
  ck_assert_msg(bounds.plain.low <= plain && plain <= bounds.plain.high &&
                    bounds.two.low <= two && two <= bounds.two.high,
                "%s is %g in [%g, %g] or %g in [%g, %g] where %s",
                expr_text(&task, e), plain, bounds.plain.low, bounds.plain.high,
                two, bounds.two.low, bounds.two.high,
                expr_text(&task, formulas->at[0]));
}

// What fits is the sum, or product, over the natural numbers.
static void check_fits(const Expr *e, Point *point) {
  bool is_sum = e->op == EXPR_ADD;
  if (!bounds_of(e).fits || (!is_sum && e->op != EXPR_MUL))
    return;
  uint64_t a = value_of(e->args[0], point), b = value_of(e->args[1], point);
  ck_assert_msg(value_of(e, point) == (is_sum ? a + b : a * b),
                "%s wraps for %u and %u", expr_text(&task, e), (unsigned)a,
                (unsigned)b);
}

static void check_everywhere(Point *point, const Exprs *formulas,
                             const Exprs *order) {
  for (uint64_t all = 0; all >> BITS * SYMBOLS == 0; all++) {
    for (unsigned i = 0; i < SYMBOLS; i++)
      point->values[i] = all >> BITS * i & ((1 << BITS) - 1);
    if (!satisfies(formulas, point))
      continue;
    for (size_t i = 0; i < order->count; i++) {
      check_term(formulas, order->at[i], point);
      check_fits(order->at[i], point);
    }
  }
}

static Expr *random_truth(uint64_t *state, const Point *point, unsigned depth);

// What lengthens and cuts.
static Expr *random_resized(uint64_t *state, Expr *a) {
  switch (next_random(state) % 4) {
  case 0:
    return expr_extract(&task, expr_sext(&task, a, 2 * BITS), 0, BITS);
  case 1:
    return expr_extract(&task, expr_concat(&task, a, a),
                        (unsigned)next_random(state) % BITS, BITS);
  case 2:
    return expr_not(&task, a);
  default:
    return expr_extract(&task, expr_zext(&task, a, BITS + 1), 1, BITS);
  }
}

static Expr *product(Expr *a, Expr *b) {
  Expr *args[] = {a, b};
  return expr_apply(&task, "product3", 2 * BITS, args, 2);
}

static Expr *random_number(uint64_t *state, const Point *point,
                           unsigned depth) {
  static const ExprOp ops[] = {
      EXPR_ADD,  EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_UDIV, EXPR_SDIV, EXPR_UREM,
      EXPR_SREM, EXPR_AND, EXPR_OR,  EXPR_XOR, EXPR_SHL,  EXPR_LSHR, EXPR_ASHR};
  unsigned choice = (unsigned)next_random(state);
  if (!depth || choice % 8 == 0)
    return choice / 8 % 4 ? point->symbols[choice / 32 % SYMBOLS]
                          : number(BITS, choice / 32 % (1 << BITS));
  Expr *a = random_number(state, point, depth - 1);
  Expr *b = random_number(state, point, depth - 1);
  switch (choice % 8) {
  case 1:
    return expr_ite(&task, random_truth(state, point, depth - 1), a, b);
  case 2:
    return random_resized(state, a);
  case 3:
    return expr_extract(&task, product(a, b), 0, BITS);
  default:
    return binary(ops[choice / 8 % (sizeof ops / sizeof *ops)], a, b);
  }
}

static Expr *random_truth(uint64_t *state, const Point *point, unsigned depth) {
  static const ExprOp ops[] = {EXPR_EQ, EXPR_ULT, EXPR_ULE, EXPR_SLT, EXPR_SLE};
  unsigned choice = (unsigned)next_random(state);
  if (depth && choice % 3 == 0) {
    Expr *a = random_truth(state, point, depth - 1);
    Expr *b = random_truth(state, point, depth - 1);
    return choice / 3 % 2 ? and(a, b) : or(a, b);
  }
  Expr *a = random_number(state, point, depth);
  Expr *b = random_number(state, point, depth);
  if (choice / 64 % 4 == 0) {
    b = product(a, b);
    a = expr_sext(&task, random_number(state, point, 0), 2 * BITS);
  }
  Expr *e = binary(ops[choice / 8 % 5], a, b);
  return choice / 256 % 3 ? e : not(e);
}

START_TEST(no_value_is_outside) {
  uint64_t state = 1 + (uint64_t)_i;
  for (int i = 0; i < TRIES; i++) {
    Point point;
    for (unsigned k = 0; k < SYMBOLS; k++)
      point.symbols[k] = fresh("x", BITS);
    Exprs formulas = {0};
    for (unsigned k = 0; k < FORMULAS; k++)
      say(&formulas, random_truth(&state, &point, DEPTH));
    Exprs order = find(&formulas);
    check_everywhere(&point, &formulas, &order);
  }
}
END_TEST

// In three bits -1 is 7, and 7 * 7 wraps though -1 * -1 is small.
START_TEST(a_product_of_signs_is_small_and_may_wrap) {
  Point point;
  for (unsigned k = 0; k < SYMBOLS; k++)
    point.symbols[k] = fresh("x", BITS);
  Expr *x = point.symbols[0], *y = point.symbols[1];
  Expr *wide =
      mul(expr_sext(&task, x, 2 * BITS), expr_sext(&task, y, 2 * BITS));
  Exprs formulas = {0};
  say(&formulas, below_number(wide, 4));
  say(&formulas, below_number(mul(x, y), 5));
  Exprs order = find(&formulas);
  check_everywhere(&point, &formulas, &order);
}
END_TEST

// ---------------------------------------------------------------- enough ---

static void expect_plain(const Expr *e, double low, double high) {
  Bounds bounds = bounds_of(e);
  ck_assert_msg(bounds.plain.low == low && bounds.plain.high == high,
                "%s in [%g, %g]", expr_text(&task, e), bounds.plain.low,
                bounds.plain.high);
}

START_TEST(a_comparison_bounds_both_sides) {
  Expr *t = fresh("t", 32), *n = fresh("n", 32);
  Exprs formulas = {0};
  say(&formulas, below(t, n));
  say(&formulas, below_number(n, 1025));
  find(&formulas);
  expect_plain(t, 0, 1023);
  expect_plain(n, 1, 1024);
}
END_TEST

// 2^51 * 2^13 wraps, to 0.
START_TEST(a_product_that_just_wraps_has_no_lower_bound) {
  Expr *x = fresh("x", 64), *y = mul(x, number(64, 1 << 13));
  Exprs formulas = {0};
  say(&formulas, below(number(64, 0), x));
  say(&formulas, binary(EXPR_ULE, x, number(64, UINT64_C(1) << 51)));
  say(&formulas, differ(y, fresh("z", 64)));
  find(&formulas);
  ck_assert(bounds_of(y).plain.high > 0);
  ck_assert(bounds_of(y).plain.low == 0);
  ck_assert(bounds_of(y).two.low < 0);
}
END_TEST

static Expr *choice(ExprOp op, Expr *a, Expr *b, Expr *yes, Expr *no) {
  return expr_ite(&task, binary(op, a, b), yes, no);
}

// With a sign or without, and whichever is taken.
START_TEST(what_is_chosen_is_the_smaller_or_the_larger_one) {
  Expr *x = fresh("x", 32), *n = fresh("n", 32);
  Exprs formulas = {0};
  say(&formulas, binary(EXPR_ULE, n, number(32, 9)));
  say(&formulas, binary(EXPR_ULE, number(32, 3), n));
  Expr *smaller = choice(EXPR_SLT, x, n, x, n);
  Expr *larger = choice(EXPR_ULT, x, n, n, x), *other = fresh("y", 32);
  Expr *strict = choice(EXPR_ULT, x, n, x, number(32, 0));
  Expr *least = choice(EXPR_ULE, x, n, number(32, 9), x);
  Expr *other_one = choice(EXPR_ULT, x, n, number(32, 9), x);
  Expr *chosen[] = {smaller, larger, strict, least, other_one};
  for (unsigned i = 0; i < 5; i++)
    say(&formulas, differ(chosen[i], other));
  find(&formulas);
  ck_assert(bounds_of(smaller).two.high == 9);
  ck_assert(bounds_of(smaller).two.low < 0);
  expect_plain(larger, 3, UINT32_MAX);
  expect_plain(strict, 0, 8);
  expect_plain(least, 4, UINT32_MAX);
  expect_plain(other_one, 3, UINT32_MAX);
}
END_TEST

// Its name alone makes no product of what the program reads.
START_TEST(an_array_may_be_called_product) {
  Expr *args[] = {fresh("i", 64)};
  ck_assert(!product_is_wide(expr_apply(&task, "product#1.32", 32, args, 1)));
  ck_assert(!product_is_wide(expr_apply(&task, "product/0.32", 32, args, 1)));
}
END_TEST

// What is above a number that is not negative is not negative.
START_TEST(signs_are_found) {
  Expr *t = fresh("t", 32), *n = fresh("n", 32);
  Exprs formulas = {0};
  say(&formulas, below_number(t, 1024));
  say(&formulas, binary(EXPR_SLT, t, n));
  find(&formulas);
  expect_plain(n, 1, 2147483647);
}
END_TEST

// "Unless it is guarded away the product does not overflow", as the source
// language has it, and the guard is known.
START_TEST(a_guarded_fact_counts_where_its_guard_holds) {
  Expr *n = fresh("n", 32), *y = fresh("y", 32);
  Expr *args[] = {n, y};
  Expr *wide = expr_apply(&task, "product32", 64, args, 2);
  Expr *guard = below_number(y, 1000), *low = expr_extract(&task, wide, 0, 32);
  Exprs formulas = {0};
  say(&formulas, guard);
  say(&formulas, below_number(n, UINT32_C(1) << 31));
  say(&formulas, or(not(guard), equal(wide, expr_sext(&task, low, 64))));
  find(&formulas);
  expect_plain(wide, 0, 2147483647);
}
END_TEST

// The number of a thread in a grid of unknown size.
START_TEST(a_position_is_below_the_number_of_positions) {
  Expr *t = fresh("t", 32), *block = fresh("b", 32);
  Expr *size = fresh("size", 32), *blocks = fresh("blocks", 32);
  Expr *all[] = {size, blocks}, *before[] = {size, block};
  Expr *threads = expr_apply(&task, "product32", 64, all, 2);
  Expr *first = expr_apply(&task, "product32", 64, before, 2);
  Expr *position = add(expr_extract(&task, first, 0, 32), t);
  Exprs formulas = {0};
  say(&formulas, below(t, size));
  say(&formulas, below_number(size, 1025));
  say(&formulas, below(block, blocks));
  say(&formulas, below_number(threads, UINT32_C(1) << 31));
  say(&formulas, differ(position, number(32, 7)));
  find(&formulas);
  ck_assert(bounds_of(position).plain.high < 2147483648.0);
  ck_assert(bounds_of(position).two.low == 0);
}
END_TEST

// ------------------------------------------------------------ one by one ---

static Expr *positive(Expr *a) { return below(number(a->width, 0), a); }

START_TEST(a_divisor_that_is_above_a_remainder_is_not_negative) {
  Expr *x = fresh("x", 32), *size = fresh("size", 64);
  Expr *whole = long_of(x);
  Expr *row = binary(EXPR_SDIV, whole, size);
  Expr *column = expr_extract(&task, binary(EXPR_SREM, whole, size), 0, 32);
  Exprs formulas = {0};
  say(&formulas, below_number(x, UINT64_C(1) << 31));
  say(&formulas, binary(EXPR_SLT, expr_sext(&task, column, 64), size));
  say(&formulas, differ(row, number(64, 5)));
  find(&formulas);
  ck_assert(bounds_of(size).two.low == 1);
  ck_assert(bounds_of(row).plain.high < (double)(UINT64_C(1) << 31));
}
END_TEST

START_TEST(a_quotient_is_least_by_the_largest_divisor) {
  Expr *x = fresh("x", 8), *y = fresh("y", 8);
  Expr *quotient = binary(EXPR_UDIV, x, y);
  Exprs formulas = {0};
  say(&formulas, below(number(8, 11), x));
  say(&formulas, below_number(x, 16));
  say(&formulas, below(number(8, 1), y));
  say(&formulas, below_number(y, 5));
  say(&formulas, differ(quotient, fresh("z", 8)));
  find(&formulas);
  expect_plain(quotient, 3, 7);
}
END_TEST

START_TEST(the_upper_part_counts_by_the_width_of_the_lower) {
  Expr *high = fresh("high", 3), *low = fresh("low", 2);
  Expr *joined = expr_concat(&task, high, low);
  Exprs formulas = {0};
  say(&formulas, below(number(3, 1), high));
  say(&formulas, below_number(high, 4));
  say(&formulas, differ(joined, fresh("z", 5)));
  find(&formulas);
  expect_plain(joined, 8, 15);
}
END_TEST

START_TEST(a_part_is_what_the_sum_leaves) {
  Expr *x = fresh("x", 8), *y = fresh("y", 8), *all = add(x, y);
  Exprs formulas = {0};
  say(&formulas, below_number(x, 200));
  say(&formulas, below(number(8, 0), y));
  say(&formulas, below_number(y, 6));
  say(&formulas, below(number(8, 9), all));
  say(&formulas, below_number(all, 21));
  find(&formulas);
  expect_plain(x, 5, 19);
}
END_TEST

// x * y + t, of which is known that y < z, with x * z as a product, too.
static double most_at(Exprs *formulas, Expr *x, Expr *t) {
  Expr *y = fresh("y", BITS), *z = fresh("z", BITS);
  Expr *position = add(expr_zext(&task, product(x, y), 4 * BITS),
                       expr_zext(&task, t, 4 * BITS));
  say(formulas, below(y, z));
  say(formulas, positive(product(x, z)));
  say(formulas, differ(position, fresh("p", 4 * BITS)));
  find(formulas);
  return bounds_of(position).plain.high;
}

START_TEST(a_position_is_bounded_if_it_is_below) {
  Expr *x = fresh("x", BITS), *t = fresh("t", BITS);
  Exprs formulas = {0};
  say(&formulas, below(t, x));
  ck_assert_double_eq(most_at(&formulas, x, t), 48);
}
END_TEST

START_TEST(a_position_that_may_be_behind_is_not_bounded) {
  Expr *x = fresh("x", BITS), *t = fresh("t", 2 * BITS);
  Exprs formulas = {0};
  ck_assert_double_ge(most_at(&formulas, x, t), 63);
}
END_TEST

START_TEST(that_a_part_is_below_says_nothing_of_the_whole) {
  Expr *x = fresh("x", BITS), *t = fresh("t", 2 * BITS);
  Exprs formulas = {0};
  say(&formulas, below(expr_extract(&task, t, 0, BITS), x));
  ck_assert_double_ge(most_at(&formulas, x, t), 63);
}
END_TEST

// In as few bits as the program has, if the number of positions fits there.
static double most_in_few_bits(uint64_t positions) {
  Expr *x = fresh("x", BITS), *y = fresh("y", BITS), *t = fresh("t", BITS);
  Expr *z = fresh("z", BITS), *position = add(mul(x, y), t);
  Exprs formulas = {0};
  say(&formulas, below(t, x));
  say(&formulas, below(y, z));
  say(&formulas, below_number(mul(expr_zext(&task, x, 2 * BITS),
                                  expr_zext(&task, z, 2 * BITS)),
                              positions + 1));
  say(&formulas, differ(position, fresh("p", BITS)));
  find(&formulas);
  return bounds_of(position).plain.high;
}

START_TEST(a_position_is_bounded_in_few_bits_if_all_fit) {
  ck_assert_double_eq(most_in_few_bits(6), 5);
  ck_assert_double_eq(most_in_few_bits(8), 7);
  ck_assert_double_eq(most_in_few_bits(9), 7);
}
END_TEST

// x * y in few bits is x * y, or x * z, in many: 1 if that is known.
static double least_truth_of_twins(uint64_t limit, bool is_other) {
  Expr *x = fresh("x", BITS), *y = fresh("y", BITS), *z = fresh("z", BITS);
  Expr *factor = expr_zext(&task, x, 2 * BITS);
  Expr *wide = mul(factor, expr_zext(&task, y, 2 * BITS));
  Expr *other = mul(factor, expr_zext(&task, z, 2 * BITS));
  Expr *are_equal =
      equal(expr_zext(&task, mul(x, y), 2 * BITS), is_other ? other : wide);
  Exprs formulas = {0};
  say(&formulas, below_number(wide, limit));
  say(&formulas, or(are_equal, fresh("p", 1)));
  find(&formulas);
  return bounds_of(are_equal).plain.low;
}

START_TEST(a_product_is_the_same_in_more_bits_if_it_fits) {
  ck_assert_double_eq(least_truth_of_twins(8, false), 1);
  ck_assert_double_eq(least_truth_of_twins(9, false), 0);
  ck_assert_double_eq(least_truth_of_twins(8, true), 0);
}
END_TEST

// Also where the number of positions wraps.
START_TEST(no_position_is_outside) {
  Point point = {
      .symbols = {fresh("x", BITS), fresh("y", BITS), fresh("t", BITS)}};
  Expr *x = point.symbols[0], *y = point.symbols[1], *t = point.symbols[2];
  for (unsigned i = 0; i < 49 * (BITS + 1); i++) {
    unsigned bits = BITS + i % (BITS + 1), limit = 1 + i / (BITS + 1);
    Expr *wide = mul(expr_zext(&task, x, bits), expr_zext(&task, x, bits));
    Exprs formulas = {0};
    say(&formulas, below_number(wide, limit & ((1U << bits) - 1)));
    say(&formulas, below(y, x));
    say(&formulas, below(t, x));
    say(&formulas, binary(EXPR_ULE, number(BITS, 0), add(mul(x, y), t)));
    say(&formulas, differ(mul(x, y), number(BITS, 7)));
    say(&formulas, differ(add(mul(x, y), t), number(BITS, 7)));
    Exprs order = find(&formulas);
    check_everywhere(&point, &formulas, &order);
  }
}
END_TEST

// 4 * 2 + 3 is 11, which is 3.
START_TEST(what_wraps_has_any_place) {
  Expr *x = fresh("x", BITS), *y = fresh("y", BITS), *z = fresh("z", BITS);
  Expr *narrow = mul(x, y);
  Exprs formulas = {0};
  say(&formulas, below(y, z));
  say(&formulas, positive(mul(x, z)));
  say(&formulas, differ(narrow, fresh("p", BITS)));
  find(&formulas);
  ck_assert_double_eq(bounds_of(narrow).plain.high, 7);
}
END_TEST

// Whether it wraps or not.
START_TEST(no_factor_of_something_is_zero) {
  Expr *x = fresh("x", BITS), *y = fresh("y", BITS);
  Exprs formulas = {0};
  say(&formulas, positive(mul(x, y)));
  find(&formulas);
  expect_plain(x, 1, 7);
  expect_plain(y, 1, 7);
}
END_TEST

// 2 * 8 is 16, 2 * 7 is 14.
START_TEST(a_product_is_less_by_the_least_factor) {
  Expr *x = fresh("x", 4), *y = fresh("y", 4), *z = fresh("z", 4);
  Expr *first = product(x, y), *next = product(x, z);
  Exprs formulas = {0};
  say(&formulas, below(y, z));
  say(&formulas, below(number(4, 1), x));
  say(&formulas, below_number(next, 17));
  say(&formulas, differ(first, fresh("p", 2 * BITS)));
  find(&formulas);
  ck_assert_double_eq(bounds_of(first).plain.high, 14);
}
END_TEST

START_TEST(a_product_of_other_factors_is_no_bound) {
  Expr *x = fresh("x", BITS), *y = fresh("y", BITS);
  Expr *z = fresh("z", BITS), *few = fresh("few", BITS);
  Expr *first = product(x, y);
  Exprs formulas = {0};
  say(&formulas, below(y, z));
  say(&formulas, below_number(few, 2));
  say(&formulas, positive(product(few, z)));
  say(&formulas, differ(first, fresh("p", 2 * BITS)));
  find(&formulas);
  ck_assert_double_ge(bounds_of(first).plain.high, 42);
}
END_TEST

int main(void) {
  TCase *cases[] = {tcase_create("true"), tcase_create("enough"),
                    tcase_create("single")},
        *tc;
  for (int i = 0; i < 3; i++) {
    tcase_set_timeout(cases[i], 60);
    tcase_add_checked_fixture(cases[i], start, teardown);
  }
  tc = cases[0];
  tcase_add_loop_test(tc, no_value_is_outside, 0, 4);
  tcase_add_test(tc, a_product_of_signs_is_small_and_may_wrap);
  tcase_add_test(tc, a_product_is_the_same_in_more_bits_if_it_fits);
  tc = cases[1];
  tcase_add_test(tc, a_comparison_bounds_both_sides);
  tcase_add_test(tc, a_product_that_just_wraps_has_no_lower_bound);
  tcase_add_test(tc, what_is_chosen_is_the_smaller_or_the_larger_one);
  tcase_add_test(tc, an_array_may_be_called_product);
  tcase_add_test(tc, signs_are_found);
  tcase_add_test(tc, a_guarded_fact_counts_where_its_guard_holds);
  tcase_add_test(tc, a_position_is_below_the_number_of_positions);
  tc = cases[2];
  tcase_add_test(tc, a_divisor_that_is_above_a_remainder_is_not_negative);
  tcase_add_test(tc, a_quotient_is_least_by_the_largest_divisor);
  tcase_add_test(tc, a_part_is_what_the_sum_leaves);
  tcase_add_test(tc, the_upper_part_counts_by_the_width_of_the_lower);
  tcase_add_test(tc, a_position_is_bounded_if_it_is_below);
  tcase_add_test(tc, a_position_that_may_be_behind_is_not_bounded);
  tcase_add_test(tc, that_a_part_is_below_says_nothing_of_the_whole);
  tcase_add_test(tc, a_position_is_bounded_in_few_bits_if_all_fit);
  tcase_add_test(tc, no_position_is_outside);
  tcase_add_test(tc, no_factor_of_something_is_zero);
  tcase_add_test(tc, what_wraps_has_any_place);
  tcase_add_test(tc, a_product_is_less_by_the_least_factor);
  tcase_add_test(tc, a_product_of_other_factors_is_no_bound);
  return run_cases(cases, 3, "bounds");
}
