// What the expr_*.c files share; everybody else includes translator.h.
//
// An expression is made in two steps: the public constructors look for a
// simpler form, and what is left becomes a node of the table, which is found
// again when it is asked for again.  Constants of more than 64 bits hold the
// zero-extended `value`; operations on them are left to the solvers.

#ifndef TRANSLATOR_EXPR_H
#define TRANSLATOR_EXPR_H

#include "translator/translator.h"

enum { MAX_FOLDED_WIDTH = 64 };

// All ones; widths up to 64.
static inline uint64_t expr_mask(unsigned width) {
  return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

static inline bool expr_is_foldable(const Expr *a) {
  return a->width <= MAX_FOLDED_WIDTH;
}

static inline bool expr_is_number(const Expr *a, uint64_t value) {
  return a->op == EXPR_CONST && a->value == value;
}

// ---------------------------------------------------------------- expr.c ---

// The node itself, as it is: the last step of every constructor.
Expr *expr_node(Task *task, ExprOp op, unsigned width, uint64_t value,
                Expr **args, unsigned count);
Expr *expr_node2(Task *task, ExprOp op, unsigned width, Expr *a, Expr *b);
// Two arguments that may change places; constants come last.
Expr *expr_ordered(Task *task, ExprOp op, Expr *a, Expr *b);
// Swaps the two if only the first is a constant.
void expr_constant_last(Expr **a, Expr **b);
// The value of a binary operator whose arguments are `width` bits wide.
uint64_t expr_fold(ExprOp op, unsigned width, uint64_t a, uint64_t b);

// -------------------------------------------------------- expr_boolean.c ---

// One is the negation of the other, as far as their form tells.
bool boolean_is_negation(const Expr *a, const Expr *b);
// AND or OR of Booleans.
Expr *boolean_combine(Task *task, ExprOp op, Expr *a, Expr *b);

// --------------------------------------------------------- expr_linear.c ---

// a + factor * b, and factor * a; widths 2 to 64.
Expr *linear_add(Task *task, Expr *a, Expr *b, uint64_t factor);
Expr *linear_scale(Task *task, Expr *a, uint64_t factor);
// Brings a == b to two canonical sides.  True: *always says what it is.
bool linear_equal(Task *task, Expr **a, Expr **b, bool *always);
// Something with the same low bits; all others are of no interest.
Expr *linear_low_bits(Task *task, Expr *a, unsigned bits);

// Unsigned bounds that are plain from the form; widths up to 64.
typedef struct PlainRange {
  uint64_t low, high;
} PlainRange;
PlainRange linear_range(const Expr *a);
bool linear_is_never_negative(const Expr *a); // any width; false: perhaps
// Of 0 and b it is b.
uint64_t greatest_common_divisor(uint64_t a, uint64_t b);

// ------------------------------------------------------ expr_quotients.c ---

// of % by
typedef struct Remainder {
  ExprOp quotient; // UDIV, SDIV
  Expr *of, *by;
} Remainder;
bool remainder_find(Task *task, const Expr *e,
                    Remainder *rest); // false: it is none
// rest + rest.by * by, if that is a number or a remainder of it; else NULL.
Expr *remainder_complete(Task *task, const Remainder *rest, const Expr *by);

// -------------------------------------------------------- expr_compare.c ---

// ULT, ULE, SLT, SLE.
Expr *compare_expr(Task *task, ExprOp op, Expr *a, Expr *b);

// ----------------------------------------------------------- expr_text.c ---

// expr_text, but that subterms for which there is a name go by it.
typedef struct ExprNaming {
  const char *(*name_of)(const Expr *a, void *data); // NULL: none
  void *data;
} ExprNaming;
char *expr_text_named(Task *task, const Expr *a, const ExprNaming *naming);

#endif
