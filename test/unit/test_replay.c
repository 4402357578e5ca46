// Findings, looked for in schedules: what is seen, what is not, and what must
// not be.

#include "test/unit/programs.h"
#include "test/unit/suite.h"

#define ONE "init 64 1 1; sync 0 64; "
#define NONE "sync 0 64; "

static const char *replays(void) {
  const char *text = "";
  programs_replay(&task, &programs, &check);
  for (size_t i = 0; i < check.findings.count; i++) {
    const Finding *finding = &check.findings.at[i];
    text = arena_printf(
        &task.arena, "%s%s%s%s", text, i ? "\n" : "",
        finding->is_confirmed ? "" : "possible: ", finding->replay);
  }
  return text;
}

static const char *replay_warps(const char *a, const char *b, const char *c) {
  check_warps(a, b, c, NULL);
  return replays();
}

#define shows1(a, text) ck_assert_str_eq(replay_warps(a, NULL, NULL), text)
#define shows2(a, b, text) ck_assert_str_eq(replay_warps(a, b, NULL), text)
#define shows3(a, b, c, text) ck_assert_str_eq(replay_warps(a, b, c), text)

static End end_at(unsigned warp, unsigned lane, uint32_t command) {
  return (End){warp, lane, command, programs.warps[warp].at[command].place};
}

// Is a finding seen that the check does not have?
static bool is_seen(FindingKind kind, End a, End b) {
  Finding finding = {.kind = kind, .ends = {a, b}, .end_count = 2};
  check.findings.count = 0;
  push(&task.arena, &check.findings, finding);
  replays();
  return check.findings.at[0].is_confirmed;
}

// ----------------------------------------------------------------- races ---

START_TEST(two_accesses_are_next_at_once) {
  shows2("sync 1 64; w4 0 4", "sync 1 64; r4 0 4",
         "after 2 commands warp 1 reads and warp 0 writes next, in either "
         "order");
  shows1("w4 0 4 1; r4 0 0 2",
         "after 1 command lane 1 of warp 0 reads and lane 0 of warp 0 writes "
         "next, in either order");
  shows1("w4 0 0 3",
         "after 0 commands lane 0 of warp 0 writes and lane 1 of "
         "warp 0 writes next, in either order");
}
END_TEST

// They share an execution up to each of them, and what one does to it the
// others do not see: the last one is behind a barrier.
START_TEST(many_races_are_seen_one_by_one) {
  shows2("w4 0 4 1; w4 64 4 1; sync 1 64; w4 128 4 1; r4 192 4 1",
         "r4 64 4 1; sync 1 64; r4 0 4 1; r4 128 4 1; w4 192 4 1",
         "after 1 command warp 1 reads and warp 0 writes next, in either "
         "order\n"
         "after 8 commands warp 1 reads and warp 0 writes next, in either "
         "order\n"
         "after 9 commands warp 1 writes and warp 0 reads next, in either "
         "order");
}
END_TEST

START_TEST(a_copy_is_on_its_way) {
  shows1("c4 0 4 1; r4 0 4 1",
         "after 1 command warp 0 reads next, and the copy of warp 0 is on its "
         "way");
  shows2("c4 0 4 1; sync 0 64", "sync 0 64; w4 0 4 1",
         "after 3 commands warp 1 writes next, and the copy of warp 0 is on "
         "its way");
}
END_TEST

START_TEST(what_is_relaxed_tells_nothing) {
  shows2("init 64 1 1; sync 0 64; w4 0 4 1; come.relaxed 64 1 1",
         "sync 0 64; wait 64 0 1; r4 0 4 1",
         "after 6 commands warp 1 reads next, and nothing that it has waited "
         "for tells that warp 0 has been there");
}
END_TEST

START_TEST(a_proxy_fence_is_missing) {
  shows1("w4 0 4 1; store 0 4 0 1; bulks 2 1",
         "after 1 command warp 0 starts its copy next, and knows of no proxy "
         "fence behind what warp 0 has done");
}
END_TEST

START_TEST(what_is_ordered_is_not_seen) {
  check_warps("w4 0 4; sync 1 64", "sync 1 64; r4 0 4", NULL, NULL);
  ck_assert(!is_seen(FINDING_RACE, end_at(0, 0, 0), end_at(1, 0, 1)));
  ck_assert_str_eq(check.findings.at[0].replay,
                   "no schedule that was tried shows it");
  check_warps("w4 0 4; sync 1 64", "r4 4 4; sync 1 64", NULL, NULL);
  ck_assert(!is_seen(FINDING_RACE, end_at(0, 0, 0), end_at(1, 0, 0)));
  ck_assert(is_seen(FINDING_RACE, end_at(0, 1, 0), end_at(1, 0, 0)));
}
END_TEST

// -------------------------------------------------------- named barriers ---

START_TEST(nobody_can_go_on) {
  shows2("sync 1 64; sync 2 64", "sync 2 64; sync 1 64",
         "after 2 commands no warp can go on");
}
END_TEST

START_TEST(a_warp_is_counted_in_another_generation) {
  shows2("sync 1 64; sync 1 32", "sync 1 64; sync 1 32",
         "after 2 commands warp 1 comes next, in generation 1, and in another "
         "schedule in 2");
}
END_TEST

START_TEST(a_barrier_is_misused) {
  shows2("sync 1 64", "sync 1 96",
         "after 1 command warp 1 comes next, and 32 of 64 threads are there");
}
END_TEST

START_TEST(what_follows_from_a_mistake_is_only_possible) {
  shows2("sync 1 64; sync 2 64", "sync 1 96",
         "after 1 command warp 1 comes next, and 32 of 64 threads are there\n"
         "possible: seen only behind another mistake, of warp 1 at line 3: "
         "after 3 commands no warp can go on");
}
END_TEST

START_TEST(what_a_barrier_does_well_is_not_seen) {
  static const FindingKind kinds[] = {
      FINDING_COUNT, FINDING_TOO_MANY, FINDING_ALL_ARRIVE, FINDING_TWICE,
      FINDING_MIXED, FINDING_RECYCLED, FINDING_DEADLOCK};
  check_warps("sync 1 64; arrive 1 64", "sync 1 64; sync 1 64", NULL, NULL);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    for (uint32_t command = 0; command < 2; command++)
      ck_assert(!is_seen(kinds[i], end_at(0, 0, command), end_at(1, 0, 0)));
}
END_TEST

// ------------------------------------------------------------- mbarriers ---

START_TEST(a_command_is_of_another_phase) {
  shows2(ONE "come 64 1 1; wait 64 0 1; come 64 1 1", NONE "wait 64 1 1",
         "after 3 commands warp 1 asks next and passes because phase -1 is "
         "over; in another schedule it waits for phase 1");
  shows2(ONE "wait 64 1 1", NONE "come 64 1 1",
         "after 5 commands warp 0 comes next, in phase 1, and in another "
         "schedule in -1");
  shows2(ONE "come 64 1 1; come 64 1 1", NONE,
         "after 4 commands warp 0 comes next, and nobody has passed a wait for "
         "the phase before");
}
END_TEST

START_TEST(an_object_ends_while_somebody_comes) {
  shows2("init 64 2 1; sync 0 64; come 64 1 1; wait 64 0 1; inval 64 1",
         NONE "come 64 1 1; wait 64 0 1",
         "after 9 commands warp 0 ends the mbarrier next, and warp 1 has still "
         "to come");
}
END_TEST

START_TEST(a_copy_outlives_its_thread) {
  shows1("store 0 4 0 1; exit ffffffff",
         "after 1 command warp 0 exits next, and its copy is on its way");
}
END_TEST

// ---------------------------------------------------------------- limits ---

START_TEST(an_unknown_command_is_named) {
  check_warps("w4 0 4; sync 1 64", "r4 0 4; sync 1 64", NULL, NULL);
  programs.warps[0].at[1].kind = (CommandKind)31;
  ck_assert_str_eq(replays(), "possible: ' sync 1 64' is not replayed");
}
END_TEST

START_TEST(there_are_only_so_many_steps) {
  check_warps("sync 1 64", "sync 1 64", NULL, NULL);
  for (unsigned warp = 0; warp < 2; warp++) {
    for (unsigned i = 0; i < 1000000; i++)
      push(&task.arena, &programs.warps[warp], programs.warps[warp].at[0]);
    add_command(warp, "w4 0 4");
  }
  programs_check(&task, &programs, &check);
  ck_assert_str_eq(replays(),
                   "possible: not seen within the steps that are tried");
}
END_TEST

// Each leg begins where its lanes have stood; here these are the first ones,
// and they end at their accesses.
START_TEST(a_schedule_can_be_followed) {
  uint32_t at[2] = {0};
  check_warps("w4 0 4; sync 1 64; w4 0 4", "sync 1 64; r4 0 4", NULL, NULL);
  replays();
  const Finding *finding = &check.findings.at[0];
  ck_assert_uint_gt(finding->schedule.count, 1);
  for (size_t i = 0; i < finding->schedule.count; i++) {
    const Leg *leg = &finding->schedule.at[i];
    if (!(leg->lanes & 1))
      continue;
    ck_assert_uint_eq(leg->from, at[leg->warp]);
    at[leg->warp] = leg->to;
  }
  ck_assert_uint_eq(at[0], 2);
  ck_assert_uint_eq(at[1], 1);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("all");
  tcase_set_timeout(tc, 120);
  tcase_add_checked_fixture(tc, start, stop);
  tcase_add_test(tc, two_accesses_are_next_at_once);
  tcase_add_test(tc, many_races_are_seen_one_by_one);
  tcase_add_test(tc, a_copy_is_on_its_way);
  tcase_add_test(tc, what_is_relaxed_tells_nothing);
  tcase_add_test(tc, a_proxy_fence_is_missing);
  tcase_add_test(tc, what_is_ordered_is_not_seen);
  tcase_add_test(tc, nobody_can_go_on);
  tcase_add_test(tc, a_warp_is_counted_in_another_generation);
  tcase_add_test(tc, a_barrier_is_misused);
  tcase_add_test(tc, what_a_barrier_does_well_is_not_seen);
  tcase_add_test(tc, what_follows_from_a_mistake_is_only_possible);
  tcase_add_test(tc, a_command_is_of_another_phase);
  tcase_add_test(tc, an_object_ends_while_somebody_comes);
  tcase_add_test(tc, a_copy_outlives_its_thread);
  tcase_add_test(tc, an_unknown_command_is_named);
  tcase_add_test(tc, there_are_only_so_many_steps);
  tcase_add_test(tc, a_schedule_can_be_followed);
  return run_suite(tc, "replay");
}
