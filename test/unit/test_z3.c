// What we ask of Z3: operators that mean what ours mean, answers in time, and
// errors that end a task and not the process.

#define _POSIX_C_SOURCE 200809L

#include "smt/z3_terms.h"
#include "test/unit/formula.h"
#include "test/unit/suite.h"

#include <stdlib.h>
#include <string.h>

static Solver *solver;

static void open_solver(void) {
  setup();
  solver = solver_open(&task, 0);
}

static Answer ask(const Exprs *formulas, Model **model) {
  return solver_check(&task, solver, formulas, 20000, model);
}

static Answer ask_one(Expr *formula) {
  Exprs formulas = {0};
  say(&formulas, formula);
  return ask(&formulas, NULL);
}

// ------------------------------------------------------------- operators ---

typedef struct Point {
  const Expr *a;
  uint64_t value[2];
} Point;

static uint64_t value_at(const Symbol *symbol, void *data) {
  const Point *point = data;
  return point->value[symbol->expr != point->a];
}

static uint64_t value_of(const Expr *e, Point *point) {
  Valuation valuation = {.value_of = value_at, .data = point};
  return expr_evaluate(&task, &valuation, e);
}

static uint64_t some_value(uint64_t *state, unsigned width) {
  uint64_t value = next_random(state) << 33 ^ next_random(state) << 8;
  switch (next_random(state) % 4) {
  case 0:
    value = next_random(state) % 3;
    break;
  case 1:
    value = UINT64_MAX - next_random(state) % 3;
    break;
  }
  return width < 64 ? value & ((UINT64_C(1) << width) - 1) : value;
}

static bool is_binary(ExprOp op) { return op >= EXPR_ADD && op <= EXPR_SLE; }

// "If a and b have these values, e has not the value that it has."
static Expr *misfit(Expr *a, Expr *b, Expr *e, Point *point) {
  Expr *at = and(equal(a, number(a->width, point->value[0])),
                 equal(b, number(b->width, point->value[1])));
  return and(at, differ(e, number(e->width, value_of(e, point))));
}

START_TEST(operators_have_the_values_that_expr_evaluate_gives) {
  const unsigned widths[] = {1, 2, 7, 32, 64};
  unsigned width = widths[_i];
  uint64_t state = width;
  Expr *a = fresh("a", width), *b = fresh("b", width);
  for (int op = 0; op < EXPR_OPS; op++) {
    if (!is_binary((ExprOp)op))
      continue;
    Expr *e = binary((ExprOp)op, a, b);
    for (int i = 0; i < 8; i++) {
      Point point = {a, {some_value(&state, width), some_value(&state, width)}};
      ck_assert_msg(ask_one(misfit(a, b, e, &point)) == ANSWER_NO_MODEL,
                    "%s, %u bits", expr_op_text((ExprOp)op), width);
    }
  }
}
END_TEST

START_TEST(parts_have_the_values_that_expr_evaluate_gives) {
  uint64_t state = 3;
  Expr *a = fresh("a", 16), *b = fresh("b", 1);
  Expr *parts[] = {
      expr_extract(&task, a, 3, 5),
      expr_extract(&task, a, 15, 1),
      expr_zext(&task, a, 40),
      expr_sext(&task, a, 40),
      expr_zext(&task, b, 9),
      expr_sext(&task, b, 9),
      expr_concat(&task, a, b),
      expr_concat(&task, b, a),
      not(a),
      not(b),
      expr_ite(&task, b, a, not(a)),
  };
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    for (int k = 0; k < 8; k++) {
      Point point = {a, {some_value(&state, 16), some_value(&state, 1)}};
      ck_assert_msg(ask_one(misfit(a, b, parts[i], &point)) == ANSWER_NO_MODEL,
                    "part %zu", i);
    }
}
END_TEST

START_TEST(functions_are_functions_and_nothing_else_is_known_of_them) {
  Expr *x = fresh("x", 32), *y = fresh("y", 32);
  Expr *fx = expr_apply(&task, "f", 8, &x, 1);
  Expr *fy = expr_apply(&task, "f", 8, &y, 1);
  ck_assert_int_eq(ask_one(and(equal(x, y), differ(fx, fy))), ANSWER_NO_MODEL);
  ck_assert_int_eq(ask_one(and(differ(x, y), equal(fx, fy))), ANSWER_MODEL);
  Expr *args[] = {x, y};
  Expr *fxy = expr_apply(&task, "f", 8, args, 2);
  ck_assert_int_eq(ask_one(differ(fx, fxy)), ANSWER_MODEL);
}
END_TEST

// ---------------------------------------------------------------- models ---

START_TEST(a_model_gives_values_also_of_what_was_not_asked) {
  Expr *x = fresh("x", 32), *other = fresh("other", 64);
  Exprs formulas = {0};
  say(&formulas, equal(mul(x, x), number(32, 49)));
  say(&formulas, below_number(x, 10));
  Model *model = NULL;
  ck_assert_int_eq(ask(&formulas, &model), ANSWER_MODEL);
  ck_assert_uint_eq(solver_value(&task, model, x), 7);
  ck_assert_uint_eq(solver_value(&task, model, add(x, x)), 14);
  ck_assert_uint_eq(solver_value(&task, model, below_number(x, 8)), 1);
  ck_assert_uint_eq(solver_value(&task, model, other), 0);
}
END_TEST

START_TEST(symbols_of_one_name_are_two) {
  Expr *x = fresh("x", 32), *y = fresh("x", 32);
  ck_assert_int_eq(ask_one(differ(x, y)), ANSWER_MODEL);
}
END_TEST

START_TEST(expressions_may_be_deeper_than_the_stack) {
  Expr *deep = fresh("x", 32), *y = fresh("y", 32);
  for (int i = 0; i < 20000; i++)
    deep = binary(i % 2 ? EXPR_XOR : EXPR_OR, add(deep, number(32, 3)), y);
  Exprs formulas = {0};
  say(&formulas, equal(deep, y));
  ck_assert_int_eq(solver_check(&task, solver, &formulas, 0, NULL),
                   ANSWER_UNKNOWN);
  ck_assert_int_eq(
      solver_check_integers(&task, solver, &formulas, &(Exprs){0}, 0, 0),
      ANSWER_UNKNOWN);
}
END_TEST

// ---------------------------------------------------------------- limits ---

// A product of two primes, to be found by search.
static Exprs hard_formulas(void) {
  Expr *p = fresh("p", 128), *q = fresh("q", 128);
  Exprs formulas = {0};
  for (int i = 0; i < 2; i++) {
    Expr *factor = i ? p : q;
    say(&formulas, below(number(128, 1), factor));
    say(&formulas, below_number(factor, UINT64_C(1) << 32));
  }
  say(&formulas,
      equal(mul(p, q), number(128, UINT64_C(3121238909) * 2654435789)));
  return formulas;
}

START_TEST(an_answer_that_takes_too_much_is_unknown) {
  Exprs formulas = hard_formulas();
  ck_assert_int_eq(solver_check(&task, solver, &formulas, 50, NULL),
                   ANSWER_UNKNOWN);
  ck_assert_double_ge(solver->effort, 50);
  ck_assert_double_lt(solver->effort, 100);
}
END_TEST

// Whatever the machine does meanwhile.
START_TEST(effort_is_the_same_each_time) {
  Exprs formulas = hard_formulas();
  double effort[3] = {0};
  for (int i = 0; i < 3; i++) {
    double before = solver->effort;
    solver_check(&task, solver, &formulas, 50, NULL);
    effort[i] = solver->effort - before;
  }
  ck_assert_double_eq(effort[1], effort[2]);
}
END_TEST

// Two primes, which take Z3 long.
static Z3_solver hard_solver(Z3_context z3) {
  Z3_solver hard = Z3_mk_simple_solver(z3);
  Z3_solver_inc_ref(z3, hard);
  Z3_solver_from_string(
      z3, hard,
      "(declare-const p (_ BitVec 96)) (declare-const q (_ BitVec 96))"
      "(assert (bvult (_ bv1 96) p)) (assert (bvult p (_ bv4294967296 96)))"
      "(assert (bvult (_ bv1 96) q)) (assert (bvult q (_ bv4294967296 96)))"
      "(assert (= (bvmul p q) (_ bv8285128266068914201 96)))");
  ck_assert_msg(!z3_failure(z3_of(solver)), "the formulas do not parse");
  return hard;
}

// Without the timer that Z3 has of its own; and what comes next is answered.
static void stops(double limit, double deadline) {
  Z3_context z3 = z3_of(solver)->z3;
  Z3_solver hard = hard_solver(z3);
  double start = work_seconds();
  task.deadline = start + deadline;
  Z3_lbool answer = z3_watched_check(&task, z3_of(solver), hard, limit);
  ck_assert_int_eq(answer, Z3_L_UNDEF);
  ck_assert_double_lt(work_seconds() - start, 5);
  Z3_solver_dec_ref(z3, hard);
}

START_TEST(a_check_ends_although_z3_has_no_timer) { stops(1e9, 0.05); }
END_TEST

START_TEST(a_stopped_check_spoils_no_other) {
  Expr *x = fresh("x", 32);
  Exprs formulas = {0};
  say(&formulas, below(x, number(32, 10)));
  for (int i = 0; i < 10; i++) {
    stops(0.02, 1e9);
    ck_assert_int_eq(ask(&formulas, NULL), ANSWER_MODEL);
  }
}
END_TEST

// Z3 keeps it for the next check, which then knows no formula.
START_TEST(a_stop_that_comes_too_late_stops_nothing) {
  Z3_context z3 = z3_of(solver)->z3;
  Z3_sort whole = Z3_mk_int_sort(z3);
  Z3_interrupt(z3);
  z3_take_late_stop(z3);
  Z3_solver none = Z3_mk_simple_solver(z3);
  Z3_solver_inc_ref(z3, none);
  Z3_ast x = Z3_mk_const(z3, Z3_mk_string_symbol(z3, "x"), whole);
  Z3_inc_ref(z3, x);
  Z3_solver_assert(z3, none, Z3_mk_gt(z3, x, Z3_mk_int(z3, 3, whole)));
  Z3_solver_assert(z3, none, Z3_mk_lt(z3, x, Z3_mk_int(z3, 2, whole)));
  ck_assert_int_eq(Z3_solver_check(z3, none), Z3_L_FALSE);
  Z3_dec_ref(z3, x);
  Z3_solver_dec_ref(z3, none);
}
END_TEST

START_TEST(the_tasks_deadline_holds_too) {
  Exprs formulas = hard_formulas();
  task.deadline = work_seconds() + 0.05;
  ck_assert_int_eq(ask(&formulas, NULL), ANSWER_UNKNOWN);
  ck_assert_int_eq(ask(&formulas, NULL), ANSWER_UNKNOWN);
  ck_assert_double_lt(work_seconds() - task.deadline, 5);
}
END_TEST

START_TEST(without_memory_there_is_no_answer_and_the_next_task_has_one) {
  Task poor = {0};
  Task saved = task;
  task = poor;
  solver = solver_open(&task, 32);
  Expr *x = fresh("x", 512), *y = fresh("y", 512);
  Exprs formulas = {0};
  say(&formulas, below(number(512, 1), x));
  say(&formulas, below(x, y));
  say(&formulas, equal(mul(mul(x, y), y), mul(add(x, y), x)));
  double start = work_seconds();
  ck_assert_int_eq(ask(&formulas, NULL), ANSWER_UNKNOWN);
  ck_assert_double_lt(work_seconds() - start, 10); // not for want of time
  arena_free(&task.arena);
  task = saved;
  solver = solver_open(&task, 0);
  Expr *z = fresh("z", 32);
  ck_assert_int_eq(ask_one(differ(z, z)), ANSWER_NO_MODEL);
  ck_assert_int_eq(ask_one(below_number(z, 3)), ANSWER_MODEL);
}
END_TEST

// -------------------------------------------------------------- integers ---

static Answer ask_integers(const Exprs *formulas) {
  return solver_check_integers(&task, solver, formulas, &(Exprs){0}, 0, 20000);
}

START_TEST(integers_refute_sums) {
  Expr *t[2], *b[2], *cell[2];
  Exprs formulas = {0};
  for (int i = 0; i < 2; i++) {
    t[i] = fresh("t", 32);
    b[i] = fresh("b", 32);
    say(&formulas, below_number(t[i], 256));
    say(&formulas, below_number(b[i], 65535));
    cell[i] = expr_sext(&task, add(mul(b[i], number(32, 256)), t[i]), 64);
  }
  say(&formulas, differ(b[0], b[1]));
  say(&formulas, equal(cell[0], cell[1]));
  ck_assert_int_eq(ask_integers(&formulas), ANSWER_NO_MODEL);
  formulas.at[0] = below_number(t[0], 257);
  ck_assert_int_eq(ask_integers(&formulas), ANSWER_MODEL);
}
END_TEST

// t + 64 * b + 4032 * k of two threads, with b below `most`.
static Exprs equal_places(uint64_t most) {
  Expr *b[2], *place[2];
  Exprs formulas = {0};
  for (int i = 0; i < 2; i++) {
    Expr *t = fresh("t", 64), *k = fresh("k", 64);
    b[i] = fresh("b", 64);
    say(&formulas, below_number(t, 64));
    say(&formulas, below_number(b[i], most));
    say(&formulas, below_number(k, UINT64_C(1) << 50));
    place[i] = add(add(t, mul(b[i], number(64, 64))), mul(k, number(64, 4032)));
  }
  say(&formulas, differ(b[0], b[1]));
  say(&formulas, equal(place[0], place[1]));
  return formulas;
}

START_TEST(integers_compare_sums_digit_by_digit) {
  Exprs formulas = equal_places(63);
  ck_assert_int_eq(ask_integers(&formulas), ANSWER_NO_MODEL);
}
END_TEST

START_TEST(digits_that_overlap_do_not_refute) {
  Exprs formulas = equal_places(64);
  ck_assert_int_eq(ask_integers(&formulas), ANSWER_MODEL);
}
END_TEST

static Expr *random_vector(uint64_t *state, Expr **leaves, unsigned depth);

static Expr *random_boolean(uint64_t *state, Expr **leaves, unsigned depth) {
  static const ExprOp ops[] = {EXPR_EQ, EXPR_ULT, EXPR_ULE, EXPR_SLT, EXPR_SLE};
  Expr *a = random_vector(state, leaves, depth);
  Expr *b = random_vector(state, leaves, depth);
  Expr *e = binary(ops[next_random(state) % 5], a, b);
  return next_random(state) % 3 ? e : not(e);
}

// Of 6 bits, over unknowns of 6, 4 and 9.
static Expr *random_vector(uint64_t *state, Expr **leaves, unsigned depth) {
  unsigned choice = (unsigned)next_random(state);
  if (depth == 0) {
    static const uint64_t values[] = {0, 1, 2, 3, 5, 8, 31, 32, 60, 63};
    return choice % 4 ? leaves[choice / 4 % 4]
                      : number(6, values[choice / 4 % 10]);
  }
  Expr *a = random_vector(state, leaves, depth - 1);
  Expr *b = random_vector(state, leaves, depth - 1);
  switch (choice % 8) {
  case 0:
    return expr_ite(&task, random_boolean(state, leaves, 0), a, b);
  case 1:
    return expr_extract(&task, mul(expr_zext(&task, a, 12), number(12, 37)),
                        choice / 8 % 7, 6);
  case 2:
    return expr_extract(&task, expr_sext(&task, add(a, b), 11), choice / 8 % 6,
                        6);
  case 3:
    return expr_sext(&task, expr_extract(&task, a, choice / 8 % 4, 3), 6);
  case 4:
    return expr_concat(&task, expr_extract(&task, a, choice / 8 % 4, 3),
                       expr_extract(&task, b, choice / 64 % 4, 3));
  }
  ExprOp op = (ExprOp)(EXPR_ADD + choice / 8 % (EXPR_ASHR - EXPR_ADD + 1));
  return binary(op, a, next_random(state) % 2 ? b : number(6, choice / 256));
}

START_TEST(integers_never_refute_what_has_a_model) {
  uint64_t state = (uint64_t)_i;
  Expr *six = fresh("a", 6), *four = fresh("b", 4), *nine = fresh("c", 9);
  Expr *leaves[] = {six, expr_zext(&task, four, 6), expr_sext(&task, four, 6),
                    expr_extract(&task, nine, 0, 6)};
  unsigned refuted = 0;
  for (int i = 0; i < 60; i++) {
    Exprs formulas = {0};
    for (int k = 0; k < 3; k++)
      say(&formulas, random_boolean(&state, leaves, 2));
    if (ask_integers(&formulas) != ANSWER_NO_MODEL)
      continue;
    refuted++;
    ck_assert_int_eq(ask(&formulas, NULL), ANSWER_NO_MODEL);
  }
  ck_assert_uint_gt(refuted, 0);
}
END_TEST

// -------------------------------------------------------------- printing ---

START_TEST(a_query_is_printed_as_a_script) {
  Expr *x = fresh("x", 32);
  Exprs formulas = {0};
  say(&formulas, below_number(x, 10));
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  solver_print(&task, solver, &formulas, out);
  fclose(out);
  ck_assert_ptr_nonnull(strstr(text, "(set-logic QF_BV)"));
  ck_assert_ptr_nonnull(strstr(text, "(declare-fun x"));
  ck_assert_ptr_nonnull(strstr(text, "(assert "));
  ck_assert_ptr_nonnull(strstr(text, "(check-sat)"));
  free(text);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("z3");
  tcase_set_timeout(tc, 120);
  tcase_add_checked_fixture(tc, open_solver, teardown);
  tcase_add_loop_test(tc, operators_have_the_values_that_expr_evaluate_gives, 0,
                      5);
  tcase_add_test(tc, parts_have_the_values_that_expr_evaluate_gives);
  tcase_add_test(tc, functions_are_functions_and_nothing_else_is_known_of_them);
  tcase_add_test(tc, a_model_gives_values_also_of_what_was_not_asked);
  tcase_add_test(tc, symbols_of_one_name_are_two);
  tcase_add_test(tc, expressions_may_be_deeper_than_the_stack);
  tcase_add_test(tc, an_answer_that_takes_too_much_is_unknown);
  tcase_add_test(tc, effort_is_the_same_each_time);
  tcase_add_test(tc, a_check_ends_although_z3_has_no_timer);
  tcase_add_test(tc, a_stopped_check_spoils_no_other);
  tcase_add_test(tc, a_stop_that_comes_too_late_stops_nothing);
  tcase_add_test(tc, the_tasks_deadline_holds_too);
  tcase_add_test(tc,
                 without_memory_there_is_no_answer_and_the_next_task_has_one);
  tcase_add_test(tc, integers_refute_sums);
  tcase_add_test(tc, integers_compare_sums_digit_by_digit);
  tcase_add_test(tc, digits_that_overlap_do_not_refute);
  tcase_add_loop_test(tc, integers_never_refute_what_has_a_model, 0, 6);
  tcase_add_test(tc, a_query_is_printed_as_a_script);
  return run_suite(tc, "z3");
}
