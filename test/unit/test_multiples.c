// What is known to be a multiple is said of the quotient, and models stay.
// Tried with all values of a small symbol.

#include "test/unit/formula.h"
#include "test/unit/suite.h"

enum { BITS = 4, VALUES = 1 << BITS };

typedef struct Point {
  uint64_t of_x, of_y, of_quotients[2];
} Point;

static Expr *x, *y;

static void open_symbols(void) {
  setup();
  x = fresh("x", BITS);
  y = fresh("y", BITS);
}

static uint64_t value_at(const Symbol *symbol, void *data) {
  const Point *point = data;
  if (symbol == x->symbol || symbol == y->symbol)
    return symbol == x->symbol ? point->of_x : point->of_y;
  return point->of_quotients[symbol->name[1] == 'y'];
}

static bool hold(const Exprs *formulas, Point *point) {
  return all_hold(formulas, &(Valuation){value_at, NULL, point});
}

static bool have_quotients(const Exprs *to, const Exprs *definitions,
                           Point *point) {
  for (unsigned all = 0; all < VALUES * VALUES; all++) {
    point->of_quotients[0] = all % VALUES;
    point->of_quotients[1] = all / VALUES;
    if (hold(to, point) && hold(definitions, point))
      return true;
  }
  return false;
}

// Each model has quotients, and each model with quotients is one without.
static void expect_same_models(const Exprs *from, const Exprs *to,
                               const Exprs *definitions) {
  for (unsigned all = 0; all < VALUES * VALUES; all++) {
    Point point = {.of_x = all % VALUES, .of_y = all / VALUES};
    ck_assert(have_quotients(to, definitions, &point) == hold(from, &point));
  }
}

static const char *rewritten(Expr *fact, Expr *formula) {
  Exprs from = {0}, definitions = {0};
  push(&task.arena, &from, fact);
  push(&task.arena, &from, formula);
  Exprs to = smt_multiples(&task, &from, &definitions);
  expect_same_models(&from, &to, &definitions);
  return to.count ? expr_text(&task, to.at[to.count - 1]) : "";
}

static Expr *rest(uint64_t of) {
  return binary(EXPR_UREM, x, number(BITS, of));
}

static Expr *is_multiple(uint64_t of) {
  return equal(rest(of), number(BITS, 0));
}

static Expr *quotient(uint64_t of) {
  return binary(EXPR_UDIV, x, number(BITS, of));
}

START_TEST(quotients_of_a_multiple_are_products) {
  ck_assert_str_eq(rewritten(is_multiple(4), equal(quotient(4), y)),
                   "y == (x / 4)");
  ck_assert_str_eq(rewritten(is_multiple(4), equal(quotient(2), y)),
                   "y == 2 * (x / 4)");
  ck_assert_str_eq(rewritten(is_multiple(4), equal(quotient(8), y)),
                   "y == (x / 4) >>u 1");
  ck_assert_str_eq(rewritten(is_multiple(3), equal(quotient(6), y)),
                   "y == (x / 3) >>u 1");
  ck_assert_str_eq(rewritten(is_multiple(4), equal(x, y)), "y == 4 * (x / 4)");
}
END_TEST

START_TEST(what_is_rounded_up_is_one) {
  for (uint64_t more = 1; more < 16; more++) {
    Expr *e = binary(EXPR_LSHR, add(x, number(BITS, more)), number(BITS, 2));
    const char *text = rewritten(is_multiple(8), equal(e, y));
    bool is_one = !strcmp(text, "y == 2 * (x / 8)");
    ck_assert(is_one == (more < 4));
    rewritten(is_multiple(2), equal(e, y));
    rewritten(is_multiple(12), equal(e, y));
  }
}
END_TEST

START_TEST(so_are_extensions_which_do_not_wrap) {
  Expr *wide = expr_zext(&task, x, 2 * BITS);
  Expr *product = mul(wide, expr_zext(&task, y, 2 * BITS));
  ck_assert_str_eq(
      rewritten(is_multiple(4), equal(product, number(2 * BITS, 32))),
      "4 * (zext8(y) * zext8((x / 4))) == 32");
}
END_TEST

START_TEST(the_largest_number_counts) {
  Expr *both = and(is_multiple(2), is_multiple(8));
  Exprs from = {0}, definitions = {0};
  push(&task.arena, &from, is_multiple(2));
  push(&task.arena, &from, is_multiple(8));
  push(&task.arena, &from, binary(EXPR_ULT, y, rest(8)));
  Exprs to = smt_multiples(&task, &from, &definitions);
  ck_assert(expr_is_false(to.at[to.count - 1]));
  rewritten(both, equal(rest(2), y));
}
END_TEST

START_TEST(others_stay) {
  Exprs from = {0}, definitions = {0};
  push(&task.arena, &from, equal(rest(4), number(BITS, 1)));
  push(&task.arena, &from, equal(quotient(4), y));
  Exprs to = smt_multiples(&task, &from, &definitions);
  ck_assert_uint_eq(definitions.count, 0);
  ck_assert_uint_eq(to.count, 2);
  ck_assert_ptr_eq(to.at[1], from.at[1]);
}
END_TEST

static Expr *random_term(uint64_t *state, unsigned depth) {
  static const ExprOp ops[] = {EXPR_UDIV, EXPR_UREM, EXPR_LSHR, EXPR_AND,
                               EXPR_ADD,  EXPR_MUL,  EXPR_SDIV, EXPR_SHL};
  unsigned op = (unsigned)(next_random(state) % 8);
  if (!depth)
    return next_random(state) % 4 ? x : y;
  Expr *a = random_term(state, depth - 1);
  Expr *b = next_random(state) % 4 ? number(BITS, next_random(state))
                                   : random_term(state, depth - 1);
  return binary(ops[op], a, b);
}

START_TEST(random_formulas_keep_their_models) {
  uint64_t state = (uint64_t)_i + 1;
  for (unsigned i = 0; i < 200; i++) {
    Expr *fact = is_multiple(1 + next_random(&state) % 15);
    Expr *a = random_term(&state, 3), *b = random_term(&state, 2);
    rewritten(fact, binary(EXPR_ULE, a, b));
  }
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("multiples");
  tcase_add_checked_fixture(tc, open_symbols, teardown);
  tcase_add_test(tc, quotients_of_a_multiple_are_products);
  tcase_add_test(tc, what_is_rounded_up_is_one);
  tcase_add_test(tc, so_are_extensions_which_do_not_wrap);
  tcase_add_test(tc, the_largest_number_counts);
  tcase_add_test(tc, others_stay);
  tcase_set_timeout(tc, 60);
  tcase_add_loop_test(tc, random_formulas_keep_their_models, 0, 10);
  return run_suite(tc, "multiples");
}
