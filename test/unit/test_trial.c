// Plain numbers are tried until all formulas hold; that they do the solver
// says.

#include "test/unit/formula.h"
#include "test/unit/suite.h"

static Solver *solver;

static void open_solver(void) {
  setup();
  solver = solver_open(&task, 0);
}

static Expr *rounds(void) { return fresh_of(SYMBOL_ITERATION, "rounds", 32); }

static Expr *at_least(Expr *e, uint64_t number_) {
  return binary(EXPR_ULE, number(e->width, number_), e);
}

static Model *found(const Exprs *formulas) {
  Model *model = NULL;
  ck_assert(smt_try(&task, solver, formulas, &model));
  for (size_t i = 0; i < formulas->count; i++)
    ck_assert(solver_value(&task, model, formulas->at[i]));
  return model;
}

static bool is_found(const Exprs *formulas) {
  return smt_try(&task, solver, formulas, NULL);
}

// Behind loops that went round as often as they had to.
START_TEST(loops_go_round_as_often_as_they_have_to) {
  Expr *blocks = fresh_of(SYMBOL_GRID_SIZE, "gridDim.x", 32);
  Expr *id = fresh_of(SYMBOL_BLOCK_ID, "blockIdx.x", 32);
  Expr *count = rounds(), *halves = rounds(), *steps = rounds();
  Expr *heads = fresh_of(SYMBOL_PARAMETER, "heads", 32);
  Exprs formulas = {0};
  say(&formulas, below(id, blocks));
  say(&formulas, differ(binary(EXPR_UDIV, blocks, heads), number(32, 0)));
  say(&formulas,
      and(at_least(count, 32),
          equal(binary(EXPR_LSHR, number(32, 16), halves), number(32, 0))));
  say(&formulas, at_least(add(id, mul(number(32, 128), steps)), 300));
  Model *model = found(&formulas);
  ck_assert_uint_eq(solver_value(&task, model, id), 0);
  say(&formulas, below_number(count, 32));
  ck_assert(!is_found(&formulas));
}
END_TEST

START_TEST(what_is_wider_than_a_number_has_to_hold) {
  Expr *count = rounds(), *wide = expr_zext(&task, count, 70);
  Exprs formulas = {0};
  say(&formulas, at_least(count, 5));
  say(&formulas, below(wide, expr_zext(&task, number(32, 7), 70)));
  found(&formulas);
  say(&formulas,
      equal(add(wide, wide), expr_zext(&task, fresh("twice", 32), 70)));
  found(&formulas);
  say(&formulas, below(add(wide, wide), expr_zext(&task, number(32, 3), 70)));
  ck_assert(!is_found(&formulas));
}
END_TEST

START_TEST(all_that_is_read_is_zero) {
  Expr *place = rounds();
  Expr *read = expr_apply(&task, "row#1.32", 32, &place, 1);
  Exprs formulas = {0};
  say(&formulas, at_least(place, 9));
  say(&formulas, below_number(read, 4));
  found(&formulas);
  say(&formulas, at_least(read, 1));
  ck_assert(!is_found(&formulas));
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("trial");
  tcase_add_checked_fixture(tc, open_solver, teardown);
  tcase_add_test(tc, loops_go_round_as_often_as_they_have_to);
  tcase_add_test(tc, what_is_wider_than_a_number_has_to_hold);
  tcase_add_test(tc, all_that_is_read_is_zero);
  return run_suite(tc, "trial");
}
