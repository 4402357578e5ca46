// Programs of clusters of two blocks, of a warp each (test/unit/programs.h has
// the language).  The second block's memory begins at 262144, its barriers with
// number 16, and 4194304 is the barrier of the cluster.

#define _POSIX_C_SOURCE 200809L

#include "test/unit/reported.h"
#include "test/unit/suite.h"

#define ALL "ffffffff"
#define ARRIVE "come 4194304 1 " ALL "; "
#define RELAXED "come.relaxed 4194304 1 " ALL "; "
#define WAIT "wait 4194304 0 " ALL "; "
#define WAIT_AGAIN "wait 4194304 1 " ALL "; "
#define MEET ARRIVE WAIT
#define MEET_AGAIN ARRIVE WAIT_AGAIN

static const char *check_blocks(const char *a, const char *b) {
  stop();
  start();
  add_warp(a);
  add_warp(b);
  programs.threads = WARP;
  programs.blocks = 2;
  return findings();
}

#define expect_blocks(a, b, text) ck_assert_str_eq(check_blocks(a, b), text)

START_TEST(blocks_meet_at_the_barrier_of_the_cluster) {
  expect_blocks("w4 0 4; " MEET "r4 262144 4; " MEET_AGAIN,
                "w4 262144 4; " MEET "r4 0 4; " MEET_AGAIN, "");
  expect_blocks("w4 0 4; " RELAXED WAIT "r4 262144 4; " MEET_AGAIN,
                "w4 262144 4; " MEET "r4 0 4; " MEET_AGAIN, "race 32 at 0+4");
  expect_blocks(ARRIVE "w4 0 4; " WAIT "r4 262144 4; " MEET_AGAIN,
                "w4 262144 4; " MEET "r4 0 4; " MEET_AGAIN, "race 32 at 0+4");
}
END_TEST

START_TEST(a_block_waits_for_all_threads_that_have_not_exited) {
  expect_blocks(MEET, ARRIVE, "");
  expect_blocks(MEET, "", "deadlock 4194304.0");
  expect_blocks(MEET, "drop 4194304 1 " ALL "; exit " ALL, "");
  expect_blocks(MEET MEET_AGAIN, MEET "drop 4194304 1 " ALL "; exit " ALL, "");
}
END_TEST

START_TEST(an_arrival_needs_the_wait_before) {
  ck_assert_ptr_nonnull(
      strstr(check_blocks(ARRIVE ARRIVE WAIT, MEET), "early 4194304.1"));
}
END_TEST

START_TEST(named_barriers_are_of_their_block) {
  expect_blocks("sync 1 32", "sync 17 32", "");
  expect_blocks("sync 1 64", "sync 17 64", "deadlock 1.0");
}
END_TEST

START_TEST(a_block_is_not_accessed_before_it_has_begun) {
  expect_blocks("r4 262144 0; " MEET, MEET, "not started at 262144");
  expect_blocks(RELAXED WAIT "r4 262144 0; " MEET_AGAIN,
                RELAXED WAIT MEET_AGAIN, "");
  expect_blocks("init 1024 1 1; " MEET
                "wait 1024 0 1; r4 262144 0 1; "
                "come 263168 1 1",
                "init 263168 1 1; " MEET "come 1024 1 1; wait 263168 0 1", "");
}
END_TEST

START_TEST(a_block_is_not_accessed_after_its_end) {
  expect_blocks(MEET "r4 262144 0", MEET, "gone at 262144");
  expect_blocks(MEET "r4 262144 0; " ARRIVE, MEET ARRIVE WAIT_AGAIN, "");
  expect_blocks(MEET "r4 262144 0; " RELAXED, MEET ARRIVE WAIT_AGAIN,
                "gone at 262144");
  expect_blocks(MEET "r4 262144 0; " ARRIVE, MEET ARRIVE, "gone at 262144");
}
END_TEST

START_TEST(an_mbarrier_ends_with_its_block) {
  expect_blocks(MEET "come 263168 1 1", "init 263168 1 1; " MEET,
                "gone 263168.1");
  expect_blocks(MEET "come 263168 1 1",
                "init 263168 1 1; " MEET "wait 263168 0 1", "");
  expect_blocks(MEET "come 263168 1 1; " ARRIVE,
                "init 263168 1 1; " MEET MEET_AGAIN, "");
}
END_TEST

START_TEST(a_fence_lets_a_relaxed_arrival_publish_what_was_initialised) {
  expect_blocks(RELAXED WAIT "come 263168 1 1",
                "init 263168 1 1; fence.init 1; w4 262144 0 1; " RELAXED WAIT
                "wait 263168 0 1",
                "");
  expect_blocks(RELAXED WAIT "come 263168 1 1",
                "init 263168 1 1; fence.init 2; " RELAXED WAIT
                "wait 263168 0 1",
                "dead 263168.0");
  expect_blocks(RELAXED WAIT "come 263168 1 1",
                "fence.init 1; init 263168 1 1; " RELAXED WAIT
                "wait 263168 0 1",
                "dead 263168.0");
}
END_TEST

START_TEST(copies_keep_the_blocks_that_they_read_and_write) {
  expect_blocks(MEET
                "store 0 32 2 1; load 262144 32 1 1; "
                "come.bulk 263168 32 1; " MEET_AGAIN,
                "init 263168 1 1; " MEET
                "tell 263168 1 32 1; wait 263168 0 1; " MEET_AGAIN,
                "");
  expect_blocks(MEET
                "store 0 32 2 1; load 262144 32 1 1; "
                "come.bulk 263168 32 1",
                "init 263168 1 1; " MEET "tell 263168 1 32 1; wait 263168 0 1",
                "unfinished at 0");
  expect_blocks(MEET
                "store 0 32 2 1; load 262144 32 1 1; "
                "come.bulk 263168 32 1; " MEET_AGAIN,
                "init 263168 1 1; " MEET "tell 263168 1 32 1; " MEET_AGAIN,
                "unfinished at 0; unfinished at 262144");
}
END_TEST

START_TEST(each_block_has_its_registers) {
  stop();
  start();
  for (unsigned warp = 0; warp < 8; warp++) {
    add_warp("");
    Command request = {.kind = COMMAND_REGISTERS,
                       .barrier = 1,
                       .lanes = UINT32_MAX,
                       .threads = warp < 4 ? 40 : 48};
    push(&task.arena, &programs.places, (Place){0});
    push(&task.arena, &programs.warps[warp], request);
  }
  programs.threads = 4 * WARP;
  programs.blocks = 2;
  programs.registers = 40;
  ck_assert_str_eq(findings(), "pool 0.0");
  ck_assert_uint_eq(check.findings.at[0].ends[0].warp, 7);
}
END_TEST

// ---------------------------------------------------------------- replay ---

// What the schedule of the finding of this kind has come to.
static const char *seen_in_blocks(FindingKind kind, const char *a,
                                  const char *b) {
  check_blocks(a, b);
  for (size_t i = 0; i < check.findings.count; i++)
    if (check.findings.at[i].kind == kind)
      return check.findings.at[i].is_confirmed ? check.findings.at[i].replay
                                               : "";
  return NULL;
}

#define shows_blocks(kind, a, b, text)                                         \
  ck_assert_str_eq(seen_in_blocks(kind, a, b), text)

START_TEST(no_thread_of_a_block_has_begun) {
  shows_blocks(FINDING_NOT_STARTED, "r4 262144 0; " MEET, MEET,
               "after 0 commands warp 0 of block 0 reads next, and no thread "
               "of block 1 has begun");
}
END_TEST

// The arrival always comes before, and is relaxed.
START_TEST(nothing_tells_that_a_block_has_begun) {
  shows_blocks(FINDING_NOT_STARTED,
               "init 1024 1 1; wait 1024 0 1; r4 262144 0 1; " MEET,
               "come.relaxed 1024 1 1; " MEET,
               "after 7 commands warp 0 of block 0 reads next, and nothing "
               "that it has waited for tells that block 1 has begun");
  ck_assert_ptr_null(seen_in_blocks(
      FINDING_NOT_STARTED, "init 1024 1 1; wait 1024 0 1; r4 262144 0 1; " MEET,
      "come 1024 1 1; " MEET));
}
END_TEST

START_TEST(all_threads_of_a_block_have_exited) {
  shows_blocks(FINDING_GONE, MEET "r4 262144 0", MEET,
               "after 4 commands warp 0 of block 0 reads next, and all warps "
               "of block 1 have exited");
  shows_blocks(FINDING_GONE, MEET "come 263168 1 1", "init 263168 1 1; " MEET,
               "after 5 commands warp 0 of block 0 arrives at the mbarrier "
               "next, and all warps of block 1 have exited");
}
END_TEST

START_TEST(a_block_ends_and_knows_of_no_access) {
  shows_blocks(FINDING_GONE, MEET "r4 262144 0; " RELAXED,
               MEET ARRIVE WAIT_AGAIN,
               "after 8 commands all warps of block 1 have exited, and nothing "
               "that they have waited for tells that warp 0 of block 0 has "
               "been there");
}
END_TEST

START_TEST(a_copy_outlives_the_block_that_it_reads) {
  shows_blocks(FINDING_UNFINISHED,
               MEET
               "store 0 32 2 1; load 262144 32 1 1; "
               "come.bulk 263168 32 1; " MEET_AGAIN,
               "init 263168 1 1; " MEET "tell 263168 1 32 1; " MEET_AGAIN,
               "after 12 commands all warps of block 0 have exited, and the "
               "copy is on its way");
}
END_TEST

START_TEST(nothing_publishes_what_was_initialised) {
  shows_blocks(FINDING_DEAD, RELAXED WAIT "come 263168 1 1",
               "init 263168 1 1; fence.init 2; " RELAXED WAIT "wait 263168 0 1",
               "after 7 commands warp 0 of block 0 arrives at the mbarrier "
               "next, and nothing that it has waited for tells that warp 0 of "
               "block 1 has been there");
}
END_TEST

// ---------------------------------------------------------------- report ---

START_TEST(reports_name_the_blocks) {
  static const char *const lines[] = {
      "access to shared memory of another block, which may have ended\n",
      "thread (3,0,0) of block 0 reads bytes 12..15 of block 1, dir/k.cu:3:1\n",
      "\"cluster\":[2,1,1]", "\"ends\":[{\"block\":0,\"warp\":0,\"lane\":3",
      "\"address\":12,\"bytes\":4"};
  check_blocks(MEET "r4 262144 4 8", MEET);
  expect_report(VERDICT_RACY, 2, lines, sizeof lines / sizeof *lines);
}
END_TEST

START_TEST(reports_know_the_barrier_of_the_cluster) {
  static const char *const lines[] = {
      "warp 0 of block 0 waits at barrier.cluster, dir/k.cu:2:1: phase 0 has "
      "32 of 64 arrivals; nobody else will come\n",
      "\"barrier\":\"cluster\",\"mbarrier\":null"};
  check_blocks(MEET, "");
  expect_report(VERDICT_RACY, 2, lines, sizeof lines / sizeof *lines);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("clusters");
  tcase_add_checked_fixture(tc, start, stop);
  tcase_add_test(tc, blocks_meet_at_the_barrier_of_the_cluster);
  tcase_add_test(tc, a_block_waits_for_all_threads_that_have_not_exited);
  tcase_add_test(tc, an_arrival_needs_the_wait_before);
  tcase_add_test(tc, named_barriers_are_of_their_block);
  tcase_add_test(tc, a_block_is_not_accessed_before_it_has_begun);
  tcase_add_test(tc, a_block_is_not_accessed_after_its_end);
  tcase_add_test(tc, an_mbarrier_ends_with_its_block);
  tcase_add_test(tc,
                 a_fence_lets_a_relaxed_arrival_publish_what_was_initialised);
  tcase_add_test(tc, copies_keep_the_blocks_that_they_read_and_write);
  tcase_add_test(tc, each_block_has_its_registers);
  tcase_add_test(tc, no_thread_of_a_block_has_begun);
  tcase_add_test(tc, nothing_tells_that_a_block_has_begun);
  tcase_add_test(tc, all_threads_of_a_block_have_exited);
  tcase_add_test(tc, a_block_ends_and_knows_of_no_access);
  tcase_add_test(tc, a_copy_outlives_the_block_that_it_reads);
  tcase_add_test(tc, nothing_publishes_what_was_initialised);
  tcase_add_test(tc, reports_name_the_blocks);
  tcase_add_test(tc, reports_know_the_barrier_of_the_cluster);
  return run_suite(tc, "clusters");
}
