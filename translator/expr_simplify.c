// The constructors of expressions and their rules.
//
// Every rule holds for all bit patterns in SMT-LIB's semantics, where x / 0
// is all ones and x % 0 is x; test/unit/test_expr.c tries them all at small
// widths.  A rule must look at a bounded number of nodes: formulas are deep.
//
// What others may rely on in a result: a Boolean is made of comparisons, AND,
// OR, NOT, EQ, ITE, EXTRACT, APPLY and symbols, never of arithmetic; constants
// are the last argument of commutative operators; there is no SHL by a
// constant and, up to 64 bits, no SUB (see expr_linear.c).

#include "translator/expr.h"

#include <assert.h>

enum { MAX_FACTORS = 16 };

static bool is_all_ones(const Expr *a) {
  return a->op == EXPR_CONST && expr_is_foldable(a) &&
         a->value == expr_mask(a->width);
}

static Expr *zero(Task *task, unsigned width) {
  return expr_const(task, width, 0);
}

static Expr *all_ones(Task *task, unsigned width) {
  assert(width <= MAX_FOLDED_WIDTH);
  return expr_const(task, width, UINT64_MAX);
}

// -1 unless a constant of at most 64 bits that is a power of two.
static int exponent_of(const Expr *a) {
  if (!expr_is_const(a) || !expr_is_foldable(a) || a->value == 0 ||
      (a->value & (a->value - 1)) != 0)
    return -1;
  return __builtin_ctzll(a->value);
}

// (x op c1) op c2, for an associative operator.
static Expr *merge_constants(Task *task, ExprOp op, Expr *a, Expr *b) {
  if (!expr_is_foldable(a) || !expr_is_const(b) || a->op != op ||
      !expr_is_const(a->args[1]))
    return NULL;
  uint64_t value = expr_fold(op, a->width, a->args[1]->value, b->value);
  return expr_binary(task, op, a->args[0], expr_const(task, a->width, value));
}

// ------------------------------------------------------------ arithmetic ---

Expr *expr_add(Task *task, Expr *a, Expr *b) {
  assert(a->width == b->width);
  if (a->width == 1)
    return expr_binary(task, EXPR_XOR, a, b);
  if (expr_is_foldable(a))
    return linear_add(task, a, b, 1);
  if (expr_is_number(a, 0))
    return b;
  if (expr_is_number(b, 0))
    return a;
  return expr_ordered(task, EXPR_ADD, a, b);
}

Expr *expr_sub(Task *task, Expr *a, Expr *b) {
  assert(a->width == b->width);
  if (a->width == 1)
    return expr_binary(task, EXPR_XOR, a, b);
  if (expr_is_foldable(a))
    return linear_add(task, a, b, UINT64_MAX);
  if (a == b)
    return zero(task, a->width);
  if (expr_is_number(b, 0))
    return a;
  return expr_node2(task, EXPR_SUB, a->width, a, b);
}

typedef struct Factors {
  unsigned count;
  bool is_cut;
  uint64_t constant;
  Expr *at[MAX_FACTORS]; // by id, repeated for powers
} Factors;

static void add_factor(Factors *factors, Expr *e) {
  if (expr_is_const(e)) {
    factors->constant *= e->value;
    return;
  }
  if (factors->count == MAX_FACTORS) {
    factors->is_cut = true;
    return;
  }
  unsigned at = factors->count++;
  for (; at > 0 && factors->at[at - 1]->id > e->id; at--)
    factors->at[at] = factors->at[at - 1];
  factors->at[at] = e;
}

static void add_factors(Factors *factors, Expr *e) {
  for (; e->op == EXPR_MUL && !factors->is_cut; e = e->args[0])
    add_factor(factors, e->args[1]);
  if (!factors->is_cut)
    add_factor(factors, e);
}

// A product of unknowns is a left-leaning chain by id, then its constant.
static Expr *product_of_unknowns(Task *task, Expr *a, Expr *b) {
  Factors factors = {.constant = 1};
  add_factors(&factors, a);
  add_factors(&factors, b);
  if (factors.is_cut)
    return expr_ordered(task, EXPR_MUL, a, b);
  Expr *chain = factors.at[0];
  for (unsigned i = 1; i < factors.count; i++)
    chain = expr_node2(task, EXPR_MUL, a->width, chain, factors.at[i]);
  return linear_scale(task, chain, factors.constant);
}

Expr *expr_mul(Task *task, Expr *a, Expr *b) {
  assert(a->width == b->width);
  if (a->width == 1)
    return expr_and(task, a, b);
  expr_constant_last(&a, &b);
  if (expr_is_number(b, 0))
    return b;
  if (expr_is_number(b, 1))
    return a;
  if (!expr_is_foldable(a))
    return expr_ordered(task, EXPR_MUL, a, b);
  if (expr_is_const(b))
    return linear_scale(task, a, b->value);
  return product_of_unknowns(task, a, b);
}

static Expr *make_udiv(Task *task, Expr *a, Expr *b) {
  int exponent = exponent_of(b);
  if (exponent >= 0)
    return expr_binary(task, EXPR_LSHR, a,
                       expr_const(task, a->width, (uint64_t)exponent));
  if (expr_is_foldable(a) && expr_is_number(b, 0))
    return all_ones(task, a->width);
  if (expr_is_foldable(a) && linear_range(a).high < linear_range(b).low)
    return zero(task, a->width);
  return expr_node2(task, EXPR_UDIV, a->width, a, b);
}

static Expr *make_urem(Task *task, Expr *a, Expr *b) {
  if (exponent_of(b) >= 0)
    return expr_binary(task, EXPR_AND, a,
                       expr_const(task, a->width, b->value - 1));
  if (expr_is_number(b, 0) || expr_is_number(a, 0))
    return a;
  if (a == b)
    return zero(task, a->width);
  if (expr_is_foldable(a) && linear_range(a).high < linear_range(b).low)
    return a;
  return expr_node2(task, EXPR_UREM, a->width, a, b);
}

// Where no sign is in play the unsigned operator has better rules.
static Expr *make_signed(Task *task, ExprOp op, Expr *a, Expr *b) {
  bool is_division = op == EXPR_SDIV;
  if (linear_is_never_negative(a) && linear_is_never_negative(b))
    return expr_binary(task, is_division ? EXPR_UDIV : EXPR_UREM, a, b);
  if (expr_is_number(b, 1))
    return is_division ? a : zero(task, a->width);
  if (is_all_ones(b))
    return is_division ? linear_scale(task, a, UINT64_MAX)
                       : zero(task, a->width);
  return expr_node2(task, op, a->width, a, b);
}

// ---------------------------------------------------------------- shifts ---

static Expr *make_shl(Task *task, Expr *a, Expr *b) {
  if (!expr_is_foldable(a) || !expr_is_const(b))
    return expr_is_number(b, 0) || expr_is_number(a, 0)
               ? a
               : expr_node2(task, EXPR_SHL, a->width, a, b);
  if (b->value >= a->width)
    return zero(task, a->width);
  return linear_scale(task, a, UINT64_C(1) << b->value);
}

static Expr *shift_twice(Task *task, ExprOp op, Expr *a, uint64_t more) {
  uint64_t shift = a->args[1]->value + more;
  return expr_binary(task, op, a->args[0], expr_const(task, a->width, shift));
}

static bool is_shift_by_constant(const Expr *a, ExprOp op) {
  return a->op == op && expr_is_const(a->args[1]);
}

// Most shifts of narrow widths do not fit their own width when added up:
// two of at most width - 1 are below 2 * width, which may wrap at width 2.
static bool can_add_shifts(const Expr *a, uint64_t more) {
  return a->args[1]->value + more <= expr_mask(a->width);
}

static Expr *make_lshr(Task *task, Expr *a, Expr *b) {
  if (expr_is_number(b, 0) || expr_is_number(a, 0))
    return a;
  if (!expr_is_foldable(a) || !expr_is_const(b))
    return expr_node2(task, EXPR_LSHR, a->width, a, b);
  if (b->value >= a->width || linear_range(a).high >> b->value == 0)
    return zero(task, a->width);
  if (is_shift_by_constant(a, EXPR_LSHR))
    return can_add_shifts(a, b->value)
               ? shift_twice(task, EXPR_LSHR, a, b->value)
               : zero(task, a->width);
  return expr_node2(task, EXPR_LSHR, a->width, a, b);
}

static Expr *make_ashr(Task *task, Expr *a, Expr *b) {
  if (expr_is_number(b, 0) || expr_is_number(a, 0))
    return a;
  if (linear_is_never_negative(a))
    return expr_binary(task, EXPR_LSHR, a, b);
  if (!expr_is_foldable(a) || !expr_is_const(b))
    return expr_node2(task, EXPR_ASHR, a->width, a, b);
  if (b->value >= a->width)
    return make_ashr(task, a, expr_const(task, a->width, a->width - 1));
  if (is_shift_by_constant(a, EXPR_ASHR) && can_add_shifts(a, b->value))
    return shift_twice(task, EXPR_ASHR, a, b->value);
  return expr_node2(task, EXPR_ASHR, a->width, a, b);
}

// --------------------------------------------------------------- bitwise ---

static bool is_complement(const Expr *a, const Expr *b) {
  return (a->op == EXPR_NOT && a->args[0] == b) ||
         (b->op == EXPR_NOT && b->args[0] == a);
}

// x & 0..01..1: only the low bits of x matter, and perhaps it has no others.
static Expr *mask_low_bits(Task *task, Expr *a, Expr *mask) {
  if ((mask->value & (mask->value + 1)) != 0 || mask->value == 0)
    return NULL;
  Expr *low =
      linear_low_bits(task, a, 64 - (unsigned)__builtin_clzll(mask->value));
  if (linear_range(low).high <= mask->value)
    return low;
  return low == a ? NULL : expr_binary(task, EXPR_AND, low, mask);
}

// The bits that masks with constants set, whatever is in the unknown below.
typedef struct KnownBits {
  uint64_t ones, zeros;
} KnownBits;

static KnownBits known_bits(const Expr *a) {
  if (expr_is_const(a))
    return (KnownBits){a->value, ~a->value & expr_mask(a->width)};
  if ((a->op != EXPR_AND && a->op != EXPR_OR) || !expr_is_const(a->args[1]))
    return (KnownBits){0};
  KnownBits below = known_bits(a->args[0]);
  uint64_t constant = a->args[1]->value;
  if (a->op == EXPR_OR)
    return (KnownBits){below.ones | constant, below.zeros & ~constant};
  return (KnownBits){below.ones & constant,
                     below.zeros | (~constant & expr_mask(a->width))};
}

// A number that was put together part by part over something unknown.
static Expr *known_number(Task *task, Expr *a) {
  if (!expr_is_foldable(a))
    return a;
  KnownBits known = known_bits(a);
  bool is_known = (known.ones | known.zeros) == expr_mask(a->width);
  return is_known ? expr_const(task, a->width, known.ones) : a;
}

static Expr *make_and(Task *task, Expr *a, Expr *b) {
  expr_constant_last(&a, &b);
  if (a == b || expr_is_number(b, 0))
    return b;
  if (is_all_ones(b))
    return a;
  if (is_complement(a, b))
    return zero(task, a->width);
  Expr *simpler = merge_constants(task, EXPR_AND, a, b);
  if (!simpler && expr_is_foldable(a) && expr_is_const(b))
    simpler = mask_low_bits(task, a, b);
  return known_number(task,
                      simpler ? simpler : expr_ordered(task, EXPR_AND, a, b));
}

static Expr *make_or(Task *task, Expr *a, Expr *b) {
  expr_constant_last(&a, &b);
  if (a == b || expr_is_number(b, 0))
    return a;
  if (is_all_ones(b))
    return b;
  if (expr_is_foldable(a) && is_complement(a, b))
    return all_ones(task, a->width);
  Expr *simpler = merge_constants(task, EXPR_OR, a, b);
  return known_number(task,
                      simpler ? simpler : expr_ordered(task, EXPR_OR, a, b));
}

static Expr *make_xor(Task *task, Expr *a, Expr *b) {
  expr_constant_last(&a, &b);
  if (a->width == 1)
    return expr_not(task, expr_eq(task, a, b));
  if (a == b)
    return zero(task, a->width);
  if (expr_is_number(b, 0))
    return a;
  if (is_all_ones(b))
    return expr_not(task, a);
  if (expr_is_foldable(a) && is_complement(a, b))
    return all_ones(task, a->width);
  Expr *simpler = merge_constants(task, EXPR_XOR, a, b);
  return simpler ? simpler : expr_ordered(task, EXPR_XOR, a, b);
}

static ExprOp opposite(ExprOp op) {
  return op == EXPR_ULT   ? EXPR_ULE
         : op == EXPR_ULE ? EXPR_ULT
         : op == EXPR_SLT ? EXPR_SLE
                          : EXPR_SLT;
}

static bool is_comparison(ExprOp op) {
  return op >= EXPR_ULT && op <= EXPR_SLE;
}

Expr *expr_not(Task *task, Expr *a) {
  if (expr_is_const(a) && expr_is_foldable(a))
    return expr_const(task, a->width, ~a->value);
  if (a->op == EXPR_NOT)
    return a->args[0];
  if (is_comparison(a->op))
    return expr_binary(task, opposite(a->op), a->args[1], a->args[0]);
  return expr_node(task, EXPR_NOT, a->width, 0, &a, 1);
}

Expr *expr_and(Task *task, Expr *a, Expr *b) {
  return expr_binary(task, EXPR_AND, a, b);
}

Expr *expr_or(Task *task, Expr *a, Expr *b) {
  return expr_binary(task, EXPR_OR, a, b);
}

Expr *expr_implies(Task *task, Expr *a, Expr *b) {
  return expr_or(task, expr_not(task, a), b);
}

// ------------------------------------------------------------- dispatch ---

static Expr *boolean_shift(Task *task, ExprOp op, Expr *a, Expr *b) {
  return op == EXPR_ASHR ? a : expr_and(task, a, expr_not(task, b));
}

// Division of Booleans: by true it changes nothing, by false SMT-LIB rules.
static Expr *boolean_division(Task *task, ExprOp op, Expr *a, Expr *b) {
  Expr *by_zero = expr_not(task, b);
  return op == EXPR_UDIV || op == EXPR_SDIV ? expr_or(task, a, by_zero)
                                            : expr_and(task, a, by_zero);
}

static Expr *make_division(Task *task, ExprOp op, Expr *a, Expr *b) {
  if (a->width == 1)
    return boolean_division(task, op, a, b);
  return op == EXPR_UDIV   ? make_udiv(task, a, b)
         : op == EXPR_UREM ? make_urem(task, a, b)
                           : make_signed(task, op, a, b);
}

static Expr *make_shift(Task *task, ExprOp op, Expr *a, Expr *b) {
  if (a->width == 1)
    return boolean_shift(task, op, a, b);
  return op == EXPR_SHL    ? make_shl(task, a, b)
         : op == EXPR_LSHR ? make_lshr(task, a, b)
                           : make_ashr(task, a, b);
}

static Expr *make_bitwise(Task *task, ExprOp op, Expr *a, Expr *b) {
  if (op == EXPR_XOR)
    return make_xor(task, a, b);
  if (a->width == 1)
    return boolean_combine(task, op, a, b);
  return op == EXPR_AND ? make_and(task, a, b) : make_or(task, a, b);
}

Expr *expr_binary(Task *task, ExprOp op, Expr *a, Expr *b) {
  assert(op == EXPR_CONCAT || a->width == b->width);
  if (op != EXPR_CONCAT && expr_is_foldable(a) && expr_is_const(a) &&
      expr_is_const(b))
    return expr_const(task, op >= EXPR_EQ ? 1 : a->width,
                      expr_fold(op, a->width, a->value, b->value));
  switch (op) {
  case EXPR_ADD:
    return expr_add(task, a, b);
  case EXPR_SUB:
    return expr_sub(task, a, b);
  case EXPR_MUL:
    return expr_mul(task, a, b);
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_UREM:
  case EXPR_SREM:
    return make_division(task, op, a, b);
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_XOR:
    return make_bitwise(task, op, a, b);
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR:
    return make_shift(task, op, a, b);
  case EXPR_EQ:
    return expr_eq(task, a, b);
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_SLT:
  case EXPR_SLE:
    return compare_expr(task, op, a, b);
  case EXPR_CONCAT:
    return expr_concat(task, a, b);
  case EXPR_CONST:
  case EXPR_SYMBOL:
  case EXPR_NOT:
  case EXPR_ITE:
  case EXPR_EXTRACT:
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_APPLY:
  case EXPR_OPS:
    break;
  }
  assert(false && "a binary operator");
  return NULL;
}

static Expr *choose_booleans(Task *task, Expr *condition, Expr *yes, Expr *no) {
  if (expr_is_const(yes))
    return yes->value ? expr_or(task, condition, no)
                      : expr_and(task, expr_not(task, condition), no);
  if (expr_is_const(no))
    return no->value ? expr_or(task, expr_not(task, condition), yes)
                     : expr_and(task, condition, yes);
  if (yes == condition)
    return expr_or(task, condition, no);
  if (no == condition)
    return expr_and(task, condition, yes);
  if (boolean_is_negation(yes, no))
    return expr_eq(task, condition, yes);
  return NULL;
}

Expr *expr_ite(Task *task, Expr *condition, Expr *yes, Expr *no) {
  assert(condition->width == 1 && yes->width == no->width);
  if (condition->op == EXPR_NOT)
    return expr_ite(task, condition->args[0], no, yes);
  if (yes->op == EXPR_ITE && yes->args[0] == condition)
    yes = yes->args[1];
  if (no->op == EXPR_ITE && no->args[0] == condition)
    no = no->args[2];
  if (yes == no || expr_is_true(condition))
    return yes;
  if (expr_is_false(condition))
    return no;
  Expr *simpler =
      yes->width == 1 ? choose_booleans(task, condition, yes, no) : NULL;
  if (simpler)
    return simpler;
  return expr_node(task, EXPR_ITE, yes->width, 0,
                   (Expr *[]){condition, yes, no}, 3);
}

Expr *expr_rebuild(Task *task, const Expr *old, Expr **args) {
  switch (old->op) {
  case EXPR_CONST:
    return expr_const(task, old->width, old->value);
  case EXPR_SYMBOL:
    return expr_symbol(task, old->symbol);
  case EXPR_NOT:
    return expr_not(task, args[0]);
  case EXPR_ITE:
    return expr_ite(task, args[0], args[1], args[2]);
  case EXPR_EXTRACT:
    return expr_extract(task, args[0], (unsigned)old->value, old->width);
  case EXPR_ZEXT:
    return expr_zext(task, args[0], old->width);
  case EXPR_SEXT:
    return expr_sext(task, args[0], old->width);
  case EXPR_APPLY:
    return expr_apply(task, old->function, old->width, args, old->count);
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL:
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_UREM:
  case EXPR_SREM:
  case EXPR_AND:
  case EXPR_OR:
  case EXPR_XOR:
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR:
  case EXPR_EQ:
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_SLT:
  case EXPR_SLE:
  case EXPR_CONCAT:
  case EXPR_OPS:
    break;
  }
  return expr_binary(task, old->op, args[0], args[1]);
}
