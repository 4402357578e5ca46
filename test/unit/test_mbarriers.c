// Programs with mbarriers and asynchronous copies: what is right, and every
// mistake (test/unit/programs.h has the language).
//
// Most have two warps: the first initialises an mbarrier at 1024, or two, and a
// barrier publishes that.

#define _POSIX_C_SOURCE 200809L

#include "test/unit/reported.h"
#include "test/unit/suite.h"

#define ONE "init 1024 1 1; sync 0 64; "
#define TWO "init 1024 2 1; sync 0 64; "
#define PAIR "init 1024 1 1; init 1032 1 1; sync 0 64; "
#define NONE "sync 0 64; "

// ----------------------------------------------------- arrivals and waits ---

START_TEST(a_wait_learns_what_was_before_the_arrivals) {
  expect2(ONE "w4 0 0 1; come 1024 1 1", NONE "wait 1024 0 1; r4 0 0 1", "");
  expect2(ONE "come 1024 1 1; w4 0 0 1", NONE "wait 1024 0 1; r4 0 0 1",
          "race 1 at 0+4");
  expect2(ONE "w4 0 0 1; come 1024 1 1", NONE "r4 0 0 1; wait 1024 0 1",
          "race 1 at 0+4");
  ck_assert_uint_eq(check.generations, 2);
}
END_TEST

START_TEST(an_arrival_learns_nothing) {
  expect2(TWO "w4 0 0 1; come 1024 1 1", NONE "come 1024 1 1; r4 0 0 1",
          "race 1 at 0+4");
  expect2(TWO "w4 0 0 1; come 1024 1 1",
          NONE "come 1024 1 1; wait 1024 0 1; r4 0 0 1", "");
}
END_TEST

START_TEST(only_the_lanes_that_wait_learn) {
  expect2(ONE "w4 0 0 1; come 1024 1 1", NONE "wait 1024 0 1; r4 0 0 2",
          "race 1 at 0+4");
  expect2(ONE "w4 0 0 1; come 1024 1 1", NONE "wait 1024 0 3; r4 0 0 2", "");
  expect2(ONE "w4 0 0 1; come 1024 1 1", NONE "wait 1024 0 1; warp 3; r4 0 0 2",
          "");
  programs.lock_step = true;
  expect2(ONE "w4 0 0 1; come 1024 1 1", NONE "wait 1024 0 1; r4 0 0 2", "");
}
END_TEST

START_TEST(an_elected_lane_arrives_for_its_warp_after_bar_warp_sync) {
  expect2(ONE "w4 0 4; come 1024 1 1", NONE "wait 1024 0 ffffffff; r4 0 4",
          "race 31 at 4+4");
  expect2(ONE "w4 0 4; warp ffffffff; come 1024 1 1",
          NONE "wait 1024 0 ffffffff; r4 0 4", "");
  expect2(ONE "w4 0 4 f; warp 3; come 1024 1 1", NONE "wait 1024 0 f; r4 0 4 f",
          "race 2 at 8+4");
}
END_TEST

START_TEST(each_lane_arrives_for_itself) {
  expect2("init 1024 32 1; sync 0 64; w4 0 4; come 1024 1 ffffffff",
          NONE "wait 1024 0 ffffffff; r4 124 -4", "");
  expect2("init 1024 31 1; sync 0 64; w4 0 4; come 1024 1 ffffffff",
          NONE "wait 1024 0 ffffffff", "early 1024.1");
  expect2("init 1024 33 1; sync 0 64; w4 0 4; come 1024 1 ffffffff",
          NONE "wait 1024 0 ffffffff", "deadlock 1024.0");
}
END_TEST

START_TEST(what_a_wait_learns_goes_on_through_barriers) {
  expect3("init 1024 1 1; sync 0 96; w4 0 0 1; come 1024 1 1",
          "sync 0 96; wait 1024 0 4; sync 1 64",
          "sync 0 96; sync 1 64; r4 0 0 1", "");
  expect3("init 1024 1 1; sync 0 96; w4 0 0 1; come 1024 1 1",
          "sync 0 96; arrive 1 64; wait 1024 0 4",
          "sync 0 96; sync 1 64; r4 0 0 1", "race 1 at 0+4");
}
END_TEST

START_TEST(what_is_known_of_one_life_says_nothing_of_the_next) {
  expect2(
      "init 1024 1 1; sync 0 64; come 1024 1 1; wait 1024 0 1; sync 0 64; "
      "inval 1024 1; init 1024 1 1; sync 0 64; come 1024 1 1",
      "sync 0 64; wait 1024 0 1; sync 0 64; sync 0 64; come 1024 1 1",
      "early 1024.1");
}
END_TEST

START_TEST(what_is_relaxed_counts_and_orders_nothing) {
  expect2(ONE "w4 0 0 1; come.relaxed 1024 1 1", NONE "wait 1024 0 1; r4 0 0 1",
          "race 1 at 0+4");
  expect2(ONE "w4 0 0 1; come 1024 1 1", NONE "wait.relaxed 1024 0 1; r4 0 0 1",
          "race 1 at 0+4");
  expect2(ONE "come.relaxed 1024 1 1", NONE "wait.relaxed 1024 0 1", "");
}
END_TEST

START_TEST(who_must_not_complete_a_phase_comes_before_another_arrival) {
  expect2(TWO "come.more 1024 1 1; come 1024 1 1", NONE "wait 1024 0 1", "");
  expect2(TWO "come.more 1024 1 1", NONE "come 1024 1 1; wait 1024 0 1",
          "completes 1024.0");
  expect2(TWO "come.more 1024 1 1; sync 1 64",
          NONE "sync 1 64; come 1024 1 1; wait 1024 0 1", "");
  expect2(TWO "come 1024 1 1; come.more 1024 1 1", NONE "wait 1024 0 1",
          "completes 1024.0");
}
END_TEST

START_TEST(a_bulk_copy_is_made_when_its_phase_is_over) {
  expect2(
      "init 1024 1 1; sync 0 64; tell 1024 1 32 1; load 0 32 1 1; "
      "come.bulk 1024 32 1",
      NONE "wait 1024 0 1; r4 0 0 1", "");
  expect2(
      "init 1024 1 1; sync 0 64; tell 1024 1 32 1; load 0 32 1 1; "
      "come.bulk 1024 32 1",
      NONE "r4 28 0 1; wait 1024 0 1", "race 1 at 28+4");
  expect2(
      "init 1024 1 1; sync 0 64; tell 1024 1 32 1; load 0 32 1 1; "
      "come.bulk 1024 32 1; w4 0 0 1",
      NONE "wait 1024 0 1; r4 64 0 1", "race 1 at 0+4");
  expect2(
      "init 1024 1 1; sync 0 64; come 1024 1 1; load 0 32 1 1; "
      "come.bulk 1024 32 1; expect 1024 32 1",
      NONE "wait 1024 0 1; r4 64 0 1", "early 1024.1; early 1024.1");
}
END_TEST

START_TEST(what_is_written_is_fenced_for_a_bulk_copy) {
  const char *reader = "sync 0 64; store 0 32 0 1; bulks 2 1";
  expect2("w4 0 0 1; fence 1; sync 0 64", reader, "");
  expect2("w4 0 0 1; sync 0 64", reader, "unfenced at 0");
  expect2("fence 1; w4 0 0 1; sync 0 64", reader, "unfenced at 0");
  expect2("r4 0 0 1; sync 0 64", reader, "");
  expect2("w4 0 0 1; fence 2; sync 0 64", reader, "unfenced at 0");
  expect2("w4 0 0 1; fence 1; sync 0 64; w4 0 0 1", reader, "race 1 at 0+4");
}
END_TEST

START_TEST(a_bulk_group_is_waited_for_by_its_thread) {
  expect2("store 0 32 0 1; bulks 1 1; sync 0 64", "sync 0 64; w4 0 0 1", "");
  expect2("store 0 32 0 1; sync 0 64; bulks 1 1", "sync 0 64; w4 0 0 1",
          "race 1 at 0+4");
  expect1(
      "store 0 32 0 1; store 64 32 0 1; bulks 1 1; w4 0 0 1; bulks 2 1; "
      "exit 1",
      "");
  expect1("store 0 32 0 1; store 64 32 0 1; bulks 1 1; w4 64 0 1; bulks 2 1",
          "race 1 at 64+4");
  expect1("store 0 32 0 1; store 64 32 0 1; bulks 1 1; exit 1",
          "unfinished at 64");
}
END_TEST

START_TEST(one_arrival_may_count_for_many) {
  expect2(TWO "come 1024 2 1", NONE "wait 1024 0 1", "");
  expect2(TWO "come 1024 3 1", NONE "wait 1024 0 1", "arrivals 1024.0");
}
END_TEST

START_TEST(who_drops_out_is_expected_no_more) {
  expect2(TWO "drop 1024 1 1",
          NONE "come 1024 1 1; wait 1024 0 1; come 1024 1 1; wait 1024 1 1",
          "");
  expect2(TWO "come 1024 1 1",
          NONE "come 1024 1 1; wait 1024 0 1; come 1024 1 1; wait 1024 1 1",
          "deadlock 1024.1");
  expect1("init 1024 1 1; come 1024 1 1; wait 1024 0 1; drop 1024 2 1",
          "arrivals 1024.1");
}
END_TEST

START_TEST(arrivals_left_at_the_end_harm_nobody) {
  expect2(TWO "come 1024 1 1", NONE, "");
}
END_TEST

// --------------------------------------------------------- their beginning ---

START_TEST(an_mbarrier_is_initialised_before_it_is_used) {
  expect1("come 1024 1 1", "dead 1024.0");
  expect2("init 1024 1 1; come 1024 1 1", "wait 1024 0 1", "dead 1024.0");
  expect2("sync 0 64; init 1024 1 1; come 1024 1 1", "sync 0 64; wait 1024 0 1",
          "dead 1024.0");
  expect1("init 1024 1 1; come 1024 1 2", "dead 1024.0");
  expect1("init 1024 1 1; warp 3; come 1024 1 2", "");
  ck_assert_uint_eq(check.findings.count, 0);
}
END_TEST

START_TEST(it_is_initialised_once) {
  expect1("init 1024 1 3", "live 1024.0");
  expect1("init 1024 1 1; init 1024 1 1", "live 1024.0");
  expect1("init 1024 1 1; inval 1024 1; init 1024 2 1", "");
  expect1("init 1024 1 1; inval 1024 1; come 1024 1 1", "dead 1024.0");
}
END_TEST

START_TEST(it_ends_behind_all_that_use_it) {
  expect2(ONE "come 1024 1 1; inval 1024 1", NONE "wait 1024 0 1",
          "dead 1024.1");
  expect2(ONE "come 1024 1 1; sync 0 64; inval 1024 1",
          NONE "wait 1024 0 1; sync 0 64", "");
  expect2(ONE "come 1024 1 1", NONE "wait 1024 0 1; inval 1024 1", "");
  expect2(TWO "come 1024 1 1; wait 1024 0 1; inval 1024 1",
          NONE "come 1024 1 1; wait 1024 0 1", "in use 1024.1");
}
END_TEST

START_TEST(nothing_else_touches_it) {
  expect1("init 1024 1 1; r4 1028 0 1", "overlap at 1028");
  expect1("init 1024 1 1; r4 1032 0 1", "");
  expect1("w8 1024 0 1; init 1024 1 1", "");
  expect1("init 1024 1 1; inval 1024 1; w8 1024 0 1", "");
  expect2("init 1024 1 1", "w4 1024 0 1", "overlap at 1024");
}
END_TEST

START_TEST(counts_are_in_range) {
  expect1("init 1024 0 1", "range 1024.0");
  expect1("init 1024 1048576 1", "range 1024.0");
  expect1("init 1024 1048575 1", "");
  expect1("init 1024 1 1; come 1024 0 1", "range 1024.0");
  expect1("init 1024 1 1; expect 1024 0 1; bytes 1024 0 1", "");
  expect1("init 1024 2 1; expect 1024 1048575 1; expect 1024 1 1",
          "range 1024.0");
}
END_TEST

// ---------------------------------------------------------------- phases ---

START_TEST(parity_1_passes_on_a_new_mbarrier) {
  expect2(ONE "wait 1024 1 1; come 1024 1 1", NONE "wait 1024 0 1", "");
  expect2(ONE "wait 1024 1 1", NONE "come 1024 1 1", "misses 1024.-1");
  expect2(ONE "come 1024 1 1", NONE "wait 1024 1 1",
          "deadlock 1024.1; passes 1024.1");
  expect2(ONE, NONE "wait 1024 1 1", "");
}
END_TEST

START_TEST(an_arrival_needs_a_wait_for_the_phase_before) {
  expect2(ONE "come 1024 1 1; come 1024 1 1", NONE, "early 1024.1");
  expect2(ONE "come 1024 1 1; wait 1024 0 1; come 1024 1 1", NONE, "");
  expect2(ONE "come 1024 1 1; sync 0 64; come 1024 1 1",
          NONE "wait 1024 0 1; sync 0 64", "");
  expect2(ONE "come 1024 1 1; sync 0 64; come 1024 1 1",
          NONE "sync 0 64; wait 1024 0 1",
          "deadlock 1024.2; early 1024.1; passes 1024.2");
}
END_TEST

START_TEST(a_wait_may_miss_its_phase) {
  expect2(ONE "wait 1024 0 1",
          NONE "come 1024 1 1; wait 1024 0 1; come 1024 1 1",
          "deadlock 1024.2; misses 1024.0");
  expect2(TWO "come 1024 1 1; wait 1024 0 1; come 1024 1 1",
          NONE "come 1024 1 1; wait 1024 0 1; come 1024 1 1", "");
}
END_TEST

START_TEST(a_wait_may_pass_before_its_phase) {
  expect2(ONE "come 1024 1 1; wait 1024 0 1; come 1024 1 1",
          NONE "wait 1024 1 1", "passes 1024.1");
  expect2(ONE "come 1024 1 1; sync 0 64; wait 1024 1 1",
          NONE "sync 0 64; wait 1024 0 1; come 1024 1 1", "");
}
END_TEST

// ----------------------------------------------------------------- bytes ---

START_TEST(a_try_lets_its_wait_pass_and_orders_nothing) {
  expect2(TWO "w4 0 0 1; come 1024 1 1",
          NONE "come 1024 1 1; try 1024 0 1; wait.tried 1024 1 0 1; r4 0 0 1",
          "");
  expect2(TWO "w4 0 0 1; come 1024 1 1",
          NONE "come 1024 1 1; try 1024 0 1; r4 0 0 1; wait.tried 1024 2 0 1",
          "race 1 at 0+4");
  // It asks about an object, and before that ends.
  expect1("try 1024 0 1", "dead 1024.0");
  expect2(ONE "try 1024 0 1", NONE "inval 1024 1", "in use 1024.0");
}
END_TEST

START_TEST(a_try_is_about_the_phase_of_its_wait) {
  // It may come when the phase before is not over yet, ...
  expect2(TWO "come 1024 1 1; wait 1024 0 1; come 1024 1 1",
          NONE
          "try 1024 1 1; come 1024 1 1; wait 1024 0 1; come 1024 1 1; "
          "wait.tried 1024 4 1 1",
          "passes 1024.1");
  // ... which is as good where no wait relies on it.
  expect2(TWO "come 1024 1 1; wait 1024 0 1; come 1024 1 1",
          NONE
          "try 1024 1 1; come 1024 1 1; wait 1024 0 1; come 1024 1 1; "
          "wait 1024 1 1",
          "");
  // A token of the phase before, which may be over, and where it cannot be.
  expect2(ONE "come 1024 1 1; wait 1024 0 1; sync 1 64; come 1024 1 1",
          NONE
          "try 1024 0 1; wait.tried 1024 1 0 1; sync 1 64; "
          "wait.tried 1024 3 1 1",
          "passes 1024.1");
  expect1(
      "init 1024 1 1; try 1024 0 1; come 1024 1 1; wait 1024 0 1; "
      "come 1024 1 1; wait.tried 1024 4 1 1",
      "");
}
END_TEST

START_TEST(a_phase_waits_for_its_bytes) {
  expect2(ONE "tell 1024 1 16 1", NONE "wait 1024 0 1", "deadlock 1024.0");
  ck_assert_int_eq(check.standing[1].tx, 16);
  ck_assert(check.standing[1].is_mbarrier);
  ck_assert_uint_eq(check.standing[1].address, 1024);
  ck_assert_uint_eq(check.standing[1].met, 1);
  expect2(ONE "tell 1024 1 16 1; bytes 1024 16 1", NONE "wait 1024 0 1", "");
  expect2(ONE "tell 1024 1 16 1; bytes 1024 8 1; bytes 1024 8 1",
          NONE "wait 1024 0 1", "");
  expect2(ONE "tell 1024 1 16 1; bytes 1024 32 1", NONE "wait 1024 0 1",
          "deadlock 1024.0");
  ck_assert_int_eq(check.standing[1].tx, -16);
}
END_TEST

START_TEST(bytes_are_announced_before_an_arrival) {
  expect2(ONE "expect 1024 16 1; come 1024 1 1; bytes 1024 16 1",
          NONE "wait 1024 0 1", "");
  expect2(ONE "come 1024 1 1; expect 1024 16 1", NONE "wait 1024 0 1",
          "early 1024.1");
  expect2(ONE "bytes 1024 16 1; expect 1024 16 1",
          NONE "come 1024 1 1; wait 1024 0 1", "unannounced 1024.0");
}
END_TEST

START_TEST(bytes_publish_nothing) {
  expect2(ONE "tell 1024 1 16 1; w4 0 0 1; bytes 1024 16 1",
          NONE "wait 1024 0 1; r4 0 0 1", "race 1 at 0+4");
}
END_TEST

START_TEST(bytes_balance_where_nobody_waits_too) {
  expect1("init 1024 1 1; tell 1024 1 16 1", "unbalanced 1024.0");
  expect1("init 1024 2 1; tell 1024 1 16 1", "");
}
END_TEST

// ----------------------------------------------------------------- rings ---

typedef enum Bug {
  BUG_NONE,
  BUG_NO_ARRIVAL,   // of the consumer
  BUG_FIRST_PARITY, // of the producer
  BUG_NO_FLIP,      // of the consumer
  BUG_EARLY_RELEASE,
  BUG_COUNT,   // of the full ones
  BUG_NO_WAIT, // of the producer
} Bug;

enum { BUFFER = 128, FULL = 1024, EMPTY = 2048, ROUNDS = 3 };

// Text of printf's kind at the end.
#define APPEND(text, ...)                                                      \
  text = arena_printf(&ring, "%s%s", text, arena_printf(&ring, __VA_ARGS__))

// One warp fills `stages` buffers in turn, the other one reads them.
static const char *check_ring(unsigned stages, Bug bug) {
  Arena ring = {0};
  const char *producer = "", *consumer = "sync 0 64";
  for (unsigned i = 0; i < stages; i++)
    APPEND(producer, "init %u %u 1; init %u 32 1; ", FULL + 8 * i,
           bug == BUG_COUNT ? 33 : 32, EMPTY + 8 * i);
  APPEND(producer, "sync 0 64");
  for (unsigned i = 0; i < ROUNDS * stages; i++) {
    unsigned stage = i % stages, flip = i / stages % 2;
    unsigned shift = bug == BUG_FIRST_PARITY ? 0 : 1;
    if (bug != BUG_NO_WAIT)
      APPEND(producer, "; wait %u %u ffffffff", EMPTY + 8 * stage,
             flip ^ shift);
    APPEND(producer, "; w4 %u 4; come %u 1 ffffffff", BUFFER * stage,
           FULL + 8 * stage);
    APPEND(consumer, "; wait %u %u ffffffff", FULL + 8 * stage,
           bug == BUG_NO_FLIP ? 0 : flip);
    if (bug != BUG_EARLY_RELEASE)
      APPEND(consumer, "; r4 %u 4", BUFFER * stage);
    if (bug != BUG_NO_ARRIVAL)
      APPEND(consumer, "; come %u 1 ffffffff", EMPTY + 8 * stage);
    if (bug == BUG_EARLY_RELEASE)
      APPEND(consumer, "; r4 %u 4", BUFFER * stage);
  }
  const char *text = check_warps(producer, consumer, NULL, NULL);
  arena_free(&ring);
  return text;
}

static bool begins(const char *text, const char *with) {
  return !strncmp(text, with, strlen(with));
}

START_TEST(a_ring_is_clean_and_each_of_its_mistakes_is_found) {
  static const unsigned stages[] = {1, 2, 4};
  for (unsigned i = 0; i < 3; i++) {
    ck_assert_str_eq(check_ring(stages[i], BUG_NONE), "");
    ck_assert(begins(check_ring(stages[i], BUG_NO_ARRIVAL), "deadlock 2048.0"));
    ck_assert(
        begins(check_ring(stages[i], BUG_FIRST_PARITY), "deadlock 2048.0"));
    ck_assert_ptr_nonnull(
        strstr(check_ring(stages[i], BUG_NO_FLIP), "early 2048.1"));
    ck_assert_ptr_nonnull(
        strstr(check_ring(stages[i], BUG_EARLY_RELEASE), "race 32 at "));
    ck_assert(begins(check_ring(stages[i], BUG_COUNT), "deadlock "));
    ck_assert_ptr_nonnull(
        strstr(check_ring(stages[i], BUG_NO_WAIT), "early 1024.1"));
  }
}
END_TEST

// -------------------------------------------------------------- deadlocks ---

START_TEST(warps_at_mbarriers_wait_for_those_that_would_come) {
  expect2(PAIR "wait 1024 0 1; come 1032 1 1",
          NONE "wait 1032 0 1; come 1024 1 1", "deadlock 1024.0");
  ck_assert(check.standing[0].is_in_cycle && check.standing[1].is_in_cycle);
  ck_assert_uint_eq(check.standing[0].waits_for, 1);
  ck_assert_uint_eq(check.standing[1].waits_for, 0);
}
END_TEST

START_TEST(a_warp_may_wait_for_itself) {
  expect2(ONE "wait 1024 0 1; come 1024 1 1", NONE, "deadlock 1024.0");
  ck_assert_uint_eq(check.standing[0].waits_for, 0);
  ck_assert(check.standing[0].is_in_cycle);
  ck_assert(check.standing[1].has_exited);
}
END_TEST

START_TEST(a_barrier_and_an_mbarrier_make_a_cycle) {
  expect2(ONE "sync 1 64; come 1024 1 1", NONE "wait 1024 0 1; sync 1 64",
          "deadlock 1.0");
  ck_assert(check.standing[0].is_in_cycle && check.standing[1].is_in_cycle);
}
END_TEST

START_TEST(a_wait_that_nobody_ends_says_so) {
  expect2(TWO "come 1024 1 1", NONE "wait 1024 0 1", "deadlock 1024.0");
  ck_assert_uint_eq(check.standing[1].waits_for, NO_WARP);
  ck_assert_uint_eq(check.standing[1].met, 1);
  ck_assert_uint_eq(check.standing[1].expected, 2);
}
END_TEST

// ---------------------------------------------------------------- copies ---

START_TEST(a_copy_goes_on_until_its_lane_waits_for_it) {
  expect1("c4 0 4; r4 0 4", "race 32 at 0+4");
  expect1("c4 0 4; done 1 ffffffff; r4 0 4", "");
  expect1("c4 0 4; done 0 ffffffff; r4 0 4", "race 32 at 0+4");
  expect1("c4 0 4; c4 128 4; done 1 ffffffff; r4 0 4", "");
  expect1("c4 0 4; c4 128 4; done 1 ffffffff; r4 128 4", "race 32 at 128+4");
  expect1("r4 0 4; c4 0 4", "");
  expect1("c4 0 4; c4 0 4", "race 32 at 0+4");
}
END_TEST

START_TEST(the_wait_is_for_the_own_copies_alone) {
  expect1("c4 0 4; done 1 ffffffff; r4 124 -4", "race 32 at 124+4");
  expect1("c4 0 4; done 1 ffffffff; warp ffffffff; r4 124 -4", "");
  expect1("c4 0 4; done 1 1; warp ffffffff; r4 0 0 1", "");
  expect1("c4 0 4; done 1 1; warp ffffffff; r4 4 0 1", "race 1 at 4+4");
}
END_TEST

START_TEST(a_barrier_does_not_wait_for_copies) {
  expect2("c4 0 4; sync 0 64", "sync 0 64; r4 0 4", "race 32 at 0+4");
  expect2("c4 0 4; done 1 ffffffff; sync 0 64", "sync 0 64; r4 0 4", "");
  expect2("c4 0 4; sync 0 64; done 1 ffffffff", "sync 0 64; r4 0 4",
          "race 32 at 0+4");
}
END_TEST

START_TEST(two_stages_of_copies_in_flight) {
  expect2(
      "c4 0 4; c4 128 4; done 1 ffffffff; sync 0 64; r4 124 -4;"
      "sync 0 64; c4 0 4; done 2 ffffffff; sync 0 64; r4 252 -4;"
      "done 7 ffffffff; sync 0 64; r4 124 -4",
      "sync 0 64; sync 0 64; sync 0 64; sync 0 64", "");
  expect2(
      "c4 0 4; c4 128 4; done 1 ffffffff; sync 0 64; r4 124 -4;"
      "c4 0 4; done 6 ffffffff",
      "sync 0 64", "race 32 at 0+4");
}
END_TEST

START_TEST(copies_arrive_at_an_mbarrier) {
  expect2("init 1024 32 1; sync 0 64; c4 0 4; land 1024 1 ffffffff",
          NONE "wait 1024 0 ffffffff; r4 0 4", "");
  expect2("init 1024 32 1; sync 0 64; land 1024 1 ffffffff; c4 0 4",
          NONE "wait 1024 0 ffffffff; r4 0 4", "race 32 at 0+4");
  expect2("init 1024 32 1; sync 0 64; c4 0 4; come 1024 1 ffffffff",
          NONE "wait 1024 0 ffffffff; r4 0 4", "race 32 at 0+4");
}
END_TEST

// With it, an arrival of their own is needed; and it publishes the rest.
START_TEST(copies_without_noinc_only_delay_the_phase) {
  expect2(
      "init 1024 32 1; sync 0 64; c4 0 4; land 1024 0 ffffffff;"
      "come 1024 1 ffffffff",
      NONE "wait 1024 0 ffffffff; r4 0 4", "");
  expect2("init 1024 32 1; sync 0 64; c4 0 4; land 1024 0 ffffffff",
          NONE "wait 1024 0 ffffffff; r4 0 4", "deadlock 1024.0");
  expect2(
      "init 1024 32 1; sync 0 64; c4 0 4; land 1024 1 ffffffff;"
      "come 1024 1 ffffffff",
      NONE "wait 1024 0 ffffffff; r4 0 4",
      "deadlock 1024.2; early 1024.1; passes 1024.2");
  expect2(ONE "c4 0 0 1; land 1024 0 1", NONE "come 1024 1 1; wait 1024 0 1",
          "unannounced 1024.0");
}
END_TEST

START_TEST(an_asynchronous_arrival_publishes_its_copies_alone) {
  expect2(ONE "w4 128 0 1; c4 0 0 1; land 1024 1 1",
          NONE "wait 1024 0 1; r4 0 0 1; r4 128 0 1", "race 1 at 128+4");
}
END_TEST

START_TEST(an_mbarrier_ends_behind_asynchronous_arrivals) {
  expect1("init 1024 1 1; c4 0 0 1; land 1024 1 1; inval 1024 1",
          "in use 1024.1");
  expect1(
      "init 1024 1 1; c4 0 0 1; land 1024 1 1; wait 1024 0 1;"
      "inval 1024 1",
      "");
}
END_TEST

// ------------------------------------------------------------------ rest ---

START_TEST(the_work_grows_with_the_accesses) {
  Task one = {0};
  Programs *large = large_programs(&one.arena, LARGE_PHASES, 64);
  programs_check(&one, large, &check);
  ck_assert_uint_eq(check.findings.count, 0);
  ck_assert_uint_eq(check.generations, 1 + 4 * 64);
  ck_assert_uint_lt(check.pair_tests, 12 * count_accesses(large));
  arena_free(&one.arena);
}
END_TEST

START_TEST(programs_are_printed) {
  char *text = NULL;
  size_t size;
  start();
  add_warp(
      "init 64 2 1; tell 64 1 16 3; bytes 64 16 1; wait 64 1 ffffffff;"
      "c16 0 16; land 64 0 1; done 5 f; drop 64 1 1; inval 64 1;"
      "expect 64 8 1");
  FILE *out = open_memstream(&text, &size);
  programs_print(&task, &programs, out);
  fclose(out);
  static const char *const lines[] = {
      "mbarrier.init [64], 2  lanes 0 ",
      "mbarrier.arrive [64], 1, 16 bytes  lanes 0-1",
      "mbarrier.complete_tx [64], 16 bytes  lanes 0",
      "mbarrier.wait [64] parity 1  lanes 0-31",
      "cp.async 16 bytes  [0, 512) by 16  lanes 0-31",
      "cp.async.mbarrier.arrive [64]  lanes 0",
      "cp.async.wait_group before 5  lanes 0-3",
      "mbarrier.arrive_drop [64], 1  lanes 0",
      "mbarrier.inval [64]  lanes 0",
      "mbarrier.expect_tx [64], 8 bytes  lanes 0"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    ck_assert_msg(strstr(text, lines[i]), "%s", lines[i]);
  free(text);
}
END_TEST

START_TEST(the_report_of_a_deadlock_has_the_state_of_the_phase) {
  static const char *const lines[] = {
      "dir/k.cu:6:1: deadlock: no warp can go on",
      "warp 0 (1 of its threads) waits for parity 0 of the mbarrier at byte "
      "1024, dir/k.cu:4:1: phase 0 has 2 of 3 arrivals, and 64 bytes have not "
      "come; warp 1 would come (dir/k.cu:7:1)\n",
      "warp 1 waits for parity 0 of the mbarrier at byte 1024",
      "it would come itself, later\n",
      ("\"mbarrier\":1024,\"parity\":0,\"generation\":0,\"met\":2,"
       "\"expected\":3,\"bytes_missing\":64,\"waits_for\":1")};
  expect2("init 1024 3 1; sync 0 64; tell 1024 2 64 1; wait 1024 0 1",
          NONE "wait 1024 0 ffffffff; come 1024 1 1", "deadlock 1024.0");
  expect_report(VERDICT_DEADLOCK, 1, lines, sizeof lines / sizeof *lines);
}
END_TEST

START_TEST(the_report_of_a_phase_says_who_and_where) {
  static const char *const lines[] = {
      "dir/k.cu:3:1: mbarrier at byte 1024, phase 0: a wait for parity 1, "
      "which "
      "passes on a new one, may come when it is over\n",
      "thread (0,0,0) waits for parity 1, dir/k.cu:3:1\n",
      "thread (32,0,0) arrives, count 1, dir/k.cu:5:1\n",
      "\"barrier\":null,\"mbarrier\":1024,\"generation\":-1"};
  expect2(ONE "wait 1024 1 1", NONE "come 1024 1 1", "misses 1024.-1");
  expect_report(VERDICT_DEADLOCK, 1, lines, sizeof lines / sizeof *lines);
}
END_TEST

START_TEST(the_report_of_an_overlap_names_both_ends) {
  static const char *const lines[] = {
      "dir/k.cu:2:1: ordinary access to an mbarrier in shared memory\n",
      "thread (0,0,0) reads bytes 1028..1031, dir/k.cu:2:1\n",
      "thread (0,0,0) initialises an mbarrier at bytes 1028..1031",
      "\"kind\":\"racy\""};
  expect1("init 1024 1 1; r4 1028 0 1", "overlap at 1028");
  expect_report(VERDICT_DEADLOCK, 1, lines, sizeof lines / sizeof *lines);
}
END_TEST

START_TEST(a_block_does_not_end_before_its_bulk_copies) {
#define LOAD "tell 1024 1 32 1; load 0 32 1 1; come.bulk 1024 32 1"
  expect2(ONE LOAD, NONE "", "unfinished at 0");
  expect2(ONE LOAD "; exit 1", NONE "wait 1024 0 80", "");
  // Two mbarriers; who waits for one knows nothing of the other.
  expect2(PAIR LOAD "; tell 1032 1 16 2; load 64 16 1 2; come.bulk 1032 16 2",
          NONE "wait 1024 0 1", "unfinished at 64");
  // The last phase counts, and whoever knows of it.
  expect2(ONE LOAD "; wait 1024 0 1; " LOAD, NONE "", "unfinished at 0");
  expect2(ONE LOAD "; wait 1024 0 1; " LOAD "; wait.relaxed 1024 1 1", NONE "",
          "");
#undef LOAD
}
END_TEST

START_TEST(all_schedules_of_random_programs_agree) {
  expect_agreement(random_phases, 3000, 1000);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("mbarriers");
  tcase_add_checked_fixture(tc, start, stop);
  tcase_set_timeout(tc, 60);
  tcase_add_test(tc, a_wait_learns_what_was_before_the_arrivals);
  tcase_add_test(tc, an_arrival_learns_nothing);
  tcase_add_test(tc, only_the_lanes_that_wait_learn);
  tcase_add_test(tc, an_elected_lane_arrives_for_its_warp_after_bar_warp_sync);
  tcase_add_test(tc, each_lane_arrives_for_itself);
  tcase_add_test(tc, what_a_wait_learns_goes_on_through_barriers);
  tcase_add_test(tc, what_is_known_of_one_life_says_nothing_of_the_next);
  tcase_add_test(tc, what_is_relaxed_counts_and_orders_nothing);
  tcase_add_test(tc,
                 who_must_not_complete_a_phase_comes_before_another_arrival);
  tcase_add_test(tc, a_bulk_copy_is_made_when_its_phase_is_over);
  tcase_add_test(tc, what_is_written_is_fenced_for_a_bulk_copy);
  tcase_add_test(tc, a_bulk_group_is_waited_for_by_its_thread);
  tcase_add_test(tc, one_arrival_may_count_for_many);
  tcase_add_test(tc, who_drops_out_is_expected_no_more);
  tcase_add_test(tc, arrivals_left_at_the_end_harm_nobody);
  tcase_add_test(tc, an_mbarrier_is_initialised_before_it_is_used);
  tcase_add_test(tc, it_is_initialised_once);
  tcase_add_test(tc, it_ends_behind_all_that_use_it);
  tcase_add_test(tc, nothing_else_touches_it);
  tcase_add_test(tc, counts_are_in_range);
  tcase_add_test(tc, parity_1_passes_on_a_new_mbarrier);
  tcase_add_test(tc, an_arrival_needs_a_wait_for_the_phase_before);
  tcase_add_test(tc, a_wait_may_miss_its_phase);
  tcase_add_test(tc, a_wait_may_pass_before_its_phase);
  tcase_add_test(tc, a_try_lets_its_wait_pass_and_orders_nothing);
  tcase_add_test(tc, a_try_is_about_the_phase_of_its_wait);
  tcase_add_test(tc, a_phase_waits_for_its_bytes);
  tcase_add_test(tc, bytes_are_announced_before_an_arrival);
  tcase_add_test(tc, bytes_publish_nothing);
  tcase_add_test(tc, bytes_balance_where_nobody_waits_too);
  tcase_add_test(tc, a_ring_is_clean_and_each_of_its_mistakes_is_found);
  tcase_add_test(tc, warps_at_mbarriers_wait_for_those_that_would_come);
  tcase_add_test(tc, a_warp_may_wait_for_itself);
  tcase_add_test(tc, a_barrier_and_an_mbarrier_make_a_cycle);
  tcase_add_test(tc, a_wait_that_nobody_ends_says_so);
  tcase_add_test(tc, a_copy_goes_on_until_its_lane_waits_for_it);
  tcase_add_test(tc, the_wait_is_for_the_own_copies_alone);
  tcase_add_test(tc, a_barrier_does_not_wait_for_copies);
  tcase_add_test(tc, two_stages_of_copies_in_flight);
  tcase_add_test(tc, copies_arrive_at_an_mbarrier);
  tcase_add_test(tc, copies_without_noinc_only_delay_the_phase);
  tcase_add_test(tc, an_asynchronous_arrival_publishes_its_copies_alone);
  tcase_add_test(tc, an_mbarrier_ends_behind_asynchronous_arrivals);
  tcase_add_test(tc, the_work_grows_with_the_accesses);
  tcase_add_test(tc, programs_are_printed);
  tcase_add_test(tc, the_report_of_a_deadlock_has_the_state_of_the_phase);
  tcase_add_test(tc, the_report_of_a_phase_says_who_and_where);
  tcase_add_test(tc, the_report_of_an_overlap_names_both_ends);
  tcase_add_test(tc, a_block_does_not_end_before_its_bulk_copies);
  tcase_add_test(tc, all_schedules_of_random_programs_agree);
  return run_suite(tc, "mbarriers");
}
