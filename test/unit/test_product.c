// Products of unknowns: what is said of them is true, and it is enough.
//
// "True" is tried with every value of every symbol, the abstract product
// being the real one.  "Enough" is tried on index computations from kernels,
// each with a neighbour that must not be refuted.

#include "test/unit/formula.h"
#include "test/unit/suite.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------ true ---

typedef struct Point {
  Expr *symbols[3];
  uint64_t values[3];
} Point;

static uint64_t value_at(const Symbol *symbol, void *data) {
  const Point *point = data;
  for (int i = 0; i < 3; i++)
    if (point->symbols[i] == symbol->expr)
      return point->values[i];
  ck_abort_msg("no value for '%s'", symbol->name);
}

static unsigned width_in(const char *function) {
  return (unsigned)strtoul(function + strcspn(function, "0123456789"), NULL,
                           10);
}

static uint64_t apply_truly(const char *function, const uint64_t *args,
                            unsigned count, void *data) {
  (void)data;
  ck_assert_uint_eq(count, 2);
  uint64_t a = args[0], n = args[1];
  if (!strncmp(function, "product", 7))
    return a * n;
  if (!strncmp(function, "quotient", 8))
    return n ? a / n : (UINT64_C(1) << width_in(function)) - 1;
  ck_assert(!strncmp(function, "remainder", 9));
  return n ? a % n : a;
}

static uint64_t value_of(const Expr *e, Point *point) {
  Valuation valuation = {value_at, apply_truly, point};
  return expr_evaluate(&task, &valuation, e);
}

static void compare_at(Point *point, const Exprs *from, const Exprs *to,
                       const Exprs *lemmas) {
  for (size_t i = 0; i < from->count; i++)
    ck_assert_msg(value_of(from->at[i], point) == value_of(to->at[i], point),
                  "%s\nbecame\n%s", expr_text(&task, from->at[i]),
                  expr_text(&task, to->at[i]));
  for (size_t i = from->count; i < to->count; i++)
    ck_assert_msg(value_of(to->at[i], point), "%s",
                  expr_text(&task, to->at[i]));
  for (size_t i = 0; i < lemmas->count; i++)
    ck_assert_msg(value_of(lemmas->at[i], point), "%s",
                  expr_text(&task, lemmas->at[i]));
}

// Needs symbols of together few bits.
static void compare_everywhere(Point *point, const Exprs *from, const Exprs *to,
                               const Exprs *lemmas) {
  unsigned bits = 0;
  for (int i = 0; i < 3; i++)
    bits += point->symbols[i]->width;
  for (uint64_t all = 0; all >> bits == 0; all++) {
    uint64_t rest = all;
    for (int i = 0; i < 3; i++) {
      unsigned width = point->symbols[i]->width;
      point->values[i] = rest & ((UINT64_C(1) << width) - 1);
      rest >>= width;
    }
    compare_at(point, from, to, lemmas);
  }
}

static Expr *random_vector(uint64_t *state, Expr *const *leaves,
                           unsigned depth);

static Expr *random_leaf(uint64_t *state, Expr *const *leaves) {
  Expr *leaf = leaves[next_random(state) % 3];
  switch (next_random(state) % 4) {
  case 0:
    return number(6, next_random(state));
  case 1:
    return expr_sext(&task, leaf, 6);
  }
  return expr_zext(&task, leaf, 6);
}

// Of 6 bits.
static Expr *random_vector(uint64_t *state, Expr *const *leaves,
                           unsigned depth) {
  static const ExprOp ops[] = {EXPR_MUL,  EXPR_MUL,  EXPR_UDIV, EXPR_UREM,
                               EXPR_SDIV, EXPR_SREM, EXPR_ADD,  EXPR_SHL,
                               EXPR_SUB,  EXPR_AND};
  if (depth == 0)
    return random_leaf(state, leaves);
  Expr *a = random_vector(state, leaves, depth - 1);
  Expr *b = random_vector(state, leaves, depth - 1);
  switch (next_random(state) % 8) {
  case 0: // in the width of the unknowns
    return expr_sext(
        &task, mul(expr_extract(&task, a, 0, 3), expr_extract(&task, b, 0, 3)),
        6);
  case 1:
    return mul(a, binary(EXPR_SHL, number(6, 1), b));
  case 2:
    return expr_ite(&task, below(a, b), number(6, 3), number(6, 9));
  }
  return binary(ops[next_random(state) % 10], a, b);
}

START_TEST(every_model_of_the_formulas_is_one_of_the_abstraction) {
  uint64_t state = (uint64_t)_i;
  Point point = {.symbols = {fresh("a", 3), fresh("b", 3), fresh("c", 2)}};
  unsigned abstracted = 0;
  for (int i = 0; i < 40; i++) {
    Exprs from = {0}, to = {0}, lemmas = {0};
    for (int k = 0; k < 2; k++)
      say(&from, below(random_vector(&state, point.symbols, 2),
                       random_vector(&state, point.symbols, 1)));
    if (!product_abstract(&task, &from, &to, &lemmas))
      continue;
    abstracted++;
    compare_everywhere(&point, &from, &to, &lemmas);
  }
  ck_assert_uint_gt(abstracted, 20);
}
END_TEST

// ------------------------------------------------------------ one by one ---

// As every_model.., of one formula over two symbols.
static void expect_true(Expr *x, Expr *y, Expr *formula) {
  Point point = {.symbols = {x, y, fresh("unused", 1)}};
  Exprs from = {0}, to = {0}, lemmas = {0};
  say(&from, formula);
  ck_assert(product_abstract(&task, &from, &to, &lemmas));
  compare_everywhere(&point, &from, &to, &lemmas);
}

START_TEST(a_product_by_a_truth_is_there_or_not) {
  Expr *x = fresh("x", 6), *y = fresh("y", 6);
  Expr *truth = below(x, y);
  expect_true(x, y, below(mul(x, expr_sext(&task, truth, 6)), y));
  expect_true(x, y, below(mul(x, expr_zext(&task, truth, 6)), y));
}
END_TEST

START_TEST(a_division_by_a_power_is_a_shift_and_a_mask) {
  Expr *x = fresh("x", 6), *y = fresh("y", 6);
  Expr *power = binary(EXPR_SHL, number(6, 1), y);
  expect_true(x, y, below(binary(EXPR_UREM, x, power), y));
  expect_true(x, y, below(binary(EXPR_UDIV, x, power), y));
  expect_true(x, y, below(binary(EXPR_SREM, x, power), y));
}
END_TEST

START_TEST(three_that_is_shifted_is_no_power) {
  Expr *x = fresh("x", 6), *y = fresh("y", 6);
  Expr *threes = binary(EXPR_SHL, number(6, 3), y);
  expect_true(x, y, below(mul(x, threes), y));
  expect_true(x, y, below(binary(EXPR_UDIV, x, threes), y));
}
END_TEST

static Expr *wide(Expr *a) { return expr_zext(&task, a, 6); }

START_TEST(the_next_product_is_one_factor_more) {
  Expr *x = fresh("x", 3), *y = fresh("y", 3);
  Expr *now = mul(wide(x), wide(y));
  Expr *next = mul(wide(x), wide(add(y, number(3, 2))));
  expect_true(x, y, below(now, next));
}
END_TEST

START_TEST(the_next_product_of_another_factor_is_any) {
  Expr *x = fresh("x", 3), *y = fresh("y", 3);
  Expr *now = mul(wide(x), wide(y));
  Expr *part = binary(EXPR_AND, x, number(3, 5));
  Expr *other = mul(wide(part), wide(add(y, number(3, 2))));
  expect_true(x, y, below(now, other));
}
END_TEST

// ---------------------------------------------------------------- enough ---

static bool multiplies_unknowns(const Expr *e) {
  bool is_product = e->op == EXPR_MUL || e->op == EXPR_UDIV ||
                    e->op == EXPR_UREM || e->op == EXPR_SDIV ||
                    e->op == EXPR_SREM;
  if (is_product && !expr_is_const(e->args[1]) && !expr_is_const(e->args[0]))
    return true;
  for (unsigned i = 0; i < e->count; i++)
    if (multiplies_unknowns(e->args[i]))
      return true;
  return false;
}

START_TEST(no_product_of_unknowns_is_left) {
  uint64_t state = 7;
  Expr *leaves[] = {fresh("a", 3), fresh("b", 3), fresh("c", 2)};
  for (int i = 0; i < 200; i++) {
    Exprs from = {0}, to = {0}, lemmas = {0};
    say(&from, below(random_vector(&state, leaves, 2), number(6, 5)));
    if (!product_abstract(&task, &from, &to, &lemmas))
      to = from;
    for (size_t k = 0; k < to.count; k++)
      ck_assert_msg(!multiplies_unknowns(to.at[k]), "%s",
                    expr_text(&task, to.at[k]));
    for (size_t k = 0; k < lemmas.count; k++)
      ck_assert_msg(!multiplies_unknowns(lemmas.at[k]), "%s",
                    expr_text(&task, lemmas.at[k]));
  }
}
END_TEST

START_TEST(formulas_without_products_stay) {
  Expr *a = fresh("a", 32), *b = fresh("b", 32);
  Exprs from = {0}, to = {0}, lemmas = {0};
  say(&from, below(add(mul(a, number(32, 12)), b), number(32, 100)));
  ck_assert(!product_abstract(&task, &from, &to, &lemmas));
  ck_assert_uint_eq(to.count, 0);
  ck_assert_uint_eq(lemmas.count, 0);
}
END_TEST

static Answer ask(const Exprs *formulas) {
  Exprs linear = {0}, lemmas = {0};
  ck_assert(product_abstract(&task, formulas, &linear, &lemmas));
  return solver_check_integers(&task, solver_open(&task, 0), &linear, &lemmas,
                               0, 20000);
}

static void expect_refuted(const Exprs *formulas) {
  ck_assert_int_eq(ask(formulas), ANSWER_NO_MODEL);
}

// Leaves a fact out; then there has to be a model.
static void expect_needed(const Exprs *formulas, size_t left_out) {
  Exprs fewer = {0};
  for (size_t i = 0; i < formulas->count; i++)
    if (i != left_out)
      say(&fewer, formulas->at[i]);
  ck_assert_int_ne(ask(&fewer), ANSWER_NO_MODEL);
}

static const uint64_t int_limit = UINT64_C(1) << 31;

static Expr *long_product(Expr *a, Expr *b) {
  return mul(long_of(a), long_of(b));
}

START_TEST(threads_of_a_grid_of_any_size_have_their_own_number) {
  Expr *size = fresh("blockDim", 32), *blocks = fresh("gridDim", 32);
  Expr *t[2], *b[2], *id[2];
  Exprs formulas = {0};
  for (int i = 0; i < 2; i++) {
    t[i] = fresh("t", 32);
    b[i] = fresh("b", 32);
    say(&formulas, below(t[i], size));
    say(&formulas, below(b[i], blocks));
    id[i] = expr_sext(&task, add(t[i], mul(b[i], size)), 64);
  }
  say(&formulas, below_number(long_product(size, blocks), int_limit));
  say(&formulas, or(differ(t[0], t[1]), differ(b[0], b[1])));
  say(&formulas, equal(mul(id[0], number(64, 4)), mul(id[1], number(64, 4))));
  expect_refuted(&formulas);
  expect_needed(&formulas, 0);
  expect_needed(&formulas, 4);
}
END_TEST

START_TEST(rows_of_a_picture_of_any_width_do_not_meet) {
  Expr *width = fresh("width", 32), *height = fresh("height", 32);
  Expr *row[2], *column[2], *cell[2], *zero = number(32, 0);
  Exprs formulas = {0};
  for (int i = 0; i < 2; i++) {
    row[i] = fresh("row", 32);
    column[i] = fresh("column", 32);
    say(&formulas, binary(EXPR_SLT, column[i], width));
    say(&formulas, binary(EXPR_SLE, zero, column[i]));
    say(&formulas, binary(EXPR_SLT, row[i], height));
    say(&formulas, binary(EXPR_SLE, zero, row[i]));
    cell[i] = add(mul(row[i], width), column[i]);
  }
  Expr *cells = mul(expr_sext(&task, width, 64), expr_sext(&task, height, 64));
  say(&formulas, binary(EXPR_SLT, cells, number(64, int_limit)));
  say(&formulas, or(differ(row[0], row[1]), differ(column[0], column[1])));
  say(&formulas, equal(cell[0], cell[1]));
  expect_refuted(&formulas);
  expect_needed(&formulas, 0);
}
END_TEST

START_TEST(cells_of_a_volume_of_any_size_do_not_meet) {
  Expr *size[3] = {fresh("w", 32), fresh("h", 32), fresh("d", 32)};
  Expr *at[2][3], *cell[2], *apart = expr_bool(&task, false);
  Exprs formulas = {0};
  for (int axis = 0; axis < 3; axis++) {
    for (int i = 0; i < 2; i++) {
      at[i][axis] = fresh("at", 32);
      say(&formulas, below(at[i][axis], size[axis]));
    }
    apart = or(apart, differ(at[0][axis], at[1][axis]));
  }
  for (int i = 0; i < 2; i++)
    cell[i] =
        add(mul(add(mul(at[i][2], size[1]), at[i][1]), size[0]), at[i][0]);
  Expr *area = long_product(size[2], size[1]);
  say(&formulas, below_number(area, int_limit));
  say(&formulas, below_number(mul(area, long_of(size[0])), int_limit));
  say(&formulas, apart);
  say(&formulas, equal(cell[0], cell[1]));
  expect_refuted(&formulas);
  expect_needed(&formulas, 0);
}
END_TEST

START_TEST(a_grid_stride_of_any_size_visits_every_cell_once) {
  Expr *size = fresh("blockDim", 32), *blocks = fresh("gridDim", 32);
  Expr *t[2], *b[2], *cell[2], *stride = mul(size, blocks);
  Exprs formulas = {0};
  for (int i = 0; i < 2; i++) {
    Expr *k = fresh("k", 32);
    t[i] = fresh("t", 32);
    b[i] = fresh("b", 32);
    say(&formulas, below(t[i], size));
    say(&formulas, below(b[i], blocks));
    Expr *start = add(long_of(t[i]), long_product(size, b[i]));
    Expr *way = mul(long_product(size, blocks), long_of(k));
    say(&formulas, below_number(add(start, way), int_limit));
    cell[i] = add(add(t[i], mul(size, b[i])), mul(stride, k));
  }
  say(&formulas, below_number(long_product(size, blocks), int_limit));
  say(&formulas, or(differ(t[0], t[1]), differ(b[0], b[1])));
  say(&formulas, equal(cell[0], cell[1]));
  expect_refuted(&formulas);
  expect_needed(&formulas, 0);
}
END_TEST

static void expect_number_from_digits(ExprOp quotient, ExprOp remainder) {
  Expr *n = fresh("n", 32), *x[2];
  Exprs formulas = {0};
  for (int i = 0; i < 2; i++)
    x[i] = fresh("x", 32);
  say(&formulas, equal(binary(remainder, x[0], n), binary(remainder, x[1], n)));
  say(&formulas, equal(binary(quotient, x[0], n), binary(quotient, x[1], n)));
  say(&formulas, differ(x[0], x[1]));
  expect_refuted(&formulas);
  expect_needed(&formulas, 0);
  expect_needed(&formulas, 1);
}

START_TEST(quotient_and_remainder_tell_the_number) {
  expect_number_from_digits(EXPR_UDIV, EXPR_UREM);
}
END_TEST

START_TEST(signed_quotient_and_remainder_tell_the_number) {
  expect_number_from_digits(EXPR_SDIV, EXPR_SREM);
}
END_TEST

START_TEST(a_transposition_through_division_is_one_to_one) {
  Expr *n = fresh("n", 32), *m = fresh("m", 32), *x[2], *cell[2];
  Exprs formulas = {0};
  for (int i = 0; i < 2; i++) {
    x[i] = fresh("x", 32);
    say(&formulas, below(long_of(x[i]), long_product(n, m)));
    cell[i] =
        add(mul(binary(EXPR_UREM, x[i], n), m), binary(EXPR_UDIV, x[i], n));
  }
  say(&formulas, below_number(long_product(n, m), int_limit));
  say(&formulas, differ(x[0], x[1]));
  say(&formulas, equal(cell[0], cell[1]));
  expect_refuted(&formulas);
  expect_needed(&formulas, 0);
}
END_TEST

START_TEST(chunks_of_any_length_do_not_overlap) {
  Expr *length = fresh("length", 32), *t[2], *cell[2];
  Exprs formulas = {0};
  for (int i = 0; i < 2; i++) {
    t[i] = fresh("t", 32);
    Expr *counter = fresh("k", 64), *k = expr_extract(&task, counter, 0, 32);
    say(&formulas, binary(EXPR_SLT, k, length));
    say(&formulas, binary(EXPR_SLE, number(32, 0), k));
    say(&formulas, below_number(t[i], 1024));
    cell[i] = add(mul(t[i], length), k);
  }
  say(&formulas, binary(EXPR_SLT, length, number(32, 100001)));
  say(&formulas, differ(t[0], t[1]));
  say(&formulas, equal(cell[0], cell[1]));
  expect_refuted(&formulas);
  expect_needed(&formulas, 0);
}
END_TEST

// There are 2^64 ways to its factors.
START_TEST(squares_of_squares_are_looked_at_once) {
  Expr *square = fresh("x", 32);
  for (unsigned i = 0; i < 64; i++)
    square = mul(square, square);
  Exprs from = {0}, to = {0}, lemmas = {0};
  push(&task.arena, &from, expr_eq(&task, square, number(32, 9)));
  product_abstract(&task, &from, &to, &lemmas);
  ck_assert(to.at[0] != from.at[0]);
}
END_TEST

int main(void) {
  TCase *cases[] = {tcase_create("true"), tcase_create("enough"),
                    tcase_create("single")},
        *tc;
  for (int i = 0; i < 3; i++) {
    tcase_set_timeout(cases[i], 120);
    tcase_add_checked_fixture(cases[i], setup, teardown);
  }
  tc = cases[0];
  tcase_add_loop_test(tc, every_model_of_the_formulas_is_one_of_the_abstraction,
                      0, 4);
  tc = cases[1];
  tcase_add_test(tc, no_product_of_unknowns_is_left);
  tcase_add_test(tc, formulas_without_products_stay);
  tcase_add_test(tc, threads_of_a_grid_of_any_size_have_their_own_number);
  tcase_add_test(tc, rows_of_a_picture_of_any_width_do_not_meet);
  tcase_add_test(tc, cells_of_a_volume_of_any_size_do_not_meet);
  tcase_add_test(tc, a_grid_stride_of_any_size_visits_every_cell_once);
  tcase_add_test(tc, quotient_and_remainder_tell_the_number);
  tcase_add_test(tc, signed_quotient_and_remainder_tell_the_number);
  tcase_add_test(tc, a_transposition_through_division_is_one_to_one);
  tcase_add_test(tc, chunks_of_any_length_do_not_overlap);
  tc = cases[2];
  tcase_add_test(tc, a_product_by_a_truth_is_there_or_not);
  tcase_add_test(tc, a_division_by_a_power_is_a_shift_and_a_mask);
  tcase_add_test(tc, three_that_is_shifted_is_no_power);
  tcase_add_test(tc, squares_of_squares_are_looked_at_once);
  tcase_add_test(tc, the_next_product_is_one_factor_more);
  tcase_add_test(tc, the_next_product_of_another_factor_is_any);
  return run_cases(cases, 3, "product");
}
