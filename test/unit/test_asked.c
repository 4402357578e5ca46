// Of the same formulas the same is known, and nothing of others.

#include "test/unit/formula.h"
#include "test/unit/suite.h"

static Solver *solver;

static void open_solver(void) {
  setup();
  solver = solver_open(&task, 0);
}

START_TEST(what_was_told_is_told_again) {
  Expr *x = fresh("x", 32), *y = fresh("y", 32);
  Exprs below_y = {0}, below_x = {0};
  bool is_refuted = false;
  say(&below_y, below(x, y));
  say(&below_x, below(y, x));
  ck_assert(!asked_before(solver, &below_y, &is_refuted));
  asked_note(&task, solver, &below_y, true);
  ck_assert(asked_before(solver, &below_y, &is_refuted));
  ck_assert(is_refuted);
  ck_assert(!asked_before(solver, &below_x, &is_refuted));
  asked_note(&task, solver, &below_x, false);
  ck_assert(asked_before(solver, &below_x, &is_refuted));
  ck_assert(!is_refuted);
}
END_TEST

START_TEST(one_formula_more_is_another_question) {
  Expr *x = fresh("x", 32), *y = fresh("y", 32);
  Exprs formulas = {0};
  bool is_refuted = false;
  say(&formulas, below(x, y));
  asked_note(&task, solver, &formulas, false);
  say(&formulas, below(y, x));
  ck_assert(!asked_before(solver, &formulas, &is_refuted));
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("asked");
  tcase_add_checked_fixture(tc, open_solver, teardown);
  tcase_add_test(tc, what_was_told_is_told_again);
  tcase_add_test(tc, one_formula_more_is_another_question);
  return run_suite(tc, "asked");
}
