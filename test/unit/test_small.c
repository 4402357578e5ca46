// What is fixed to plain numbers has no models but those of the formulas, and
// no products of unknowns where an argument is a factor.

#include "test/unit/formula.h"
#include "test/unit/suite.h"

static Expr *argument(const char *name) {
  return fresh_of(SYMBOL_PARAMETER, name, 32);
}

static bool has_product(const Exprs *formulas) {
  Exprs order = {0};
  ExprMap *seen = expr_map_new(&task);
  for (size_t i = 0; i < formulas->count; i++)
    expr_order(&task, formulas->at[i], seen, &order);
  for (size_t i = 0; i < order.count; i++)
    if (order.at[i]->op == EXPR_MUL && !expr_is_const(order.at[i]->args[1]))
      return true;
  return false;
}

static Exprs fixed(Expr *formula, unsigned variant, bool expected) {
  Exprs from = {0}, to = {0};
  push(&task.arena, &from, formula);
  ck_assert(smt_fix(&task, variant, &from, &to) == expected);
  return to;
}

START_TEST(one_factor_of_a_product_is_a_number) {
  Expr *width = argument("width"), *row = argument("row");
  Expr *x = fresh("x", 32);
  Expr *index = add(mul(width, row), x);
  Expr *twice = mul(width, x);
  for (unsigned i = 0; i < SMT_VARIANTS; i++) {
    Exprs to = fixed(expr_eq(&task, index, twice), i, true);
    ck_assert(!has_product(&to));
    ck_assert(expr_mentions(&task, to.at[0], row->symbol));
    ck_assert(!expr_mentions(&task, to.at[0], width->symbol));
  }
}
END_TEST

// A model tells what the number is: else it is none of the formulas.
START_TEST(what_is_fixed_is_said) {
  Expr *width = argument("width"), *row = argument("row");
  Expr *known = number(32, 64);
  Exprs to = fixed(expr_eq(&task, mul(width, row), known), 0, true);
  Expr *says = expr_eq(&task, width, known),
       *other = expr_eq(&task, row, known);
  bool is_said = false;
  for (size_t i = 0; i < to.count; i++)
    is_said |= to.at[i] == says || to.at[i] == other;
  ck_assert(is_said);
}
END_TEST

// Launches have n / 128 blocks, of which there are some.
START_TEST(an_argument_may_be_as_large_as_some_blocks) {
  Expr *width = argument("width"), *row = argument("row");
  Expr *blocks = binary(EXPR_UDIV, width, number(32, 128));
  Expr *is_launched = differ(blocks, number(32, 0));
  Expr *is_above = binary(EXPR_ULT, row, mul(width, row));
  bool is_possible = false;
  for (unsigned i = 0; i < SMT_VARIANTS; i++) {
    Exprs to = fixed(expr_and(&task, is_launched, is_above), i, true);
    is_possible |= !expr_is_false(to.at[0]);
  }
  ck_assert(is_possible);
}
END_TEST

static Expr *read_at(Expr *place) {
  return expr_apply(&task, "row#1.32", 32, &place, 1);
}

// Also those that are no factors: there may be one place for both.
START_TEST(all_that_is_read_of_an_array_is_one_number) {
  Expr *here = read_at(argument("i")), *there = read_at(argument("j"));
  Expr *near = binary(EXPR_ULT, mul(here, here), number(32, 9));
  Expr *lower = binary(EXPR_ULT, there, here);
  for (unsigned i = 0; i < SMT_VARIANTS; i++) {
    Exprs to = fixed(expr_and(&task, near, lower), i, true);
    ck_assert(expr_is_false(to.at[0]));
  }
}
END_TEST

// A formula is one node however many ways lead to it: here 2^64.
START_TEST(what_is_shared_is_looked_at_once) {
  Expr *e = read_at(argument("i"));
  for (unsigned i = 0; i < 64; i++)
    e = binary(EXPR_XOR, e, add(mul(e, number(32, 5)), number(32, 1)));
  Exprs to = fixed(binary(EXPR_ULT, mul(e, e), number(32, 9)), 0, true);
  ck_assert(!has_product(&to));
}
END_TEST

START_TEST(without_products_and_sizes_nothing_is_fixed) {
  Expr *n = argument("n"), *x = fresh("x", 32);
  fixed(binary(EXPR_ULT, x, n), 0, false);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("small");
  tcase_add_checked_fixture(tc, setup, teardown);
  tcase_add_test(tc, one_factor_of_a_product_is_a_number);
  tcase_add_test(tc, what_is_fixed_is_said);
  tcase_add_test(tc, an_argument_may_be_as_large_as_some_blocks);
  tcase_add_test(tc, all_that_is_read_of_an_array_is_one_number);
  tcase_add_test(tc, what_is_shared_is_looked_at_once);
  tcase_add_test(tc, without_products_and_sizes_nothing_is_fixed);
  return run_suite(tc, "small");
}
