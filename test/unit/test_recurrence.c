// Closed forms: where there is one, it is what so many iterations make of the
// value, computed one by one; and shapes that must have none, or have one.
//
// A loop carries %x, which begins as %x0 and becomes %xn, and may carry others.

#define _POSIX_C_SOURCE 200809L

#include "test/unit/kernels.h"
#include "test/unit/suite.h"

enum { ROUNDS = 300, MOST_PHIS = 8 };

static Loop *loop;

// ----------------------------------------------------------------- kernel ---

typedef struct Carried {
  const char *type;
  const char *begins; // makes %x0
  const char *body;   // makes %xn
  const char *phis;   // others than %x
} Carried;

static const Symbol *carry(Carried c) {
  kernel_of_body(arena_printf(&task.arena,
                              "%s"
                              "  br label %%head\n"
                              "head:\n"
                              "  %%x = phi %s [%%x0, %%enter], [%%xn, %%body]\n"
                              "%s"
                              "  %%k = phi i32 [0, %%enter], [%%kn, %%body]\n"
                              "  %%on = icmp slt i32 %%k, %%n\n"
                              "  br i1 %%on, label %%body, label %%end\n"
                              "body:\n"
                              "%s"
                              "  %%kn = add i32 %%k, 1\n"
                              "  br label %%head\n"
                              "end:\n"
                              "  ret void\n",
                              c.begins, c.type, c.phis ? c.phis : "", c.body));
  kernel_solve_recurrences(&task, kernel);
  loop = kernel->loops.at[0];
  return loop->phis.at[0];
}
// -------------------------------------------------------------- iterations ---

typedef struct Point {
  uint64_t parameters; // what they are made of
  uint64_t phis[MOST_PHIS];
  uint64_t iteration;
  bool is_closed; // so nothing that is carried may occur
} Point;

static uint64_t value_of(const Symbol *symbol, void *data) {
  const Point *point = data;
  if (symbol == loop->iteration)
    return point->iteration;
  if (symbol->kind != SYMBOL_PHI) {
    uint64_t state = point->parameters + symbol->number;
    uint64_t value = point->parameters < 4
                         ? -point->parameters
                         : next_random(&state) << 31 ^ next_random(&state);
    return symbol->width < 64 ? value & ((UINT64_C(1) << symbol->width) - 1)
                              : value;
  }
  ck_assert_msg(!point->is_closed, "a closed form speaks of '%s'",
                symbol->name);
  for (size_t i = 0; i < loop->phis.count; i++)
    if (loop->phis.at[i] == symbol)
      return point->phis[i];
  ck_abort_msg("'%s' is of another loop", symbol->name);
}

static uint64_t evaluate(Point *point, const Expr *e) {
  Valuation valuation = {value_of, NULL, point};
  return expr_evaluate(&task, &valuation, e);
}

static void go_round(Point *point) {
  Point old = *point;
  for (size_t i = 0; i < loop->phis.count; i++)
    point->phis[i] = evaluate(&old, loop->phis.at[i]->next);
  point->iteration++;
}

static void check_iterations(uint64_t parameters) {
  Point point = {.parameters = parameters};
  ck_assert_uint_le(loop->phis.count, MOST_PHIS);
  for (size_t i = 0; i < loop->phis.count; i++)
    point.phis[i] = evaluate(&point, loop->phis.at[i]->init);
  for (; point.iteration < ROUNDS; go_round(&point))
    for (size_t i = 0; i < loop->phis.count; i++) {
      const Symbol *phi = loop->phis.at[i];
      Point closed = {.parameters = parameters,
                      .iteration = point.iteration,
                      .is_closed = true};
      if (phi->closed)
        ck_assert_msg(evaluate(&closed, phi->closed) == point.phis[i],
                      "'%s' is no longer %s after %u rounds", phi->name,
                      expr_text(&task, phi->closed), (unsigned)point.iteration);
    }
}

static const Symbol *check(Carried c) {
  const Symbol *x = carry(c);
  for (uint64_t parameters = 0; parameters < 10; parameters++)
    check_iterations(parameters);
  return x;
}

#define INT "%x0 = add i32 %m, 0\n"
#define BYTE "%x0 = add i8 %c, 0\n"
#define LONG "%x0 = add i64 %l, 0\n"

static void expect(const char *type, const char *begins, const char *body,
                   bool is_closed) {
  const Symbol *x = check((Carried){type, begins, body, NULL});
  ck_assert_msg((x->closed != NULL) == is_closed, "%s: %s", body,
                x->closed ? expr_text(&task, x->closed) : "no closed form");
}

static void expect_text(Carried c, const char *text) {
  const Symbol *x = check(c);
  ck_assert_ptr_nonnull(x->closed);
  ck_assert_str_eq(expr_text(&task, x->closed), text);
}

// ------------------------------------------------------------------- solved
// ---

START_TEST(what_stays_is_as_on_entry) {
  expect_text((Carried){"i32", INT, "%xn = add i32 %x, 0\n", NULL}, "m");
}
END_TEST

START_TEST(equal_steps_add_up) {
  expect_text((Carried){"i32", INT, "%xn = add i32 %x, 4\n", NULL},
              "m + 4 * iteration1[31:0]");
  expect("i32", INT, "%xn = sub i32 %x, 1\n", true);
  expect("i32", INT, "%xn = add i32 %x, %t\n", true);
  expect("i64", LONG, "%xn = sub i64 %x, %l\n", true);
  expect("i32", INT, "%w = mul i32 %m, %t\n%xn = sub i32 %x, %w\n", true);
}
END_TEST

START_TEST(a_narrow_counter_wraps_and_has_one_still) {
  expect("i8", BYTE, "%xn = add i8 %x, 1\n", true);
  expect("i8", BYTE, "%xn = add i8 %x, %c\n", true);
  expect("i8", BYTE, "%w = trunc i32 %m to i8\n%xn = sub i8 %x, %w\n", true);
}
END_TEST

START_TEST(shifts_are_cut_off_at_the_width) {
  expect("i32", INT, "%xn = shl i32 %x, 1\n", true);
  expect("i8", BYTE, "%xn = mul i8 %x, 8\n", true);
  expect("i32", INT, "%xn = lshr i32 %x, 3\n", true);
  expect("i8", BYTE, "%xn = lshr i8 %x, 7\n", true);
  expect("i64", LONG, "%xn = lshr i64 %x, 5\n", true);
  expect("i32", INT, "%xn = udiv i32 %x, 16\n", true);
}
END_TEST

START_TEST(signed_shifts_and_quotients_keep_the_sign) {
  expect("i32", INT, "%xn = ashr i32 %x, 1\n", true);
  expect("i8", BYTE, "%xn = ashr i8 %x, 3\n", true);
  expect("i8", BYTE, "%xn = sdiv i8 %x, 2\n", true);
  expect("i32", INT, "%xn = sdiv i32 %x, 4\n", true);
  expect("i64", LONG, "%xn = sdiv i64 %x, 2\n", true);
  expect("i8", BYTE, "%xn = sdiv i8 %x, 64\n", true);
  expect("i8", BYTE, "%xn = sdiv i8 %x, -128\n", false);
}
END_TEST

START_TEST(what_flips_is_another_in_odd_iterations) {
  expect("i32", INT, "%xn = sub i32 1, %x\n", true);
  expect("i32", INT, "%xn = sub i32 %t, %x\n", true);
  expect("i8", BYTE, "%xn = sub i8 0, %x\n", true);
  expect("i32", INT, "%xn = xor i32 %x, 12\n", true);
  expect("i32", INT, "%xn = xor i32 %t, %x\n", true);
  expect("i32", INT, "%xn = xor i32 %x, -1\n", true);
  expect("i1", "%x0 = icmp eq i32 %m, 0\n", "%xn = xor i1 %x, true\n", true);
}
END_TEST

// Each of so many buffers becomes the next one.
static const Symbol *rotate(unsigned count) {
  const char *begins = INT, *phis = "";
  for (unsigned i = 1; i < count; i++) {
    const char *next =
        i + 1 == count ? "%x" : arena_printf(&task.arena, "%%y%u", i + 1);
    begins = arena_printf(&task.arena, "%s%%b%u = mul i32 %%t, %u\n", begins, i,
                          2 * i + 1);
    phis = arena_printf(&task.arena,
                        "%s%%y%u = phi i32 [%%b%u, %%enter], [%s, %%body]\n",
                        phis, i, i, next);
  }
  return check((Carried){"i32", begins, "%xn = add i32 %y1, 0\n", phis});
}

START_TEST(two_to_four_buffers_go_round) {
  for (unsigned count = 2; count <= 4; count++) {
    rotate(count);
    for (unsigned i = 0; i < count; i++)
      ck_assert_ptr_nonnull(loop->phis.at[i]->closed);
  }
  ck_assert_ptr_null(rotate(5)->closed);
}
END_TEST

// %y becomes %x, which stays: it is in no circle.
START_TEST(who_follows_a_circle_is_not_in_it) {
  const char *phis = "%y = phi i32 [%t, %enter], [%x, %body]\n";
  check((Carried){"i32", INT, "%xn = add i32 %x, 0\n", phis});
  ck_assert_ptr_nonnull(loop->phis.at[0]->closed);
  ck_assert_ptr_null(loop->phis.at[1]->closed);
}
END_TEST

// ----------------------------------------------------------------- unsolved
// ---

START_TEST(what_multiplies_or_mixes_has_none) {
  expect("i32", INT, "%xn = mul i32 %x, 3\n", false);
  expect("i32", INT, "%w = shl i32 %x, 1\n%xn = add i32 %w, 1\n", false);
  expect("i32", INT, "%xn = mul i32 %x, %x\n", false);
  expect("i32", INT, "%xn = shl i32 %x, %t\n", false);
  expect("i32", INT, "%xn = and i32 %x, 7\n", false);
  expect("i32", INT, "%xn = udiv i32 %x, 3\n", false);
}
END_TEST

START_TEST(two_steps_have_none) {
  expect("i32", INT,
         "%p = icmp eq i32 %t, %x\n"
         "%w = select i1 %p, i32 1, i32 2\n"
         "%xn = add i32 %x, %w\n",
         false);
  expect("i32", INT,
         "%w = add i32 %x, 1\n"
         "%p = icmp eq i32 %w, 5\n"
         "%xn = select i1 %p, i32 0, i32 %w\n",
         false);
}
END_TEST

// A choice that no iteration changes is one step.
START_TEST(a_step_may_be_chosen_outside) {
  expect("i32", INT,
         "%p = icmp eq i32 %t, %n\n"
         "%w = select i1 %p, i32 1, i32 2\n"
         "%xn = add i32 %x, %w\n",
         true);
}
END_TEST

START_TEST(a_count_that_wraps_in_fewer_bits_has_none) {
  expect("i32", INT, "%w = add i32 %x, 1\n%xn = and i32 %w, 255\n", false);
  expect("i32", INT,
         "%w = trunc i32 %x to i8\n"
         "%v = add i8 %w, 1\n"
         "%xn = zext i8 %v to i32\n",
         false);
}
END_TEST

START_TEST(a_step_that_the_loop_changes_has_none) {
  expect("i32", INT, "%xn = add i32 %x, %k\n", false);
  expect("i32", INT, "%xn = sub i32 %k, %x\n", false);
  expect("i32", INT, "%xn = xor i32 %x, %k\n", false);
  carry((Carried){"i32", INT,
                  "%w = load i32, ptr %g\n"
                  "store i32 %x, ptr %g\n"
                  "%xn = add i32 %x, %w\n",
                  NULL});
  ck_assert_ptr_null(loop->phis.at[0]->closed);
}
END_TEST

// ------------------------------------------------------------- nested loops
// ---

// %a goes round the outer loop, %b the inner one.
static void nest(const char *b, const char *bn, const char *an) {
  kernel_of_body(arena_printf(&task.arena,
                              "  br label %%head\n"
                              "head:\n"
                              "  %%a = phi i32 [0, %%enter], [%%an, %%behind]\n"
                              "  %%on = icmp slt i32 %%a, %%n\n"
                              "  br i1 %%on, label %%inner, label %%end\n"
                              "inner:\n"
                              "  %%b = phi i32 [%s, %%head], [%%bn, %%inner]\n"
                              "  %%bn = add i32 %%b, %s\n"
                              "  %%in = icmp slt i32 %%bn, %%m\n"
                              "  br i1 %%in, label %%inner, label %%behind\n"
                              "behind:\n"
                              "  %%an = add i32 %%a, %s\n"
                              "  br label %%head\n"
                              "end:\n"
                              "  ret void\n",
                              b, bn, an));
  kernel_solve_recurrences(&task, kernel);
}

static const char *closed_of(unsigned which) {
  const Symbol *phi = kernel->loops.at[which]->phis.at[0];
  return phi->closed ? expr_text(&task, phi->closed) : "none";
}

START_TEST(an_inner_loop_begins_and_steps_by_what_the_outer_carries) {
  nest("%a", "%a", "1");
  ck_assert_str_eq(closed_of(0), "iteration1[31:0]");
  ck_assert_str_eq(closed_of(1), "a + a * iteration2[31:0]");
}
END_TEST

START_TEST(an_outer_loop_does_not_step_by_what_the_inner_carries) {
  nest("0", "1", "%b");
  ck_assert_str_eq(closed_of(0), "none");
  ck_assert_str_eq(closed_of(1), "iteration2[31:0]");
}
END_TEST

START_TEST(loops_are_inside_of_each_other) {
  nest("0", "1", "1");
  const Loop *outer = kernel->loops.at[0], *inner = kernel->loops.at[1];
  ck_assert(loop_is_inside(inner, outer) && loop_is_inside(outer, outer));
  ck_assert(!loop_is_inside(outer, inner) && !loop_is_inside(NULL, outer));
  ck_assert(loop_contains(outer, inner->header));
  ck_assert(!loop_contains(inner, outer->header));
  ck_assert(!loop_contains(outer, kernel->blocks.at[0]));
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("recurrence");
  tcase_add_checked_fixture(tc, open_kernel, close_kernel);
  tcase_add_test(tc, what_stays_is_as_on_entry);
  tcase_add_test(tc, equal_steps_add_up);
  tcase_add_test(tc, a_narrow_counter_wraps_and_has_one_still);
  tcase_add_test(tc, shifts_are_cut_off_at_the_width);
  tcase_add_test(tc, signed_shifts_and_quotients_keep_the_sign);
  tcase_add_test(tc, what_flips_is_another_in_odd_iterations);
  tcase_add_test(tc, two_to_four_buffers_go_round);
  tcase_add_test(tc, who_follows_a_circle_is_not_in_it);
  tcase_add_test(tc, what_multiplies_or_mixes_has_none);
  tcase_add_test(tc, two_steps_have_none);
  tcase_add_test(tc, a_step_may_be_chosen_outside);
  tcase_add_test(tc, a_count_that_wraps_in_fewer_bits_has_none);
  tcase_add_test(tc, a_step_that_the_loop_changes_has_none);
  tcase_add_test(tc, an_inner_loop_begins_and_steps_by_what_the_outer_carries);
  tcase_add_test(tc, an_outer_loop_does_not_step_by_what_the_inner_carries);
  tcase_add_test(tc, loops_are_inside_of_each_other);
  return run_suite(tc, "recurrence");
}
