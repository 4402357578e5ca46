// Formulas that are used up before a solver sees them: all models stay, and
// no others come.  Tried with all values of a few small symbols.

#include "test/unit/points.h"
#include "test/unit/suite.h"

enum { BITS = 3 };

static bool have_model(const Exprs *formulas, Point *point) {
  for (uint64_t all = 0; all >> bits_of(point) == 0; all++) {
    go_to(point, all);
    if (hold(formulas, point))
      return true;
  }
  return false;
}

// ---------------------------------------------------------------- reduce ---

static Expr *random_number(uint64_t *state, Expr *const *symbols) {
  uint64_t choice = next_random(state) % 6;
  if (choice < 3)
    return symbols[choice];
  if (choice == 3)
    return number(BITS, next_random(state));
  return add(random_number(state, symbols), random_number(state, symbols));
}

// symbols[3] and [4] are Boolean.
static Expr *random_fact(uint64_t *state, Expr *const *symbols, int depth) {
  switch (next_random(state) % (depth ? 7 : 4)) {
  case 0:
    return symbols[3 + next_random(state) % 2];
  case 1:
  case 2:
    return equal(random_number(state, symbols), random_number(state, symbols));
  case 3:
    return below(random_number(state, symbols), random_number(state, symbols));
  case 4:
    return and(random_fact(state, symbols, depth - 1),
               random_fact(state, symbols, depth - 1));
  case 5:
    return or(random_fact(state, symbols, depth - 1),
              random_fact(state, symbols, depth - 1));
  }
  return not(random_fact(state, symbols, depth - 1));
}

static void reduce_and_compare(const Exprs *from, Point *point) {
  Exprs all = {0}, definitions = {0};
  Exprs facts = smt_reduce(&task, from, &definitions);
  exprs_add(&task, &facts, &all);
  exprs_add(&task, &definitions, &all);
  expect_same_models(from, &all, point);
  ck_assert(have_model(&facts, point) == have_model(from, point));
}

START_TEST(reduced_facts_have_the_same_models) {
  uint64_t state = (uint64_t)_i + 1;
  Point point = {.count = 5};
  for (unsigned i = 0; i < 5; i++)
    point.symbols[i] = fresh("a", i < 3 ? BITS : 1);
  for (int round = 0; round < 60; round++) {
    Exprs from = {0};
    for (uint64_t i = 2 + next_random(&state) % 4; i > 0; i--)
      say(&from, random_fact(&state, point.symbols, 2));
    reduce_and_compare(&from, &point);
  }
}
END_TEST

START_TEST(a_constant_reaches_a_product) {
  Expr *n = fresh("n", 32), *m = fresh("m", 32), *x = fresh("x", 32);
  Exprs from = {0}, definitions = {0};
  say(&from, equal(mul(m, x), number(32, 7)));
  say(&from, equal(n, number(32, 1024)));
  say(&from, equal(m, n));
  Exprs facts = smt_reduce(&task, &from, &definitions);
  ck_assert_uint_eq(facts.count, 1);
  ck_assert_uint_eq(definitions.count, 2);
  ck_assert(!expr_mentions(&task, facts.at[0], m->symbol));
}
END_TEST

START_TEST(what_is_said_under_a_known_guard_is_said) {
  Expr *guard = fresh("guard", 1), *x = fresh("x", 32), *y = fresh("y", 32);
  Exprs from = {0}, definitions = {0};
  Expr *fact = below(x, y), *other = below(y, number(32, 9));
  say(&from, or(not(and(guard, other)), fact));
  say(&from, other);
  say(&from, guard);
  Exprs facts = smt_reduce(&task, &from, &definitions);
  ck_assert_uint_eq(facts.count, 2);
  ck_assert(facts.at[0] == fact || facts.at[1] == fact);
}
END_TEST

// ----------------------------------------------------------------- split ---

static bool has_no_model(void *data, const Exprs *formulas) {
  return !have_model(formulas, data);
}

static Expr *side_of(Expr *s, Expr *x, Expr *y, unsigned width) {
  Expr *product = mul(expr_zext(&task, s, width), expr_zext(&task, x, width));
  return add(product, expr_zext(&task, y, width));
}

static Expr *fits(Expr *s, Expr *x, Expr *y) {
  enum { ROOM = 2 * BITS + 1 };
  return below_number(side_of(s, x, y, ROOM), 1 << BITS);
}

// With some of the conditions only; `unit` times both sides.
static bool split_under(unsigned conditions, uint64_t unit) {
  Point point = {.count = 5};
  for (unsigned i = 0; i < 5; i++)
    point.symbols[i] = fresh("a", BITS);
  Expr **a = point.symbols, *s = a[0], *by = number(BITS, unit);
  Expr *needed[] = {below(a[2], s), below(a[4], s), fits(s, a[1], a[2]),
                    fits(s, a[3], a[4])};
  Exprs from = {0}, to = {0};
  for (unsigned i = 0; i < 4; i++)
    if (conditions >> i & 1)
      say(&from, needed[i]);
  say(&from, equal(mul(side_of(s, a[1], a[2], BITS), by),
                   mul(side_of(s, a[3], a[4], BITS), by)));
  Refuter refuter = {has_no_model, &point};
  bool is_split = radix_split(&task, &refuter, &from, &to);
  expect_same_models(&from, &to, &point);
  return is_split;
}

START_TEST(digits_are_split_under_all_conditions_only) {
  for (unsigned conditions = 0; conditions < 16; conditions++)
    ck_assert(split_under(conditions, 1) == (conditions == 15));
}
END_TEST

START_TEST(a_unit_that_may_wrap_is_no_unit) {
  ck_assert(!split_under(15, 2));
  ck_assert(split_under(15, 3)); // odd: it has an inverse
}
END_TEST

static bool has_a_model(void *data, const Exprs *formulas) {
  (void)data;
  (void)formulas;
  return false;
}

// There are 2^64 ways to its factors.
START_TEST(squares_of_squares_are_looked_at_once) {
  Expr *s = fresh("s", 32), *x = fresh("x", 32), *square = x;
  for (unsigned i = 0; i < 64; i++)
    square = mul(square, square);
  Exprs from = {0}, to = {0};
  say(&from, equal(add(mul(s, square), x), add(mul(s, x), square)));
  ck_assert(!radix_split(&task, &(Refuter){has_a_model, NULL}, &from, &to));
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("reduce");
  tcase_set_timeout(tc, 120);
  tcase_add_checked_fixture(tc, setup, teardown);
  tcase_add_loop_test(tc, reduced_facts_have_the_same_models, 0, 8);
  tcase_add_test(tc, a_constant_reaches_a_product);
  tcase_add_test(tc, what_is_said_under_a_known_guard_is_said);
  tcase_add_test(tc, digits_are_split_under_all_conditions_only);
  tcase_add_test(tc, a_unit_that_may_wrap_is_no_unit);
  tcase_add_test(tc, squares_of_squares_are_looked_at_once);
  return run_suite(tc, "reduce");
}
