// Facts of which nobody asks are left out, and no others.

#include "test/unit/formula.h"
#include "test/unit/suite.h"

enum { BITS = 8 };

static Expr *x, *y;

static void open_symbols(void) {
  setup();
  x = fresh("x", BITS);
  y = fresh("y", BITS);
}

static Expr *wide(Expr *e) { return expr_zext(&task, e, 2 * BITS); }

static Expr *quotient(void) { return binary(EXPR_UDIV, x, y); }

// y * (x / y) does not wrap.
static Expr *room(void) {
  return equal(mul(wide(quotient()), wide(y)), wide(mul(quotient(), y)));
}

static size_t kept_beside(Expr *fact, Expr *other) {
  Exprs formulas = {0};
  push(&task.arena, &formulas, fact);
  push(&task.arena, &formulas, other);
  return smt_without_idle(&task, &formulas).count;
}

START_TEST(what_nobody_asks_is_left_out) {
  ck_assert_uint_eq(kept_beside(room(), binary(EXPR_ULT, x, y)), 1);
}
END_TEST

START_TEST(what_is_asked_is_kept) {
  Expr *asked = binary(EXPR_ULT, mul(quotient(), y), x);
  ck_assert_uint_eq(kept_beside(room(), asked), 2);
}
END_TEST

// Neither is left out for the other.
START_TEST(what_has_no_quotients_is_kept) {
  Expr *fact = equal(add(wide(x), wide(y)), wide(add(x, y)));
  ck_assert_uint_eq(kept_beside(fact, binary(EXPR_ULT, x, y)), 2);
}
END_TEST

START_TEST(what_says_more_is_kept) {
  Expr *fact = equal(quotient(), number(BITS, 3));
  ck_assert_uint_eq(kept_beside(fact, binary(EXPR_ULT, x, y)), 2);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("idle");
  tcase_add_checked_fixture(tc, open_symbols, teardown);
  tcase_add_test(tc, what_nobody_asks_is_left_out);
  tcase_add_test(tc, what_is_asked_is_kept);
  tcase_add_test(tc, what_has_no_quotients_is_kept);
  tcase_add_test(tc, what_says_more_is_kept);
  return run_suite(tc, "idle");
}
