// The order of verdicts, and the exit statuses that come of it.

#include "plugin/plugin.h"
#include "test/unit/suite.h"

#include <string.h>

START_TEST(each_verdict_has_a_name_of_its_own) {
  for (VerdictKind a = VERDICT_VERIFIED; a <= VERDICT_ERROR; a++)
    for (VerdictKind b = VERDICT_VERIFIED; b < a; b++)
      ck_assert_str_ne(verdict_name(a), verdict_name(b));
  ck_assert_str_eq(verdict_name(VERDICT_ONE_BLOCK), "verified for one block");
}
END_TEST

START_TEST(a_race_is_the_worst_bug) {
  ck_assert(verdict_is_worse(VERDICT_RACY, VERDICT_DEADLOCK));
  ck_assert(verdict_is_worse(VERDICT_DEADLOCK, VERDICT_DIVERGENT));
  ck_assert(verdict_is_worse(VERDICT_DIVERGENT, VERDICT_ASSERTION));
  ck_assert(verdict_is_worse(VERDICT_ASSERTION, VERDICT_OUT_OF_BOUNDS));
  ck_assert(!verdict_is_worse(VERDICT_RACY, VERDICT_RACY));
}
END_TEST

START_TEST(a_bug_is_between_what_is_not_known_and_wrong_use) {
  for (VerdictKind kind = VERDICT_VERIFIED; kind <= VERDICT_ERROR; kind++) {
    bool is_bug = verdict_group(kind) == GROUP_BUG;
    ck_assert(!is_bug || verdict_is_worse(kind, VERDICT_UNKNOWN));
    ck_assert(!is_bug || verdict_is_worse(VERDICT_ERROR, kind));
  }
  ck_assert(verdict_is_worse(VERDICT_UNKNOWN, VERDICT_VACUOUS));
  ck_assert(verdict_is_worse(VERDICT_VACUOUS, VERDICT_ONE_BLOCK));
  ck_assert(verdict_is_worse(VERDICT_ONE_BLOCK, VERDICT_VERIFIED));
}
END_TEST

// Several kernels end with the worst status, several launches with the worst
// verdict: these must not be two opinions.
START_TEST(exit_statuses_have_the_order_of_verdicts) {
  for (VerdictKind a = VERDICT_VERIFIED; a <= VERDICT_ERROR; a++)
    for (VerdictKind b = VERDICT_VERIFIED; b <= VERDICT_ERROR; b++)
      if (verdict_is_worse(a, b))
        ck_assert(!status_is_worse(status_of(b), status_of(a)));
  ck_assert_int_eq(status_of(VERDICT_VERIFIED), EXIT_ALL_VERIFIED);
  ck_assert_int_eq(status_of(VERDICT_ONE_BLOCK), EXIT_NOT_DECIDED);
  ck_assert_int_eq(status_of(VERDICT_RACY), EXIT_BUG_FOUND);
  ck_assert_int_eq(status_of(VERDICT_ERROR), EXIT_WRONG_USE);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("verdict");
  tcase_add_test(tc, each_verdict_has_a_name_of_its_own);
  tcase_add_test(tc, a_race_is_the_worst_bug);
  tcase_add_test(tc, a_bug_is_between_what_is_not_known_and_wrong_use);
  tcase_add_test(tc, exit_statuses_have_the_order_of_verdicts);
  return run_suite(tc, "verdict");
}
