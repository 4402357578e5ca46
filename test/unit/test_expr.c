// What expressions promise: equal forms are one object, and simplification
// never changes a value.
//
// The second half builds random expressions next to a table of what they
// must be worth under every assignment of their symbols, computed by this
// file's own arithmetic, and compares.

#include "test/unit/suite.h"
#include "translator/expr.h"

#include <string.h>

static Task task;

static void setup(void) { task = (Task){0}; }

static void teardown(void) { arena_free(&task.arena); }

static Expr *number(unsigned width, uint64_t value) {
  return expr_const(&task, width, value);
}

static unsigned symbols_made;

static Expr *fresh(const char *name, unsigned width) {
  Symbol *symbol = NEW(&task.arena, Symbol);
  symbol->number = symbols_made++;
  symbol->width = width;
  symbol->name = name;
  return expr_symbol(&task, symbol);
}

static Expr *add(Expr *a, Expr *b) { return expr_add(&task, a, b); }
static Expr *sub(Expr *a, Expr *b) { return expr_sub(&task, a, b); }
static Expr *mul(Expr *a, Expr *b) { return expr_mul(&task, a, b); }
static Expr *eq(Expr *a, Expr *b) { return expr_eq(&task, a, b); }
static Expr *and(Expr *a, Expr *b) { return expr_and(&task, a, b); }
static Expr *or(Expr *a, Expr *b) { return expr_or(&task, a, b); }
static Expr *not(Expr *a) { return expr_not(&task, a); }
static Expr *binary(ExprOp op, Expr *a, Expr *b) {
  return expr_binary(&task, op, a, b);
}

// ----------------------------------------------------------- one by one ---

START_TEST(equal_expressions_are_one_object) {
  Expr *a = fresh("a", 32), *b = fresh("b", 32);
  ck_assert_ptr_eq(add(a, b), add(b, a));
  ck_assert_ptr_eq(mul(a, b), mul(b, a));
  ck_assert_ptr_ne(sub(a, b), sub(b, a));
  ck_assert_ptr_eq(number(32, 7), number(32, 7));
  ck_assert_ptr_ne(number(32, 7), number(64, 7));
  ck_assert_ptr_ne(fresh("a", 32), a);
}
END_TEST

START_TEST(sums_have_one_form) {
  Expr *a = fresh("a", 32), *b = fresh("b", 32), *c = fresh("c", 32);
  Expr *four = number(32, 4), *two = number(32, 2);
  ck_assert_ptr_eq(add(add(a, b), c), add(c, add(b, a)));
  ck_assert_ptr_eq(mul(four, add(a, b)), add(mul(b, four), mul(a, four)));
  ck_assert_ptr_eq(binary(EXPR_SHL, a, two), mul(a, four));
  ck_assert_ptr_eq(sub(add(a, four), add(a, two)), two);
  ck_assert_ptr_eq(sub(add(a, b), b), a);
  ck_assert_ptr_eq(mul(mul(a, four), b), mul(four, mul(b, a)));
}
END_TEST

START_TEST(a_sum_of_too_many_terms_keeps_its_value) {
  Expr *sum = number(32, 0);
  Expr *first = fresh("x", 32);
  for (int i = 0; i < 200; i++)
    sum = add(sum, i ? fresh("y", 32) : first);
  sum = expr_extract(&task, sub(sum, first), 0, 16);
  ck_assert_uint_eq(sum->width, 16);
  Symbols symbols = {0};
  expr_symbols(&task, sum, &symbols);
  ck_assert_uint_ge(symbols.count, 199);
}
END_TEST

START_TEST(an_equation_is_brought_to_one_side) {
  Expr *a = fresh("a", 32), *b = fresh("b", 32);
  Expr *three = number(32, 3), *four = number(32, 4);
  ck_assert_ptr_eq(eq(add(a, three), add(b, three)), eq(a, b));
  ck_assert_ptr_eq(eq(mul(a, three), mul(b, three)), eq(b, a));
  ck_assert(expr_is_true(eq(add(a, b), add(b, a))));
  ck_assert(expr_is_false(eq(add(a, three), a)));
  // 4a = 4b does not say a = b, but 4a = 4b + 3 cannot be.
  ck_assert_ptr_ne(eq(mul(a, four), mul(b, four)), eq(a, b));
  ck_assert(expr_is_false(eq(mul(a, four), add(mul(b, four), three))));
}
END_TEST

START_TEST(extensions_do_not_hide_an_equation) {
  Expr *a = fresh("a", 8), *b = fresh("b", 8);
  Expr *wide_a = expr_zext(&task, a, 32), *wide_b = expr_zext(&task, b, 32);
  ck_assert_ptr_eq(eq(wide_a, wide_b), eq(a, b));
  ck_assert(expr_is_false(eq(wide_a, number(32, 300))));
  ck_assert(expr_is_true(binary(EXPR_SLT, wide_a, number(32, 256))));
  ck_assert_ptr_eq(binary(EXPR_SLT, wide_a, wide_b), binary(EXPR_ULT, a, b));
  Expr *truth = expr_zext(&task, eq(a, b), 32);
  ck_assert_ptr_eq(eq(truth, number(32, 0)), not(eq(a, b)));
}
END_TEST

START_TEST(offsets_that_cannot_wrap_are_compared_as_indices) {
  Expr *a = fresh("a", 32), *b = fresh("b", 32), *four = number(64, 4);
  Expr *wide_a = expr_sext(&task, a, 64), *wide_b = expr_sext(&task, b, 64);
  ck_assert_ptr_eq(eq(mul(wide_a, four), mul(wide_b, four)), eq(a, b));
  Expr *huge = number(64, UINT64_C(1) << 33);
  ck_assert_ptr_ne(eq(mul(wide_a, huge), mul(wide_b, huge)), eq(a, b));
}
END_TEST

START_TEST(each_comparison_with_a_constant_has_one_form) {
  Expr *a = fresh("a", 32);
  Expr *seven = number(32, 7), *eight = number(32, 8);
  Expr *below = binary(EXPR_ULT, a, eight);
  ck_assert_ptr_eq(binary(EXPR_ULE, a, seven), below);
  ck_assert_ptr_eq(not(binary(EXPR_ULT, seven, a)), below);
  ck_assert_ptr_eq(binary(EXPR_SLE, a, seven), binary(EXPR_SLT, a, eight));
  ck_assert(expr_is_false(and(below, binary(EXPR_ULE, eight, a))));
  ck_assert_ptr_eq(binary(EXPR_ULT, a, number(32, 1)), eq(a, number(32, 0)));
}
END_TEST

START_TEST(guards_that_join_are_the_guard_before_the_branch) {
  Expr *g = fresh("g", 1), *c = fresh("c", 1), *d = fresh("d", 1);
  ck_assert_ptr_eq(or(and(g, c), and(g, not(c))), g);
  ck_assert_ptr_eq(and(g, or(g, c)), g);
  ck_assert_ptr_eq(and(g, or(not(g), c)), and(c, g));
  ck_assert_ptr_eq(or(and(g, c), and(g, d)), and(g, or(c, d)));
  ck_assert(expr_is_false(and(and(g, c), and(d, not(c)))));
  ck_assert_ptr_eq(and(g, not(and(g, c))), and(g, not(c)));
  Expr *three =
      or(or(and(and(g, c), d), and(and(g, c), not(d))), and(g, not(c)));
  ck_assert_ptr_eq(three, g);
}
END_TEST

START_TEST(a_long_conjunction_is_still_a_conjunction) {
  Expr *all = expr_bool(&task, true), *first = fresh("p", 1);
  for (int i = 0; i < 100; i++)
    all = and(all, i ? fresh("q", 1) : first);
  Symbols symbols = {0};
  expr_symbols(&task, all, &symbols);
  ck_assert_uint_eq(symbols.count, 100);
  ck_assert_ptr_eq(symbols.at[0], first->symbol);
}
END_TEST

START_TEST(truncation_meets_extension) {
  Expr *a = fresh("a", 32), *b = fresh("b", 32);
  Expr *wide =
      add(expr_sext(&task, a, 64), mul(expr_zext(&task, b, 64), number(64, 4)));
  ck_assert_ptr_eq(expr_extract(&task, wide, 0, 32),
                   add(a, mul(b, number(32, 4))));
  ck_assert_ptr_eq(expr_to_width(&task, wide, 64, true), wide);
  Expr *low = expr_extract(&task, a, 0, 16),
       *high = expr_extract(&task, a, 16, 16);
  ck_assert_ptr_eq(expr_concat(&task, high, low), a);
}
END_TEST

START_TEST(quotients_of_small_numbers_are_cut_before) {
  Expr *a = fresh("a", 16), *b = fresh("b", 16);
  Expr *x = expr_zext(&task, a, 32), *y = expr_zext(&task, b, 32);
  ck_assert_ptr_eq(expr_extract(&task, binary(EXPR_UDIV, x, y), 0, 16),
                   binary(EXPR_UDIV, a, b));
  ck_assert_ptr_eq(
      expr_extract(&task, binary(EXPR_UREM, x, y), 0, 24),
      binary(EXPR_UREM, expr_zext(&task, a, 24), expr_zext(&task, b, 24)));
  Expr *cut = expr_extract(&task, binary(EXPR_UDIV, x, number(32, 3)), 0, 8);
  ck_assert_int_eq(cut->op, EXPR_EXTRACT);
}
END_TEST

START_TEST(wide_values_are_cut_and_joined_but_not_folded) {
  Expr *a = fresh("a", 64), *b = fresh("b", 64);
  Expr *wide = expr_concat(&task, a, b);
  ck_assert_uint_eq(wide->width, 128);
  ck_assert_ptr_eq(expr_extract(&task, wide, 0, 64), b);
  ck_assert_ptr_eq(expr_extract(&task, wide, 96, 32),
                   expr_extract(&task, a, 32, 32));
  Expr *one = number(128, 1);
  ck_assert_ptr_eq(expr_extract(&task, one, 64, 64), number(64, 0));
  ck_assert(!expr_is_const(sub(number(128, 0), one)));
  ck_assert_ptr_eq(expr_sext(&task, number(64, 5), 128), number(128, 5));
  ck_assert(!expr_is_const(expr_sext(&task, number(64, UINT64_MAX), 128)));
  ck_assert_ptr_eq(sub(wide, wide), number(128, 0));
}
END_TEST

START_TEST(masks_forget_high_bits_of_a_sum) {
  Expr *a = fresh("a", 32), *mask = number(32, 31);
  ck_assert_ptr_eq(and(add(a, number(32, 64)), mask), and(a, mask));
  ck_assert_ptr_eq(binary(EXPR_UREM, a, number(32, 32)), and(a, mask));
  ck_assert_ptr_eq(and(and(a, mask), number(32, 255)), and(a, mask));
  ck_assert_ptr_eq(binary(EXPR_UDIV, and(a, mask), number(32, 32)),
                   number(32, 0));
}
END_TEST

START_TEST(ranges_decide_comparisons_and_no_more) {
  Expr *a = fresh("a", 8), *b = fresh("b", 8), *five = number(8, 5);
  Expr *x = binary(EXPR_UREM, a, five), *y = binary(EXPR_UREM, b, five);
  ck_assert(expr_is_true(binary(EXPR_ULT, x, five)));
  ck_assert(expr_is_true(binary(EXPR_ULT, add(x, y), number(8, 9))));
  ck_assert(!expr_is_const(binary(EXPR_ULT, add(x, y), number(8, 8))));
  ck_assert(!expr_is_const(binary(EXPR_ULT, or(x, y), five))); // 3 | 4 = 7
  ck_assert(!expr_is_const(binary(EXPR_ULT, add(a, y), five)));
  ck_assert(expr_is_false(eq(x, number(8, 200))));
}
END_TEST

START_TEST(functions_are_the_same_by_name_and_arguments) {
  Expr *a = fresh("a", 32), *b = fresh("b", 32);
  char name[] = "f";
  Expr *fa = expr_apply(&task, name, 32, &a, 1);
  ck_assert_ptr_eq(fa, expr_apply(&task, "f", 32, &a, 1));
  ck_assert_ptr_ne(fa, expr_apply(&task, "f", 32, &b, 1));
  ck_assert_ptr_ne(fa, expr_apply(&task, "g", 32, &a, 1));
  ck_assert_ptr_ne(fa->function, name);
}
END_TEST

// ------------------------------------------------------------------ text ---

static void reads(Expr *e, const char *text) {
  ck_assert_str_eq(expr_text(&task, e), text);
}

START_TEST(text_is_infix_with_few_parentheses) {
  Expr *tid = fresh("threadIdx.x$1", 32), *k = fresh("k", 32);
  Expr *n = fresh("n", 32);
  Expr *index = add(tid, mul(number(32, 4), k));
  reads(index, "threadIdx.x$1 + 4 * k");
  reads(binary(EXPR_ULT, index, n), "threadIdx.x$1 + 4 * k <u n");
  reads(sub(tid, k), "threadIdx.x$1 - k");
  reads(add(tid, number(32, UINT64_MAX)), "threadIdx.x$1 - 1");
  reads(mul(add(tid, k), n), "n * (threadIdx.x$1 + k)");
  reads(sub(sub(number(32, 0), k), mul(n, number(32, 2))), "-k - 2 * n");
  reads(number(32, UINT64_MAX - 4), "-5");
  reads(not(eq(k, n)), "k != n");
  reads(binary(EXPR_ULE, number(32, 8), k), "k >=u 8");
  reads(expr_ite(&task, eq(k, n), k, tid), "k == n ? k : threadIdx.x$1");
  reads(expr_extract(&task, k, 8, 8), "k[15:8]");
  reads(expr_sext(&task, k, 64), "sext64(k)");
  reads(eq(and(k, number(32, 31)), n), "n == (k & 31)");
  Expr *p = eq(k, n), *q = binary(EXPR_SLT, k, tid);
  reads(or(and(p, q), not(p)), "k != n || k <s threadIdx.x$1");
  reads(binary(EXPR_LSHR, tid, number(32, 5)), "threadIdx.x$1 >>u 5");
}
END_TEST

START_TEST(long_text_is_cut) {
  Expr *e = fresh("x", 32);
  for (int i = 0; i < 2000; i++)
    e = binary(EXPR_UDIV, fresh("some_name", 32), e);
  const char *text = expr_text(&task, e);
  ck_assert_uint_le(strlen(text), 420);
  ck_assert_ptr_nonnull(strstr(text, "..."));
}
END_TEST

// ----------------------------------------------------------------- walks ---

static Expr *deep(Expr *leaf) {
  Expr *e = leaf;
  for (int i = 0; i < 100000; i++)
    e = binary(EXPR_UDIV, number(32, 1000 + (uint64_t)i), e);
  return e;
}

static uint64_t always_three(const Symbol *symbol, void *data) {
  (void)symbol;
  (void)data;
  return 3;
}

static Expr *swap(Task *t, Symbol *symbol, void *data) {
  (void)t;
  return symbol == ((Expr **)data)[0]->symbol ? ((Expr **)data)[1]
                                              : symbol->expr;
}

START_TEST(deep_expressions_do_not_exhaust_the_stack) {
  Expr *x = fresh("x", 32), *y = fresh("y", 32), *e = deep(x);
  Valuation three = {.value_of = always_three};
  Substitution s = {swap, (Expr *[]){x, y}, NULL};
  Expr *other = expr_substitute(&task, &s, e);
  ck_assert_ptr_eq(other, deep(y));
  ck_assert_uint_eq(expr_evaluate(&task, &three, e),
                    expr_evaluate(&task, &three, other));
  Symbols symbols = {0};
  expr_symbols(&task, other, &symbols);
  ck_assert_uint_eq(symbols.count, 1);
  ck_assert_ptr_eq(symbols.at[0], y->symbol);
  Exprs order = {0};
  expr_order(&task, e, expr_map_new(&task), &order);
  ck_assert_uint_eq(order.count, 200001);
}
END_TEST

START_TEST(substitution_simplifies_again) {
  Expr *x = fresh("x", 32), *y = fresh("y", 32);
  Substitution s = {swap, (Expr *[]){x, y}, NULL};
  ck_assert(expr_is_true(expr_substitute(&task, &s, eq(x, y))));
  ck_assert_ptr_eq(expr_substitute(&task, &s, add(x, y)),
                   mul(y, number(32, 2)));
}
END_TEST

START_TEST(symbols_come_once_and_in_order) {
  Expr *a = fresh("a", 32), *b = fresh("b", 32), *c = fresh("c", 32);
  Symbols symbols = {0};
  expr_symbols(&task, add(c, mul(c, b)), &symbols);
  expr_symbols(&task, mul(b, a), &symbols);
  ck_assert_uint_eq(symbols.count, 3);
  ck_assert_ptr_eq(symbols.at[0], a->symbol);
  ck_assert_ptr_eq(symbols.at[1], b->symbol);
  ck_assert_ptr_eq(symbols.at[2], c->symbol);
}
END_TEST

START_TEST(a_map_finds_what_was_put_and_nothing_else) {
  ExprMap *map = expr_map_new(&task);
  ck_assert_ptr_null(expr_map_get(map, number(32, 0)));
  for (uint64_t i = 0; i < 1000; i++)
    expr_map_put(&task, map, number(32, i), number(32, i * i));
  expr_map_put(&task, map, number(32, 5), number(32, 6));
  ck_assert_ptr_eq(expr_map_get(map, number(32, 999)), number(32, 999 * 999));
  ck_assert_ptr_eq(expr_map_get(map, number(32, 5)), number(32, 6));
  ck_assert_ptr_null(expr_map_get(map, number(32, 1000)));
}
END_TEST

static uint64_t sum_of_args(const char *function, const uint64_t *args,
                            unsigned count, void *data) {
  (void)data;
  ck_assert_str_eq(function, "f");
  uint64_t sum = 0;
  for (unsigned i = 0; i < count; i++)
    sum += args[i];
  return sum;
}

START_TEST(functions_get_their_value_from_the_valuation) {
  Expr *args[] = {fresh("a", 32), number(32, 4)};
  Expr *f = expr_apply(&task, "f", 32, args, 2);
  Valuation v = {always_three, sum_of_args, NULL};
  ck_assert_uint_eq(expr_evaluate(&task, &v, mul(f, f)), 49);
}
END_TEST

// ---------------------------------------------- nothing changes a value ---

// Two symbols of WIDTH bits and two Booleans: all 256 assignments at 3 bits,
// and some of those at many.
enum { MOST = 256, POOL = 48 };

typedef struct Entry {
  Expr *expr;
  unsigned width;
  uint64_t worth[MOST]; // under assignment i
} Entry;

typedef enum PoolKind { POOL_ALL, POOL_GUARDS, POOL_EQUATIONS } PoolKind;

typedef struct Pool {
  PoolKind kind;
  unsigned width, widest, assignments, count;
  uint64_t values[4][MOST]; // of each symbol
  Expr *symbols[4];
  Entry at[POOL];
} Pool;

static uint64_t seed;

static unsigned roll(unsigned sides) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(seed >> 33) % sides;
}

// One of those at which something happens, or any.
static uint64_t random_value(unsigned width) {
  uint64_t any = (uint64_t)roll(1u << 31) << 33 ^ (uint64_t)roll(1u << 31)
                                                      << 11;
  uint64_t half = UINT64_C(1) << (width - 1);
  switch (roll(6)) {
  case 0:
    return roll(3);
  case 1:
    return (uint64_t)-1 - roll(3);
  case 2:
    return half + roll(3) - 1;
  case 3:
    return UINT64_C(1) << roll(width);
  case 4:
    return roll(100);
  default:
    return any ^ roll(1u << 31);
  }
}

static Pool pool_of_all(unsigned width) {
  Pool pool = {.width = width, .widest = 10};
  pool.assignments = 1u << (2 * width + 2);
  for (unsigned i = 0; i < pool.assignments; i++)
    for (unsigned s = 0; s < 4; s++)
      pool.values[s][i] = s < 2 ? i >> (s * width) & ((1u << width) - 1)
                                : i >> (2 * width + s - 2) & 1;
  return pool;
}

static Pool pool_of_some(unsigned width) {
  Pool pool = {.width = width, .widest = 64, .assignments = MOST / 4};
  for (unsigned i = 0; i < pool.assignments; i++)
    for (unsigned s = 0; s < 4; s++)
      pool.values[s][i] =
          s < 2 ? random_value(width) & expr_mask(width) : roll(2);
  return pool;
}

typedef struct Assignment {
  const Pool *pool;
  unsigned number;
} Assignment;

static uint64_t assigned(const Symbol *symbol, void *data) {
  const Assignment *a = data;
  for (unsigned i = 0; i < 4; i++)
    if (a->pool->symbols[i]->symbol == symbol)
      return a->pool->values[i][a->number];
  ck_abort_msg("a symbol from nowhere");
  return 0;
}

__extension__ typedef __int128 Whole;

static Whole as_signed(unsigned width, uint64_t x) {
  return x >> (width - 1) ? (Whole)x - ((Whole)1 << width) : (Whole)x;
}

// By the definitions, in numbers that cannot wrap; of a product and what is
// shifted up the lower 64 bits.
static Whole worth_of(ExprOp op, unsigned width, uint64_t x, uint64_t y) {
  Whole a = x, b = y, sa = as_signed(width, x), sb = as_signed(width, y);
  switch ((int)op) {
  case EXPR_ADD:
    return a + b;
  case EXPR_SUB:
    return a - b;
  case EXPR_MUL:
    return x * y;
  case EXPR_UDIV:
    return b ? a / b : -1;
  case EXPR_UREM:
    return b ? a % b : a;
  case EXPR_SDIV: // by zero: 1 for what is negative, else -1
    return sb ? sa / sb : sa < 0 ? 1 : -1;
  case EXPR_SREM:
    return sb ? sa % sb : sa;
  case EXPR_AND:
    return a & b;
  case EXPR_OR:
    return a | b;
  case EXPR_XOR:
    return a ^ b;
  case EXPR_SHL:
    return b < width ? x << y : 0;
  case EXPR_LSHR:
    return b < width ? a >> b : 0;
  case EXPR_ASHR:
    return b < width ? sa >> b : sa < 0 ? -1 : 0;
  case EXPR_EQ:
    return a == b;
  case EXPR_ULT:
    return a < b;
  case EXPR_ULE:
    return a <= b;
  case EXPR_SLT:
    return sa < sb;
  case EXPR_SLE:
    return sa <= sb;
  }
  ck_abort_msg("not a binary operator");
  return 0;
}

static void keep(Pool *pool, const Entry *entry) {
  pool->at[pool->count++] = *entry;
  for (unsigned i = 0; i < pool->assignments; i++) {
    Assignment assignment = {pool, i};
    Valuation v = {.value_of = assigned, .data = &assignment};
    uint64_t got = expr_evaluate(&task, &v, entry->expr);
    uint64_t want = entry->worth[i] & expr_mask(entry->width);
    ck_assert_msg(got == want, "assignment %u: %s is %llu, not %llu", i,
                  expr_text(&task, entry->expr), (unsigned long long)got,
                  (unsigned long long)want);
  }
  ck_assert_uint_eq(entry->expr->width, entry->width);
  if (entry->width > 1) {
    PlainRange range = linear_range(entry->expr);
    for (unsigned i = 0; i < pool->assignments; i++) {
      uint64_t worth = entry->worth[i] & expr_mask(entry->width);
      ck_assert(range.low <= worth && worth <= range.high);
    }
  }
}

static const Entry *any(const Pool *pool) {
  return &pool->at[roll(pool->count)];
}

static const Entry *any_of_width(const Pool *pool, unsigned width) {
  for (;;) {
    const Entry *entry = any(pool);
    if (entry->width == width)
      return entry;
  }
}

static uint64_t clean(const Entry *e, unsigned i) {
  return e->worth[i] & expr_mask(e->width);
}

static Entry random_number(const Pool *pool) {
  unsigned width = any(pool)->width;
  Entry e = {.width = width};
  uint64_t value = random_value(width);
  e.expr = number(width, value);
  for (unsigned i = 0; i < pool->assignments; i++)
    e.worth[i] = value;
  return e;
}

static Entry random_binary(const Pool *pool) {
  ExprOp op = EXPR_ADD + (ExprOp)roll(EXPR_SLE - EXPR_ADD + 1);
  const Entry *a = any(pool), *b = any_of_width(pool, a->width);
  Entry e = {.width = op >= EXPR_EQ ? 1 : a->width};
  e.expr = binary(op, a->expr, b->expr);
  for (unsigned i = 0; i < pool->assignments; i++)
    e.worth[i] = (uint64_t)worth_of(op, a->width, clean(a, i), clean(b, i));
  return e;
}

static Entry random_not(const Pool *pool) {
  const Entry *a = any(pool);
  Entry e = {.width = a->width, .expr = not(a->expr)};
  for (unsigned i = 0; i < pool->assignments; i++)
    e.worth[i] = ~a->worth[i];
  return e;
}

static Entry random_choice(const Pool *pool) {
  const Entry *c = any_of_width(pool, 1), *a = any(pool);
  const Entry *b = any_of_width(pool, a->width);
  Entry e = {.width = a->width};
  e.expr = expr_ite(&task, c->expr, a->expr, b->expr);
  for (unsigned i = 0; i < pool->assignments; i++)
    e.worth[i] = clean(c, i) ? a->worth[i] : b->worth[i];
  return e;
}

static Entry random_extract(const Pool *pool) {
  const Entry *a = any(pool);
  unsigned low = roll(2) ? 0 : roll(a->width);
  Entry e = {.width = 1 + roll(a->width - low)};
  e.expr = expr_extract(&task, a->expr, low, e.width);
  for (unsigned i = 0; i < pool->assignments; i++)
    e.worth[i] = clean(a, i) >> low;
  return e;
}

static Entry random_extension(const Pool *pool) {
  const Entry *a = any(pool);
  bool has_sign = roll(2);
  Entry e = {.width = a->width + roll(pool->widest + 1 - a->width)};
  e.expr = has_sign ? expr_sext(&task, a->expr, e.width)
                    : expr_zext(&task, a->expr, e.width);
  for (unsigned i = 0; i < pool->assignments; i++)
    e.worth[i] =
        has_sign ? (uint64_t)as_signed(a->width, clean(a, i)) : clean(a, i);
  return e;
}

static Entry random_concat(const Pool *pool) {
  const Entry *a = any(pool), *b = any(pool);
  if (a->width + b->width > pool->widest)
    return random_not(pool);
  Entry e = {.width = a->width + b->width};
  e.expr = expr_concat(&task, a->expr, b->expr);
  for (unsigned i = 0; i < pool->assignments; i++)
    e.worth[i] = clean(a, i) << b->width | clean(b, i);
  return e;
}

// Both shapes come rarely by themselves and have rules of their own: what
// guards are made of, and equations of scaled extensions.
static Entry random_guard(const Pool *pool) {
  static const ExprOp ops[] = {EXPR_AND, EXPR_OR, EXPR_AND, EXPR_OR, EXPR_EQ};
  ExprOp op = ops[roll(5)];
  const Entry *a = any_of_width(pool, 1), *b = any_of_width(pool, 1);
  bool is_not = roll(3) == 0;
  Entry e = {.width = 1, .expr = binary(op, a->expr, b->expr)};
  if (is_not)
    e.expr = not(e.expr);
  for (unsigned i = 0; i < pool->assignments; i++)
    e.worth[i] = (uint64_t)worth_of(op, 1, clean(a, i), clean(b, i)) ^ is_not;
  return e;
}

static Entry random_scaled(const Pool *pool, unsigned width) {
  const Entry *a = any(pool);
  while (a->width > width)
    a = any(pool);
  bool has_sign = roll(2);
  uint64_t factor = roll(4) ? 1u << roll(width) : roll(1u << width);
  uint64_t more = roll(2) ? 0 : roll(1u << width);
  Entry e = {.width = width};
  Expr *wide = has_sign ? expr_sext(&task, a->expr, width)
                        : expr_zext(&task, a->expr, width);
  e.expr = add(mul(wide, number(width, factor)), number(width, more));
  for (unsigned i = 0; i < pool->assignments; i++)
    e.worth[i] =
        (has_sign ? (uint64_t)as_signed(a->width, clean(a, i)) : clean(a, i)) *
            factor +
        more;
  return e;
}

static Entry random_equation(const Pool *pool) {
  unsigned width = pool->width + roll(4);
  Entry a = random_scaled(pool, width), b = random_scaled(pool, width);
  Entry c = random_scaled(pool, width);
  Entry e = {.width = 1, .expr = eq(add(a.expr, b.expr), c.expr)};
  for (unsigned i = 0; i < pool->assignments; i++)
    e.worth[i] =
        ((a.worth[i] + b.worth[i] - c.worth[i]) & expr_mask(width)) == 0;
  return e;
}

static Entry random_entry(const Pool *pool) {
  if (pool->kind == POOL_GUARDS)
    return random_guard(pool);
  if (pool->kind == POOL_EQUATIONS && roll(2))
    return roll(2) ? random_equation(pool) : random_scaled(pool, 2 + roll(5));
  switch (roll(10)) {
  case 0:
    return random_number(pool);
  case 1:
    return random_not(pool);
  case 2:
    return random_choice(pool);
  case 3:
    return random_extract(pool);
  case 4:
    return random_extension(pool);
  case 5:
    return random_concat(pool);
  default:
    return random_binary(pool);
  }
}

static void fill_symbols(Pool *pool) {
  static const char *const names[] = {"a", "b", "p", "q"};
  for (unsigned s = 0; s < 4; s++) {
    Entry e = {.width = s < 2 ? pool->width : 1};
    e.expr = pool->symbols[s] = fresh(names[s], e.width);
    memcpy(e.worth, pool->values[s], sizeof e.worth);
    pool->at[pool->count++] = e;
  }
}

static void fill(Pool *pool) {
  fill_symbols(pool);
  while (pool->count < POOL) {
    Entry entry = random_entry(pool);
    keep(pool, &entry);
  }
  teardown();
  setup();
}

START_TEST(simplification_never_changes_a_value) {
  for (unsigned round = 0; round < 50; round++) {
    seed = (uint64_t)_i * 1000 + round;
    Pool pool = pool_of_all(_i % 3 == POOL_GUARDS ? 1 : 2 + round % 2);
    pool.kind = (PoolKind)(_i % 3);
    fill(&pool);
  }
}
END_TEST

START_TEST(simplification_never_changes_a_long_value) {
  static const unsigned widths[] = {8, 16, 31, 32, 33, 48, 63, 64};
  for (unsigned round = 0; round < 40; round++) {
    seed = (uint64_t)_i * 1000 + round;
    Pool pool = pool_of_some(widths[round % 8]);
    fill(&pool);
  }
}
END_TEST

// Every operator with a symbol and every constant, both ways round, and once
// more with another constant around it.
static void combine_with_constants(Pool *pool, ExprOp op, unsigned c) {
  for (unsigned side = 0; side < 2; side++) {
    const Entry *a = &pool->at[0];
    Entry k = {.width = a->width, .expr = number(a->width, c)};
    Entry e = {.width = op >= EXPR_EQ ? 1 : a->width};
    e.expr = side ? binary(op, a->expr, k.expr) : binary(op, k.expr, a->expr);
    for (unsigned i = 0; i < pool->assignments; i++)
      e.worth[i] = (uint64_t)worth_of(op, a->width, side ? clean(a, i) : c,
                                      side ? c : clean(a, i));
    keep(pool, &e);
    pool->count--;
  }
}

START_TEST(every_operator_is_right_next_to_every_constant) {
  for (unsigned width = 1; width <= 3; width++) {
    Pool pool = pool_of_all(width);
    fill_symbols(&pool);
    for (ExprOp op = EXPR_ADD; op <= EXPR_SLE; op++)
      for (unsigned c = 0; c < 1u << width; c++)
        combine_with_constants(&pool, op, c);
  }
}
END_TEST

START_TEST(folding_holds_at_sixty_four_bits) {
  uint64_t lowest = UINT64_C(1) << 63, minus_one = UINT64_MAX;
  ck_assert_uint_eq(expr_fold(EXPR_SDIV, 64, lowest, minus_one), lowest);
  ck_assert_uint_eq(expr_fold(EXPR_UDIV, 64, 5, 0), UINT64_MAX);
  ck_assert_uint_eq(expr_fold(EXPR_SREM, 64, minus_one, 0), minus_one);
  ck_assert_uint_eq(expr_fold(EXPR_ASHR, 64, lowest, 99), UINT64_MAX);
  ck_assert_uint_eq(expr_fold(EXPR_SLT, 64, lowest, 0), 1);
  Expr *a = fresh("a", 64);
  ck_assert_ptr_eq(sub(add(a, number(64, lowest)), number(64, lowest)), a);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("expr");
  tcase_add_checked_fixture(tc, setup, teardown);
  tcase_set_timeout(tc, 60);
  tcase_add_test(tc, equal_expressions_are_one_object);
  tcase_add_test(tc, sums_have_one_form);
  tcase_add_test(tc, a_sum_of_too_many_terms_keeps_its_value);
  tcase_add_test(tc, an_equation_is_brought_to_one_side);
  tcase_add_test(tc, extensions_do_not_hide_an_equation);
  tcase_add_test(tc, offsets_that_cannot_wrap_are_compared_as_indices);
  tcase_add_test(tc, each_comparison_with_a_constant_has_one_form);
  tcase_add_test(tc, guards_that_join_are_the_guard_before_the_branch);
  tcase_add_test(tc, a_long_conjunction_is_still_a_conjunction);
  tcase_add_test(tc, truncation_meets_extension);
  tcase_add_test(tc, quotients_of_small_numbers_are_cut_before);
  tcase_add_test(tc, wide_values_are_cut_and_joined_but_not_folded);
  tcase_add_test(tc, masks_forget_high_bits_of_a_sum);
  tcase_add_test(tc, ranges_decide_comparisons_and_no_more);
  tcase_add_test(tc, functions_are_the_same_by_name_and_arguments);
  tcase_add_test(tc, text_is_infix_with_few_parentheses);
  tcase_add_test(tc, long_text_is_cut);
  tcase_add_test(tc, deep_expressions_do_not_exhaust_the_stack);
  tcase_add_test(tc, substitution_simplifies_again);
  tcase_add_test(tc, symbols_come_once_and_in_order);
  tcase_add_test(tc, a_map_finds_what_was_put_and_nothing_else);
  tcase_add_test(tc, functions_get_their_value_from_the_valuation);
  tcase_add_loop_test(tc, simplification_never_changes_a_value, 0, 6);
  tcase_add_loop_test(tc, simplification_never_changes_a_long_value, 0, 6);
  tcase_add_test(tc, every_operator_is_right_next_to_every_constant);
  tcase_add_test(tc, folding_holds_at_sixty_four_bits);
  return run_suite(tc, "expr");
}
