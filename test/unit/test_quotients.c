// Quotients are written as those that complete remainders, and no model comes
// or goes with that.  Tried with all values of a few small symbols.

#include "test/unit/points.h"
#include "test/unit/suite.h"

enum { BITS = 4 };

static Expr *x, *a, *b;

static void open_symbols(void) {
  setup();
  x = fresh("x", BITS);
  a = fresh("a", BITS);
  b = fresh("b", BITS);
}

static Point all_symbols(void) {
  return (Point){.symbols = {x, a, b}, .count = 3};
}

static Expr *wide_product(void) {
  return mul(expr_zext(&task, a, 2 * BITS), expr_zext(&task, b, 2 * BITS));
}

static Expr *is_positive(Expr *e) {
  return binary(EXPR_ULE, number(BITS, 1), e);
}

// ----------------------------------------------------------------- found ---

static const char *written(Expr *fact, Expr *quotient, Expr *remainder) {
  Exprs from = {0};
  push(&task.arena, &from, and(is_positive(a), is_positive(b)));
  push(&task.arena, &from, fact);
  push(&task.arena, &from, equal(remainder, number(BITS, 1)));
  push(&task.arena, &from, binary(EXPR_ULT, number(BITS, 1), quotient));
  Exprs to = smt_quotients(&task, &from);
  Point point = all_symbols();
  expect_same_models(&from, &to, &point);
  return expr_text(&task, to.at[to.count - 1]);
}

START_TEST(the_order_is_that_of_the_remainder) {
  Expr *quotient = binary(EXPR_UDIV, binary(EXPR_UDIV, x, a), b);
  Expr *remainder = binary(EXPR_UREM, binary(EXPR_UDIV, x, b), a);
  ck_assert_str_eq(written(below_number(x, 9), quotient, remainder),
                   "x /u b /u a >=u 2");
}
END_TEST

START_TEST(what_is_divided_has_no_sign) {
  Expr *quotient = binary(EXPR_SDIV, binary(EXPR_SDIV, x, a), b);
  Expr *remainder = binary(EXPR_SREM, binary(EXPR_SDIV, x, b), a);
  ck_assert_str_eq(written(below_number(x, 8), quotient, remainder),
                   "x /s b /s a >=u 2");
  ck_assert_str_eq(written(below_number(x, 9), quotient, remainder),
                   "x /s a /s b >=u 2");
}
END_TEST

START_TEST(products_that_fit_divide_twice) {
  Expr *quotient = binary(EXPR_UDIV, x, mul(a, b));
  Expr *remainder = binary(EXPR_UREM, binary(EXPR_UDIV, x, b), a);
  Expr *fits = below_number(wide_product(), 8);
  ck_assert_str_eq(
      written(and(fits, and(below_number(a, 8), below_number(b, 8))), quotient,
              remainder),
      "x /u b /u a >=u 2");
  ck_assert_str_eq(written(below_number(x, 8), quotient, remainder),
                   "x /u (a * b) >=u 2");
}
END_TEST

START_TEST(a_part_of_what_is_left_is_the_rest_of_a_quotient) {
  Expr *left = binary(EXPR_UREM, x, mul(a, b));
  Expr *fits = below_number(wide_product(), 8);
  Expr *small = and(below_number(a, 8), below_number(b, 8));
  ck_assert_str_eq(written(and(fits, small), binary(EXPR_UDIV, left, a), left),
                   "x /u a %u b >=u 2");
}
END_TEST

START_TEST(a_multiple_of_a_quotient_is_divided_again) {
  Expr *quotient = binary(EXPR_UDIV, binary(EXPR_UDIV, x, b), a);
  Expr *twice = binary(EXPR_UDIV, mul(mul(a, b), quotient), mul(b, a));
  Expr *known = and(below_number(wide_product(), 16), is_positive(mul(a, b)));
  Expr *small = and(below_number(a, 8), below_number(b, 8));
  Expr *none = number(BITS, 0);
  ck_assert_str_eq(written(and(known, small), twice, none),
                   "x /u b /u a >=u 2");
  ck_assert_str_eq(written(small, twice, none),
                   "a * b * (x /u b /u a) /u (a * b) >=u 2");
  Expr *other = binary(EXPR_UDIV, mul(b, binary(EXPR_UDIV, x, a)), b);
  ck_assert_str_eq(written(and(known, small), other, none),
                   "b * (x /u a) /u b >=u 2");
}
END_TEST

START_TEST(one_divisor_may_have_any_sign) {
  Expr *quotient = binary(EXPR_SDIV, x, a);
  Expr *again = binary(EXPR_SDIV, mul(a, quotient), a);
  Expr *none = number(BITS, 0);
  ck_assert_str_eq(written(is_positive(a), again, none), "x /s a >=u 2");
}
END_TEST

// ------------------------------------------------------------------ kept ---

static Expr *random_divisor(uint64_t *state) {
  switch (next_random(state) % 5) {
  case 0:
  case 1:
    return a;
  case 2:
    return b;
  case 3:
    return mul(a, b);
  }
  return number(BITS, next_random(state));
}

static Expr *random_term(uint64_t *state, bool is_signed, unsigned depth) {
  uint64_t choice = next_random(state) % (depth ? 7 : 2);
  if (choice < 2)
    return choice ? x : add(x, number(BITS, next_random(state)));
  Expr *from = random_term(state, is_signed, depth - 1);
  Expr *by = random_divisor(state);
  if (choice < 5)
    return binary(is_signed ? EXPR_SDIV : EXPR_UDIV, from, by);
  return binary(is_signed ? EXPR_SREM : EXPR_UREM, from, by);
}

static Expr *random_quotient(uint64_t *state, bool is_signed) {
  ExprOp op = is_signed ? EXPR_SDIV : EXPR_UDIV;
  Expr *by = next_random(state) % 2 ? a : b;
  if (next_random(state) % 3 == 0)
    return binary(op, x, mul(a, b));
  return binary(op, binary(op, x, by), by == a ? b : a);
}

// A product of some divisors and a quotient, divided by some.
static Expr *random_multiple(uint64_t *state, bool is_signed) {
  ExprOp op = is_signed ? EXPR_SDIV : EXPR_UDIV;
  Expr *divisors[] = {a, b, mul(a, b)};
  Expr *quotient = next_random(state) % 2 ? random_quotient(state, is_signed)
                                          : binary(op, x, a);
  uint64_t by = next_random(state) % 3;
  Expr *multiple = mul(quotient, divisors[by]);
  return binary(op, multiple,
                divisors[next_random(state) % 4 ? by : next_random(state) % 3]);
}

static Expr *random_remainder(uint64_t *state, bool is_signed) {
  ExprOp op = is_signed ? EXPR_SREM : EXPR_UREM;
  Expr *by = next_random(state) % 2 ? a : b;
  if (next_random(state) % 3 == 0)
    return binary(op, x, mul(a, b));
  Expr *from = binary(is_signed ? EXPR_SDIV : EXPR_UDIV, x, by);
  return binary(op, from, by == a ? b : a);
}

static Exprs random_formulas(uint64_t *state) {
  static const ExprOp orders[] = {EXPR_SLT, EXPR_ULT, EXPR_ULE, EXPR_EQ};
  Expr *facts[] = {is_positive(a),     is_positive(b),
                   below_number(x, 8), below_number(a, 8),
                   below_number(b, 8), below_number(wide_product(), 16)};
  bool is_signed = next_random(state) % 2;
  Exprs formulas = {0};
  for (unsigned i = 0; i < sizeof facts / sizeof *facts; i++)
    if (next_random(state) % 5)
      push(&task.arena, &formulas, facts[i]);
  push(&task.arena, &formulas,
       binary(orders[next_random(state) % 4], random_quotient(state, is_signed),
              random_remainder(state, is_signed)));
  for (unsigned i = 0; i < 2; i++) {
    Expr *one = add(random_term(state, is_signed, 3),
                    mul(b, random_term(state, is_signed, 2)));
    Expr *other = i ? random_term(state, is_signed, 3)
                    : random_multiple(state, is_signed);
    push(&task.arena, &formulas,
         binary(orders[next_random(state) % 4], one, other));
  }
  return formulas;
}

START_TEST(no_model_comes_or_goes) {
  uint64_t state = (uint64_t)_i + 1;
  for (unsigned i = 0; i < 40; i++) {
    Exprs from = random_formulas(&state);
    Exprs to = smt_quotients(&task, &from);
    Point point = all_symbols();
    expect_same_models(&from, &to, &point);
  }
}
END_TEST

// ------------------------------------------------------------------ sums ---

static Expr *random_part(uint64_t *state) {
  Expr *symbols[] = {x, a, b, add(x, a)};
  Expr *from = symbols[next_random(state) % 2 * 3];
  Expr *by = symbols[next_random(state) % 3];
  bool is_signed = next_random(state) % 4 == 0;
  if (next_random(state) % 4 == 0)
    return mul(from, number(BITS, 15));
  if (next_random(state) % 2)
    return binary(is_signed ? EXPR_SREM : EXPR_UREM, from, by);
  Expr *quotient = binary(is_signed ? EXPR_SDIV : EXPR_UDIV, from, by);
  return mul(quotient, next_random(state) % 2 ? by : a);
}

static void expect_sum(Expr *sum, const Exprs *parts, Point point) {
  const uint64_t mask = (UINT64_C(1) << sum->width) - 1;
  for (uint64_t all = 0; all >> bits_of(&point) == 0; all++) {
    uint64_t total = 0;
    go_to(&point, all);
    for (size_t i = 0; i < parts->count; i++)
      total += value_of(parts->at[i], &point);
    ck_assert_uint_eq(value_of(sum, &point), total & mask);
  }
}

// Sums of few parts, so that some complete each other.
START_TEST(a_sum_is_what_its_parts_are) {
  uint64_t state = (uint64_t)_i + 1;
  for (unsigned i = 0; i < 60; i++) {
    Expr *factors[] = {number(BITS, 1), number(BITS, 3), b, mul(a, b)};
    Expr *factor = factors[next_random(&state) % 4];
    Exprs parts = {0};
    Expr *sum = number(BITS, 0);
    for (unsigned k = 0; k < 4; k++) {
      Expr *other = next_random(&state) % 4 ? factor : number(BITS, 2);
      push(&task.arena, &parts, mul(random_part(&state), other));
      sum = add(sum, parts.at[k]);
    }
    expect_sum(sum, &parts, all_symbols());
  }
}
END_TEST

START_TEST(parts_are_joined) {
  Expr *whole = mul(b, mul(a, binary(EXPR_UDIV, x, a)));
  Expr *rest = mul(b, binary(EXPR_UREM, x, a));
  ck_assert_ptr_eq(add(whole, rest), mul(b, x));
  Expr *sum = mul(b, add(mul(a, binary(EXPR_UDIV, x, a)), number(BITS, 1)));
  Expr *less = mul(b, number(BITS, 15));
  ck_assert_ptr_eq(add(add(sum, rest), less), mul(b, x));
}
END_TEST

START_TEST(what_is_left_of_a_remainder_is_a_multiple) {
  Expr *whole = add(x, b), *rest = binary(EXPR_UREM, whole, a);
  Expr *multiple = mul(a, binary(EXPR_UDIV, whole, a));
  Expr *less = mul(rest, number(BITS, 15));
  ck_assert_ptr_eq(add(whole, less), multiple);
  ck_assert_ptr_eq(add(mul(b, whole), mul(b, less)), mul(b, multiple));
}
END_TEST

// ---------------------------------------------------------------- digits ---

enum { DIGIT_BITS = 6 };

static Expr *digit_number(uint64_t value) { return number(DIGIT_BITS, value); }

// e / by, in two steps if it can be.
static Expr *divided(Expr *e, ExprOp op, uint64_t by, uint64_t first) {
  if (by % first)
    return binary(op, e, digit_number(by));
  return binary(op, binary(op, e, digit_number(first)),
                digit_number(by / first));
}

// factor * (whole / by % radix), or without the remainder.
static Expr *random_digit(uint64_t *state, Expr *whole, bool is_signed,
                          uint64_t by, uint64_t radix) {
  const uint64_t other = next_random(state) % 16 ? 0 : next_random(state) % 4;
  Expr *e = divided(whole, is_signed ? EXPR_SDIV : EXPR_UDIV, by + other,
                    1 + next_random(state) % 5);
  Expr *rest =
      binary(is_signed ? EXPR_SREM : EXPR_UREM, e, digit_number(radix));
  return mul(next_random(state) % 4 ? rest : e, digit_number(by));
}

// Radixes of which the product may be too large.
START_TEST(a_sum_of_digits_is_what_they_are) {
  uint64_t state = (uint64_t)_i + 1;
  Expr *whole = fresh("y", DIGIT_BITS);
  for (unsigned i = 0; i < 300; i++) {
    bool is_signed = next_random(&state) % 2;
    Exprs parts = {0};
    Expr *sum = digit_number(0);
    for (uint64_t by = 1, k = 0; k < 4; k++) {
      uint64_t radix = 2 + next_random(&state) % 6;
      push(&task.arena, &parts,
           random_digit(&state, whole, is_signed, by, radix));
      sum = add(sum, parts.at[k]);
      by *= radix;
    }
    expect_sum(sum, &parts, (Point){.symbols = {whole}, .count = 1});
  }
}
END_TEST

static Expr *scaled(ExprOp rest, Expr *e, uint64_t by, uint64_t radix) {
  ExprOp quotient = rest == EXPR_UREM ? EXPR_UDIV : EXPR_SDIV;
  return mul(
      binary(rest, binary(quotient, e, digit_number(by)), digit_number(radix)),
      digit_number(by));
}

START_TEST(digits_are_joined) {
  Expr *whole = fresh("y", DIGIT_BITS);
  const ExprOp rests[] = {EXPR_UREM, EXPR_SREM};
  for (unsigned i = 0; i < 2; i++) {
    const ExprOp rest = rests[i];
    Expr *low = binary(rest, whole, digit_number(3));
    Expr *sum = add(scaled(rest, whole, 3, 5), low);
    ck_assert_ptr_eq(sum, binary(rest, whole, digit_number(15)));
    const ExprOp quotient = i ? EXPR_SDIV : EXPR_UDIV;
    Expr *high = mul(divided(whole, quotient, 15, 5), digit_number(15));
    ck_assert_ptr_eq(add(sum, high), whole);
  }
}
END_TEST

static void expect_sum_of_two(Expr *one, Expr *other, Expr *symbol) {
  Exprs parts = {0};
  push(&task.arena, &parts, one);
  push(&task.arena, &parts, other);
  expect_sum(add(one, other), &parts, (Point){.symbols = {symbol}, .count = 1});
}

// 60 is -4.
START_TEST(divisors_below_zero_are_no_others) {
  Expr *whole = fresh("y", DIGIT_BITS);
  expect_sum_of_two(
      scaled(EXPR_SREM, whole, 3, 20),
      mul(binary(EXPR_SDIV, whole, digit_number(60)), digit_number(60)), whole);
}
END_TEST

START_TEST(digits_are_of_one_number) {
  Expr *whole = fresh("y", DIGIT_BITS), *next = add(whole, digit_number(1));
  expect_sum_of_two(
      binary(EXPR_UREM, whole, digit_number(3)),
      mul(binary(EXPR_UDIV, next, digit_number(3)), digit_number(3)), whole);
}
END_TEST

START_TEST(bits_apart_are_no_digit) {
  Expr *whole = fresh("y", DIGIT_BITS);
  expect_sum_of_two(
      and(whole, digit_number(5)),
      mul(binary(EXPR_UDIV, whole, digit_number(6)), digit_number(6)), whole);
}
END_TEST

START_TEST(bits_are_digits) {
  Expr *whole = fresh("y", DIGIT_BITS);
  Expr *low = binary(EXPR_UREM, whole, digit_number(4));
  Expr *sum = add(low, scaled(EXPR_UREM, whole, 4, 3));
  ck_assert_ptr_eq(sum, binary(EXPR_UREM, whole, digit_number(12)));
  Expr *by_bits = divided(whole, EXPR_UDIV, 12, 4);
  ck_assert_ptr_eq(add(sum, mul(by_bits, digit_number(12))), whole);
}
END_TEST

int main(void) {
  TCase *cases[] = {tcase_create("found"), tcase_create("kept"),
                    tcase_create("sums"), tcase_create("digits")};
  for (int i = 0; i < 4; i++) {
    tcase_add_checked_fixture(cases[i], open_symbols, teardown);
    tcase_set_timeout(cases[i], 60);
  }
  tcase_add_test(cases[0], the_order_is_that_of_the_remainder);
  tcase_add_test(cases[0], what_is_divided_has_no_sign);
  tcase_add_test(cases[0], products_that_fit_divide_twice);
  tcase_add_test(cases[0], a_part_of_what_is_left_is_the_rest_of_a_quotient);
  tcase_add_test(cases[0], a_multiple_of_a_quotient_is_divided_again);
  tcase_add_test(cases[0], one_divisor_may_have_any_sign);
  tcase_add_loop_test(cases[1], no_model_comes_or_goes, 0, 10);
  tcase_add_loop_test(cases[2], a_sum_is_what_its_parts_are, 0, 4);
  tcase_add_test(cases[2], parts_are_joined);
  tcase_add_test(cases[2], what_is_left_of_a_remainder_is_a_multiple);
  tcase_add_loop_test(cases[3], a_sum_of_digits_is_what_they_are, 0, 4);
  tcase_add_test(cases[3], digits_are_joined);
  tcase_add_test(cases[3], bits_are_digits);
  tcase_add_test(cases[3], bits_apart_are_no_digit);
  tcase_add_test(cases[3], digits_are_of_one_number);
  tcase_add_test(cases[3], divisors_below_zero_are_no_others);
  return run_cases(cases, 4, "quotients");
}
