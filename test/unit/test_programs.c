// Thread programs: deadlock, counts, recycling, races.

#define _POSIX_C_SOURCE 200809L

#include "test/unit/programs.h"
#include "test/unit/suite.h"

// ------------------------------------------------------------- the paper ---

START_TEST(listing_1_deadlocks_in_a_cycle) {
  expect2("sync 0 64; arrive 1 64", "sync 1 64; arrive 0 64", "deadlock 0.0");
  ck_assert(check.standing[0].is_in_cycle && check.standing[1].is_in_cycle);
  ck_assert_uint_eq(check.standing[0].waits_for, 1);
  ck_assert_uint_eq(check.standing[1].waits_for, 0);
  ck_assert(warp_set_has(&check.standing[0].could_come, 1));
  ck_assert(!warp_set_has(&check.standing[0].could_come, 0));
  ck_assert_uint_eq(check.standing[1].barrier, 1);
  ck_assert_uint_eq(check.standing[1].met, 32);
  ck_assert_uint_eq(check.standing[1].expected, 64);
  ck_assert_uint_eq(check.findings.at[0].end_count, 2);
}
END_TEST

START_TEST(listing_2_is_clean) {
  expect2("sync 0 64; w4 0 4; arrive 1 64; sync 0 64; sync 1 64; r4 0 4",
          "sync 0 64; sync 1 64; r4 0 4; sync 0 64; w4 0 4; arrive 1 64", "");
  ck_assert_uint_eq(check.generations, 4);
  ck_assert_uint_eq(check.commands, 12);
}
END_TEST

START_TEST(listing_2_without_one_of_its_barriers_is_wrong) {
  expect2("sync 0 64; w4 0 4; arrive 1 64; sync 1 64; r4 0 4",
          "sync 0 64; sync 1 64; r4 0 4; w4 0 4; arrive 1 64",
          "twice 1.0; deadlock 1.1");
  expect2("sync 0 64; w4 0 4; arrive 1 64; sync 0 64; r4 0 4",
          "sync 0 64; sync 1 64; r4 0 4; sync 0 64; w4 0 4", "race 32 at 0+4");
}
END_TEST

// The transfer into the buffer may begin while it is still read.
START_TEST(listing_3_writes_what_is_still_read) {
  expect2("arrive 1 64; r4 0 4; sync 2 64; r4 0 4",
          "sync 1 64; w4 0 4; arrive 2 64", "race 32 at 0+4");
  expect2("r4 0 4; arrive 1 64; sync 2 64; r4 0 4",
          "sync 1 64; w4 0 4; arrive 2 64", "");
}
END_TEST

START_TEST(figure_2_recycles_safely_because_of_two_paths) {
  expect4("arrive 2 64; arrive 4 64", "sync 4 64; sync 1 64; arrive 2 64",
          "sync 3 64; sync 2 64", "sync 2 64; arrive 1 64; arrive 3 64", "");
}
END_TEST

// Warp 0 has arrived at barrier 2 and does not know whether it completed.
START_TEST(in_figure_2_the_path_from_an_arrival_is_not_enough) {
  expect4("arrive 2 64; arrive 4 64", "sync 4 64; arrive 2 64",
          "sync 3 64; sync 2 64", "sync 2 64; arrive 3 64", "recycled 2.1");
}
END_TEST

// -------------------------------------------------------------- barriers ---

START_TEST(a_warp_that_exits_is_missed) {
  expect2("", "sync 0 64", "deadlock 0.0");
  ck_assert(check.standing[0].has_exited);
  ck_assert(!check.standing[1].has_exited);
  ck_assert(!check.standing[1].is_in_cycle);
  ck_assert_uint_eq(check.standing[1].waits_for, NO_WARP);
  expect2("exit ffffffff; sync 0 64", "sync 0 64", "deadlock 0.0");
  expect2("exit fffffffe; sync 0 64", "sync 0 64", "");
}
END_TEST

START_TEST(a_cycle_is_found_among_those_that_only_wait_for_it) {
  expect4("sync 0 96; sync 5 96", "sync 1 64; arrive 2 64",
          "sync 2 64; arrive 1 64; sync 0 96", "sync 5 96", "deadlock 1.0");
  ck_assert(!check.standing[0].is_in_cycle && !check.standing[3].is_in_cycle);
  ck_assert(check.standing[1].is_in_cycle && check.standing[2].is_in_cycle);
  ck_assert_uint_eq(check.standing[0].waits_for, 2);
  ck_assert_uint_eq(check.standing[3].waits_for, 0);
}
END_TEST

START_TEST(a_count_that_no_block_reaches_is_a_deadlock) {
  expect2("sync 0 96", "sync 0 96", "deadlock 0.0");
  ck_assert_uint_eq(check.standing[0].met, 64);
}
END_TEST

START_TEST(one_generation_has_one_count) {
  expect2("sync 0 64", "sync 0 96", "count 0.0");
  expect2("sync 0 64; sync 0 32", "sync 0 64", "");
}
END_TEST

START_TEST(a_count_is_a_multiple_of_a_warp) {
  expect2("sync 0 48", "sync 0 48", "too many 0.0");
  expect1("sync 0 16", "too many 0.0");
}
END_TEST

START_TEST(more_warps_than_the_count_are_too_many) {
  expect3("sync 0 64", "sync 0 64", "sync 0 64", "deadlock 0.1; too many 0.1");
  expect3("sync 0 64", "sync 0 64", "arrive 0 64", "too many 0.1");
}
END_TEST

START_TEST(two_pairs_on_one_barrier_can_mix) {
  expect4("sync 0 64", "sync 0 64", "sync 0 64", "sync 0 64",
          "recycled 0.1; recycled 0.1");
  ck_assert_uint_eq(check.findings.at[0].occurrences, 1);
}
END_TEST

START_TEST(somebody_must_wait) {
  expect2("arrive 0 64", "arrive 0 64", "all arrive 0.0");
  expect2("arrive 0 64", "sync 0 64", "");
}
END_TEST

START_TEST(arrivals_left_at_the_end_harm_nobody) {
  expect2("arrive 0 64", "", "");
  expect2("sync 0 64; arrive 0 64", "sync 0 64", "");
}
END_TEST

START_TEST(a_warp_arrives_once_in_a_generation) {
  expect3("arrive 0 96; arrive 0 96", "sync 0 96", "", "twice 0.0");
  expect2("arrive 0 64; sync 0 64", "", "twice 0.0");
}
END_TEST

START_TEST(reductions_are_not_mixed_with_other_barriers) {
  expect2("red 0 64", "sync 0 64", "mixed 0.0");
  expect2("red 0 64", "arrive 0 64", "mixed 0.0");
  expect2("red 0 64; sync 0 64", "red 0 64; sync 0 64", "");
}
END_TEST

START_TEST(a_mistake_in_a_loop_is_one_finding) {
  for (unsigned warp = 0; warp < 4; warp++) {
    programs.threads += WARP;
    for (unsigned i = 0; i < 100; i++) {
      if (i == 0)
        add_command(warp, "sync 0 64");
      else
        push(&task.arena, &programs.warps[warp], programs.warps[warp].at[0]);
    }
  }
  findings();
  ck_assert_uint_lt(check.findings.count, 13);
  ck_assert_uint_eq(check.generations, 200);
  for (size_t i = 0; i < check.findings.count; i++)
    ck_assert_int_eq(check.findings.at[i].kind, FINDING_RECYCLED);
}
END_TEST

START_TEST(a_ring_of_two_buffers_is_clean) {
  expect2(
      "w4 0 4; arrive 1 64; w4 128 4; arrive 2 64; sync 3 64; w4 0 4;"
      "arrive 1 64; sync 4 64; w4 128 4; arrive 2 64",
      "sync 1 64; r4 0 4; arrive 3 64; sync 2 64; r4 128 4; arrive 4 64;"
      "sync 1 64; r4 0 4; sync 2 64; r4 128 4",
      "");
}
END_TEST

// ----------------------------------------------------------------- races ---

START_TEST(without_a_barrier_all_threads_race) {
  expect2("w4 0 0", "w4 0 0",
          "race 496 at 0+4; race 1024 at 0+4; race 496 at 0+4");
  expect2("r4 0 4", "r4 0 4", "");
  expect2("w4 0 4", "w4 128 4", "");
}
END_TEST

START_TEST(before_the_first_and_after_the_last_barrier_is_no_order) {
  expect2("w4 0 4; sync 0 64", "r4 0 4; sync 0 64", "race 32 at 0+4");
  expect2("sync 0 64; w4 0 4", "sync 0 64; r4 0 4", "race 32 at 0+4");
  expect2("w4 0 4; sync 0 64", "sync 0 64; r4 0 4", "");
}
END_TEST

START_TEST(an_arrival_publishes_and_does_not_acquire) {
  expect2("w4 0 4; arrive 0 64", "sync 0 64; r4 0 4", "");
  expect2("arrive 0 64; r4 0 4", "w4 0 4; sync 0 64", "race 32 at 0+4");
  expect2("arrive 0 64; w4 0 4", "sync 0 64; r4 0 4", "race 32 at 0+4");
}
END_TEST

START_TEST(an_arrival_does_not_order_its_own_lanes) {
  expect2("w4 0 0 1; arrive 0 64; r4 0 0 2", "sync 0 64", "race 1 at 0+4");
  expect2("w4 0 0 1; sync 0 64; r4 0 0 2", "arrive 0 64", "");
}
END_TEST

START_TEST(order_is_transitive) {
  expect3("w4 0 4; arrive 0 64", "sync 0 64; arrive 1 64", "sync 1 64; r4 0 4",
          "");
  expect3("w4 0 4; arrive 0 64", "arrive 1 64; sync 0 64", "sync 1 64; r4 0 4",
          "race 32 at 0+4");
}
END_TEST

START_TEST(accesses_of_any_width_overlap_byte_by_byte) {
  expect2("w16 0 0 1", "r4 4 0 1", "race 1 at 4+4");
  expect2("w16 0 0 1", "r4 16 0 1", "");
  expect2("w2 0 0 1", "r1 1 0 1", "race 1 at 1+1");
  expect2("w1 0 0 1", "r1 1 0 1", "");
  expect2("w8 6 0 1", "r4 2 0 1", "");
  expect2("w8 6 0 1", "r8 2 0 1", "race 1 at 6+4");
  expect2("w32 0 0 1", "r1 31 0 1", "race 1 at 31+1");
  expect2("w4 0 4", "r1 127 0 1", "race 1 at 127+1");
  expect2("w4 124 -4", "r1 0 0 1", "race 1 at 0+1");
}
END_TEST

START_TEST(atomics_do_not_race_with_each_other) {
  expect2("a4 0 0", "a4 0 0", "");
  expect2("a4 0 0 1", "r4 0 0 1", "race 1 at 0+4");
  expect2("w4 0 0 1", "a4 0 0 1", "race 1 at 0+4");
}
END_TEST

// The write is forgotten by no atomic, the read by no read of another warp.
START_TEST(what_is_ordered_before_one_may_race_with_another) {
  expect3("w4 0 0 1; sync 0 64", "sync 0 64; a4 0 0 1", "a4 0 0 1",
          "race 1 at 0+4");
  expect3("r4 0 0 1; sync 0 64", "sync 0 64; r4 0 0 1", "w4 0 0 1",
          "race 1 at 0+4; race 1 at 0+4");
}
END_TEST

// ------------------------------------------------------ lanes of one warp ---

START_TEST(lanes_of_a_warp_are_not_ordered) {
  expect1("w4 0 4 3; r4 4 -4 3", "race 2 at 4+4");
  expect1("w4 0 4; r4 0 4", "");
  expect1("w4 0 0 3", "race 1 at 0+4");
  expect1("w4 0 0 3 =", "");
  expect1("w4 0 2 3 =", "race 1 at 2+2");
  expect1("w4 0 0 3 =; w4 0 0 3 =", "race 2 at 0+4");
}
END_TEST

START_TEST(bar_warp_sync_orders_the_lanes_in_its_mask) {
  expect1("w4 0 4; warp ffffffff; r4 124 -4", "");
  expect1("w4 0 4 3; warp 3; r4 4 -4 3", "");
  expect1("w4 0 4 7; warp 3; r4 0 0 4", "race 1 at 0+4");
  expect1("w4 0 0 1; warp 3; warp 6; r4 0 0 4", "");
  expect1("w4 0 0 1; warp 6; warp 3; r4 0 0 4", "race 1 at 0+4");
  expect1("w4 0 0 1; warp 3; warp c; r4 0 0 8", "race 1 at 0+4");
}
END_TEST

START_TEST(bar_warp_sync_orders_nothing_between_warps) {
  expect2("w4 0 0 1; warp ffffffff", "warp ffffffff; r4 0 0 1",
          "race 1 at 0+4");
}
END_TEST

START_TEST(a_block_barrier_orders_the_lanes_of_a_warp) {
  expect2("w4 0 4; sync 0 64; r4 124 -4", "sync 0 64", "");
}
END_TEST

START_TEST(in_lock_step_only_one_write_races_with_itself) {
  programs.lock_step = true;
  expect1("w4 0 4; r4 124 -4", "");
  expect1("w4 0 0 3", "race 1 at 0+4");
  expect1("w4 0 0 3 =; w4 0 0 3 =", "");
  expect2("w4 0 0 1", "r4 0 0 1", "race 1 at 0+4");
}
END_TEST

START_TEST(a_lane_that_exits_publishes_nothing_more) {
  expect2("w4 0 0 1; exit 1; sync 0 64", "sync 0 64; r4 0 0 1",
          "race 1 at 0+4");
  expect2("w4 0 0 1; sync 0 64; exit 1; sync 0 64",
          "sync 0 64; r4 0 0 1;"
          "sync 0 64",
          "");
  expect2("w4 0 0 1; warp 3; exit 1; sync 0 64", "sync 0 64; r4 0 0 1", "");
  expect2("w4 0 0 1; warp 3; w4 4 0 1; exit 1; sync 0 64",
          "sync 0 64; r8 0 0 1", "race 1 at 4+4");
  programs.lock_step = true;
  expect2("w4 0 0 1; exit 1; sync 0 64", "sync 0 64; r4 0 0 1", "");
}
END_TEST

START_TEST(a_partial_warp_counts_as_a_whole) {
  start();
  add_warp("sync 0 64; r4 0 4 ffff");
  add_warp("w4 0 4 ffff; sync 0 64; r4 124 -4 ffff");
  programs.threads -= 16;
  ck_assert_str_eq(findings(), "");
}
END_TEST

START_TEST(the_example_names_lanes_and_places) {
  expect2("r4 0 4; w4 256 4", "w4 128 -4", "race 31 at 124+4");
  const Finding *race = &check.findings.at[0];
  ck_assert_uint_eq(race->end_count, 2);
  ck_assert_uint_eq(race->ends[0].place, 2);
  ck_assert_uint_eq(race->ends[0].warp, 1);
  ck_assert_uint_eq(race->ends[1].place, 0);
  ck_assert_uint_eq(race->ends[1].command, 0);
}
END_TEST

START_TEST(scattered_accesses_have_an_address_for_each_lane) {
  start();
  add_warp("w4 0 0 f");
  add_warp("r4 0 0 1");
  programs.warps[0].at[0].is_scattered = true;
  programs.warps[0].at[0].stride = 100;
  static const uint32_t addresses[WARP] = {0, -100u, 100, 200};
  for (unsigned i = 0; i < WARP; i++)
    push(&task.arena, &programs.addresses, addresses[i]);
  ck_assert_str_eq(findings(), "race 1 at 0+4");
  ck_assert_uint_eq(check.findings.at[0].ends[1].lane, 1);
}
END_TEST

// ------------------------------------------------------------------ rest ---

START_TEST(programs_are_printed_a_line_for_each_command) {
  char *text = NULL;
  size_t size;
  start();
  add_warp("w4 0 4; warp 8000ffff; sync 1 64");
  add_warp("arrive 1 64; r1 7 0 1; exit 1");
  FILE *out = open_memstream(&text, &size);
  programs_print(&task, &programs, out);
  fclose(out);
  ck_assert_ptr_nonnull(strstr(text, "programs of test, 64 threads\n"));
  ck_assert_ptr_nonnull(
      strstr(text, "warp 0      0: write 4 bytes  [0, 128) by 4  lanes 0-31"));
  ck_assert_ptr_nonnull(strstr(text, "bar.warp.sync  lanes 0-15,31"));
  ck_assert_ptr_nonnull(strstr(text, "warp 0      2: bar.sync 1, 64"));
  ck_assert_ptr_nonnull(strstr(text, "bar.arrive 1, 64"));
  ck_assert_ptr_nonnull(strstr(text, "read 1 byte  [7, 8) by 0  lanes 0"));
  ck_assert_ptr_nonnull(strstr(text, "  k.cu:6\n"));
  free(text);
}
END_TEST

static void run_check(Task *of, void *data) {
  programs_check(of, &programs, data);
}

START_TEST(a_check_without_time_gives_up) {
  add_warp("w4 0 4; sync 0 32");
  task.deadline = work_seconds() / 2;
  ck_assert(!task_run(&task, run_check, &check));
  ck_assert_ptr_nonnull(strstr(task.reason, "time budget"));
}
END_TEST

// Far fewer than the pairs of accesses, of which there are billions.
START_TEST(the_work_grows_with_the_accesses_not_with_their_pairs) {
  for (unsigned shape = 0; shape <= LARGE_HOT; shape++) {
    Task one = {0};
    Programs *large = large_programs(&one.arena, shape, 64);
    programs_check(&one, large, &check);
    ck_assert_uint_eq(check.findings.count, 0);
    ck_assert_uint_lt(check.pair_tests, 12 * count_accesses(large));
    arena_free(&one.arena);
  }
}
END_TEST

START_TEST(a_large_program_without_barriers_ends_with_its_races) {
  Task one = {0};
  programs_check(&one, large_programs(&one.arena, LARGE_RACY, 16), &check);
  ck_assert_uint_eq(check.findings.count, 16 * 17 / 2 + 16 * 16);
  ck_assert(!check.stopped_counting);
  arena_free(&one.arena);
}
END_TEST

START_TEST(all_schedules_of_random_programs_agree) {
  expect_agreement(random_programs, 2000, 500);
}
END_TEST

START_TEST(accesses_that_may_not_be_made_race_in_no_finding) {
  expect_agreement(random_perhaps, 2000, 500);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("programs");
  tcase_add_checked_fixture(tc, start, stop);
  tcase_set_timeout(tc, 60);
  tcase_add_test(tc, listing_1_deadlocks_in_a_cycle);
  tcase_add_test(tc, listing_2_is_clean);
  tcase_add_test(tc, listing_2_without_one_of_its_barriers_is_wrong);
  tcase_add_test(tc, listing_3_writes_what_is_still_read);
  tcase_add_test(tc, figure_2_recycles_safely_because_of_two_paths);
  tcase_add_test(tc, in_figure_2_the_path_from_an_arrival_is_not_enough);
  tcase_add_test(tc, a_warp_that_exits_is_missed);
  tcase_add_test(tc, a_cycle_is_found_among_those_that_only_wait_for_it);
  tcase_add_test(tc, a_count_that_no_block_reaches_is_a_deadlock);
  tcase_add_test(tc, one_generation_has_one_count);
  tcase_add_test(tc, a_count_is_a_multiple_of_a_warp);
  tcase_add_test(tc, more_warps_than_the_count_are_too_many);
  tcase_add_test(tc, two_pairs_on_one_barrier_can_mix);
  tcase_add_test(tc, somebody_must_wait);
  tcase_add_test(tc, arrivals_left_at_the_end_harm_nobody);
  tcase_add_test(tc, a_warp_arrives_once_in_a_generation);
  tcase_add_test(tc, reductions_are_not_mixed_with_other_barriers);
  tcase_add_test(tc, a_mistake_in_a_loop_is_one_finding);
  tcase_add_test(tc, a_ring_of_two_buffers_is_clean);
  tcase_add_test(tc, without_a_barrier_all_threads_race);
  tcase_add_test(tc, before_the_first_and_after_the_last_barrier_is_no_order);
  tcase_add_test(tc, an_arrival_publishes_and_does_not_acquire);
  tcase_add_test(tc, an_arrival_does_not_order_its_own_lanes);
  tcase_add_test(tc, order_is_transitive);
  tcase_add_test(tc, accesses_of_any_width_overlap_byte_by_byte);
  tcase_add_test(tc, atomics_do_not_race_with_each_other);
  tcase_add_test(tc, what_is_ordered_before_one_may_race_with_another);
  tcase_add_test(tc, lanes_of_a_warp_are_not_ordered);
  tcase_add_test(tc, bar_warp_sync_orders_the_lanes_in_its_mask);
  tcase_add_test(tc, bar_warp_sync_orders_nothing_between_warps);
  tcase_add_test(tc, a_block_barrier_orders_the_lanes_of_a_warp);
  tcase_add_test(tc, in_lock_step_only_one_write_races_with_itself);
  tcase_add_test(tc, a_lane_that_exits_publishes_nothing_more);
  tcase_add_test(tc, a_partial_warp_counts_as_a_whole);
  tcase_add_test(tc, the_example_names_lanes_and_places);
  tcase_add_test(tc, scattered_accesses_have_an_address_for_each_lane);
  tcase_add_test(tc, programs_are_printed_a_line_for_each_command);
  tcase_add_test(tc, a_check_without_time_gives_up);
  tcase_add_test(tc, the_work_grows_with_the_accesses_not_with_their_pairs);
  tcase_add_test(tc, a_large_program_without_barriers_ends_with_its_races);
  tcase_add_test(tc, all_schedules_of_random_programs_agree);
  tcase_add_test(tc, accesses_that_may_not_be_made_race_in_no_finding);
  return run_suite(tc, "programs");
}
