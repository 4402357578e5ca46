// Signs go where bounds exclude negative numbers, and no model goes with them.
// Tried with all values of a few small symbols.

#include "test/unit/points.h"
#include "test/unit/suite.h"

enum { BITS = 3 };

static Expr *x, *y, *z;

static void open_symbols(void) {
  setup();
  x = fresh("x", BITS);
  y = fresh("y", BITS);
  z = fresh("z", 2 * BITS);
}

// No model is lost.
static void expect_models(const Exprs *from, const Exprs *to) {
  Point point = {.symbols = {x, y, z}, .count = 3};
  for (uint64_t all = 0; all >> bits_of(&point) == 0; all++) {
    go_to(&point, all);
    ck_assert(!hold(from, &point) || hold(to, &point));
  }
}

static const char *rewritten(Expr *fact, Expr *formula) {
  Exprs from = {0};
  push(&task.arena, &from, fact);
  push(&task.arena, &from, formula);
  Exprs none = {0}, to = smt_rewrite(&task, &from, &none);
  expect_models(&from, &to);
  return expr_text(&task, to.at[to.count - 1]);
}

static Expr *wide(Expr *a) { return expr_sext(&task, a, 2 * BITS); }

START_TEST(what_is_not_negative_is_extended_with_zeros) {
  Expr *formula = equal(wide(x), z);
  ck_assert_str_eq(rewritten(below_number(x, 4), formula), "z == zext6(x)");
  ck_assert_str_eq(rewritten(below_number(x, 5), formula), "z == sext6(x)");
  ck_assert_str_eq(rewritten(binary(EXPR_SLE, number(BITS, 0), x), formula),
                   "z == zext6(x)");
}
END_TEST

START_TEST(orders_and_quotients_of_two_that_are_not_are_plain) {
  Expr *both = and(below_number(x, 4), below_number(y, 4));
  Expr *one = below_number(x, 4);
  ck_assert_str_eq(rewritten(both, binary(EXPR_SLT, x, y)), "x <u y");
  ck_assert_str_eq(rewritten(one, binary(EXPR_SLT, y, x)), "y <s x");
  Expr *quotient = binary(EXPR_SDIV, x, y), *rest = binary(EXPR_SREM, x, y);
  ck_assert_str_eq(
      rewritten(both, equal(quotient, expr_extract(&task, z, 0, BITS))),
      "z[2:0] == x /u y");
  ck_assert_str_eq(rewritten(one, equal(rest, expr_extract(&task, z, 0, BITS))),
                   "x %s y == z[2:0]");
}
END_TEST

// In three bits the product may wrap, but for what is said of it in six.
START_TEST(a_product_is_as_small_as_in_more_bits) {
  Expr *product = mul(x, y);
  Expr *exact =
      mul(expr_zext(&task, x, 2 * BITS), expr_zext(&task, y, 2 * BITS));
  Expr *formula = equal(wide(product), z);
  ck_assert_str_eq(rewritten(below_number(exact, 4), formula),
                   "z == zext6(x * y)");
  ck_assert_str_eq(rewritten(below_number(exact, 5), formula),
                   "z == sext6(x * y)");
  Expr *other =
      mul(expr_zext(&task, x, 2 * BITS), expr_zext(&task, x, 2 * BITS));
  ck_assert_str_eq(rewritten(below_number(other, 4), formula),
                   "z == sext6(x * y)");
}
END_TEST

START_TEST(an_unknown_of_one_value_is_that) {
  Expr *formula = below(y, add(x, y));
  Expr *one = and(below_number(x, 2), differ(x, number(BITS, 0)));
  ck_assert_str_eq(rewritten(one, formula), "y <u y + 1");
  ck_assert_str_eq(rewritten(below_number(x, 2), formula), "y <u x + y");
}
END_TEST

START_TEST(a_factor_that_may_wrap_is_one_unknown) {
  Expr *factor = expr_zext(&task, mul(x, number(BITS, 3)), 2 * BITS);
  Expr *formula = equal(mul(factor, expr_zext(&task, y, 2 * BITS)), z);
  ck_assert_str_eq(rewritten(below_number(x, 3), formula),
                   "z == 3 * (zext6(y) * zext6(x))");
  ck_assert_str_eq(rewritten(below_number(x, 4), formula),
                   "z == zext6(3 * x) * zext6(y)");
}
END_TEST

static Expr *random_term(uint64_t *state, unsigned depth);

static Expr *wide_term(uint64_t *state, unsigned depth) {
  Expr *a = expr_zext(&task, random_term(state, depth), 2 * BITS);
  return binary(next_random(state) % 2 ? EXPR_SDIV : EXPR_SREM, a, z);
}

static Expr *random_term(uint64_t *state, unsigned depth) {
  switch (next_random(state) % (depth ? 7 : 3)) {
  case 0:
    return x;
  case 1:
    return y;
  case 2:
    return number(BITS, next_random(state));
  case 3:
    return binary(EXPR_SDIV, random_term(state, depth - 1),
                  random_term(state, depth - 1));
  case 4:
    return binary(EXPR_SREM, random_term(state, depth - 1),
                  random_term(state, depth - 1));
  case 5:
    return expr_extract(&task, wide_term(state, depth - 1), 0, BITS);
  }
  if (next_random(state) % 2)
    return mul(random_term(state, depth - 1), number(BITS, 3));
  return add(random_term(state, depth - 1), random_term(state, depth - 1));
}

static Expr *random_formula(uint64_t *state, unsigned depth) {
  static const ExprOp orders[] = {EXPR_SLT, EXPR_SLE, EXPR_ULT, EXPR_ULE};
  Expr *a = random_term(state, 2), *b = random_term(state, 2);
  uint64_t choice = next_random(state) % (depth ? 8 : 7);
  Expr *of_a = expr_zext(&task, a, 2 * BITS);
  Expr *of_b = expr_zext(&task, b, 2 * BITS);
  if (choice == 7)
    return or(random_formula(state, depth - 1),
              random_formula(state, depth - 1));
  if (choice > 4)
    return equal(choice == 5 ? of_a : mul(of_a, of_b), z);
  return choice == 4 ? equal(wide(a), z) : binary(orders[choice], a, b);
}

START_TEST(what_is_cut_and_fits_is_as_it_was) {
  Expr *cut = expr_extract(&task, z, 0, BITS);
  Expr *formula = below(wide(y), expr_zext(&task, cut, 2 * BITS));
  ck_assert_str_eq(rewritten(below_number(z, 8), formula), "zext6(y) <u z");
  ck_assert_str_eq(rewritten(below_number(z, 9), formula), "y <u z[2:0]");
}
END_TEST

START_TEST(no_model_is_lost) {
  uint64_t state = (uint64_t)_i + 1;
  Exprs from = {0};
  for (unsigned i = 0; i < 4; i++)
    push(&task.arena, &from, random_formula(&state, 2));
  Exprs none = {0}, to = smt_rewrite(&task, &from, &none);
  expect_models(&from, &to);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("rewrite");
  tcase_add_checked_fixture(tc, open_symbols, teardown);
  tcase_add_test(tc, what_is_not_negative_is_extended_with_zeros);
  tcase_add_test(tc, orders_and_quotients_of_two_that_are_not_are_plain);
  tcase_add_test(tc, what_is_cut_and_fits_is_as_it_was);
  tcase_add_test(tc, an_unknown_of_one_value_is_that);
  tcase_add_test(tc, a_factor_that_may_wrap_is_one_unknown);
  tcase_add_test(tc, a_product_is_as_small_as_in_more_bits);
  tcase_set_timeout(tc, 60);
  tcase_add_loop_test(tc, no_model_is_lost, 0, 40);
  return run_suite(tc, "rewrite");
}
