// Sums without carry: what is said of them is true for all values, and it is
// said of those sums that do not wrap.

#include "test/unit/formula.h"
#include "test/unit/suite.h"

enum { BITS = 5 };

typedef struct Point {
  Expr *x, *y;
  uint64_t values[2];
} Point;

static uint64_t value_at(const Symbol *symbol, void *data) {
  const Point *point = data;
  return point->values[symbol->expr == point->y];
}

static bool holds(const Expr *formula, Point *point) {
  Valuation valuation = {value_at, NULL, point};
  return expr_evaluate(&task, &valuation, formula);
}

static Exprs lemmas_of(Expr *formula) {
  Exprs formulas = {0}, lemmas = {0};
  say(&formulas, formula);
  carry_lemmas(&task, &formulas, &lemmas);
  return lemmas;
}

static void check_everywhere(Point *point, const Exprs *lemmas) {
  for (uint64_t all = 0; all >> 2 * BITS == 0; all++) {
    point->values[0] = all & ((1 << BITS) - 1);
    point->values[1] = all >> BITS;
    for (size_t i = 0; i < lemmas->count; i++)
      ck_assert_msg(holds(lemmas->at[i], point), "%s",
                    expr_text(&task, lemmas->at[i]));
  }
}

START_TEST(lemmas_are_true_of_all_values) {
  Point point = {.x = fresh("x", BITS), .y = fresh("y", BITS)};
  Expr *sums[] = {add(point.x, point.y), add(point.x, number(BITS, 7)),
                  add(point.y, mul(point.x, number(BITS, 3)))};
  for (int i = 0; i < 3; i++) {
    Exprs lemmas = lemmas_of(binary(EXPR_ULE, point.x, sums[i]));
    ck_assert_uint_eq(lemmas.count, 1);
    check_everywhere(&point, &lemmas);
  }
}
END_TEST

START_TEST(a_lemma_says_that_the_sum_is_exact) {
  Point point = {.x = fresh("x", BITS), .y = fresh("y", BITS)};
  Expr *sum = add(point.x, point.y);
  Expr *fact = binary(EXPR_ULE, point.x, sum);
  Exprs lemmas = lemmas_of(fact);
  Expr *exact = equal(expr_zext(&task, sum, BITS + 1),
                      add(expr_zext(&task, point.x, BITS + 1),
                          expr_zext(&task, point.y, BITS + 1)));
  ck_assert_ptr_eq(lemmas.at[0], expr_implies(&task, fact, exact));
}
END_TEST

START_TEST(other_comparisons_say_nothing) {
  Expr *x = fresh("x", BITS), *y = fresh("y", BITS);
  ck_assert_uint_eq(lemmas_of(binary(EXPR_ULE, x, y)).count, 0);
  ck_assert_uint_eq(lemmas_of(binary(EXPR_SLE, x, add(x, y))).count, 0);
  ck_assert_uint_eq(lemmas_of(equal(x, add(y, number(BITS, 1)))).count, 0);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("carry");
  tcase_add_checked_fixture(tc, setup, teardown);
  tcase_add_test(tc, lemmas_are_true_of_all_values);
  tcase_add_test(tc, a_lemma_says_that_the_sum_is_exact);
  tcase_add_test(tc, other_comparisons_say_nothing);
  return run_suite(tc, "carry");
}
