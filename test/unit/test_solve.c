// From obligations to a verdict, with obligations made by hand: two threads
// t1, t2 below the block size, in an array of ints.

#define _POSIX_C_SOURCE 200809L

#include "test/unit/formula.h"
#include "test/unit/suite.h"

#include <stdlib.h>
#include <string.h>

static Options options;
static Kernel kernel;
static Pair pair;
static Symbol *parameter;
static Expr *thread[2], *block_size, *n;

static void make_kernel(void) {
  setup();
  options = (Options){0};
  kernel = (Kernel){.name = "k",
                    .options = &options,
                    .loc = {"k.cu", 1, 1},
                    .warp_lanes = 32};
  pair = (Pair){.kernel = &kernel};
  block_size = fresh_of(SYMBOL_BLOCK_SIZE, "blockDim.x", 32);
  n = fresh_of(SYMBOL_PARAMETER, "n", 32);
  parameter = n->symbol;
  for (int axis = 0; axis < 3; axis++) {
    kernel.block_size[axis] = axis ? number(32, 1) : block_size;
    kernel.grid_size[axis] = number(32, 1);
  }
  push(&task.arena, &kernel.parameters, parameter);
  for (int i = 0; i < 2; i++)
    thread[i] = fresh_of(SYMBOL_THREAD_ID, "threadIdx.x", 32);
}

static Array cells = {.number = 1, .name = "cells"};

static Stmt *access_at(unsigned line, AccessKind kind) {
  Stmt *stmt = NEW(&task.arena, Stmt);
  stmt->kind = STMT_ACCESS;
  stmt->number = line;
  stmt->loc = (Loc){"k.cu", line, 3};
  stmt->access.kind = kind;
  stmt->access.array = &cells;
  stmt->access.length = number(64, 4);
  return stmt;
}

static Expr *of_thread(unsigned i) { return below(thread[i], block_size); }

static Obligation *new_obligation(ObligationKind kind, Stmt *first,
                                  Stmt *second) {
  Obligation *o = NEW(&task.arena, Obligation);
  o->kind = kind;
  o->number = (unsigned)pair.obligations.count + 1;
  o->first = first;
  o->second = second;
  o->sentence = "something is wrong";
  o->violation = expr_bool(&task, true);
  say(&o->facts, below_number(block_size, 1025));
  for (unsigned i = 0; i < 2; i++) {
    o->thread_id[i][0] = thread[i];
    say(&o->facts, of_thread(i));
  }
  push(&task.arena, &pair.obligations, o);
  return o;
}

// Thread 1 at offset a, thread 2 at offset b.
static Obligation *race(Stmt *first, Stmt *second, Expr *a, Expr *b) {
  Obligation *o = new_obligation(OBLIGATION_RACE, first, second);
  o->offset[0] = long_of(a);
  o->offset[1] = long_of(b);
  o->violation = and(differ(thread[0], thread[1]), equal(a, b));
  return o;
}

static Expr *times4(Expr *a) { return mul(a, number(32, 4)); }

static Verdict *verify(void) { return smt_verify(&task, &pair); }

// -------------------------------------------------------------- verdicts ---

START_TEST(own_cells_are_verified) {
  Stmt *stmt = access_at(5, ACCESS_WRITE);
  race(stmt, stmt, times4(thread[0]), times4(thread[1]));
  push(&task.arena, &kernel.assumptions, "launch-limits");
  Verdict *verdict = verify();
  ck_assert_int_eq(verdict->kind, VERDICT_VERIFIED);
  ck_assert_uint_eq(verdict->obligations, 1);
  ck_assert_uint_eq(verdict->proved, 1);
  ck_assert_uint_eq(verdict->problems.count, 0);
  ck_assert_uint_eq(verdict->assumptions.count, 1);
  ck_assert_str_eq(verdict->assumptions.at[0], "launch-limits");
}
END_TEST

// What refutes a question refutes all that have it in them, and no other.
START_TEST(what_was_refuted_with_a_fact_is_open_without) {
  Stmt *stmt = access_at(5, ACCESS_WRITE);
  Expr *cell[2] = {binary(EXPR_AND, thread[0], n),
                   binary(EXPR_AND, thread[1], n)};
  for (unsigned i = 0; i < 3; i++)
    race(stmt, stmt, cell[0], cell[1]);
  say(&pair.obligations.at[0]->facts, equal(n, number(32, 2047)));
  say(&pair.obligations.at[1]->facts, equal(n, number(32, 2047)));
  say(&pair.obligations.at[1]->facts, below(thread[0], n));
  Verdict *verdict = verify();
  ck_assert_int_eq(verdict->kind, VERDICT_RACY);
  ck_assert_uint_eq(verdict->proved, 2);
  ck_assert_uint_eq(verdict->failed, 1);
}
END_TEST

START_TEST(neighbours_race_and_the_witness_shows_it) {
  Stmt *write = access_at(5, ACCESS_WRITE), *read = access_at(4, ACCESS_READ);
  Obligation *o = race(write, read, times4(thread[0]),
                       times4(add(thread[1], number(32, 1))));
  say(&o->facts, below(thread[0], n));
  Verdict *verdict = verify();
  ck_assert_int_eq(verdict->kind, VERDICT_RACY);
  ck_assert_uint_eq(verdict->failed, 1);
  ck_assert_uint_eq(verdict->problems.count, 1);
  Problem *problem = &verdict->problems.at[0];
  ck_assert_str_eq(problem->sentence, "something is wrong");
  ck_assert_uint_eq(problem->where.line, 5);
  ck_assert(problem->has_witness);
  ck_assert_ptr_null(problem->caveat);
  const Witness *w = &problem->witness;
  ck_assert_uint_eq(w->thread[0][0], w->thread[1][0] + 1);
  ck_assert_uint_lt(w->thread[0][0], w->block_size[0]);
  ck_assert_uint_le(w->block_size[0], 64);
  ck_assert_uint_eq(w->offset[0], 4 * w->thread[0][0]);
  ck_assert_uint_eq(w->offset[0], w->offset[1]);
  ck_assert_uint_eq(w->bytes[0], 4);
  ck_assert_uint_eq(w->arguments.count, 1);
  ck_assert_str_eq(w->arguments.at[0].name, "n");
  ck_assert_uint_lt(w->thread[0][0], w->arguments.at[0].value);
}
END_TEST

START_TEST(a_large_witness_is_found_where_there_is_no_small_one) {
  Stmt *stmt = access_at(5, ACCESS_WRITE);
  Expr *far = add(thread[1], number(32, 500));
  race(stmt, stmt, times4(thread[0]), times4(far));
  Verdict *verdict = verify();
  ck_assert_int_eq(verdict->kind, VERDICT_RACY);
  const Witness *w = &verdict->problems.at[0].witness;
  ck_assert_uint_eq(w->thread[0][0], w->thread[1][0] + 500);
}
END_TEST

START_TEST(the_worst_kind_names_the_verdict_and_all_are_listed) {
  Stmt *stmt = access_at(5, ACCESS_WRITE), *other = access_at(7, ACCESS_READ);
  new_obligation(OBLIGATION_BOUNDS, other, NULL);
  new_obligation(OBLIGATION_ASSERTION, other, NULL);
  new_obligation(OBLIGATION_DIVERGENCE, other, NULL);
  ck_assert_int_eq(verify()->kind, VERDICT_DIVERGENT);
  race(stmt, stmt, number(32, 0), number(32, 0));
  Verdict *verdict = verify();
  ck_assert_int_eq(verdict->kind, VERDICT_RACY);
  ck_assert_uint_eq(verdict->problems.count, 4);
  ck_assert_int_eq(verdict->problems.at[0].kind, VERDICT_OUT_OF_BOUNDS);
  ck_assert_int_eq(verdict->problems.at[1].kind, VERDICT_ASSERTION);
}
END_TEST

START_TEST(one_place_is_one_problem) {
  for (int i = 0; i < 3; i++) {
    Stmt *a = access_at(5, ACCESS_WRITE), *b = access_at(6, ACCESS_READ);
    race(i ? a : b, i ? b : a, number(32, 4), number(32, 4));
  }
  Stmt *elsewhere = access_at(9, ACCESS_WRITE);
  race(elsewhere, elsewhere, number(32, 4), number(32, 4));
  Verdict *verdict = verify();
  ck_assert_uint_eq(verdict->problems.count, 2);
  ck_assert_uint_eq(verdict->problems.at[0].where.line, 6);
  ck_assert_uint_eq(verdict->problems.at[1].where.line, 9);
}
END_TEST

START_TEST(every_kind_has_its_name) {
  ck_assert_str_eq(verdict_name(VERDICT_VERIFIED), "verified");
  ck_assert_str_eq(verdict_name(VERDICT_OUT_OF_BOUNDS), "out-of-bounds");
  ck_assert_str_eq(verdict_name(VERDICT_VACUOUS), "vacuous");
}
END_TEST

// -------------------------------------------------------------- overflow ---

// The violation is a hard number to factor; small numbers have no such product.
START_TEST(what_is_fine_without_overflow_is_unknown_for_that_reason) {
  enum { P = 2147483629, Q = 2147483587 };
  Stmt *stmt = access_at(5, ACCESS_WRITE);
  Obligation *o = race(stmt, stmt, number(32, 0), number(32, 0));
  Expr *x = fresh("x", 32), *y = fresh("y", 32);
  Expr *product = mul(long_of(x), long_of(y));
  o->violation = and(equal(product, number(64, (uint64_t)P * Q)),
                     and(below(number(32, 1), x), below(number(32, 1), y)));
  say(&o->no_overflow, and(below_number(x, 1 << 20), below_number(y, 1 << 20)));
  Verdict *verdict = verify();
  ck_assert_int_eq(verdict->kind, VERDICT_UNKNOWN);
  ck_assert_ptr_nonnull(strstr(verdict->reason, "--no-overflow"));
}
END_TEST

// 2^28 * (n + t) is the same for every sixteenth t.
static Obligation *race_by_overflow(void) {
  Stmt *stmt = access_at(5, ACCESS_WRITE);
  Expr *index[2];
  for (int i = 0; i < 2; i++)
    index[i] = mul(add(n, thread[i]), number(32, 1 << 28));
  Obligation *o = race(stmt, stmt, index[0], index[1]);
  for (int i = 0; i < 2; i++)
    say(&o->no_overflow, below_number(add(n, thread[i]), 16));
  return o;
}

START_TEST(a_race_that_needs_an_overflow_has_a_caveat) {
  race_by_overflow();
  Verdict *verdict = verify();
  ck_assert_int_eq(verdict->kind, VERDICT_RACY);
  ck_assert_ptr_nonnull(verdict->problems.at[0].caveat);
  ck_assert_ptr_nonnull(
      strstr(verdict->problems.at[0].caveat, "--no-overflow"));
}
END_TEST

START_TEST(a_race_at_the_same_place_without_overflow_goes_before_it) {
  race_by_overflow();
  Stmt *stmt = access_at(5, ACCESS_WRITE);
  Obligation *o = race(stmt, stmt, number(32, 4), number(32, 4));
  say(&o->no_overflow, below_number(n, 16));
  Verdict *verdict = verify();
  ck_assert_uint_eq(verdict->problems.count, 1);
  ck_assert_ptr_null(verdict->problems.at[0].caveat);
}
END_TEST

// ---------------------------------------------------------------- ladder ---

// A race if n is 7.
static Obligation *race_at_seven(void) {
  Stmt *stmt = access_at(5, ACCESS_WRITE);
  Obligation *o = race(stmt, stmt, number(32, 4), number(32, 4));
  o->violation = and(o->violation, equal(n, number(32, 7)));
  return o;
}

static void promise(Obligation *o, PremiseKind kind, Expr *fact) {
  say(&o->premises[kind], fact);
  say(&pair.premises[kind], fact);
}

static bool rests_on(const Verdict *verdict, PremiseKind kind) {
  for (size_t i = 0; i < verdict->assumptions.count; i++)
    if (!strcmp(verdict->assumptions.at[i], premise_name(kind)))
      return true;
  return false;
}

START_TEST(a_premise_that_a_proof_needs_is_named_with_what_breaks) {
  Obligation *o = race_at_seven();
  promise(o, PREMISE_ARGUMENTS_NOT_NEGATIVE, below_number(n, 7));
  promise(o, PREMISE_SIZES_FIT, below_number(n, 100));
  Verdict *verdict = verify();
  ck_assert_int_eq(verdict->kind, VERDICT_VERIFIED);
  ck_assert(rests_on(verdict, PREMISE_ARGUMENTS_NOT_NEGATIVE));
  ck_assert(!rests_on(verdict, PREMISE_SIZES_FIT));
  ck_assert_uint_eq(verdict->breaches.count, 1);
  ck_assert_str_eq(verdict->breaches.at[0].assumption,
                   premise_name(PREMISE_ARGUMENTS_NOT_NEGATIVE));
  ck_assert_uint_eq(verdict->breaches.at[0].witness.arguments.at[0].value, 7);
}
END_TEST

START_TEST(of_two_premises_that_would_do_the_lower_one_is_kept) {
  Obligation *o = race_at_seven();
  promise(o, PREMISE_ARGUMENTS_NOT_NEGATIVE, below_number(n, 7));
  promise(o, PREMISE_NO_SIGNED_OVERFLOW, below_number(n, 5));
  Verdict *verdict = verify();
  ck_assert_int_eq(verdict->kind, VERDICT_VERIFIED);
  ck_assert(rests_on(verdict, PREMISE_NO_SIGNED_OVERFLOW));
  ck_assert(!rests_on(verdict, PREMISE_ARGUMENTS_NOT_NEGATIVE));
}
END_TEST

START_TEST(a_race_in_spite_of_premises_keeps_to_them) {
  Stmt *stmt = access_at(5, ACCESS_WRITE);
  Obligation *o = race(stmt, stmt, number(32, 4), number(32, 4));
  o->violation = and(o->violation, below(number(32, 6), n));
  promise(o, PREMISE_ARGUMENTS_NOT_NEGATIVE, below_number(n, 8));
  Verdict *verdict = verify();
  ck_assert_int_eq(verdict->kind, VERDICT_RACY);
  ck_assert_uint_eq(verdict->problems.at[0].witness.arguments.at[0].value, 7);
  ck_assert(!rests_on(verdict, PREMISE_ARGUMENTS_NOT_NEGATIVE));
}
END_TEST

START_TEST(premises_that_contradict_what_is_known_are_not_used) {
  Obligation *o = race_at_seven();
  say(&pair.consistent, equal(n, number(32, 7)));
  promise(o, PREMISE_ARGUMENTS_NOT_NEGATIVE, below_number(n, 7));
  ck_assert_int_eq(verify()->kind, VERDICT_RACY);
}
END_TEST

START_TEST(premises_under_which_nobody_comes_to_the_end_are_not_used) {
  Obligation *o = race_at_seven();
  pair.exit = equal(n, number(32, 7));
  promise(o, PREMISE_ARGUMENTS_NOT_NEGATIVE, below_number(n, 7));
  ck_assert_int_eq(verify()->kind, VERDICT_RACY);
}
END_TEST

START_TEST(after_a_problem_other_arrays_are_still_judged) {
  static Array others = {.number = 2, .name = "others"};
  Stmt *stmt = access_at(5, ACCESS_WRITE), *far = access_at(6, ACCESS_WRITE);
  far->access.array = &others;
  race(stmt, stmt, number(32, 4), number(32, 4));
  race(far, far, times4(thread[0]), times4(thread[1]));
  Verdict *verdict = verify();
  ck_assert_uint_eq(verdict->parts.count, 2);
  ck_assert_int_eq(verdict->parts.at[0].kind, VERDICT_RACY);
  ck_assert_str_eq(verdict->parts.at[1].name, "others");
  ck_assert_int_eq(verdict->parts.at[1].kind, VERDICT_VERIFIED);
}
END_TEST

START_TEST(what_was_confirmed_comes_first) {
  Verdict verdict = {0};
  for (unsigned i = 0; i < 4; i++)
    push(
        &task.arena, &verdict.problems,
        ((Problem){.is_confirmed = i == 1 || i == 3, .where = {"k.cu", i, 1}}));
  verdict_confirmed_first(&task, &verdict);
  static const unsigned order[] = {1, 3, 0, 2};
  for (unsigned i = 0; i < 4; i++)
    ck_assert_uint_eq(verdict.problems.at[i].where.line, order[i]);
}
END_TEST

// ------------------------------------------------------ what is left out ---

START_TEST(facts_that_are_not_connected_still_count) {
  Stmt *stmt = access_at(5, ACCESS_WRITE);
  Obligation *o = race(stmt, stmt, number(32, 4), number(32, 4));
  Expr *load = fresh_of(SYMBOL_LOAD, "flag", 32);
  say(&o->facts, below_number(load, 3));
  say(&o->facts, below(number(32, 5), load));
  ck_assert_int_eq(verify()->kind, VERDICT_VERIFIED);
}
END_TEST

START_TEST(contradicting_assumptions_are_vacuous) {
  Stmt *stmt = access_at(5, ACCESS_WRITE), *requires = access_at(2, 0);
  requires->kind = STMT_ASSUME;
  requires->is_requires = true;
  push(&task.arena, &kernel.stmts, requires);
  race(stmt, stmt, times4(thread[0]), times4(thread[1]));
  say(&pair.consistent, below_number(n, 3));
  ck_assert_int_eq(verify()->kind, VERDICT_VERIFIED);
  say(&pair.consistent, below(number(32, 5), n));
  Verdict *verdict = verify();
  ck_assert_int_eq(verdict->kind, VERDICT_VACUOUS);
  ck_assert_ptr_nonnull(verdict->reason);
  ck_assert_uint_eq(verdict->where.line, 2);
}
END_TEST

// Two primes, to be found from their product.
static Obligation *hard_race(unsigned line) {
  Stmt *stmt = access_at(line, ACCESS_WRITE);
  Expr *p = fresh("p", 64), *q = fresh("q", 64);
  Obligation *o = race(stmt, stmt, number(32, 4), number(32, 4));
  for (int i = 0; i < 2; i++) {
    say(&o->facts, below_number(i ? p : q, UINT64_C(1) << 32));
    say(&o->facts, below(number(64, 1), i ? p : q));
  }
  uint64_t known = UINT64_C(3121238909) * 2654435789;
  o->violation = and(o->violation, equal(mul(p, q), number(64, known)));
  return o;
}

START_TEST(what_is_not_decided_in_time_is_unknown) {
  hard_race(5);
  hard_race(6);
  task.deadline = work_seconds() + 3;
  Verdict *verdict = verify();
  ck_assert_double_lt(work_seconds(), task.deadline + 5);
  ck_assert_int_eq(verdict->kind, VERDICT_UNKNOWN);
  ck_assert_uint_eq(verdict->undecided, 2);
  ck_assert_uint_eq(verdict->proved, 0);
  ck_assert_ptr_nonnull(verdict->reason);
  ck_assert_uint_eq(verdict->where.line, 5);
}
END_TEST

START_TEST(a_deadline_that_has_passed_proves_nothing) {
  Stmt *stmt = access_at(5, ACCESS_WRITE);
  race(stmt, stmt, times4(thread[0]), times4(thread[1]));
  task.deadline = work_seconds() / 2;
  Verdict *verdict = verify();
  ck_assert_int_eq(verdict->kind, VERDICT_UNKNOWN);
  ck_assert_ptr_nonnull(strstr(verdict->reason, "--timeout"));
}
END_TEST

// Each case of a question is one itself, and has cases.
START_TEST(a_question_that_comes_late_makes_no_terms) {
  const Question question = obligation_question(&task, hard_race(5));
  Solver *solver = solver_open(&task, 0);
  task.deadline = work_seconds() / 2;
  size_t bytes = task_bytes(&task);
  Answer answer = smt_decide(&task, solver, &question, 1000, NULL);
  ck_assert_int_eq(answer, ANSWER_UNKNOWN);
  ck_assert_uint_eq(task_bytes(&task), bytes);
}
END_TEST

// -------------------------------------------------------------- printing ---

START_TEST(a_race_that_an_order_may_exclude_is_unknown) {
  Stmt *stmt = access_at(5, ACCESS_WRITE);
  Expr *one_cell = number(32, 0);
  race(stmt, stmt, one_cell, one_cell)->doubt = "order between blocks";
  Verdict *verdict = verify();
  ck_assert_int_eq(verdict->kind, VERDICT_UNKNOWN);
  ck_assert_uint_eq(verdict->undecided, 1);
  ck_assert_uint_eq(verdict->failed, 0);
  ck_assert_uint_eq(verdict->where.line, 5);
  ck_assert_ptr_nonnull(strstr(verdict->reason, "order between blocks"));
}
END_TEST

START_TEST(an_order_does_not_matter_where_the_rest_refutes_the_race) {
  Stmt *stmt = access_at(5, ACCESS_WRITE);
  Expr *one_cell = number(32, 0), *m = fresh("m", 32);
  Obligation *o = race(stmt, stmt, one_cell, one_cell);
  o->doubt = "order between blocks";
  say(&o->facts, below_number(m, 3));
  say(&o->facts, below(number(32, 5), m));
  ck_assert_int_eq(verify()->kind, VERDICT_VERIFIED);
}
END_TEST

// Both may write one cell, the tolerant obligation says with the same value.
static Obligation *tolerated(Stmt *stmt) {
  static Array flag = {.name = "flag"};
  stmt->access.array = &flag;
  Obligation *o = race(stmt, stmt, number(32, 0), number(32, 0));
  o->strict = race(stmt, stmt, number(32, 0), number(32, 0));
  pair.obligations.count--;
  o->violation = expr_bool(&task, false);
  o->tolerance = "benign-writes";
  return o;
}

START_TEST(tolerated_writes_are_named) {
  Stmt *stmt = access_at(5, ACCESS_WRITE);
  tolerated(stmt);
  Verdict *verdict = verify();
  ck_assert_int_eq(verdict->kind, VERDICT_VERIFIED);
  ck_assert_uint_eq(verdict->tolerated.count, 1);
  ck_assert_uint_eq(verdict->tolerated.at[0].where.line, 5);
  ck_assert_str_eq(verdict->assumptions.at[verdict->assumptions.count - 1],
                   "benign-writes");
}
END_TEST

START_TEST(writes_that_never_meet_need_no_tolerance) {
  Stmt *stmt = access_at(5, ACCESS_WRITE);
  Obligation *o = tolerated(stmt);
  o->strict->violation = expr_bool(&task, false);
  Verdict *verdict = verify();
  ck_assert_int_eq(verdict->kind, VERDICT_VERIFIED);
  ck_assert_uint_eq(verdict->tolerated.count, 0);
}
END_TEST

START_TEST(what_is_easy_is_verified_at_a_glance) {
  Stmt *stmt = access_at(5, ACCESS_WRITE);
  race(stmt, stmt, times4(thread[0]), times4(thread[1]));
  Verdict *verdict = smt_verify_easy(&task, &pair);
  ck_assert_ptr_nonnull(verdict);
  ck_assert_int_eq(verdict->kind, VERDICT_VERIFIED);
  ck_assert_uint_eq(verdict->proved, 1);
}
END_TEST

START_TEST(contradicting_assumptions_are_vacuous_at_a_glance) {
  say(&pair.consistent, below_number(n, 5));
  say(&pair.consistent, below(number(32, 9), n));
  Verdict *verdict = smt_verify_easy(&task, &pair);
  ck_assert_ptr_nonnull(verdict);
  ck_assert_int_eq(verdict->kind, VERDICT_VACUOUS);
}
END_TEST

START_TEST(a_race_is_not_for_a_glance) {
  Stmt *stmt = access_at(5, ACCESS_WRITE);
  race(stmt, stmt, times4(thread[0]), times4(thread[1]));
  race(stmt, stmt, number(32, 0), number(32, 0));
  ck_assert_ptr_null(smt_verify_easy(&task, &pair));
}
END_TEST

START_TEST(queries_can_be_printed) {
  char *text = NULL;
  size_t size = 0;
  options.dump = "smt";
  options.dump_out = open_memstream(&text, &size);
  Stmt *stmt = access_at(5, ACCESS_WRITE);
  race(stmt, stmt, times4(thread[0]), times4(thread[1]));
  verify();
  fclose(options.dump_out);
  ck_assert_ptr_nonnull(strstr(text, "; obligation 1: something is wrong"));
  ck_assert_ptr_nonnull(strstr(text, "(check-sat)"));
  free(text);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("solve");
  tcase_set_timeout(tc, 60);
  tcase_add_checked_fixture(tc, make_kernel, teardown);
  tcase_add_test(tc, own_cells_are_verified);
  tcase_add_test(tc, what_was_refuted_with_a_fact_is_open_without);
  tcase_add_test(tc, neighbours_race_and_the_witness_shows_it);
  tcase_add_test(tc, a_large_witness_is_found_where_there_is_no_small_one);
  tcase_add_test(tc, the_worst_kind_names_the_verdict_and_all_are_listed);
  tcase_add_test(tc, one_place_is_one_problem);
  tcase_add_test(tc, every_kind_has_its_name);
  tcase_add_test(tc, a_race_that_needs_an_overflow_has_a_caveat);
  tcase_add_test(tc, what_is_fine_without_overflow_is_unknown_for_that_reason);
  tcase_add_test(tc, a_race_at_the_same_place_without_overflow_goes_before_it);
  tcase_add_test(tc, a_premise_that_a_proof_needs_is_named_with_what_breaks);
  tcase_add_test(tc, of_two_premises_that_would_do_the_lower_one_is_kept);
  tcase_add_test(tc, a_race_in_spite_of_premises_keeps_to_them);
  tcase_add_test(tc, premises_that_contradict_what_is_known_are_not_used);
  tcase_add_test(tc, premises_under_which_nobody_comes_to_the_end_are_not_used);
  tcase_add_test(tc, after_a_problem_other_arrays_are_still_judged);
  tcase_add_test(tc, what_was_confirmed_comes_first);
  tcase_add_test(tc, facts_that_are_not_connected_still_count);
  tcase_add_test(tc, contradicting_assumptions_are_vacuous);
  tcase_add_test(tc, what_is_not_decided_in_time_is_unknown);
  tcase_add_test(tc, a_deadline_that_has_passed_proves_nothing);
  tcase_add_test(tc, a_question_that_comes_late_makes_no_terms);
  tcase_add_test(tc, a_race_that_an_order_may_exclude_is_unknown);
  tcase_add_test(tc, an_order_does_not_matter_where_the_rest_refutes_the_race);
  tcase_add_test(tc, tolerated_writes_are_named);
  tcase_add_test(tc, writes_that_never_meet_need_no_tolerance);
  tcase_add_test(tc, what_is_easy_is_verified_at_a_glance);
  tcase_add_test(tc, contradicting_assumptions_are_vacuous_at_a_glance);
  tcase_add_test(tc, a_race_is_not_for_a_glance);
  tcase_add_test(tc, queries_can_be_printed);
  return run_suite(tc, "solve");
}
