// Values that are read get names: one for each place, and nothing else is lost.

#include "test/unit/formula.h"
#include "test/unit/suite.h"

enum { BITS = 32 };

static Expr *thread, *x, *y;

static Expr *read_at(Expr *place) {
  return expr_apply(&task, "row#1.32", BITS, &place, 1);
}

static void open_symbols(void) {
  setup();
  thread = fresh_of(SYMBOL_THREAD_ID, "threadIdx.x", BITS);
  x = read_at(mul(thread, number(BITS, 3)));
  y = read_at(add(thread, number(BITS, 1)));
}

static Exprs opaque(Expr *one, Expr *two) {
  Exprs formulas = {0};
  say(&formulas, one);
  say(&formulas, two);
  return smt_opaque(&task, &formulas);
}

START_TEST(a_place_is_not_looked_at) {
  const Exprs named = opaque(below(x, number(BITS, 7)), below(x, y));
  Symbols symbols = {0};
  expr_symbols(&task, named.at[0], &symbols);
  ck_assert_uint_eq(symbols.count, 0);
  ck_assert_ptr_eq(named.at[0]->args[0], named.at[1]->args[0]);
}
END_TEST

START_TEST(two_places_have_two_names) {
  const Exprs named = opaque(below(x, y), differ(x, y));
  ck_assert_ptr_ne(named.at[0]->args[0], named.at[0]->args[1]);
  ck_assert(!expr_is_false(named.at[1]));
}
END_TEST

START_TEST(what_is_written_is_where_it_was) {
  Expr *place = add(mul(number(BITS, 4), thread), x);
  const Exprs named = opaque(equal(place, number(BITS, 8)), below(thread, x));
  Symbols symbols = {0};
  expr_symbols(&task, named.at[0], &symbols);
  ck_assert_uint_eq(symbols.count, 1);
  ck_assert_ptr_eq(named.at[1]->args[0], thread);
}
END_TEST

// Whether a distance is small is yes or no, and the same one each time.
START_TEST(a_product_of_what_is_read_is_not_looked_at) {
  Expr *near = equal(mul(x, y), number(BITS, 9));
  const Exprs named = opaque(near, not(near));
  ck_assert_int_eq(named.at[0]->op, EXPR_APPLY);
  ck_assert_ptr_eq(named.at[1], not(named.at[0]));
}
END_TEST

START_TEST(a_product_with_a_thread_is_kept) {
  Expr *row = below(mul(x, thread), number(BITS, 9));
  const Exprs named = opaque(row, row);
  ck_assert_int_eq(named.at[0]->op, EXPR_ULT);
  ck_assert_int_eq(named.at[0]->args[0]->op, EXPR_MUL);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("opaque");
  tcase_add_checked_fixture(tc, open_symbols, teardown);
  tcase_add_test(tc, a_place_is_not_looked_at);
  tcase_add_test(tc, two_places_have_two_names);
  tcase_add_test(tc, what_is_written_is_where_it_was);
  tcase_add_test(tc, a_product_of_what_is_read_is_not_looked_at);
  tcase_add_test(tc, a_product_with_a_thread_is_kept);
  return run_suite(tc, "opaque");
}
