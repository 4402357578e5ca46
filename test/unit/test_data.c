// A query without what threads read is no stronger, and says what it said of
// the threads.

#include "test/unit/points.h"
#include "test/unit/suite.h"

enum { BITS = 3 };

static Expr *thread, *size, *data;
static Point point;

static void open_symbols(void) {
  setup();
  thread = fresh_of(SYMBOL_THREAD_ID, "threadIdx.x", BITS);
  size = fresh_of(SYMBOL_PARAMETER, "n", BITS);
  data = fresh_of(SYMBOL_LOAD, "loaded value", BITS);
  point = (Point){{thread, size, data}, {0}, 3};
}

// Beside so much of it that it is worth while.
static Expr *weaker(Expr *formula) {
  enum { MANY = 64 };
  Exprs formulas = {0}, rest = {0};
  Expr *much = data;
  for (unsigned i = 0; i < MANY; i++)
    much = binary(EXPR_XOR, mul(much, data), add(much, number(BITS, i % 5)));
  say(&formulas, formula);
  say(&formulas, below(thread, much));
  ck_assert(smt_without_data(&task, &formulas, &rest));
  ck_assert_uint_eq(rest.count, 2);
  return rest.at[0];
}

static void expect_no_stronger(Expr *formula) {
  Expr *weak = weaker(formula);
  ck_assert(!expr_mentions(&task, weak, data->symbol));
  for (uint64_t all = 0; all >> bits_of(&point) == 0; all++) {
    go_to(&point, all);
    if (value_of(formula, &point) && !value_of(weak, &point))
      ck_abort_msg("%s is not %s", expr_text(&task, formula),
                   expr_text(&task, weak));
  }
}

static Expr *look(void) { return below(data, size); }
static Expr *guard(void) { return below(thread, size); }

START_TEST(a_comparison_of_data_is_left_open) {
  expect_no_stronger(look());
  expect_no_stronger(not(look()));
}
END_TEST

START_TEST(so_it_is_in_connectives) {
  expect_no_stronger(and(guard(), look()));
  expect_no_stronger(or(guard(), look()));
  expect_no_stronger(not(and(guard(), look())));
  expect_no_stronger(not(or(guard(), look())));
  expect_no_stronger(not(and(guard(), not(look()))));
}
END_TEST

START_TEST(so_it_is_in_choices) {
  Expr *other = equal(thread, data), *third = equal(thread, size);
  expect_no_stronger(expr_ite(&task, look(), guard(), third));
  expect_no_stronger(expr_ite(&task, guard(), look(), third));
  expect_no_stronger(expr_ite(&task, guard(), third, look()));
  expect_no_stronger(not(expr_ite(&task, look(), other, third)));
  expect_no_stronger(not(expr_ite(&task, look(), third, other)));
}
END_TEST

START_TEST(what_all_ways_say_stays) {
  Expr *one = and(guard(), look()), *other = and(guard(), equal(data, thread));
  ck_assert_ptr_eq(weaker(or(one, other)), guard());
  ck_assert_ptr_eq(weaker(guard()), guard());
}
END_TEST

START_TEST(a_little_data_is_left_to_solvers) {
  Exprs formulas = {0}, rest = {0};
  say(&formulas, and(guard(), look()));
  ck_assert(!smt_without_data(&task, &formulas, &rest));
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("data");
  tcase_add_checked_fixture(tc, open_symbols, teardown);
  tcase_add_test(tc, a_comparison_of_data_is_left_open);
  tcase_add_test(tc, so_it_is_in_connectives);
  tcase_add_test(tc, so_it_is_in_choices);
  tcase_add_test(tc, what_all_ways_say_stays);
  tcase_add_test(tc, a_little_data_is_left_to_solvers);
  return run_suite(tc, "data");
}
