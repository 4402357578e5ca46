// Of the guesses about a loop those are kept that hold on entry and that an
// iteration keeps, if all that are kept hold before it.

#define _POSIX_C_SOURCE 200809L

#include "test/unit/kernels.h"
#include "test/unit/suite.h"

static Loop *loop;
static Expr *x, *y, *n;

static Expr *parameter(const char *name) {
  for (size_t i = 0; i < kernel->parameters.count; i++)
    if (kernel->parameters.at[i] &&
        !strcmp(kernel->parameters.at[i]->name, name))
      return kernel->parameters.at[i]->expr;
  ck_abort_msg("no parameter '%s'", name);
}

// %x and %y begin as 0 and become %xn and %yn, for %n rounds; %p is true in
// some of them.
static void carry(const char *body) {
  kernel_of_body(arena_printf(&task.arena,
                              "  br label %%head\n"
                              "head:\n"
                              "  %%x = phi i32 [0, %%enter], [%%xn, %%body]\n"
                              "  %%y = phi i32 [0, %%enter], [%%yn, %%body]\n"
                              "  %%k = phi i32 [0, %%enter], [%%kn, %%body]\n"
                              "  %%on = icmp slt i32 %%k, %%n\n"
                              "  br i1 %%on, label %%body, label %%end\n"
                              "body:\n"
                              "  %%kn = add i32 %%k, 1\n"
                              "  %%a = getelementptr i32, ptr %%g, i32 %%k\n"
                              "  %%r = load volatile i32, ptr %%a\n"
                              "  %%p = icmp eq i32 %%r, 0\n"
                              "%s"
                              "  br label %%head\n"
                              "end:\n"
                              "  ret void\n",
                              body));
  kernel_solve_recurrences(&task, kernel);
  loop = kernel->loops.at[0];
  x = loop->phis.at[0]->expr;
  y = loop->phis.at[1]->expr;
  n = parameter("n");
}

static void guess(Expr *candidate) {
  push(&task.arena, &loop->candidates, candidate);
}

static const char *kept_of(const Loop *of) {
  const char *all = "";
  for (size_t i = 0; i < of->invariants.count; i++)
    all = arena_printf(&task.arena, "%s%s%s", all, i ? "; " : "",
                       expr_text(&task, of->invariants.at[i]));
  return all;
}

static void expect(const char *kept) {
  smt_infer_invariants(&task, kernel);
  ck_assert_str_eq(kept_of(loop), kept);
}

#define UP_TO_SEVEN "%w = add i32 %x, 1\n%xn = and i32 %w, 7\n"
#define SOMETIMES "%w = add i32 %x, 2\n%xn = select i1 %p, i32 %w, i32 %x\n"

START_TEST(what_holds_is_kept) {
  carry(UP_TO_SEVEN "%yn = add i32 %y, 0\n");
  guess(below_number(x, 8));
  guess(below_number(y, 1));
  expect("x <u 8; y == 0");
}
END_TEST

START_TEST(what_does_not_hold_on_entry_goes) {
  carry(UP_TO_SEVEN "%yn = and i32 %x, 7\n");
  guess(differ(x, number(32, 0)));
  guess(below_number(number(32, 9), 1));
  guess(equal(y, n));
  expect("");
}
END_TEST

START_TEST(what_an_iteration_does_not_keep_goes) {
  carry(SOMETIMES "%yn = add i32 %y, 1\n");
  guess(equal(x, number(32, 0)));
  guess(below_number(y, 2));
  expect("");
}
END_TEST

// It is true of all values that %x has, but nothing says which these are.
START_TEST(what_is_true_but_not_inductive_goes) {
  carry("%w = mul i32 %x, 5\n%xn = and i32 %w, 7\n%yn = add i32 %y, 0\n");
  guess(differ(x, number(32, 6)));
  expect("");
  carry("%w = mul i32 %x, 5\n%xn = and i32 %w, 7\n%yn = add i32 %y, 0\n");
  guess(differ(x, number(32, 6)));
  guess(equal(x, number(32, 0)));
  expect("x != 6; x == 0");
}
END_TEST

// Each of them is kept by what the other says.
#define SWAP "%xn = add i32 %y, 0\n%yn = add i32 %x, 0\n"

START_TEST(what_hangs_on_another_that_is_kept_is_kept) {
  carry(SWAP);
  guess(below_number(x, 5));
  guess(below_number(y, 5));
  expect("x <u 5; y <u 5");
}
END_TEST

START_TEST(what_hangs_on_another_that_goes_goes_too) {
  carry(SWAP);
  guess(below_number(x, 5));
  expect("");
  carry("%xn = add i32 %y, 0\n%yn = add i32 %k, 0\n");
  guess(below_number(x, 5));
  guess(below_number(y, 5));
  expect("");
}
END_TEST

// In whatever order they are guessed, and over several steps.
START_TEST(the_rest_is_kept_where_a_chain_breaks) {
  for (unsigned turn = 0; turn < 2; turn++) {
    carry("%xn = add i32 %y, 0\n%yn = add i32 %k, 0\n");
    Expr *k = loop->phis.at[2]->expr, *zero = number(32, 0);
    Expr *all[] = {binary(EXPR_SLE, zero, x), binary(EXPR_SLE, zero, y),
                   below_number(k, 9),        below_number(y, 9),
                   below_number(x, 9),        binary(EXPR_SLE, zero, k)};
    for (unsigned i = 0; i < 6; i++)
      guess(all[turn ? 5 - i : i]);
    smt_infer_invariants(&task, kernel);
    ck_assert_ptr_null(strstr(kept_of(loop), "<u 9"));
    ck_assert_ptr_nonnull(strstr(kept_of(loop), "x >=s 0"));
    ck_assert_ptr_nonnull(strstr(kept_of(loop), "y >=s 0"));
    ck_assert_ptr_nonnull(strstr(kept_of(loop), "k >=s 0"));
  }
}
END_TEST

START_TEST(invariants_that_are_there_help) {
  carry(SWAP);
  guess(below_number(x, 5));
  push(&task.arena, &loop->invariants, below_number(y, 5));
  expect("y <u 5; x <u 5");
}
END_TEST

// --------------------------------------------------------------- two loops ---

// The inner loop begins where %x of the outer one is.
static void nest(void) {
  kernel_of_body(
      "  br label %head\n"
      "head:\n"
      "  %x = phi i32 [0, %enter], [%xn, %behind]\n"
      "  %k = phi i32 [0, %enter], [%kn, %behind]\n"
      "  %on = icmp slt i32 %k, %n\n"
      "  br i1 %on, label %inner, label %end\n"
      "inner:\n"
      "  %y = phi i32 [%x, %head], [%yn, %inner]\n"
      "  %w = mul i32 %y, 3\n"
      "  %yn = and i32 %w, 7\n"
      "  %in = icmp slt i32 %yn, %m\n"
      "  br i1 %in, label %inner, label %behind\n"
      "behind:\n"
      "  %v = mul i32 %x, 5\n"
      "  %xn = and i32 %v, 7\n"
      "  %kn = add i32 %k, 1\n"
      "  br label %head\n"
      "end:\n"
      "  ret void\n");
  kernel_solve_recurrences(&task, kernel);
  x = kernel->loops.at[0]->phis.at[0]->expr;
  loop = kernel->loops.at[1];
  y = loop->phis.at[0]->expr;
  guess(below_number(y, 8));
}

START_TEST(what_is_known_of_the_outer_loop_helps_inside) {
  nest();
  expect("");
  nest();
  push(&task.arena, &kernel->loops.at[0]->candidates, below_number(x, 8));
  expect("y <u 8");
  ck_assert_str_eq(kept_of(kernel->loops.at[0]), "x <u 8");
}
END_TEST

// Whether a number of 62 bits has such factors takes longer than any guess has.
static void guess_hard(unsigned nth) {
  Expr *a = expr_zext(&task, n, 64), *b = expr_zext(&task, parameter("m"), 64);
  Expr *product = expr_mul(&task, expr_add(&task, a, number(64, nth)), b);
  guess(differ(product, number(64, UINT64_C(4611685975477714963))));
}

START_TEST(when_the_effort_is_used_up_none_is_kept) {
  for (unsigned seconds = 0; seconds < 2; seconds++) {
    kernel_options.timeout = seconds;
    carry(UP_TO_SEVEN "%yn = add i32 %y, 0\n");
    guess(below_number(x, 8));
    for (unsigned i = 0; i < 36; i++)
      guess_hard(i);
    expect(seconds ? "" : "x <u 8");
  }
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("houdini");
  tcase_set_timeout(tc, 60);
  tcase_add_checked_fixture(tc, open_kernel, close_kernel);
  tcase_add_test(tc, what_holds_is_kept);
  tcase_add_test(tc, what_does_not_hold_on_entry_goes);
  tcase_add_test(tc, what_an_iteration_does_not_keep_goes);
  tcase_add_test(tc, what_is_true_but_not_inductive_goes);
  tcase_add_test(tc, what_hangs_on_another_that_is_kept_is_kept);
  tcase_add_test(tc, what_hangs_on_another_that_goes_goes_too);
  tcase_add_test(tc, the_rest_is_kept_where_a_chain_breaks);
  tcase_add_test(tc, invariants_that_are_there_help);
  tcase_add_test(tc, what_is_known_of_the_outer_loop_helps_inside);
  tcase_add_test(tc, when_the_effort_is_used_up_none_is_kept);
  return run_suite(tc, "houdini");
}
