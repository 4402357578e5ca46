// Words that are used alike: what holds for one of them is said of all, so
// words that only look alike must not be in one class.

#define _POSIX_C_SOURCE 200809L

#include "test/unit/programs.h"
#include "test/unit/suite.h"

// Makes a command of the first warp scattered: where its first lanes go.
static void scatter(unsigned command, const uint32_t addresses[4]) {
  Command *scattered = &programs.warps[0].at[command];
  scattered->is_scattered = true;
  scattered->address = (uint32_t)programs.addresses.count;
  scattered->stride = 0;
  for (unsigned i = 0; i < WARP; i++)
    push(&task.arena, &programs.addresses, i < 4 ? addresses[i] : 0);
}

START_TEST(a_race_in_one_word_of_a_class_is_counted_in_all) {
  expect2("w4 0 4", "w4 0 4", "race 32 at 0+4");
}
END_TEST

START_TEST(a_lane_that_has_exited_is_not_like_the_others) {
  expect2("w4 0 4 3; exit 2; sync 0 64", "sync 0 64; r4 0 4 3",
          "race 1 at 4+4");
}
END_TEST

START_TEST(own_words_are_not_like_those_of_neighbours) {
  start();
  add_warp("w4 0 4 f; r4 0 0 f");
  scatter(1, (const uint32_t[4]){0, 4, 12, 8});
  ck_assert_str_eq(findings(), "race 2 at 12+4");
}
END_TEST

START_TEST(lanes_that_meet_are_not_like_those_that_do_not) {
  start();
  add_warp("w4 0 4 f; warp 3; r4 0 0 f");
  scatter(2, (const uint32_t[4]){4, 0, 12, 8});
  ck_assert_str_eq(findings(), "race 2 at 12+4");
}
END_TEST

START_TEST(the_same_value_at_one_address_is_not_like_that_at_two) {
  start();
  add_warp("w8 0 0 f =");
  scatter(0, (const uint32_t[4]){0, 0, 16, 12});
  ck_assert_str_eq(findings(), "race 1 at 16+4");
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("alike");
  tcase_add_checked_fixture(tc, NULL, stop);
  tcase_add_test(tc, a_race_in_one_word_of_a_class_is_counted_in_all);
  tcase_add_test(tc, a_lane_that_has_exited_is_not_like_the_others);
  tcase_add_test(tc, own_words_are_not_like_those_of_neighbours);
  tcase_add_test(tc, lanes_that_meet_are_not_like_those_that_do_not);
  tcase_add_test(tc, the_same_value_at_one_address_is_not_like_that_at_two);
  return run_suite(tc, "alike");
}
