// Two ranges of bytes have one in common if either begins within the other.

#include "test/unit/formula.h"
#include "test/unit/suite.h"
#include "translator/pair.h"

enum { BITS = 4, SYMBOLS = 3, VALUES = 1 << BITS };

static Expr *x[SYMBOLS];
static uint64_t state;

static void open_symbols(void) {
  setup();
  for (unsigned i = 0; i < SYMBOLS; i++)
    x[i] = fresh("x", BITS);
}

static unsigned draw(unsigned count) {
  return (unsigned)(next_random(&state) % count);
}

static uint64_t value_of(const Symbol *symbol, void *data) {
  const uint64_t *values = data;
  for (unsigned i = 0; i < SYMBOLS; i++)
    if (x[i]->symbol == symbol)
      return values[i];
  ck_abort();
}

// Widened before or after what is done in a few bits, with a sign or without.
static Expr *random_term(void) {
  Expr *a = x[draw(SYMBOLS)];
  if (draw(2))
    a = mul(a, number(BITS, draw(VALUES)));
  if (draw(3) == 0)
    a = add(a, x[draw(SYMBOLS)]);
  return draw(2) ? long_of(a) : expr_sext(&task, a, 64);
}

static Expr *random_offset(uint64_t step) {
  Expr *offset = number(64, draw(40) - UINT64_C(12));
  for (unsigned i = draw(3); i > 0; i--)
    offset = add(offset, mul(number(64, step << draw(3)), random_term()));
  return offset;
}

static Expr *random_length(void) {
  return draw(8) ? number(64, 1 + draw(17))
                 : add(number(64, 1), long_of(x[draw(SYMBOLS)]));
}

static Expr *begins_within(Expr *a, Expr *b, Expr *bytes) {
  return below(expr_sub(&task, a, b), bytes);
}

START_TEST(ranges_meet_where_one_begins_within_the_other) {
  static const uint64_t steps[] = {1, 2, 4, 8, 12, 16, 24, 40};
  unsigned equations = 0;
  ExprMap *divisors = expr_map_new(&task);
  state = (uint64_t)_i + 1;
  for (unsigned i = 0; i < 300; i++) {
    uint64_t step = steps[draw(8)];
    Expr *a = random_offset(step), *b = random_offset(step);
    Expr *n = random_length(), *m = draw(2) ? n : random_length();
    Expr *overlap = bytes_overlap(&task, divisors, a, n, b, m);
    equations += overlap->op == EXPR_EQ;
    for (unsigned all = 0; all < VALUES * VALUES * VALUES; all += 1 + draw(5)) {
      uint64_t values[] = {all % VALUES, all / VALUES % VALUES,
                           all / VALUES / VALUES};
      Valuation valuation = {.value_of = value_of, .data = values};
      ck_assert_uint_eq(
          expr_evaluate(&task, &valuation, overlap),
          expr_evaluate(&task, &valuation, begins_within(a, b, m)) |
              expr_evaluate(&task, &valuation, begins_within(b, a, n)));
    }
  }
  ck_assert_uint_gt(equations, 20);
}
END_TEST

// Members of a struct, in one array or one beside another.
START_TEST(members_meet_where_elements_do) {
  ExprMap *divisors = expr_map_new(&task);
  Expr *first = mul(number(64, 24), long_of(x[0]));
  Expr *second = mul(number(64, 24), long_of(x[1]));
  Expr *four = number(64, 4), *eight = number(64, 8);
  ck_assert_ptr_eq(
      bytes_overlap(&task, divisors, first, four, add(second, four), four),
      expr_bool(&task, false));
  ck_assert_ptr_eq(bytes_overlap(&task, divisors, first, four, second, eight),
                   equal(long_of(x[0]), long_of(x[1])));
  Expr *far = mul(number(64, 24), fresh("far", 64));
  ck_assert_int_eq(
      bytes_overlap(&task, divisors, far, four, add(second, eight), eight)->op,
      EXPR_EQ);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("overlap");
  tcase_add_checked_fixture(tc, open_symbols, teardown);
  tcase_set_timeout(tc, 60);
  tcase_add_loop_test(tc, ranges_meet_where_one_begins_within_the_other, 0, 4);
  tcase_add_test(tc, members_meet_where_elements_do);
  return run_suite(tc, "overlap");
}
