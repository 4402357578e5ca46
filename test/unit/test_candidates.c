// Guesses: which are made for what a loop carries, as text, and what is assumed
// or kept aside instead.
//
// A loop carries %x, which begins as the parameter %m and becomes %xn, and may
// carry %y; it goes round while %on.  An access behind it depends on both.

#define _POSIX_C_SOURCE 200809L

#include "test/unit/kernels.h"
#include "test/unit/suite.h"

#define LESS "%on = icmp slt i32 %x, %n\n"
#define UNTIL "%on = icmp ne i32 %x, %n\n"
#define ANY "%on = icmp eq i32 %n, 0\n"
#define BELOW "%on = icmp slt i64 %x, %l\n"
#define NO_OTHER ""
#define OTHER "%y = phi i32 [%n, %enter], [%xn, %latch]\n"
#define OTHER_ACCESS                                                           \
  "%other = and i32 %y, 7\n"                                                   \
  "%there = getelementptr i8, ptr %g, i32 %other\n"                            \
  "store i8 0, ptr %there\n"

static Loop *loop;

// Of the width of the parameter that it begins as.
static void translate(const char *init, const char *other, const char *on,
                      const char *body) {
  const char *type = !strcmp(init, "%c")                          ? "i8"
                     : !strcmp(init, "%l") || strstr(body, "i64") ? "i64"
                                                                  : "i32";
  kernel_of_body(arena_printf(&task.arena,
                              "  br label %%head\n"
                              "head:\n"
                              "  %%x = phi %s [%s, %%enter], [%%xn, %%latch]\n"
                              "%s"
                              "%s"
                              "  br i1 %%on, label %%body, label %%end\n"
                              "body:\n"
                              "%s"
                              "  br label %%latch\n"
                              "latch:\n"
                              "  br label %%head\n"
                              "end:\n"
                              "  %%low = and %s %%x, 7\n"
                              "  %%at = getelementptr i8, ptr %%g, %s %%low\n"
                              "  store i8 0, ptr %%at\n"
                              "%s"
                              "  ret void\n",
                              type, init, other, on, body, type, type,
                              *other ? OTHER_ACCESS : ""));
  kernel_solve_recurrences(&task, kernel);
  loop = kernel->loops.at[0];
}

static const char *texts_of(const Exprs *list) {
  const char *all = "";
  for (size_t i = 0; i < list->count; i++)
    all = arena_printf(&task.arena, "%s%s%s", all, i ? "; " : "",
                       expr_text(&task, list->at[i]));
  return all;
}

static void expect(const char *init, const char *other, const char *on,
                   const char *body, const char *guesses) {
  translate(init, other, on, body);
  kernel_propose_invariants(&task, kernel);
  ck_assert_str_eq(texts_of(&loop->candidates), guesses);
}

// ---------------------------------------------------------------- counters ---

START_TEST(a_counter_has_not_wrapped) {
  expect("%m", NO_OTHER, LESS, "%xn = add i32 %x, 1\n", "m <=s x; m <=u x");
  expect("%m", NO_OTHER, LESS, "%xn = add i32 %x, -1\n", "x <=s m; x <=u m");
  expect("%c", NO_OTHER, ANY, "%xn = add i8 %x, 1\n", "c <=s x; c <=u x");
  expect("0", NO_OTHER, LESS, "%xn = add i32 %x, 1\n", "x >=s 0");
}
END_TEST

START_TEST(by_a_step_of_unknown_size_it_is_exact) {
  expect("%m", NO_OTHER, LESS, "%xn = add i32 %x, %t\n",
         "m <=s x; m <=u x; iteration1 == zext64(iteration1[31:0]) && "
         "zext64(iteration1[31:0]) * zext64(threadIdx.x) == zext64(-m + x)");
}
END_TEST

START_TEST(a_counter_does_not_pass_the_end_that_it_meets) {
  expect("%m", NO_OTHER, UNTIL, "%xn = add i32 %x, 4\n",
         "m <=s x; m <=u x; iteration1 <=u zext64(n - m >>u 2) && "
         "m + 4 * iteration1[31:0] == x");
  expect("%m", NO_OTHER, UNTIL, "%xn = add i32 %x, -4\n",
         "x <=s m; x <=u m; iteration1 <=u zext64(-n + m >>u 2) && "
         "m == x + 4 * iteration1[31:0]");
}
END_TEST

// So the iteration is bounded, which bounds the others.
START_TEST(beside_others_it_is_at_least_as_far_as_the_iteration) {
  expect("%m", OTHER, LESS, "%xn = add i32 %x, 4\n",
         "m <=s x; m <=u x; iteration1 <=u zext64(-m + x); "
         "n <=s y; y <=s n; n <=u y; y <=u n; y >=s 0; "
         "y == 0 || (y & y - 1) == 0; y != 0");
}
END_TEST

START_TEST(what_nothing_depends_on_needs_no_guess) {
  kernel_of_body(
      "  br label %head\n"
      "head:\n"
      "  %sum = phi i32 [%m, %enter], [%more, %head]\n"
      "  %i = phi i32 [%m, %enter], [%in, %head]\n"
      "  %more = mul i32 %sum, 3\n"
      "  %in = add i32 %i, 1\n"
      "  store i32 %sum, ptr %g\n"
      "  %on = icmp slt i32 %in, %n\n"
      "  br i1 %on, label %head, label %end\n"
      "end:\n"
      "  ret void\n");
  kernel_solve_recurrences(&task, kernel);
  kernel_propose_invariants(&task, kernel);
  ck_assert_str_eq(texts_of(&kernel->loops.at[0]->candidates),
                   "m <=s i; m <=u i; iteration1 <=u zext64(-m + i)");
}
END_TEST

START_TEST(what_stays_and_booleans_need_no_guess) {
  expect("%m", NO_OTHER, LESS, "%xn = add i32 %x, 0\n", "");
  kernel_of_body(
      "  br label %head\n"
      "head:\n"
      "  %x = phi i1 [true, %enter], [%xn, %head]\n"
      "  %xn = xor i1 %x, true\n"
      "  br i1 %x, label %head, label %end\n"
      "end:\n"
      "  ret void\n");
  kernel_solve_recurrences(&task, kernel);
  kernel_propose_invariants(&task, kernel);
  ck_assert_uint_eq(kernel->loops.at[0]->candidates.count, 0);
}
END_TEST

// ------------------------------------------------------------------ others ---

START_TEST(what_is_shifted_keeps_its_bit_and_does_not_grow) {
  const char *guesses = "x != 0; x <=u m; x >=s 0";
  expect("%m", NO_OTHER, LESS, "%xn = shl i32 %x, 1\n", guesses);
  expect("%m", NO_OTHER, LESS, "%xn = lshr i32 %x, 1\n", guesses);
  expect("%m", NO_OTHER, LESS, "%xn = sub i32 1, %x\n", guesses);
}
END_TEST

#define BOUNDS                                                                 \
  "m <=s x; x <=s m; m <=u x; x <=u m; x >=s 0; "                              \
  "x == 0 || (x & x - 1) == 0; x != 0"

START_TEST(what_has_no_closed_form_has_bounds_or_is_a_power) {
  expect("%m", NO_OTHER, LESS, "%xn = mul i32 %x, 3\n", BOUNDS);
}
END_TEST

#define STEPS(a, b)                                                            \
  "%p = icmp eq i32 %t, %x\n"                                                  \
  "%w = add i32 %x, " a                                                        \
  "\n"                                                                         \
  "%v = add i32 %x, " b                                                        \
  "\n"                                                                         \
  "%xn = select i1 %p, i32 %w, i32 %v\n"

START_TEST(of_several_steps_a_divisor_and_the_largest_are_known) {
  expect("%m", NO_OTHER, LESS, STEPS("4", "12"),
         BOUNDS "; (-m + x & 3) == 0; zext64(-m + x) <=u 12 * iteration1");
  expect("%m", NO_OTHER, LESS, STEPS("4", "2000"),
         BOUNDS "; (-m + x & 3) == 0");
  expect("%m", NO_OTHER, LESS, STEPS("4", "%m"), BOUNDS);
}
END_TEST

START_TEST(what_may_stay_is_as_on_entry_until_the_last_iteration) {
  expect("%m", NO_OTHER, LESS, STEPS("0", "1"),
         BOUNDS "; zext64(-m + x) <=u iteration1; n <=s x || m == x");
}
END_TEST

// ------------------------------------------- assumed, kept aside, asserted ---

START_TEST(a_counter_of_64_bits_is_assumed_not_to_wrap) {
  expect("0", NO_OTHER, BELOW, "%xn = add i64 %x, 1\n", "");
  ck_assert_uint_eq(loop->invariants.count, 1);
  ck_assert_str_eq(kernel->assumptions.at[kernel->assumptions.count - 1],
                   "long-counters");
}
END_TEST

static void expect_guessed(const char *init, const char *body) {
  translate(init, NO_OTHER, BELOW, body);
  size_t count = kernel->assumptions.count;
  kernel_propose_invariants(&task, kernel);
  ck_assert_uint_gt(loop->candidates.count, 0);
  ck_assert_uint_eq(loop->invariants.count, 0);
  ck_assert_uint_eq(kernel->assumptions.count, count);
}

#define WIDE_STEP "%w = zext i32 %m to i64\n%xn = add i64 %x, %w\n"

START_TEST(one_that_begins_or_steps_anywhere_is_not) {
  expect_guessed("%l", "%xn = add i64 %x, 1\n");
  expect_guessed("0", "%xn = add i64 %x, %l\n");
  expect_guessed("0", "%xn = sub i64 %x, 1\n");
  expect_guessed("0", WIDE_STEP);
}
END_TEST

#define INDEX "%a = getelementptr i32, ptr %g, i64 %x\nstore i32 0, ptr %a\n"

START_TEST(an_index_of_each_iteration_is) {
  expect("0", NO_OTHER, BELOW, WIDE_STEP INDEX, "");
  ck_assert_uint_eq(loop->invariants.count, 1);
  expect_guessed("0", WIDE_STEP
                 "%p = icmp eq i32 %t, 0\n"
                 "br i1 %p, label %then, label %latch\n"
                 "then:\n" INDEX);
}
END_TEST

START_TEST(that_one_of_32_bits_does_not_wrap_is_kept_aside) {
  expect("%m", NO_OTHER, LESS, "%xn = add i32 %x, 1\n", "m <=s x; m <=u x");
  ck_assert_str_eq(texts_of(&kernel->no_overflow),
                   "iteration1 == zext64(iteration1[31:0]) && "
                   "sext65(m) + zext65(iteration1[31:0]) <s 1 << 31");
  expect("%m", NO_OTHER, UNTIL, "%xn = add i32 %x, 1\n",
         "m <=s x; m <=u x; iteration1 <=u zext64(n - m) && "
         "m + iteration1[31:0] == x");
  ck_assert_str_eq(texts_of(&kernel->no_overflow),
                   "iteration1 == zext64(iteration1[31:0]) && "
                   "zext65(m) + zext65(iteration1[31:0]) <u 1 << 32");
}
END_TEST

START_TEST(of_narrow_ones_and_those_that_go_down_nothing_is) {
  expect("%c", NO_OTHER, ANY, "%xn = add i8 %x, 1\n", "c <=s x; c <=u x");
  ck_assert_uint_eq(kernel->no_overflow.count, 0);
  expect("%m", NO_OTHER, LESS, "%xn = sub i32 %x, 1\n", "x <=s m; x <=u m");
  ck_assert_uint_eq(kernel->no_overflow.count, 0);
}
END_TEST

START_TEST(what_the_user_asserts_is_an_invariant) {
  translate("%m", NO_OTHER, LESS, "%xn = mul i32 %x, 3\n");
  Expr *claim = below_number(loop->phis.at[0]->expr, 7);
  Stmt *asserted = NEW(&task.arena, Stmt);
  asserted->condition = claim;
  push(&task.arena, &loop->asserted, asserted);
  kernel_propose_invariants(&task, kernel);
  ck_assert_uint_eq(loop->invariants.count, 1);
  ck_assert_ptr_eq(loop->invariants.at[0], claim);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("candidates");
  tcase_add_checked_fixture(tc, open_kernel, close_kernel);
  tcase_add_test(tc, a_counter_has_not_wrapped);
  tcase_add_test(tc, by_a_step_of_unknown_size_it_is_exact);
  tcase_add_test(tc, a_counter_does_not_pass_the_end_that_it_meets);
  tcase_add_test(tc, beside_others_it_is_at_least_as_far_as_the_iteration);
  tcase_add_test(tc, what_nothing_depends_on_needs_no_guess);
  tcase_add_test(tc, what_stays_and_booleans_need_no_guess);
  tcase_add_test(tc, what_is_shifted_keeps_its_bit_and_does_not_grow);
  tcase_add_test(tc, what_has_no_closed_form_has_bounds_or_is_a_power);
  tcase_add_test(tc, of_several_steps_a_divisor_and_the_largest_are_known);
  tcase_add_test(tc, what_may_stay_is_as_on_entry_until_the_last_iteration);
  tcase_add_test(tc, a_counter_of_64_bits_is_assumed_not_to_wrap);
  tcase_add_test(tc, one_that_begins_or_steps_anywhere_is_not);
  tcase_add_test(tc, an_index_of_each_iteration_is);
  tcase_add_test(tc, that_one_of_32_bits_does_not_wrap_is_kept_aside);
  tcase_add_test(tc, of_narrow_ones_and_those_that_go_down_nothing_is);
  tcase_add_test(tc, what_the_user_asserts_is_an_invariant);
  return run_suite(tc, "candidates");
}
