// Sums: two equal linear forms are one expression.
//
// Index arithmetic is nearly all sums with constant factors, and most
// questions about it are whether two indices differ by a constant.  So every
// ADD, SUB, MUL by a constant and SHL by a constant is brought to one form,
//
//     factor * term + factor * term + ... + constant   (mod 2^width)
//
// with terms in order of id, as a left-leaning chain of ADD whose products
// have the constant last.  There is no SUB of 64 bits or less: it is a factor
// of -1.  A remainder and what it is the rest of become one term again.  Sums
// of more than MAX_TERMS terms stay as they were written.

#include "translator/expr.h"

#include <assert.h>
#include <string.h>

enum { MAX_TERMS = 64, RANGE_DEPTH = 6 };

typedef struct Term {
  Expr *expr;
  uint64_t factor; // not 0
} Term;

typedef struct Sum {
  unsigned width;
  bool is_cut; // there are more terms than fit, or more work than it is worth
  unsigned monomials; // that were added to it
  uint64_t constant;
  unsigned count;
  Term terms[MAX_TERMS]; // by id
} Sum;

static void drop_term(Sum *sum, unsigned at) {
  sum->count--;
  memmove(&sum->terms[at], &sum->terms[at + 1],
          (sum->count - at) * sizeof *sum->terms);
}

static void insert_term(Sum *sum, unsigned at, Expr *e, uint64_t factor) {
  if (sum->count == MAX_TERMS) {
    sum->is_cut = true;
    return;
  }
  memmove(&sum->terms[at + 1], &sum->terms[at],
          (sum->count - at) * sizeof *sum->terms);
  sum->terms[at] = (Term){e, factor};
  sum->count++;
}

static void add_term(Sum *sum, Expr *e, uint64_t factor) {
  uint64_t mask = expr_mask(sum->width);
  if (e->op == EXPR_CONST) {
    sum->constant = (sum->constant + factor * e->value) & mask;
    return;
  }
  if (e->op == EXPR_MUL && expr_is_const(e->args[1])) {
    factor *= e->args[1]->value;
    e = e->args[0];
  }
  factor &= mask;
  if (factor == 0)
    return;
  unsigned at = sum->count;
  while (at > 0 && sum->terms[at - 1].expr->id >= e->id)
    at--;
  if (at == sum->count || sum->terms[at].expr != e) {
    insert_term(sum, at, e, factor);
    return;
  }
  sum->terms[at].factor = (sum->terms[at].factor + factor) & mask;
  if (sum->terms[at].factor == 0)
    drop_term(sum, at);
}

static void add_chain(Sum *sum, Expr *e, uint64_t factor) {
  for (; e->op == EXPR_ADD && !sum->is_cut; e = e->args[0])
    add_term(sum, e->args[1], factor);
  if (!sum->is_cut)
    add_term(sum, e, factor);
}

static Expr *product(Task *task, Expr *e, uint64_t factor) {
  if (factor == 1)
    return e;
  Expr *number = expr_const(task, e->width, factor);
  return expr_node2(task, EXPR_MUL, e->width, e, number);
}

static Expr *plus(Task *task, Expr *chain, Expr *e) {
  return chain ? expr_node2(task, EXPR_ADD, e->width, chain, e) : e;
}

static Expr *build(Task *task, const Sum *sum) {
  assert(!sum->is_cut);
  Expr *chain = NULL;
  for (unsigned i = 0; i < sum->count; i++)
    chain = plus(task, chain,
                 product(task, sum->terms[i].expr, sum->terms[i].factor));
  if (sum->constant || !chain)
    chain = plus(task, chain, expr_const(task, sum->width, sum->constant));
  return chain;
}

// -------------------------------------------------------------- products ---

enum { MAX_FACTORS = 8, MAX_MONOMIALS = 1000 };

// factor * a * b * .. (mod 2^width), in any order.
typedef struct Product {
  uint64_t factor;
  unsigned count;
  Expr *at[MAX_FACTORS];
  bool is_cut; // there are more factors than fit
} Product;

static void multiply(Product *product, Expr *e) {
  if (product->is_cut)
    return;
  if (e->op == EXPR_CONST) {
    product->factor *= e->value;
  } else if (e->op == EXPR_MUL) {
    multiply(product, e->args[0]);
    multiply(product, e->args[1]);
  } else if (product->count == MAX_FACTORS) {
    product->is_cut = true;
  } else {
    product->at[product->count++] = e;
  }
}

static Product product_of(const Term *term) {
  Product product = {.factor = term->factor};
  multiply(&product, term->expr);
  return product;
}

static Expr *take(Product *product, unsigned at) {
  Expr *e = product->at[at];
  product->at[at] = product->at[--product->count];
  return e;
}

static bool take_same(Product *product, const Expr *e) {
  for (unsigned i = 0; i < product->count; i++)
    if (product->at[i] == e) {
      take(product, i);
      return true;
    }
  return false;
}

static bool are_same(Product a, const Product *b, uint64_t mask) {
  if (a.is_cut || b->is_cut || ((a.factor ^ b->factor) & mask))
    return false;
  for (unsigned i = 0; i < b->count; i++)
    if (!take_same(&a, b->at[i]))
      return false;
  return a.count == 0;
}

// ------------------------------------------------------------- expansion ---

// The product, with its factors in order of id.
static void add_monomial(Task *task, Sum *sum, Product *product) {
  Expr *e = NULL;
  while (product->count) {
    unsigned first = 0;
    for (unsigned i = 1; i < product->count; i++)
      if (product->at[i]->id < product->at[first]->id)
        first = i;
    Expr *factor = take(product, first);
    e = e ? expr_mul(task, e, factor) : factor;
  }
  if (e)
    add_chain(sum, e, product->factor);
  else
    sum->constant += product->factor;
}

// Sums among the factors are multiplied out.
static void add_expanded(Task *task, Sum *sum, Product product) {
  unsigned at = 0;
  sum->is_cut |= product.is_cut;
  if (sum->is_cut)
    return;
  while (at < product.count && product.at[at]->op != EXPR_ADD)
    at++;
  if (at == product.count) {
    sum->is_cut = ++sum->monomials > MAX_MONOMIALS;
    add_monomial(task, sum, &product);
    return;
  }
  Expr *e = take(&product, at);
  for (unsigned k = 0; k < 2; k++) {
    Product part = product;
    multiply(&part, e->args[k]);
    add_expanded(task, sum, part);
  }
}

static bool has_sum_as_factor(const Sum *sum) {
  for (unsigned i = 0; i < sum->count; i++) {
    const Product product = product_of(&sum->terms[i]);
    for (unsigned k = 0; k < product.count; k++)
      if (product.at[k]->op == EXPR_ADD)
        return true;
  }
  return false;
}

// ------------------------------------------------------------ remainders ---

static bool is_remainder(const Expr *e) {
  return e->op == EXPR_SREM || e->op == EXPR_UREM;
}

static ExprOp quotient_of(ExprOp remainder) {
  return remainder == EXPR_SREM ? EXPR_SDIV : EXPR_UDIV;
}

// What others * rest and the term are together, without the others; NULL: no
// more than a sum.
static Expr *completed(Task *task, const Term *term, Product others,
                       const Remainder *rest, uint64_t mask) {
  Product whole = product_of(term);
  multiply(&others, rest->by);
  for (unsigned i = 0; i < whole.count; i++) {
    Product factors = whole;
    Expr *e = remainder_complete(task, rest, take(&factors, i));
    if (e && are_same(factors, &others, mask))
      return e;
  }
  return NULL;
}

static void add_product(Task *task, Sum *sum, const Product *product,
                        Expr *last) {
  Expr *e = last;
  for (unsigned i = 0; i < product->count; i++)
    e = expr_mul(task, e, product->at[i]);
  add_chain(sum, e, product->factor);
}

// Joins the i-th term, which has the remainder as a factor, with another one.
static bool join_with(Task *task, Sum *sum, unsigned i, const Product *others,
                      const Remainder *rest) {
  for (unsigned k = 0; k < sum->count; k++) {
    Expr *e = k == i ? NULL
                     : completed(task, &sum->terms[k], *others, rest,
                                 expr_mask(sum->width));
    if (e) {
      drop_term(sum, i > k ? i : k);
      drop_term(sum, i > k ? k : i);
      add_product(task, sum, others, e);
      return true;
    }
  }
  return false;
}

// z * (x % y) + z * y * (x / y) is z * x, signed or not, and also where y is 0:
// this is how programs find the element again of which they have taken plane,
// row and column.
static bool join_remainder(Task *task, Sum *sum) {
  for (unsigned i = 0; i < sum->count; i++) {
    const Product product = product_of(&sum->terms[i]);
    for (unsigned k = 0; k < product.count && !product.is_cut; k++) {
      Product others = product;
      Remainder rest;
      if (remainder_find(task, take(&others, k), &rest) &&
          join_with(task, sum, i, &others, &rest))
        return true;
    }
  }
  return false;
}

// others * (x % y) as others * x - others * y * (x / y), if the sum has the
// opposite of others * x.
static bool take_apart(Task *task, Sum *sum, unsigned i, Product others,
                       const Expr *remainder) {
  Sum rest = *sum;
  Product whole = others, multiple = others;
  drop_term(&rest, i);
  multiply(&whole, remainder->args[0]);
  add_expanded(task, &rest, whole);
  if (rest.is_cut || rest.count + 1 >= sum->count)
    return false;
  multiple.factor = -multiple.factor;
  multiply(&multiple, remainder->args[1]);
  multiply(&multiple, expr_binary(task, quotient_of(remainder->op),
                                  remainder->args[0], remainder->args[1]));
  add_expanded(task, &rest, multiple);
  if (rest.is_cut)
    return false;
  rest.constant &= expr_mask(rest.width);
  *sum = rest;
  return true;
}

// z * x - z * (x % y) is z * y * (x / y), also where y is 0: how programs make
// the row of an element of which they have the column.
static bool complete_remainder(Task *task, Sum *sum) {
  for (unsigned i = 0; i < sum->count; i++) {
    const Product product = product_of(&sum->terms[i]);
    for (unsigned k = 0; k < product.count && !product.is_cut; k++) {
      Product others = product;
      const Expr *factor = take(&others, k);
      if (is_remainder(factor) && take_apart(task, sum, i, others, factor))
        return true;
    }
  }
  return false;
}

static void settle_remainders(Task *task, Sum *sum) {
  while (!sum->is_cut &&
         (join_remainder(task, sum) || complete_remainder(task, sum)))
    ;
}

// z * (x + y) is z * x + z * y where fewer terms are left of it.
static void shorten(Task *task, Sum *sum) {
  Sum expanded = {.width = sum->width, .constant = sum->constant};
  settle_remainders(task, sum);
  if (sum->is_cut || !has_sum_as_factor(sum))
    return;
  for (unsigned i = 0; i < sum->count; i++)
    add_expanded(task, &expanded, product_of(&sum->terms[i]));
  settle_remainders(task, &expanded);
  expanded.constant &= expr_mask(sum->width);
  if (!expanded.is_cut && expanded.count < sum->count)
    *sum = expanded;
}

Expr *linear_scale(Task *task, Expr *a, uint64_t factor) {
  Sum sum = {.width = a->width};
  add_chain(&sum, a, factor);
  return sum.is_cut ? product(task, a, factor & expr_mask(a->width))
                    : build(task, &sum);
}

Expr *linear_add(Task *task, Expr *a, Expr *b, uint64_t factor) {
  assert(a->width == b->width && a->width > 1);
  Sum sum = {.width = a->width};
  add_chain(&sum, a, 1);
  add_chain(&sum, b, factor);
  shorten(task, &sum);
  if (!sum.is_cut)
    return build(task, &sum);
  return expr_ordered(task, EXPR_ADD, a, linear_scale(task, b, factor));
}

// The number with the same low `bits` that is nearest to 0.
static uint64_t nearest(uint64_t value, unsigned bits, unsigned width) {
  uint64_t low = value & expr_mask(bits);
  bool is_upper_half = low > UINT64_C(1) << (bits - 1);
  return (is_upper_half ? low | ~expr_mask(bits) : low) & expr_mask(width);
}

Expr *linear_low_bits(Task *task, Expr *a, unsigned bits) {
  Sum sum = {.width = a->width}, low = {.width = a->width};
  add_chain(&sum, a, 1);
  if (sum.is_cut)
    return a;
  low.constant = sum.constant & expr_mask(bits);
  for (unsigned i = 0; i < sum.count; i++)
    add_term(&low, sum.terms[i].expr,
             nearest(sum.terms[i].factor, bits, a->width));
  return build(task, &low);
}

// -------------------------------------------------------------- equality ---

static bool is_minus(unsigned width, uint64_t factor) {
  return factor > UINT64_C(1) << (width - 1);
}

static uint64_t magnitude(unsigned width, uint64_t factor) {
  return is_minus(width, factor) ? -factor & expr_mask(width) : factor;
}

uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static uint64_t common_factor(const Sum *sum) {
  uint64_t common = 0;
  for (unsigned i = 0; i < sum->count; i++)
    common = greatest_common_divisor(
        common, magnitude(sum->width, sum->terms[i].factor));
  return common;
}

// Of an odd number, modulo 2^64, by Newton's iteration.
static uint64_t inverse(uint64_t odd) {
  uint64_t x = odd;
  for (int i = 0; i < 6; i++)
    x *= 2 - odd * x;
  return x;
}

// Odd numbers have inverses modulo 2^width, so sum == 0 may be divided by
// one.  The first term gets a positive factor.
static void normalise(Sum *sum, uint64_t odd) {
  uint64_t by = inverse(odd);
  if (is_minus(sum->width, sum->terms[0].factor))
    by = -by;
  uint64_t mask = expr_mask(sum->width);
  for (unsigned i = 0; i < sum->count; i++)
    sum->terms[i].factor = sum->terms[i].factor * by & mask;
  sum->constant = sum->constant * by & mask;
}

// How far from 0 `e` can be, as a signed number.
static uint64_t reach_of(const Expr *e) {
  if (e->op == EXPR_SEXT)
    return UINT64_C(1) << (e->args[0]->width - 1);
  uint64_t high = linear_range(e).high;
  uint64_t sign = UINT64_C(1) << (e->width - 1);
  return high < sign ? high : sign;
}

// Can the sum, divided by 2^shift and as an integer, not reach 2^limit?
static bool stays_below(const Sum *sum, unsigned shift, unsigned limit) {
  uint64_t reach = magnitude(sum->width, sum->constant) >> shift;
  for (unsigned i = 0; i < sum->count; i++) {
    uint64_t factor = magnitude(sum->width, sum->terms[i].factor) >> shift;
    uint64_t more;
    if (__builtin_mul_overflow(factor, reach_of(sum->terms[i].expr), &more) ||
        __builtin_add_overflow(reach, more, &reach))
      return false;
  }
  return reach < UINT64_C(1) << limit;
}

// Divided by 2^shift, as a signed number.
static uint64_t shifted(unsigned width, uint64_t value, unsigned shift) {
  uint64_t quotient = magnitude(width, value) >> shift;
  return is_minus(width, value) ? -quotient & expr_mask(width) : quotient;
}

// 2^shift * s == 0 says that s is a multiple of 2^(width - shift).  If s is
// too small for that, as are byte offsets made of 32-bit numbers, it is 0.
static void divide_by_power(Sum *sum, unsigned shift) {
  if (shift == 0 || !stays_below(sum, shift, sum->width - shift))
    return;
  for (unsigned i = 0; i < sum->count; i++)
    sum->terms[i].factor = shifted(sum->width, sum->terms[i].factor, shift);
  sum->constant = shifted(sum->width, sum->constant, shift);
}

// Terms with positive factors go left, the others and the constant right.
static void two_sides(Task *task, const Sum *sum, Expr **a, Expr **b) {
  Sum left = {.width = sum->width}, right = {.width = sum->width};
  for (unsigned i = 0; i < sum->count; i++) {
    const Term *term = &sum->terms[i];
    if (is_minus(sum->width, term->factor))
      add_term(&right, term->expr, -term->factor);
    else
      add_term(&left, term->expr, term->factor);
  }
  right.constant = -sum->constant & expr_mask(sum->width);
  *a = build(task, &left);
  *b = build(task, &right);
}

bool linear_equal(Task *task, Expr **a, Expr **b, bool *always) {
  Sum sum = {.width = (*a)->width};
  add_chain(&sum, *a, 1);
  add_chain(&sum, *b, UINT64_MAX);
  if (sum.is_cut)
    return false;
  if (sum.count == 0) {
    *always = sum.constant == 0;
    return true;
  }
  uint64_t common = common_factor(&sum);
  uint64_t power_of_two = common & -common;
  if (sum.constant & (power_of_two - 1)) {
    *always = false;
    return true;
  }
  normalise(&sum, common / power_of_two);
  divide_by_power(&sum, (unsigned)__builtin_ctzll(power_of_two));
  two_sides(task, &sum, a, b);
  return false;
}

// ---------------------------------------------------------------- ranges ---

static PlainRange range_within(const Expr *a, unsigned depth);

static PlainRange anything(const Expr *a) {
  return (PlainRange){0, expr_mask(a->width)};
}

static uint64_t bits_up_to(uint64_t highest) {
  for (unsigned shift = 1; shift < 64; shift *= 2)
    highest |= highest >> shift;
  return highest;
}

static PlainRange range_of_sum(const Expr *a, PlainRange x, PlainRange y) {
  uint64_t high;
  if (__builtin_add_overflow(x.high, y.high, &high) ||
      high > expr_mask(a->width))
    return anything(a);
  return (PlainRange){x.low + y.low, high};
}

static PlainRange range_of_product(const Expr *a, PlainRange x, PlainRange y) {
  uint64_t high;
  if (__builtin_mul_overflow(x.high, y.high, &high) ||
      high > expr_mask(a->width))
    return anything(a);
  return (PlainRange){x.low * y.low, high};
}

static PlainRange range_of_shift(const Expr *a, PlainRange x) {
  if (!expr_is_const(a->args[1]))
    return (PlainRange){0, x.high};
  uint64_t shift = a->args[1]->value;
  if (shift >= a->width)
    return (PlainRange){0, 0};
  return (PlainRange){x.low >> shift, x.high >> shift};
}

static PlainRange range_of_quotient(const Expr *a, PlainRange x) {
  if (!expr_is_const(a->args[1]) || a->args[1]->value == 0)
    return anything(a);
  uint64_t by = a->args[1]->value;
  return (PlainRange){x.low / by, x.high / by};
}

static PlainRange range_of_rest(const Expr *a, PlainRange x) {
  const Expr *by = a->args[1];
  if (!expr_is_const(by) || by->value == 0 || x.high < by->value)
    return (PlainRange){0, x.high};
  return (PlainRange){0, by->value - 1};
}

static PlainRange range_of_choice(const Expr *a, unsigned depth) {
  PlainRange x = range_within(a->args[1], depth);
  PlainRange y = range_within(a->args[2], depth);
  return (PlainRange){x.low < y.low ? x.low : y.low,
                      x.high > y.high ? x.high : y.high};
}

static PlainRange range_of_pair(const Expr *a, PlainRange x, PlainRange y) {
  switch (a->op) {
  case EXPR_ADD:
    return range_of_sum(a, x, y);
  case EXPR_MUL:
    return range_of_product(a, x, y);
  case EXPR_AND:
    return (PlainRange){0, x.high < y.high ? x.high : y.high};
  case EXPR_OR:
    return (PlainRange){x.low > y.low ? x.low : y.low,
                        bits_up_to(x.high | y.high)};
  case EXPR_XOR:
    return (PlainRange){0, bits_up_to(x.high | y.high)};
  case EXPR_UDIV:
    return range_of_quotient(a, x);
  case EXPR_UREM:
    return range_of_rest(a, x);
  case EXPR_LSHR:
    return range_of_shift(a, x);
  case EXPR_CONCAT: {
    unsigned shift = a->args[1]->width;
    return (PlainRange){x.low << shift | y.low, x.high << shift | y.high};
  }
  case EXPR_CONST:
  case EXPR_SYMBOL:
  case EXPR_SUB:
  case EXPR_SDIV:
  case EXPR_SREM:
  case EXPR_SHL:
  case EXPR_ASHR:
  case EXPR_EQ:
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_SLT:
  case EXPR_SLE:
  case EXPR_NOT:
  case EXPR_ITE:
  case EXPR_EXTRACT:
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_APPLY:
  case EXPR_OPS:
    break;
  }
  return anything(a);
}

static PlainRange range_within(const Expr *a, unsigned depth) {
  assert(a->width <= MAX_FOLDED_WIDTH);
  if (a->op == EXPR_CONST)
    return (PlainRange){a->value, a->value};
  if (depth == 0 || a->count == 0 || a->op == EXPR_APPLY ||
      !expr_is_foldable(a->args[0]))
    return anything(a);
  if (a->op == EXPR_ITE)
    return range_of_choice(a, depth - 1);
  if (a->op == EXPR_ZEXT)
    return range_within(a->args[0], depth - 1);
  if (a->op == EXPR_EXTRACT) {
    PlainRange x = range_within(a->args[0], depth - 1);
    x = (PlainRange){x.low >> a->value, x.high >> a->value};
    return x.high <= expr_mask(a->width) ? x : anything(a);
  }
  if (a->count != 2 || a->width == 1)
    return anything(a);
  return range_of_pair(a, range_within(a->args[0], depth - 1),
                       range_within(a->args[1], depth - 1));
}

PlainRange linear_range(const Expr *a) { return range_within(a, RANGE_DEPTH); }

bool linear_is_never_negative(const Expr *a) {
  return expr_is_foldable(a) && linear_range(a).high >> (a->width - 1) == 0;
}
