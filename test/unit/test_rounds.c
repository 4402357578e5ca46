// How often loops go round, by their constants; and loops of which that is not
// known.
//
// A loop carries %x, which begins as a number.  It is in a branch.

#define _POSIX_C_SOURCE 200809L

#include "test/unit/kernels.h"
#include "test/unit/suite.h"

// `body` makes %xn of %x, `goes_on` makes %on at the head.
static const Loop *loop_of(const char *first, const char *goes_on,
                           const char *body) {
  kernel_of_body(arena_printf(&task.arena,
                              "  %%is = icmp slt i32 %%m, %%n\n"
                              "  br i1 %%is, label %%before, label %%end\n"
                              "before:\n"
                              "  br label %%head\n"
                              "head:\n"
                              "  %%x = phi i32 [%s, %%before], [%%xn, %%body]\n"
                              "%s"
                              "  br i1 %%on, label %%body, label %%end\n"
                              "body:\n"
                              "%s"
                              "  br label %%head\n"
                              "end:\n"
                              "  ret void\n",
                              first, goes_on, body));
  kernel_solve_recurrences(&task, kernel);
  return kernel->loops.at[0];
}

static void expect(const char *first, const char *goes_on, const char *body,
                   int rounds) {
  const Loop *loop = loop_of(first, goes_on, body);
  if (rounds < 0)
    ck_assert_ptr_null(loop->rounds);
  else
    ck_assert_uint_eq(loop->rounds->value, (uint64_t)rounds);
}

static uint64_t number_of_round(const Symbol *symbol, void *data) {
  ck_assert_int_eq(symbol->kind, SYMBOL_ITERATION);
  return *(const uint64_t *)data;
}

static uint64_t value_in(const Loop *loop, uint64_t round) {
  const Valuation valuation = {number_of_round, NULL, &round};
  return expr_evaluate(&task, &valuation, loop->phis.at[0]->closed);
}

#define BELOW_12 "%on = icmp slt i32 %x, 12\n"

START_TEST(counters_are_counted) {
  expect("0", BELOW_12, "%xn = add i32 %x, 1\n", 12);
  expect("12", BELOW_12, "%xn = add i32 %x, 1\n", 0);
  expect("-2", BELOW_12, "%xn = add i32 %x, 5\n", 3);
  expect("0", "%on = icmp ne i32 %x, 12\n", "%xn = add i32 %x, 4\n", 3);
  expect("0", BELOW_12, "%xn = sub i32 12, %x\n", 1);
}
END_TEST

START_TEST(what_has_no_closed_form_is_counted_too) {
  expect("1", BELOW_12, "%xn = mul i32 %x, 3\n", 3);
  expect("1", BELOW_12, "%w = mul i32 %x, %x\n%xn = add i32 %w, 1\n", 3);
}
END_TEST

START_TEST(it_has_a_table) {
  const Loop *loop = loop_of("1", BELOW_12, "%xn = mul i32 %x, 3\n");
  const uint64_t values[] = {1, 3, 9, 27};
  for (unsigned i = 0; i < 4; i++)
    ck_assert_uint_eq(value_in(loop, i), values[i]);
}
END_TEST

START_TEST(arguments_and_threads_may_end_it) {
  expect("%n", BELOW_12, "%xn = add i32 %x, 1\n", -1);
  expect("0", BELOW_12, "%xn = add i32 %x, %n\n", -1);
  expect("0", "%on = icmp slt i32 %x, %n\n", "%xn = add i32 %x, 1\n", -1);
  expect("0",
         "%a = icmp slt i32 %x, 12\n"
         "%b = icmp slt i32 %t, %n\n"
         "%on = and i1 %a, %b\n",
         "%xn = add i32 %x, 1\n", -1);
}
END_TEST

START_TEST(a_condition_of_entering_holds_in_each_round) {
  expect("0",
         "%a = icmp slt i32 %x, 12\n"
         "%b = icmp slt i32 %m, %n\n"
         "%on = and i1 %a, %b\n",
         "%xn = add i32 %x, 1\n", 12);
}
END_TEST

START_TEST(many_rounds_and_endless_ones_are_not_counted) {
  expect("0", "%on = icmp slt i32 %x, 256\n", "%xn = add i32 %x, 1\n", 256);
  expect("0", "%on = icmp slt i32 %x, 257\n", "%xn = add i32 %x, 1\n", -1);
  expect("0", "%on = icmp slt i32 %x, 12\n", "%xn = add i32 %x, 0\n", -1);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("rounds");
  tcase_add_checked_fixture(tc, open_kernel, close_kernel);
  tcase_add_test(tc, counters_are_counted);
  tcase_add_test(tc, what_has_no_closed_form_is_counted_too);
  tcase_add_test(tc, it_has_a_table);
  tcase_add_test(tc, arguments_and_threads_may_end_it);
  tcase_add_test(tc, a_condition_of_entering_holds_in_each_round);
  tcase_add_test(tc, many_rounds_and_endless_ones_are_not_counted);
  return run_suite(tc, "rounds");
}
