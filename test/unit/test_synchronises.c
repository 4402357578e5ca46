// Loops of which no iteration goes without a barrier.

#define _POSIX_C_SOURCE 200809L

#include "test/unit/kernels.h"
#include "test/unit/suite.h"
#include "translator/pair.h"

static void find_in(const char *text) {
  kernel_of(text);
  kernel_solve_recurrences(&task, kernel);
  kernel_propose_invariants(&task, kernel);
  smt_infer_invariants(&task, kernel);
  smt_find_synchronising(&task, kernel);
}

// Of the loops, outer before inner, a digit each: 1, it always synchronises.
static const char *found(Reach reach, Space space) {
  const char *all = "";
  for (size_t i = 0; i < kernel->loops.count; i++)
    all = arena_printf(
        &task.arena, "%s%d", all,
        kernel->loops.at[i]->always_synchronises[reach][space != SPACE_SHARED]);
  return all;
}

static void expect(const char *text, const char *loops) {
  find_in(text);
  ck_assert_str_eq(found(REACH_BLOCK, SPACE_SHARED), loops);
  ck_assert_str_eq(found(REACH_BLOCK, SPACE_GLOBAL), loops);
}

START_TEST(a_barrier_in_each_iteration_is_enough) {
  expect("{b}", "1");
  expect("{w b r}", "1");
  expect("(b)", "1");
  expect("<b>", "1");
}
END_TEST

START_TEST(without_a_barrier_there_is_none) {
  expect("{w}", "0");
  expect("b {w} b", "0");
}
END_TEST

START_TEST(a_barrier_in_a_branch_may_be_passed) {
  expect("{[b]}", "0");
  expect("{|b;}", "0");
  expect("{[b] b}", "1");
}
END_TEST

// The iteration that leaves the loop does not come round.
START_TEST(who_leaves_before_the_barrier_does_not_go_round) {
  expect("{[.] b}", "1");
  expect("{[!] b}", "1");
}
END_TEST

// An iteration of the outer loop says that i < n, so the inner one has one.
START_TEST(an_inner_loop_that_has_an_iteration_synchronises_the_outer) {
  expect("{{b}}", "11");
  expect("{<b>}", "11");
  expect("({b})", "01");
}
END_TEST

START_TEST(an_inner_loop_may_run_zero_times) {
  expect("{(b)}", "01");
  expect("{(b) b}", "11");
}
END_TEST

START_TEST(what_the_inner_loop_does_not_the_outer_does_not) {
  expect("{{[b]}}", "00");
  expect("{{w} b}", "10");
}
END_TEST

START_TEST(three_loops_deep_it_is_seen) {
  expect("{{{b}}}", "111");
  expect("{{(b)}}", "001");
}
END_TEST

START_TEST(it_is_found_for_each_reach) {
  find_in("{s}");
  ck_assert_str_eq(found(REACH_WARP, SPACE_SHARED), "1");
  ck_assert_str_eq(found(REACH_BLOCK, SPACE_SHARED), "0");
  ck_assert_str_eq(found(REACH_GRID, SPACE_SHARED), "0");
  find_in("{b}");
  ck_assert_str_eq(found(REACH_WARP, SPACE_SHARED), "1");
  ck_assert_str_eq(found(REACH_GRID, SPACE_GLOBAL), "0");
  find_in("{g}");
  ck_assert_str_eq(found(REACH_WARP, SPACE_SHARED), "1");
  ck_assert_str_eq(found(REACH_GRID, SPACE_GLOBAL), "1");
}
END_TEST

START_TEST(it_is_found_for_each_memory) {
  kernel_of("{b}");
  kernel_solve_recurrences(&task, kernel);
  the('b', 0)->barrier.orders_global = false;
  smt_find_synchronising(&task, kernel);
  ck_assert_str_eq(found(REACH_BLOCK, SPACE_SHARED), "1");
  ck_assert_str_eq(found(REACH_BLOCK, SPACE_GLOBAL), "0");
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("synchronises");
  tcase_set_timeout(tc, 60);
  tcase_add_checked_fixture(tc, open_kernel, close_kernel);
  tcase_add_test(tc, a_barrier_in_each_iteration_is_enough);
  tcase_add_test(tc, without_a_barrier_there_is_none);
  tcase_add_test(tc, a_barrier_in_a_branch_may_be_passed);
  tcase_add_test(tc, who_leaves_before_the_barrier_does_not_go_round);
  tcase_add_test(tc,
                 an_inner_loop_that_has_an_iteration_synchronises_the_outer);
  tcase_add_test(tc, an_inner_loop_may_run_zero_times);
  tcase_add_test(tc, what_the_inner_loop_does_not_the_outer_does_not);
  tcase_add_test(tc, three_loops_deep_it_is_seen);
  tcase_add_test(tc, it_is_found_for_each_reach);
  tcase_add_test(tc, it_is_found_for_each_memory);
  return run_suite(tc, "synchronises");
}
