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

// A thread for each vector of a row, but no more than a block has.
START_TEST(what_quotients_are_made_of_takes_many_steps) {
  Expr *size = fresh_of(SYMBOL_BLOCK_SIZE, "blockDim.x", 32);
  Expr *width = fresh_of(SYMBOL_PARAMETER, "width", 32);
  Expr *vectors = binary(EXPR_UDIV, width, number(32, 4));
  Exprs formulas = {0};
  say(&formulas, at_least(vectors, 1025));
  say(&formulas, equal(size, expr_ite(&task, at_least(vectors, 1025),
                                      number(32, 1024), vectors)));
  Model *model = found(&formulas);
  ck_assert_uint_ge(solver_value(&task, model, width), 4100);
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

START_TEST(what_is_read_is_the_same_everywhere) {
  Expr *place = rounds(), *next = add(place, number(32, 1));
  Expr *read = expr_apply(&task, "row#1.32", 32, &place, 1);
  Expr *behind = expr_apply(&task, "row#1.32", 32, &next, 1);
  Exprs formulas = {0};
  say(&formulas, at_least(place, 9));
  say(&formulas, at_least(read, 70));
  found(&formulas);
  say(&formulas, equal(behind, add(read, number(32, 7))));
  ck_assert(!is_found(&formulas));
}
END_TEST

START_TEST(what_is_computed_of_two_numbers_may_differ) {
  Expr *numbers[] = {rounds(), rounds()}, *roots[2];
  Exprs formulas = {0};
  for (unsigned i = 0; i < 2; i++) {
    roots[i] = expr_apply(&task, "sqrt", 32, &numbers[i], 1);
    say(&formulas, at_least(numbers[i], 9));
  }
  say(&formulas, differ(roots[0], roots[1]));
  found(&formulas);
  say(&formulas, equal(numbers[0], numbers[1]));
  ck_assert(!is_found(&formulas));
}
END_TEST

START_TEST(neither_of_two_is_two_conditions) {
  Expr *a = rounds(), *b = rounds();
  Exprs formulas = {0};
  Expr *either = expr_or(&task, below_number(a, 4), below_number(b, 6));
  say(&formulas, expr_not(&task, either));
  Model *model = found(&formulas);
  ck_assert_uint_ge(solver_value(&task, model, b), 6);
}
END_TEST

// One is moved away from the other and then, by something else, to its place.
START_TEST(two_threads_come_to_one_place_in_two_ways) {
  Expr *pitch = fresh_of(SYMBOL_PARAMETER, "pitch", 32);
  Expr *x[2], *y[2], *place[2];
  Exprs formulas = {0};
  for (unsigned i = 0; i < 2; i++) {
    x[i] = fresh_of(SYMBOL_THREAD_ID, i ? "x$2" : "x$1", 32);
    y[i] = fresh_of(SYMBOL_THREAD_ID, i ? "y$2" : "y$1", 32);
    place[i] = add(x[i], mul(y[i], add(pitch, number(32, 1))));
    say(&formulas, below_number(x[i], 16));
  }
  say(&formulas, differ(y[0], y[1]));
  say(&formulas, equal(place[0], place[1]));
  found(&formulas);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("trial");
  tcase_add_checked_fixture(tc, open_solver, teardown);
  tcase_add_test(tc, loops_go_round_as_often_as_they_have_to);
  tcase_add_test(tc, what_quotients_are_made_of_takes_many_steps);
  tcase_add_test(tc, what_is_wider_than_a_number_has_to_hold);
  tcase_add_test(tc, what_is_read_is_the_same_everywhere);
  tcase_add_test(tc, what_is_computed_of_two_numbers_may_differ);
  tcase_add_test(tc, neither_of_two_is_two_conditions);
  tcase_add_test(tc, two_threads_come_to_one_place_in_two_ways);
  return run_suite(tc, "trial");
}
