// A query of the two places alone is no stronger, and has what they are made
// of.

#include "test/unit/points.h"
#include "test/unit/suite.h"

enum { BITS = 2 };

static Expr *one, *two, *size, *left, *argument;
static Exprs formulas, rest;

static void open_symbols(void) {
  setup();
  Expr *original = fresh_of(SYMBOL_THREAD_ID, "threadIdx.x", BITS);
  one = fresh_of(SYMBOL_THREAD_ID, "threadIdx.x$1", BITS);
  two = fresh_of(SYMBOL_THREAD_ID, "threadIdx.x$2", BITS);
  one->symbol->original = two->symbol->original = original->symbol;
  size = fresh_of(SYMBOL_BLOCK_SIZE, "blockDim.x", BITS);
  left = fresh_of(SYMBOL_ITERATION, "iteration1$1", BITS);
  argument = fresh_of(SYMBOL_PARAMETER, "n", BITS);
  formulas = rest = (Exprs){0};
}

static bool has(const Expr *formula) {
  for (size_t i = 0; i < rest.count; i++)
    if (rest.at[i] == formula)
      return true;
  return false;
}

static Expr *collision(void) { return equal(mul(one, one), mul(two, two)); }

static void say_much_else(void) {
  say(&formulas, below(left, argument));
  say(&formulas, below(argument, mul(left, left)));
  say(&formulas, below(number(BITS, 1), argument));
  say(&formulas, below(number(BITS, 0), mul(left, argument)));
  say(&formulas, not(equal(left, mul(argument, argument))));
}

START_TEST(what_is_said_of_the_places_stays) {
  say(&formulas, and(below(one, size), collision()));
  say(&formulas, below(two, size));
  say_much_else();
  ck_assert(smt_of_places(&task, &formulas, &rest));
  ck_assert(has(collision()) && has(below(one, size)) && has(below(two, size)));
  ck_assert_uint_eq(rest.count, 3);
}
END_TEST

START_TEST(what_holds_under_the_guard_is_said) {
  say(&formulas, collision());
  say(&formulas, or(below(one, size), not(below(left, argument))));
  say_much_else();
  ck_assert(smt_of_places(&task, &formulas, &rest));
  ck_assert(has(below(one, size)));
}
END_TEST

START_TEST(it_is_no_stronger) {
  Point point = {{one, two, size, left, argument}, {0}, 5};
  say(&formulas, and(below(one, size), collision()));
  say(&formulas, or(equal(two, size), below(argument, left)));
  say(&formulas, equal(left, add(two, argument)));
  say(&formulas, below(left, argument));
  smt_of_places(&task, &formulas, &rest);
  for (uint64_t all = 0; all >> bits_of(&point) == 0; all++) {
    go_to(&point, all);
    ck_assert(!hold(&formulas, &point) || hold(&rest, &point));
  }
}
END_TEST

START_TEST(little_else_is_left_to_solvers) {
  say(&formulas, and(below(one, size), collision()));
  say(&formulas, below(left, argument));
  ck_assert(!smt_of_places(&task, &formulas, &rest));
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("places");
  tcase_add_checked_fixture(tc, open_symbols, teardown);
  tcase_add_test(tc, what_is_said_of_the_places_stays);
  tcase_add_test(tc, what_holds_under_the_guard_is_said);
  tcase_add_test(tc, it_is_no_stronger);
  tcase_add_test(tc, little_else_is_left_to_solvers);
  return run_suite(tc, "places");
}
