// What is said of terms as natural numbers is so in every model of the facts.

#include "smt/bounds.h"
#include "smt/polynomial.h"
#include "test/unit/formula.h"
#include "test/unit/suite.h"

enum { BITS = 4, WIDE = 2 * BITS, ROOM = 40, SYMBOLS = 3, VALUES = 1 << BITS };

static Expr *x[SYMBOLS];
static uint64_t state;

static void open_symbols(void) {
  setup();
  x[0] = fresh("x", BITS);
  x[1] = fresh("y", BITS);
  x[2] = fresh("z", BITS);
}

static Expr *in_room(Expr *e) { return expr_zext(&task, e, ROOM); }

static Expr *wide(Expr *e) { return expr_zext(&task, e, WIDE); }

static Expr *quotient(Expr *a, Expr *b) { return binary(EXPR_UDIV, a, b); }

static Expr *rest(Expr *a, Expr *b) { return binary(EXPR_UREM, a, b); }

static Naturals *naturals_of(const Exprs *facts, Expr *a, Expr *b) {
  Exprs terms = {0};
  say(&terms, a);
  say(&terms, b);
  return naturals_find(&task, facts, &terms);
}

static bool are_below(const Exprs *facts, Expr *a, Expr *b) {
  return naturals_are_below(naturals_of(facts, a, b), in_room(a), in_room(b));
}

static Expr *positive(Expr *e) { return differ(e, number(e->width, 0)); }

// ------------------------------------------------------------------ models ---

static uint64_t value_of(const Symbol *symbol, void *data) {
  const uint64_t *values = data;
  for (unsigned i = 0; i < SYMBOLS; i++)
    if (x[i]->symbol == symbol)
      return values[i];
  ck_abort();
}

// Of the first model of the facts in which the claim is false; false: none.
static bool has_counterexample(const Exprs *facts, Expr *claim) {
  for (unsigned all = 0; all < VALUES * VALUES * VALUES; all++) {
    uint64_t values[] = {all % VALUES, all / VALUES % VALUES,
                         all / VALUES / VALUES};
    Valuation valuation = {.value_of = value_of, .data = values};
    if (all_hold(facts, &valuation) && !expr_evaluate(&task, &valuation, claim))
      return true;
  }
  return false;
}

// ------------------------------------------------------------------ random ---

static unsigned draw(unsigned count) {
  return (unsigned)(next_random(&state) % count);
}

static Expr *random_term(unsigned depth) {
  static const ExprOp ops[] = {EXPR_ADD,  EXPR_MUL,  EXPR_UDIV,
                               EXPR_UREM, EXPR_SDIV, EXPR_SREM};
  const uint64_t constants[] = {1, 2, 3, VALUES - 1, VALUES - 2};
  if (depth == 0 || draw(4) == 0)
    return draw(6) ? x[draw(SYMBOLS)] : number(BITS, constants[draw(5)]);
  return binary(ops[draw(6)], random_term(depth - 1), random_term(depth - 1));
}

// That an operation does not wrap, as a number with a sign or without.
static Expr *random_room(void) {
  bool is_sum = draw(2), has_sign = draw(2);
  Expr *a = random_term(1), *b = random_term(1);
  Expr *narrow = is_sum ? add(a, b) : mul(a, b);
  Expr *long_a = has_sign ? expr_sext(&task, a, WIDE) : wide(a);
  Expr *long_b = has_sign ? expr_sext(&task, b, WIDE) : wide(b);
  return equal(is_sum ? add(long_a, long_b) : mul(long_a, long_b),
               has_sign ? expr_sext(&task, narrow, WIDE) : wide(narrow));
}

// ... as its value in more bits has it.
static Expr *random_limit(void) {
  Expr *a = wide(random_term(1)), *b = wide(random_term(1));
  const uint64_t most = draw(3) ? VALUES + draw(2) : VALUES / 2;
  return below_number(draw(2) ? add(a, b) : mul(a, b), most);
}

static Expr *no_less(Expr *a, Expr *b) {
  return binary(EXPR_ULE, a, add(a, b));
}

static Expr *random_fact(void) {
  static const ExprOp ops[] = {EXPR_ULT, EXPR_ULE, EXPR_SLT, EXPR_SLE};
  unsigned kind = draw(6);
  if (kind == 0)
    return positive(x[draw(SYMBOLS)]);
  if (kind == 1)
    return draw(2) ? no_less(random_term(1), random_term(1))
                   : binary(EXPR_SLE, number(BITS, 0), random_term(draw(2)));
  if (kind == 2)
    return binary(ops[draw(4)], random_term(1), random_term(1));
  return kind == 3 ? random_limit() : random_room();
}

// Mostly sizes are small, and not 0.
static Exprs random_facts(void) {
  Exprs facts = {0};
  if (draw(4))
    say(&facts, positive(x[2]));
  if (draw(4))
    say(&facts, below_number(x[2], 2 + draw(4)));
  if (draw(2))
    say(&facts, below(x[draw(2)], mul(x[2], x[2])));
  for (unsigned i = 0; i < 6; i++)
    say(&facts, random_fact());
  return facts;
}

static Expr *random_sum(void) {
  Expr *sum = in_room(random_term(2));
  for (unsigned i = draw(3); i > 0; i--)
    sum = add(sum, mul(in_room(random_term(2)), in_room(random_term(1))));
  return draw(3) ? sum : mul(sum, number(ROOM, 2 + draw(2)));
}

START_TEST(what_is_said_is_so_in_every_model) {
  unsigned said = 0;
  state = (uint64_t)_i + 1;
  for (unsigned i = 0; i < 400; i++) {
    const Exprs facts = random_facts();
    Expr *a = random_sum(), *b = random_sum();
    Naturals *naturals = naturals_of(&facts, a, b);
    bool is_below = naturals_are_below(naturals, a, b);
    bool fits = naturals_fit(naturals, a, BITS);
    ck_assert(!is_below || !has_counterexample(&facts, below(a, b)));
    ck_assert(!fits || !has_counterexample(&facts, below_number(a, VALUES)));
    said += is_below + fits;
  }
  ck_assert_uint_gt(said, 20);
}
END_TEST

// Both ways: no model is lost and none is new.
static void expect_models(const Exprs *a, const Exprs *b) {
  for (size_t i = 0; i < b->count; i++)
    ck_assert(!has_counterexample(a, b->at[i]));
  for (size_t i = 0; i < a->count; i++)
    ck_assert(!has_counterexample(b, a->at[i]));
}

// Whether sums are split, which changes no model.
static bool keeps_models(const Exprs *facts) {
  Exprs to = {0};
  bool is_split = radix_split(&task, NULL, facts, &to);
  if (is_split)
    expect_models(facts, &to);
  return is_split;
}

static Expr *random_place(Expr *size) {
  return add(mul(random_term(1), size), rest(random_term(1), x[2]));
}

// Of rows that may be below the first one.
static Expr *random_signed_place(Expr *size) {
  Expr *row = expr_sext(&task, random_term(1), WIDE + 1);
  Expr *column = expr_zext(&task, rest(random_term(1), x[2]), WIDE + 1);
  return add(mul(row, expr_zext(&task, size, WIDE + 1)), column);
}

// Of products in bits in which they may wrap.
static Expr *random_wide_place(Expr *size) {
  Expr *product = wide(mul(random_term(1), size));
  return add(product, wide(rest(random_term(1), x[2])));
}

static Expr *longer(Expr *e) { return expr_sext(&task, e, WIDE); }

// Of rows that are computed without signs, with what is known of them with.
static Expr *stated_place(Exprs *facts, Expr *size) {
  Expr *row = random_term(1), *column = rest(random_term(1), x[2]);
  Expr *first = mul(row, size), *place = add(first, column);
  say(facts, equal(longer(first), mul(longer(row), longer(size))));
  say(facts, equal(longer(place), add(longer(first), longer(column))));
  return place;
}

static Expr *stated_places(Exprs *facts, Expr *size) {
  Expr *a = stated_place(facts, size), *b = stated_place(facts, size);
  bool is_longer = draw(2), is_more = draw(2);
  if (!is_longer)
    return equal(a, b);
  Expr *more = is_more ? longer(random_term(1)) : number(WIDE, 0);
  return equal(longer(a), add(longer(b), mul(more, number(WIDE, draw(4)))));
}

static Expr *random_places(Exprs *facts, Expr *size) {
  unsigned kind = draw(4);
  if (kind == 3)
    return stated_places(facts, size);
  if (kind == 0)
    return equal(random_signed_place(size), random_signed_place(size));
  return kind == 1 ? equal(random_wide_place(size), random_wide_place(size))
                   : equal(random_place(size), random_place(size));
}

// Digits by two sizes, of which numbers may differ.
static void say_digits(Exprs *facts) {
  Expr *other = random_term(1);
  say(facts, equal(rest(x[0], x[1]), rest(other, x[2])));
  say(facts, equal(quotient(x[0], x[1]), quotient(other, x[2])));
}

START_TEST(digits_have_the_models_of_their_sum) {
  unsigned splits = 0;
  state = (uint64_t)_i + 1;
  for (unsigned i = 0; i < 300; i++) {
    Exprs facts = random_facts();
    Expr *size = draw(2) ? x[2] : add(x[2], number(BITS, draw(3)));
    say(&facts, random_places(&facts, size));
    if (draw(2))
      say_digits(&facts);
    splits += keeps_models(&facts);
  }
  ck_assert_uint_gt(splits, 3);
}
END_TEST

// In one of a few matrices, the elements of which have numbers.
static Expr *random_element(Expr *rows, Expr *columns) {
  Expr *matrix = rest(random_term(1), number(BITS, 1 + draw(3)));
  Expr *number = rest(random_term(1), mul(rows, columns));
  return add(mul(mul(matrix, rows), columns), number);
}

// That the size of one fits, as a number with a sign or without.
static Expr *size_fits(Expr *rows, Expr *columns) {
  Expr *size = mul(rows, columns);
  return draw(2) ? equal(mul(wide(rows), wide(columns)), wide(size))
                 : equal(mul(expr_sext(&task, rows, WIDE),
                             expr_sext(&task, columns, WIDE)),
                         expr_sext(&task, size, WIDE));
}

START_TEST(elements_of_matrices_have_the_models_of_their_sum) {
  unsigned splits = 0;
  state = (uint64_t)_i + 1;
  for (unsigned i = 0; i < 150; i++) {
    Exprs facts = random_facts();
    if (draw(4))
      say(&facts, size_fits(x[1], x[2]));
    say(&facts, below_number(x[1], 2 + draw(3)));
    say(&facts, equal(random_element(x[1], x[2]), random_element(x[1], x[2])));
    splits += keeps_models(&facts);
  }
  ck_assert_uint_gt(splits, 3);
}
END_TEST

START_TEST(a_matrix_is_as_large_as_the_program_says) {
  Expr *size = mul(x[1], x[2]), *two = number(BITS, 2);
  Expr *place = add(mul(rest(x[1], two), size), x[0]);
  Expr *other = add(mul(rest(x[2], two), size), rest(x[0], size));
  Exprs facts = {0};
  say(&facts, below_number(x[1], 4));
  say(&facts, below_number(x[2], 3));
  say(&facts, below(x[0], size));
  say(&facts, equal(place, other));
  ck_assert(!keeps_models(&facts));
  say(&facts, equal(mul(wide(x[1]), wide(x[2])), wide(size)));
  ck_assert(keeps_models(&facts));
}
END_TEST

// Of x % large / small and x % small, with a sign or without.
static void say_numbers(Exprs *facts) {
  bool has_sign = draw(2);
  ExprOp over = has_sign ? EXPR_SDIV : EXPR_UDIV;
  ExprOp by = has_sign ? EXPR_SREM : EXPR_UREM;
  Expr *small = number(BITS, 1 + draw(6)), *large = number(BITS, 1 + draw(15));
  say(facts, equal(binary(over, binary(by, x[0], large), small),
                   binary(over, binary(by, x[1], large), small)));
  say(facts, equal(binary(by, x[0], small), binary(by, x[1], small)));
}

static Expr *random_number_place(unsigned factor) {
  Expr *high = quotient(random_term(1), number(BITS, 2 + draw(6)));
  Expr *low = rest(random_term(1), number(BITS, 1 + draw(4)));
  return add(mul(high, number(BITS, factor)), low);
}

START_TEST(digits_by_numbers_have_the_models_of_their_sum) {
  unsigned splits = 0;
  state = (uint64_t)_i + 1;
  for (unsigned i = 0; i < 150; i++) {
    Exprs facts = random_facts();
    unsigned factor = 2 + draw(3);
    say(&facts,
        equal(random_number_place(factor), random_number_place(factor)));
    say_numbers(&facts);
    splits += keeps_models(&facts);
  }
  ck_assert_uint_gt(splits, 3);
}
END_TEST

// ------------------------------------------------------------------- rules ---

START_TEST(a_remainder_is_below_the_divisor_and_what_it_is_added_to) {
  Exprs facts = {0};
  Expr *digit = rest(x[0], x[1]);
  ck_assert(!are_below(&facts, digit, x[1])); // by 0 it is x
  say(&facts, positive(x[1]));
  say(&facts, below_number(x[1], VALUES / 2));
  ck_assert(are_below(&facts, digit, x[1]));
  ck_assert(are_below(&facts, add(digit, number(BITS, 1)),
                      add(x[1], number(BITS, 1))));
  ck_assert(!are_below(&facts, add(digit, number(BITS, 1)), x[1]));
  Expr *with_sign = binary(EXPR_SREM, x[0], x[1]); // it has that of x
  ck_assert(!are_below(&facts, with_sign, x[1]));
  say(&facts, binary(EXPR_SLE, number(BITS, 0), x[0]));
  ck_assert(are_below(&facts, with_sign, x[1]));
}
END_TEST

START_TEST(an_order_says_what_it_says) {
  Exprs facts = {0}, has_sign = {0};
  say(&facts, below_number(x[1], VALUES / 2));
  exprs_add(&task, &facts, &has_sign);
  say(&facts, binary(EXPR_ULE, x[0], x[1]));
  ck_assert(!are_below(&facts, x[0], x[1]));
  ck_assert(are_below(&facts, x[0], add(x[1], number(BITS, 1))));
  say(&has_sign, binary(EXPR_SLT, x[0], x[1]));
  ck_assert(!are_below(&has_sign, x[0], x[1])); // it may be below 0
  say(&has_sign, binary(EXPR_SLE, number(BITS, 0), x[0]));
  ck_assert(are_below(&has_sign, x[0], x[1]));
}
END_TEST

START_TEST(a_quotient_is_below_the_other_factor_of_the_limit) {
  Exprs facts = {0};
  Expr *size = mul(x[1], x[2]);
  say(&facts, positive(x[1]));
  say(&facts, below(x[0], size));
  say(&facts, equal(wide(size), mul(wide(x[1]), wide(x[2]))));
  ck_assert(are_below(&facts, quotient(x[0], x[1]), x[2]));
  ck_assert(!are_below(&facts, quotient(x[0], x[1]), x[1]));
}
END_TEST

START_TEST(a_number_is_put_together_of_its_digits) {
  Exprs facts = {0};
  Expr *whole = x[0], *size = x[1];
  Expr *high = quotient(whole, size), *low = rest(whole, size);
  Expr *sum = add(mul(in_room(high), in_room(size)), in_room(low));
  say(&facts, positive(size));
  say(&facts, below(high, low)); // so both are there
  Naturals *naturals = naturals_of(&facts, whole, low);
  ck_assert(
      naturals_are_below(naturals, sum, add(in_room(whole), number(ROOM, 1))));
  ck_assert(!naturals_are_below(naturals, sum, in_room(whole)));
}
END_TEST

START_TEST(a_summand_is_below_what_the_others_leave) {
  Exprs facts = {0};
  Expr *sum = add(x[0], x[1]);
  say(&facts, below(sum, x[2]));
  ck_assert(!are_below(&facts, x[0], x[2])); // the sum may wrap
  say(&facts, below_number(add(wide(x[0]), wide(x[1])), VALUES));
  ck_assert(are_below(&facts, x[0], x[2]));
  Naturals *naturals = naturals_of(&facts, sum, x[2]);
  Expr *both = add(in_room(x[0]), in_room(x[1]));
  ck_assert(naturals_are_below(naturals, both, in_room(x[2])));
  ck_assert(
      !naturals_are_below(naturals, add(both, number(ROOM, 1)), in_room(x[2])));
}
END_TEST

START_TEST(a_number_is_more_than_what_is_left_of_it) {
  Exprs facts = {0};
  Expr *less = add(x[1], number(BITS, VALUES - 2));
  say(&facts, below(x[0], less));
  ck_assert(!are_below(&facts, x[0], x[1])); // it may have gone below 0
  say(&facts, binary(EXPR_SLE, number(BITS, 0), less));
  ck_assert(are_below(&facts, x[0], x[1]));
  ck_assert(are_below(&facts, less, x[1]));
  Naturals *naturals = naturals_of(&facts, less, x[1]);
  Expr *two_more = add(in_room(x[0]), number(ROOM, 2));
  ck_assert(naturals_are_below(naturals, two_more, in_room(x[1])));
  ck_assert(!naturals_are_below(naturals, add(two_more, number(ROOM, 1)),
                                in_room(x[1])));
}
END_TEST

START_TEST(a_product_of_three_may_wrap_where_one_of_two_does_not) {
  Exprs facts = {0};
  Expr *two = mul(wide(x[0]), wide(x[1])), *three = mul(two, wide(x[2]));
  Expr *exact = mul(in_room(x[0]), in_room(x[1])), *one = number(ROOM, 1);
  Naturals *naturals = naturals_of(&facts, two, three);
  ck_assert(naturals_are_below(naturals, exact, add(in_room(two), one)));
  exact = mul(exact, in_room(x[2]));
  ck_assert(!naturals_are_below(naturals, exact, add(in_room(three), one)));
}
END_TEST

START_TEST(a_narrow_sum_is_that_of_more_bits_where_it_fits) {
  Expr *narrow = add(x[0], x[1]), *sum = add(wide(x[0]), wide(x[1]));
  Expr *exact = add(in_room(x[0]), in_room(x[1]));
  Expr *limit = add(in_room(narrow), number(ROOM, 1));
  Exprs fits = {0}, wraps = {0};
  say(&fits, below_number(sum, VALUES));
  say(&wraps, below_number(sum, VALUES + 8));
  ck_assert(
      naturals_are_below(naturals_of(&fits, exact, narrow), exact, limit));
  ck_assert(
      !naturals_are_below(naturals_of(&wraps, exact, narrow), exact, limit));
}
END_TEST

START_TEST(so_many_rows_fit_as_often_as_their_limit) {
  Exprs facts = {0};
  Expr *row = add(mul(in_room(x[0]), in_room(x[2])), in_room(x[1]));
  Expr *limit = mul(wide(x[2]), add(wide(x[0]), number(WIDE, 1)));
  say(&facts, below(x[1], x[2]));
  say(&facts, below_number(limit, VALUES));
  Naturals *naturals = naturals_of(&facts, x[0], x[0]);
  ck_assert(naturals_fit(naturals, row, BITS));
  ck_assert(naturals_fit(naturals, mul(row, number(ROOM, 2)), BITS + 1));
  ck_assert(!naturals_fit(naturals, mul(row, number(ROOM, 2)), BITS));
  ck_assert(!naturals_fit(naturals, mul(row, number(ROOM, 5)), BITS + 2));
}
END_TEST

START_TEST(what_rows_are_counted_by_fits_where_others_say_so) {
  Exprs facts = {0};
  Expr *row = add(mul(x[0], x[2]), x[1]), *one = number(WIDE, 1);
  Expr *exact = add(mul(in_room(x[0]), in_room(x[2])), in_room(x[1]));
  Expr *twice = mul(exact, number(ROOM, 2));
  say(&facts, below(x[1], x[2]));
  say(&facts, below_number(mul(add(wide(row), one), number(WIDE, 2)), VALUES));
  Naturals *alone = naturals_of(&facts, x[0], x[0]);
  ck_assert(!naturals_fit(alone, twice, BITS)); // the row may have come round
  say(&facts, below_number(mul(wide(x[2]), add(wide(x[0]), one)), VALUES));
  ck_assert(naturals_fit(naturals_of(&facts, x[0], x[0]), twice, BITS));
}
END_TEST

START_TEST(a_sum_that_is_no_less_has_not_come_round) {
  Exprs facts = {0};
  Expr *sum = add(x[0], x[1]);
  Expr *exact = add(in_room(x[0]), in_room(x[1]));
  Expr *limit = add(in_room(sum), number(ROOM, 1));
  ck_assert(!naturals_are_below(naturals_of(&facts, sum, sum), exact, limit));
  say(&facts, binary(EXPR_ULE, x[2], sum));
  ck_assert(!naturals_are_below(naturals_of(&facts, sum, sum), exact, limit));
  say(&facts, binary(EXPR_ULE, x[1], sum));
  ck_assert(naturals_are_below(naturals_of(&facts, sum, sum), exact, limit));
}
END_TEST

// Whether the facts say so when sums have been split.
static bool splits_into(const Exprs *facts, const Expr *fact) {
  Exprs to = {0};
  bool is_said = false;
  if (!radix_split(&task, NULL, facts, &to))
    return false;
  for (size_t i = 0; i < to.count; i++)
    is_said |= to.at[i] == fact;
  return is_said;
}

START_TEST(rows_may_be_below_zero) {
  Exprs facts = {0};
  Expr *size = expr_zext(&task, x[2], WIDE), *last = number(BITS, 1);
  Expr *a = mul(expr_sext(&task, x[0], WIDE), size);
  Expr *b = mul(expr_sext(&task, x[1], WIDE), size);
  a = add(a, wide(rest(x[1], x[2])));
  say(&facts, below(last, x[2]));
  say(&facts, equal(a, add(b, wide(rest(x[0], x[2])))));
  ck_assert(splits_into(&facts, equal(rest(x[0], x[2]), rest(x[1], x[2]))));
  ck_assert(splits_into(&facts, equal(x[0], x[1])));
}
END_TEST

// Two rows each, which are counted without signs.
START_TEST(rows_without_signs_may_be_below_zero) {
  Exprs facts = {0}, places = {0};
  Expr *size = x[2], *two = number(BITS, 2);
  for (unsigned i = 0; i < 2; i++) {
    Expr *row = mul(x[i], two), *part = rest(x[!i], two);
    Expr *first = mul(row, size), *more = mul(part, size);
    Expr *column = rest(x[i], size), *begin = add(first, column);
    say(&facts, equal(longer(first), mul(longer(row), wide(size))));
    say(&facts, equal(longer(more), mul(wide(part), wide(size))));
    say(&facts, equal(longer(begin), add(longer(first), wide(column))));
    say(&facts,
        equal(longer(add(begin, more)), add(longer(begin), longer(more))));
    say(&places, add(begin, more));
    say(&facts, below_number(x[i], VALUES / 2)); // no row comes round
  }
  say(&facts, below(number(BITS, 1), size));
  say(&facts, below_number(size, VALUES / 2));
  say(&facts, equal(places.at[0], places.at[1]));
  ck_assert(splits_into(&facts, equal(rest(x[0], size), rest(x[1], size))));
  ck_assert(splits_into(&facts, equal(x[0], x[1])));
}
END_TEST

START_TEST(a_number_that_nothing_else_is_said_of_is_below_its_bound) {
  Exprs facts = {0};
  Expr *more =
      expr_ite(&task, below(x[0], x[1]), number(BITS, 1), number(BITS, 2));
  Expr *rows = mul(in_room(x[2]), in_room(more)), *three = number(ROOM, 3);
  say(&facts, positive(x[2]));
  Naturals *naturals = naturals_of(&facts, more, x[2]);
  Expr *limit = mul(in_room(x[2]), three);
  ck_assert(naturals_are_below(naturals, rows, limit));
  limit = mul(in_room(x[2]), number(ROOM, 2));
  ck_assert(!naturals_are_below(naturals, rows, limit));
}
END_TEST

// What is said of it besides is more.
START_TEST(what_is_taken_away_is_as_large_as_its_bounds_say) {
  Exprs facts = {0};
  say(&facts, binary(EXPR_ULE, x[0], number(BITS, 2)));
  say(&facts, binary(EXPR_ULE, x[1], number(BITS, 3)));
  say(&facts, binary(EXPR_ULE, x[0], x[2]));
  Naturals *naturals = naturals_of(&facts, x[0], x[1]);
  Expr *product = mul(in_room(x[0]), in_room(x[1])), *six = number(ROOM, 6);
  Expr *more = add(in_room(x[2]), number(ROOM, 7));
  ck_assert(naturals_are_below(naturals, product, more));
  ck_assert(!naturals_are_below(naturals, product, six));
}
END_TEST

START_TEST(equal_digits_are_those_of_equal_numbers) {
  Exprs facts = {0};
  Expr *size = x[2], *limit = mul(x[2], x[2]);
  Expr *twice = mul(number(BITS, 2), size);
  Expr *a = add(mul(quotient(x[0], size), twice), rest(x[0], size));
  Expr *b = add(mul(quotient(x[1], size), twice), rest(x[1], size));
  say(&facts, positive(size));
  say(&facts, below_number(size, 3));
  say(&facts, below(x[0], limit));
  say(&facts, below(x[1], limit));
  say(&facts, equal(a, b));
  ck_assert(splits_into(&facts, equal(x[0], x[1])));
}
END_TEST

// ------------------------------------------------------------- polynomials ---

START_TEST(what_is_too_large_is_lost) {
  Polynomial power = polynomial_of_term(x[0]);
  for (unsigned i = 0; i < 3; i++)
    power = polynomial_multiply(&power, &power);
  ck_assert(!power.is_lost);
  power = polynomial_multiply(&power, &power);
  ck_assert(power.is_lost);
  Polynomial large = polynomial_of_number(INT64_MAX);
  ck_assert(polynomial_add(large, &large, 1).is_lost);
  ck_assert(polynomial_multiply(&large, &large).is_lost);
}
END_TEST

// Of which there are 2^40 ways to the first one.
START_TEST(squares_of_squares_end) {
  Exprs facts = {0};
  Expr *power = in_room(x[0]);
  for (unsigned i = 0; i < 40; i++)
    power = mul(power, power);
  ck_assert(!naturals_are_below(naturals_of(&facts, power, power), power,
                                in_room(x[1])));
}
END_TEST

START_TEST(a_polynomial_without_itself_is_nothing) {
  Polynomial a = polynomial_of_term(x[0]), b = polynomial_of_term(x[1]), half;
  Polynomial ab = polynomial_multiply(&a, &b);
  Polynomial ba = polynomial_multiply(&b, &a);
  ck_assert_uint_eq(polynomial_add(ab, &ba, -1).count, 0);
  ck_assert(polynomial_divide(&ab, &a, &half));
  ck_assert_uint_eq(polynomial_add(half, &b, -1).count, 0);
  ck_assert(!polynomial_divide(&a, &b, &half));
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("naturals");
  tcase_add_checked_fixture(tc, open_symbols, teardown);
  tcase_set_timeout(tc, 60);
  tcase_add_loop_test(tc, what_is_said_is_so_in_every_model, 0, 6);
  tcase_add_loop_test(tc, digits_by_numbers_have_the_models_of_their_sum, 0, 4);
  tcase_add_loop_test(tc, digits_have_the_models_of_their_sum, 0, 4);
  tcase_add_loop_test(tc, elements_of_matrices_have_the_models_of_their_sum, 0,
                      4);
  tcase_add_test(tc, a_matrix_is_as_large_as_the_program_says);
  tcase_add_test(tc, a_remainder_is_below_the_divisor_and_what_it_is_added_to);
  tcase_add_test(tc, an_order_says_what_it_says);
  tcase_add_test(tc, a_quotient_is_below_the_other_factor_of_the_limit);
  tcase_add_test(tc, a_number_is_put_together_of_its_digits);
  tcase_add_test(tc, a_summand_is_below_what_the_others_leave);
  tcase_add_test(tc, a_number_is_more_than_what_is_left_of_it);
  tcase_add_test(tc, a_product_of_three_may_wrap_where_one_of_two_does_not);
  tcase_add_test(tc, a_narrow_sum_is_that_of_more_bits_where_it_fits);
  tcase_add_test(tc, so_many_rows_fit_as_often_as_their_limit);
  tcase_add_test(tc, what_rows_are_counted_by_fits_where_others_say_so);
  tcase_add_test(tc, a_sum_that_is_no_less_has_not_come_round);
  tcase_add_test(tc, rows_may_be_below_zero);
  tcase_add_test(tc, rows_without_signs_may_be_below_zero);
  tcase_add_test(tc, a_number_that_nothing_else_is_said_of_is_below_its_bound);
  tcase_add_test(tc, what_is_taken_away_is_as_large_as_its_bounds_say);
  tcase_add_test(tc, equal_digits_are_those_of_equal_numbers);
  tcase_add_test(tc, what_is_too_large_is_lost);
  tcase_add_test(tc, squares_of_squares_end);
  tcase_add_test(tc, a_polynomial_without_itself_is_nothing);
  return run_suite(tc, "naturals");
}
