// Slices: of what is known there stays what hangs together with the violation,
// and what may contradict itself.

#include "test/unit/formula.h"
#include "test/unit/suite.h"

static Obligation obligation;
static Expr *a, *b, *c, *d;

static void start(void) {
  setup();
  obligation = (Obligation){0};
  a = fresh("a", 32);
  b = fresh("b", 32);
  c = fresh("c", 32);
  d = fresh("d", 32);
  obligation.violation = below_number(a, 10);
}

static bool has(const Exprs *formulas, const Expr *formula) {
  for (size_t i = 0; i < formulas->count; i++)
    if (formulas->at[i] == formula)
      return true;
  return false;
}

static void expect_kept(const Expr *fact) {
  Exprs kept = obligation_facts(&task, &obligation);
  ck_assert_msg(has(&kept, fact), "%s", expr_text(&task, fact));
}

static void expect_dropped(const Expr *fact) {
  Exprs kept = obligation_facts(&task, &obligation);
  ck_assert_msg(!has(&kept, fact), "%s", expr_text(&task, fact));
}

static Expr *call(Expr *argument) {
  return expr_apply(&task, "f", 32, &argument, 1);
}

START_TEST(facts_hang_together_through_symbols) {
  Expr *near = below(a, b), *far = below(b, c), *apart = below_number(d, 3);
  say(&obligation.facts, apart);
  say(&obligation.facts, far);
  say(&obligation.facts, near);
  expect_kept(near);
  expect_kept(far);
  expect_dropped(apart);
}
END_TEST

START_TEST(facts_hang_together_through_functions) {
  Expr *other = below_number(call(b), 3);
  obligation.violation = below_number(call(a), 10);
  say(&obligation.facts, other);
  expect_kept(other);
}
END_TEST

START_TEST(what_is_false_hangs_together_with_everything) {
  Expr *never = expr_bool(&task, false);
  say(&obligation.facts, never);
  expect_kept(never);
}
END_TEST

START_TEST(a_violation_of_nothing_needs_all_facts) {
  Expr *fact = below(a, b);
  obligation.violation = expr_bool(&task, true);
  say(&obligation.facts, fact);
  expect_kept(fact);
}
END_TEST

START_TEST(history_is_asked_for_in_the_second_place) {
  Expr *now = below(a, b), *before = below(a, c);
  say(&obligation.facts, now);
  say(&obligation.history, before);
  Question question = obligation_question(&task, &obligation);
  ck_assert(has(&question.core, now) && !has(&question.core, before));
  ck_assert(has(&question.all, now) && has(&question.all, before));
  ck_assert(has(&question.core, obligation.violation));
  ck_assert(has(&question.all, obligation.violation));
}
END_TEST

START_TEST(each_fact_is_there_once) {
  Expr *fact = below(a, b);
  say(&obligation.facts, fact);
  say(&obligation.facts, expr_bool(&task, true));
  say(&obligation.history, fact);
  ck_assert_uint_eq(obligation_facts(&task, &obligation).count, 1);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("slices");
  tcase_add_checked_fixture(tc, start, teardown);
  tcase_add_test(tc, facts_hang_together_through_symbols);
  tcase_add_test(tc, facts_hang_together_through_functions);
  tcase_add_test(tc, what_is_false_hangs_together_with_everything);
  tcase_add_test(tc, a_violation_of_nothing_needs_all_facts);
  tcase_add_test(tc, history_is_asked_for_in_the_second_place);
  tcase_add_test(tc, each_fact_is_there_once);
  return run_suite(tc, "obligation");
}
