// Which obligations a kernel has: for which pairs of accesses, in which
// interval, among which threads; and for barriers, assertions and bounds.
//
// An obligation is a line of text: "w0 r0 since b0 block".

#define _POSIX_C_SOURCE 200809L

#include "test/unit/kernels.h"
#include "test/unit/suite.h"
#include "translator/pair.h"

// ------------------------------------------------------------------- text ---

// The letter of the sketch with its number.
static const char *name_of(const Stmt *stmt) {
  unsigned at = stmt->loc.line - 1, nth = 0;
  for (unsigned i = 0; i < at; i++)
    nth += sketch[i] == sketch[at];
  return arena_printf(&task.arena, "%c%u", sketch[at], nth);
}

static const char *race_text(const Obligation *o) {
  return arena_printf(&task.arena, "%s %s since %s %s", name_of(o->first),
                      name_of(o->second),
                      o->barrier ? name_of(o->barrier) : "entry",
                      o->same_warp    ? "warp"
                      : o->same_block ? "block"
                                      : "grid");
}

static const char *text_of(const Obligation *o) {
  static const char *const kinds[] = {
      [OBLIGATION_RACE] = "",
      [OBLIGATION_DIVERGENCE] = "divergence",
      [OBLIGATION_ASSERTION] = "assertion",
      [OBLIGATION_BOUNDS] = "bounds",
      [OBLIGATION_INVARIANT] = "invariant",
      [OBLIGATION_CANDIDATE] = "candidate",
  };
  if (o->kind == OBLIGATION_RACE)
    return race_text(o);
  const char *text = arena_printf(&task.arena, "%s %s", kinds[o->kind],
                                  o->first ? name_of(o->first) : "-");
  if (o->loop)
    text = arena_printf(&task.arena, "%s loop %u", text, o->loop->index);
  return o->same_block ? text : arena_printf(&task.arena, "%s grid", text);
}

static Pair *make_pair(void) {
  kernel_solve_recurrences(&task, kernel);
  kernel_propose_invariants(&task, kernel);
  kernel_find_uniform(&task, kernel);
  return pair_from_kernel(&task, kernel);
}

static const char *texts_of(const Pair *pair) {
  const char *all = "";
  for (size_t i = 0; i < pair->obligations.count; i++)
    all = arena_printf(&task.arena, "%s%s%s", all, i ? ", " : "",
                       text_of(pair->obligations.at[i]));
  return all;
}

// All accesses are of one cell, so whoever meets may race.
static void all_at_one(const char *text) {
  kernel_of(text);
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (kernel->stmts.at[i]->kind == STMT_ACCESS)
      kernel->stmts.at[i]->access.offset = number(64, 0);
}

static void expect(const char *text, const char *obligations) {
  all_at_one(text);
  ck_assert_str_eq(texts_of(make_pair()), obligations);
}

static bool is_proved(const Obligation *o) {
  Question question = obligation_question(&task, o);
  Solver *solver = solver_open(&task, 0);
  return smt_decide(&task, solver, &question, 1000, NULL) == ANSWER_NO_MODEL;
}

// The only obligation that reads so.
static const Obligation *find(const Pair *pair, const char *text) {
  const Obligation *found = NULL;
  for (size_t i = 0; i < pair->obligations.count; i++)
    if (!strcmp(text_of(pair->obligations.at[i]), text)) {
      ck_assert_msg(!found, "two of '%s'", text);
      found = pair->obligations.at[i];
    }
  ck_assert_msg(found != NULL, "no '%s' in '%s'", text, texts_of(pair));
  return found;
}

static void expect_proof(const char *obligation, bool proved) {
  ck_assert_int_eq(is_proved(find(make_pair(), obligation)), proved);
}

// ------------------------------------------------------------------- races ---

START_TEST(one_of_two_accesses_has_to_write) {
  expect("r r", "");
  expect("w", "w0 w0 since entry block");
  expect("r w", "r0 w0 since entry block, w0 w0 since entry block");
}
END_TEST

START_TEST(two_arrays_do_not_meet) { expect("w R", "w0 w0 since entry block"); }
END_TEST

START_TEST(cells_of_their_own_need_no_obligation) {
  kernel_of("w r");
  ck_assert_str_eq(texts_of(make_pair()), "");
}
END_TEST

START_TEST(two_blocks_meet_in_global_memory_alone) {
  expect("W R",
         "W0 W0 since entry block, W0 W0 since entry grid, "
         "W0 R0 since entry block, W0 R0 since entry grid");
  kernel_options.only_intra_group = true;
  expect("W R", "W0 W0 since entry block, W0 R0 since entry block");
}
END_TEST

START_TEST(accesses_meet_in_one_interval) {
  expect("w b r", "w0 w0 since entry block");
  expect("b w r", "w0 w0 since b0 block, w0 r0 since b0 block");
  expect("w [b] r",
         "w0 w0 since entry block, w0 r0 since entry block, divergence b0");
  expect("W b R",
         "W0 W0 since entry block, W0 W0 since entry grid, "
         "W0 R0 since entry grid");
  expect("W g R", "W0 W0 since entry block, W0 W0 since entry grid");
}
END_TEST

START_TEST(round_a_loop_they_meet_across_its_barrier) {
  expect("{w b r}",
         "w0 w0 since entry block, w0 w0 since b0 block, "
         "w0 r0 since b0 block");
  expect("{w b r b}", "w0 w0 since entry block, w0 w0 since b1 block");
}
END_TEST

// The one behind the loop and the one in it do not decide alike about a round.
START_TEST(who_has_left_a_loop_is_not_met_in_it) {
  expect("{r b} w", "w0 w0 since entry block, w0 w0 since b0 block");
  expect("{b r} w",
         "w0 w0 since entry block, w0 w0 since b0 block, "
         "w0 r0 since b0 block");
}
END_TEST

// It is not known yet what the one in an inner loop, or before it, decides.
START_TEST(who_may_stay_in_an_inner_loop_has_not_decided) {
  const char *races =
      "w0 w0 since entry block, w0 w0 since b0 block, w0 r0 since b0 block, "
      "divergence b0 loop 0";
  expect("{b (r)} w", races);
  expect("{b r (R)} w", races);
}
END_TEST

// 7 comes to `r` from `b` alone.
START_TEST(who_did_not_stop_at_a_barrier_did_not_meet_it) {
  expect("w [b] [r]", "w0 w0 since entry block, divergence b0");
}
END_TEST

START_TEST(threads_of_a_warp_have_intervals_of_their_own) {
  expect("w s r",
         "w0 w0 since entry warp, w0 w0 since entry block, "
         "w0 r0 since entry block");
  all_at_one("w s r");
  expect_proof("w0 r0 since entry block", false);
  Expr *t = kernel->thread_id[0];
  the('w', 0)->access.offset = the('r', 0)->access.offset =
      long_of(mul(number(32, 5), binary(EXPR_LSHR, t, number(32, 5))));
  expect_proof("w0 r0 since entry block", true);
  the('w', 0)->access.offset = the('r', 0)->access.offset =
      long_of(mul(number(32, 4), binary(EXPR_LSHR, t, number(32, 5))));
  the('w', 0)->access.alignment = the('r', 0)->access.alignment = 1;
  ck_assert_ptr_null(strstr(texts_of(make_pair()), "r0"));
}
END_TEST

// ---------------------------------------------------------- what conflicts ---

static void make_atomic(Stmt *stmt, Scope scope) {
  stmt->access.kind = ACCESS_ATOMIC;
  stmt->access.scope = scope;
}

static void expect_atomics(Scope a, Scope b, const char *obligations) {
  all_at_one("W b W");
  make_atomic(the('W', 0), a);
  make_atomic(the('W', 1), b);
  ck_assert_str_eq(texts_of(make_pair()), obligations);
}

START_TEST(atomics_of_one_scope_do_not_conflict) {
  expect_atomics(SCOPE_GRID, SCOPE_SYSTEM, "");
  expect_atomics(SCOPE_GRID, SCOPE_BLOCK,
                 "W0 W1 since entry grid, W1 W1 since entry grid");
}
END_TEST

START_TEST(an_atomic_conflicts_with_other_sizes_and_plain_accesses) {
  all_at_one("w w");
  make_atomic(the('w', 0), SCOPE_GRID);
  ck_assert_str_eq(texts_of(make_pair()),
                   "w0 w1 since entry block, w1 w1 since entry block");
  make_atomic(the('w', 1), SCOPE_GRID);
  ck_assert_str_eq(texts_of(make_pair()), "");
  the('w', 1)->access.length = number(64, 8);
  ck_assert_str_eq(texts_of(make_pair()), "w0 w1 since entry block");
}
END_TEST

static const char *between(uint64_t a, uint64_t n, uint64_t b, uint64_t m) {
  all_at_one("w r");
  the('w', 0)->access.offset = number(64, a);
  the('w', 0)->access.length = number(64, n);
  the('r', 0)->access.offset = number(64, b);
  the('r', 0)->access.length = number(64, m);
  return strstr(texts_of(make_pair()), "w0 r0") ? "meet" : "apart";
}

START_TEST(bytes_in_common_make_a_race) {
  ck_assert_str_eq(between(0, 8, 4, 4), "meet");
  ck_assert_str_eq(between(0, 8, 8, 4), "apart");
  ck_assert_str_eq(between(6, 4, 4, 4), "meet");
  ck_assert_str_eq(between(3, 1, 4, 4), "apart");
  ck_assert_str_eq(between(7, 2, 4, 4), "meet");
  ck_assert_str_eq(between(4, 0, 4, 4), "apart");
  ck_assert_str_eq(between(4, 4, 4, 0), "apart");
}
END_TEST

START_TEST(writes_of_one_value_are_tolerated_unless_asked_not_to) {
  all_at_one("w");
  expect_proof("w0 w0 since entry block", false);
  the('w', 0)->access.value = number(32, 1);
  const Obligation *o = find(make_pair(), "w0 w0 since entry block");
  ck_assert(is_proved(o));
  ck_assert_ptr_nonnull(o->strict);
  ck_assert(!is_proved(o->strict));
  kernel_options.no_benign_tolerance = true;
  o = find(make_pair(), "w0 w0 since entry block");
  ck_assert_ptr_null(o->strict);
  ck_assert(!is_proved(o));
}
END_TEST

// One cell for 32 threads.
START_TEST(threads_in_lock_step_do_not_race_between_two_statements) {
  static const unsigned sizes[] = {0, 16, 32};
  for (unsigned i = 0; i < 3; i++) {
    all_at_one("w r");
    kernel_options.warp_sync = sizes[i];
    Expr *t = kernel->thread_id[0];
    the('w', 0)->access.offset = the('r', 0)->access.offset =
        long_of(mul(number(32, 5), binary(EXPR_LSHR, t, number(32, 5))));
    expect_proof("w0 r0 since entry block", sizes[i] == 32);
    expect_proof("w0 w0 since entry block", false);
  }
}
END_TEST

START_TEST(a_copy_meets_what_comes_before_and_behind) {
  static const Array event;
  all_at_one("R b R W b R g R");
  the('W', 0)->access.event = &event;
  the('g', 0)->barrier.kind = BARRIER_EVENT;
  the('g', 0)->barrier.event = &event;
  the('g', 0)->barrier.event_to = 8;
  kernel_options.only_intra_group = true;
  ck_assert_str_eq(texts_of(make_pair()),
                   "R1 W0 since b0 block, W0 R2 since entry block");
}
END_TEST

// -------------------------------------------------------------- divergence ---

START_TEST(a_barrier_is_reached_by_all_or_none) {
  expect("b", "");
  expect("|b;", "");
  expect("[b]", "divergence b0");
  expect("[!] b", "divergence b0");
}
END_TEST

START_TEST(loops_around_a_barrier_are_gone_round_together) {
  expect("{b}", "");
  expect("(b)", "divergence b0, divergence b0 loop 0");
  expect("({b})", "divergence b0, divergence b0 loop 0");
}
END_TEST

START_TEST(a_barrier_of_the_grid_is_for_all_blocks) {
  expect("[g]", "divergence g0, divergence g0 grid");
  expect("(g)",
         "divergence g0, divergence g0 loop 0, "
         "divergence g0 grid, divergence g0 loop 0 grid");
}
END_TEST

START_TEST(a_barrier_of_the_warp_is_for_its_threads) {
  all_at_one("[s]");
  Expr *t = kernel->thread_id[0];
  expect_proof("divergence s0", false);
  the('s', 0)->guard = below_number(t, 32);
  expect_proof("divergence s0", true);
  the('s', 0)->guard = below_number(t, 31);
  expect_proof("divergence s0", false);
  all_at_one("[b]");
  the('b', 0)->guard = below_number(kernel->thread_id[0], 32);
  expect_proof("divergence b0", false);
}
END_TEST

START_TEST(who_calls_together_passes_the_same) {
  all_at_one("b");
  push(&task.arena, &the('b', 0)->barrier.alike, kernel->block_size[0]);
  ck_assert_str_eq(texts_of(make_pair()), "");
  push(&task.arena, &the('b', 0)->barrier.alike, kernel->thread_id[0]);
  ck_assert_str_eq(texts_of(make_pair()), "divergence b0");
}
END_TEST

START_TEST(divergence_can_be_all_that_is_looked_for) {
  kernel_options.only_divergence = true;
  expect("w [b] r", "divergence b0");
}
END_TEST

// ------------------------------------------- assertions, bounds, assumptions
// ---

static void become(Stmt *stmt, StmtKind kind, Expr *condition) {
  stmt->kind = kind;
  stmt->condition = condition;
  stmt->message = "it";
}

START_TEST(an_assertion_is_of_those_who_come_there) {
  all_at_one("[b]");
  Expr *t = kernel->thread_id[0];
  become(the('b', 0), STMT_ASSERT, equal(t, number(32, 7)));
  ck_assert_str_eq(texts_of(make_pair()), "");
  become(the('b', 0), STMT_ASSERT, equal(t, number(32, 8)));
  expect_proof("assertion b0", false);
  become(the('b', 0), STMT_ASSERT, expr_bool(&task, true));
  ck_assert_str_eq(texts_of(make_pair()), "");
}
END_TEST

static void expect_bounds(char letter, uint64_t offset, bool is_inside) {
  const char *text = letter == 'R' ? "R" : "r";
  kernel_options.check_array_bounds = true;
  all_at_one(text);
  the(letter, 0)->access.offset = number(64, offset);
  ck_assert_str_eq(texts_of(make_pair()), is_inside       ? ""
                                          : letter == 'R' ? "bounds R0"
                                                          : "bounds r0");
}

// The shared array has 256 bytes, of the global one no size is known.
START_TEST(bounds_are_checked_where_asked_for) {
  expect_bounds('r', 0, true);
  expect_bounds('r', 252, true);
  expect_bounds('r', 253, false);
  expect_bounds('r', 256, false);
  expect_bounds('r', 260, false);
  expect_bounds('r', (uint64_t)-4, false);
  expect_bounds('R', 1 << 20, true);
  expect_bounds('R', (uint64_t)-4, false);
}
END_TEST

START_TEST(assumptions_have_to_agree) {
  all_at_one("[b]");
  Expr *t = kernel->thread_id[0];
  size_t count = make_pair()->consistent.count;
  become(the('b', 0), STMT_ASSUME, equal(t, number(32, 8)));
  const Exprs consistent = make_pair()->consistent;
  ck_assert_uint_eq(consistent.count, count + 1);
  ck_assert_str_eq(expr_text(&task, consistent.at[count]),
                   "threadIdx.x != 7 || threadIdx.x == 8");
}
END_TEST

// -------------------------------------------------------------- invariants ---

// %x goes up by one, %v is read anew.
static Loop *count_up(void) {
  kernel_of_body(
      "  br label %head\n"
      "head:\n"
      "  %x = phi i32 [0, %enter], [%xn, %body]\n"
      "  %on = icmp slt i32 %x, %n\n"
      "  br i1 %on, label %body, label %end\n"
      "body:\n"
      "  %v = load i32, ptr %g\n"
      "  store i32 %x, ptr %g\n"
      "  %xn = add i32 %x, 1\n"
      "  br label %head\n"
      "end:\n"
      "  ret void\n");
  kernel_solve_recurrences(&task, kernel);
  return kernel->loops.at[0];
}

static bool holds(Loop *loop, Expr *guess, bool step, Expr *assumed) {
  Exprs all = {0};
  if (assumed)
    say(&all, assumed);
  return is_proved(pair_candidate(&task, kernel, loop, guess, step, &all));
}

START_TEST(a_guess_holds_on_entry_and_is_kept) {
  Loop *loop = count_up();
  Expr *x = loop->phis.at[0]->expr, *zero = number(32, 0);
  Expr *k = expr_extract(&task, loop->iteration->expr, 0, 32);
  ck_assert(holds(loop, equal(x, zero), false, NULL));
  ck_assert(!holds(loop, equal(x, zero), true, equal(x, zero)));
  ck_assert(holds(loop, equal(x, k), false, NULL));
  ck_assert(holds(loop, equal(x, k), true, equal(x, k)));
  ck_assert(!holds(loop, equal(x, k), true, NULL));
  ck_assert(!holds(loop, differ(x, zero), false, differ(x, zero)));
}
END_TEST

START_TEST(on_entry_nothing_of_the_loop_is_known) {
  Loop *loop = count_up();
  Expr *x = loop->phis.at[0]->expr, *zero = number(32, 0);
  Expr *least = kernel->parameters.at[1]->expr;
  say(&loop->invariants, binary(EXPR_SLE, zero, x));
  say(&loop->invariants, binary(EXPR_SLT, x, least));
  ck_assert(!holds(loop, binary(EXPR_SLT, zero, least), false, NULL));
  ck_assert(holds(loop, binary(EXPR_SLT, zero, least), true, NULL));
}
END_TEST

START_TEST(of_what_is_read_anew_nothing_is_known) {
  Loop *loop = count_up();
  for (size_t i = 0; i < kernel->symbols.count; i++)
    if (kernel->symbols.at[i]->kind == SYMBOL_LOAD) {
      Expr *guess = equal(kernel->symbols.at[i]->expr, number(32, 0));
      ck_assert(!holds(loop, guess, false, NULL));
      ck_assert(!holds(loop, guess, true, guess));
      return;
    }
  ck_abort_msg("no read");
}
END_TEST

START_TEST(an_invariant_of_the_user_is_proved_on_entry_and_of_a_step) {
  all_at_one("{b}");
  Expr *x = kernel->loops.at[0]->phis.at[0]->expr;
  Stmt *claim = NEW(&task.arena, Stmt);
  *claim = *the('b', 0);
  claim->condition = below_number(x, 3);
  push(&task.arena, &kernel->loops.at[0]->asserted, claim);
  Pair *pair = make_pair();
  ck_assert_str_eq(texts_of(pair), "invariant b0 loop 0, invariant b0 loop 0");
  ck_assert(is_proved(pair->obligations.at[0]));
  ck_assert(!is_proved(pair->obligations.at[1]));
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("pair");
  tcase_set_timeout(tc, 60);
  tcase_add_checked_fixture(tc, open_kernel, close_kernel);
  tcase_add_test(tc, one_of_two_accesses_has_to_write);
  tcase_add_test(tc, two_arrays_do_not_meet);
  tcase_add_test(tc, cells_of_their_own_need_no_obligation);
  tcase_add_test(tc, two_blocks_meet_in_global_memory_alone);
  tcase_add_test(tc, accesses_meet_in_one_interval);
  tcase_add_test(tc, round_a_loop_they_meet_across_its_barrier);
  tcase_add_test(tc, who_has_left_a_loop_is_not_met_in_it);
  tcase_add_test(tc, who_may_stay_in_an_inner_loop_has_not_decided);
  tcase_add_test(tc, who_did_not_stop_at_a_barrier_did_not_meet_it);
  tcase_add_test(tc, threads_of_a_warp_have_intervals_of_their_own);
  tcase_add_test(tc, atomics_of_one_scope_do_not_conflict);
  tcase_add_test(tc, an_atomic_conflicts_with_other_sizes_and_plain_accesses);
  tcase_add_test(tc, bytes_in_common_make_a_race);
  tcase_add_test(tc, writes_of_one_value_are_tolerated_unless_asked_not_to);
  tcase_add_test(tc, threads_in_lock_step_do_not_race_between_two_statements);
  tcase_add_test(tc, a_copy_meets_what_comes_before_and_behind);
  tcase_add_test(tc, a_barrier_is_reached_by_all_or_none);
  tcase_add_test(tc, loops_around_a_barrier_are_gone_round_together);
  tcase_add_test(tc, a_barrier_of_the_grid_is_for_all_blocks);
  tcase_add_test(tc, a_barrier_of_the_warp_is_for_its_threads);
  tcase_add_test(tc, who_calls_together_passes_the_same);
  tcase_add_test(tc, divergence_can_be_all_that_is_looked_for);
  tcase_add_test(tc, an_assertion_is_of_those_who_come_there);
  tcase_add_test(tc, bounds_are_checked_where_asked_for);
  tcase_add_test(tc, assumptions_have_to_agree);
  tcase_add_test(tc, a_guess_holds_on_entry_and_is_kept);
  tcase_add_test(tc, on_entry_nothing_of_the_loop_is_known);
  tcase_add_test(tc, of_what_is_read_anew_nothing_is_known);
  tcase_add_test(tc, an_invariant_of_the_user_is_proved_on_entry_and_of_a_step);
  return run_suite(tc, "pair");
}
