// Formulas as people write them: threadIdx.x$1 + 4 * k <u n.
//
// Infix with as few parentheses as C's precedences allow.  Simplification
// leaves no subtraction and no <= against constants; here they come back:
// a + (-1) * b is a - b, and 8 <= x is x >= 8.  A text that gets long or
// deep is cut, "...": shared subterms are printed wherever they occur, so
// there is no other bound.

#include "translator/expr.h"

#include <assert.h>
#include <string.h>

enum { TEXT_LENGTH = 400, TEXT_DEPTH = 40, SMALL_NUMBER = 1 << 20 };

const char *expr_op_text(ExprOp op) {
  static const char *const texts[] = {
#define OP(name, arguments, text, smt) [EXPR_##name] = text,
#include "translator/expr_ops.def"
#undef OP
  };
  assert(op < EXPR_OPS);
  return texts[op];
}

const char *expr_op_smt(ExprOp op) {
  static const char *const names[] = {
#define OP(name, arguments, text, smt) [EXPR_##name] = smt,
#include "translator/expr_ops.def"
#undef OP
  };
  assert(op < EXPR_OPS);
  return names[op];
}

// Higher binds tighter.
typedef enum Precedence {
  BINDS_CHOICE,
  BINDS_OR_ELSE, // ||
  BINDS_AND_ALSO,
  BINDS_OR,
  BINDS_XOR,
  BINDS_AND,
  BINDS_EQUAL,
  BINDS_ORDER,
  BINDS_SHIFT,
  BINDS_SUM,
  BINDS_PRODUCT,
  BINDS_UNARY,
  BINDS_ATOM,
} Precedence;

typedef struct Text {
  char at[TEXT_LENGTH + 1];
  size_t length;
  bool is_cut;
  unsigned depth;
  const ExprNaming *naming;
} Text;

static void put(Text *text, const char *word) {
  if (text->is_cut)
    return;
  size_t length = strlen(word);
  if (text->length + length + 3 > TEXT_LENGTH) {
    word = "...";
    length = 3;
    text->is_cut = true;
  }
  memcpy(text->at + text->length, word, length + 1);
  text->length += length;
}

static uint64_t minus(const Expr *a) { return -a->value & expr_mask(a->width); }

// Constants just below 2^width are meant as negative numbers.
static bool is_minus(const Expr *a) {
  return expr_is_const(a) && a->width >= 8 && expr_is_foldable(a) &&
         a->value >> (a->width - 1) == 1 && minus(a) <= SMALL_NUMBER &&
         minus(a) <= expr_mask(a->width) >> 2;
}

static void put_number(Text *text, uint64_t value) {
  char digits[24];
  const char *fmt = value <= SMALL_NUMBER ? "%llu" : "0x%llx";
  snprintf(digits, sizeof digits, fmt, (unsigned long long)value);
  put(text, digits);
}

static void put_const(Text *text, const Expr *a) {
  if (a->width == 1) {
    put(text, a->value ? "true" : "false");
  } else if (is_minus(a)) {
    put(text, "-");
    put_number(text, minus(a));
  } else {
    put_number(text, a->value);
  }
}

static void put_expr(Text *text, const Expr *a, Precedence around);

static void put_infix(Text *text, const Expr *a, const char *word,
                      const Expr *b, Precedence left, Precedence right) {
  put_expr(text, a, left);
  put(text, " ");
  put(text, word);
  put(text, " ");
  put_expr(text, b, right);
}

static bool has_minus_factor(const Expr *a) {
  return a->op == EXPR_MUL && is_minus(a->args[1]);
}

// factor * term, the factor first and without its sign.
static void put_multiple(Text *text, const Expr *a, Precedence around) {
  const Expr *factor = a->args[1];
  uint64_t magnitude = is_minus(factor) ? minus(factor) : factor->value;
  if (magnitude != 1) {
    put_number(text, magnitude);
    put(text, " * ");
  }
  put_expr(text, a->args[0],
           magnitude == 1 && around < BINDS_PRODUCT ? BINDS_PRODUCT
                                                    : BINDS_UNARY);
}

static void put_product(Text *text, const Expr *a) {
  if (!expr_is_const(a->args[1])) {
    put_infix(text, a->args[0], "*", a->args[1], BINDS_PRODUCT, BINDS_UNARY);
    return;
  }
  if (has_minus_factor(a))
    put(text, "-");
  put_multiple(text, a, BINDS_PRODUCT);
}

static void put_sum(Text *text, const Expr *a) {
  const Expr *last = a->args[1];
  put_expr(text, a->args[0], BINDS_SUM);
  if (is_minus(last)) {
    put(text, " - ");
    put_number(text, minus(last));
  } else if (has_minus_factor(last)) {
    put(text, " - ");
    put_multiple(text, last, BINDS_SUM);
  } else {
    put(text, " + ");
    put_expr(text, last, BINDS_PRODUCT);
  }
}

// Constants go right, as one reads them: n >=u 8, not 8 <=u n.
static void put_order(Text *text, const Expr *a) {
  const Expr *x = a->args[0], *y = a->args[1];
  const char *word = expr_op_text(a->op);
  if (expr_is_const(x)) {
    x = y;
    y = a->args[0];
    word = a->op == EXPR_ULT   ? ">u"
           : a->op == EXPR_ULE ? ">=u"
           : a->op == EXPR_SLT ? ">s"
                               : ">=s";
  }
  put_infix(text, x, word, y, BINDS_SHIFT, BINDS_SHIFT);
}

static void put_not(Text *text, const Expr *a) {
  const Expr *x = a->args[0];
  if (x->op == EXPR_EQ) {
    put_infix(text, x->args[0], "!=", x->args[1], BINDS_ORDER, BINDS_ORDER);
    return;
  }
  put(text, a->width == 1 ? "!" : "~");
  put_expr(text, x, BINDS_UNARY);
}

static void put_choice(Text *text, const Expr *a) {
  put_expr(text, a->args[0], BINDS_OR_ELSE);
  put(text, " ? ");
  put_infix(text, a->args[1], ":", a->args[2], BINDS_OR_ELSE, BINDS_CHOICE);
}

static void put_call(Text *text, const char *function, const Expr *a) {
  put(text, function);
  put(text, "(");
  for (unsigned i = 0; i < a->count; i++) {
    put(text, i ? ", " : "");
    put_expr(text, a->args[i], BINDS_CHOICE);
  }
  put(text, ")");
}

static void put_extract(Text *text, const Expr *a) {
  char range[40];
  unsigned low = (unsigned)a->value;
  put_expr(text, a->args[0], BINDS_ATOM);
  if (a->width == 1)
    snprintf(range, sizeof range, "[%u]", low);
  else
    snprintf(range, sizeof range, "[%u:%u]", low + a->width - 1, low);
  put(text, range);
}

static void put_extension(Text *text, const Expr *a) {
  char name[24];
  snprintf(name, sizeof name, "%s%u", expr_op_text(a->op), a->width);
  put_call(text, name, a);
}

static Precedence precedence_of(const Expr *a) {
  switch (a->op) {
  case EXPR_CONST:
    return is_minus(a) ? BINDS_UNARY : BINDS_ATOM;
  case EXPR_SYMBOL:
  case EXPR_EXTRACT:
  case EXPR_ZEXT:
  case EXPR_SEXT:
  case EXPR_CONCAT:
  case EXPR_APPLY:
    return BINDS_ATOM;
  case EXPR_ADD:
  case EXPR_SUB:
    return BINDS_SUM;
  case EXPR_MUL:
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_UREM:
  case EXPR_SREM:
    return BINDS_PRODUCT;
  case EXPR_AND:
    return a->width == 1 ? BINDS_AND_ALSO : BINDS_AND;
  case EXPR_OR:
    return a->width == 1 ? BINDS_OR_ELSE : BINDS_OR;
  case EXPR_XOR:
    return BINDS_XOR;
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR:
    return BINDS_SHIFT;
  case EXPR_EQ:
    return BINDS_EQUAL;
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_SLT:
  case EXPR_SLE:
    return BINDS_ORDER;
  case EXPR_NOT:
    return a->args[0]->op == EXPR_EQ ? BINDS_EQUAL : BINDS_UNARY;
  case EXPR_ITE:
    return BINDS_CHOICE;
  case EXPR_OPS:
    break;
  }
  assert(false && "an operator");
  return BINDS_ATOM;
}

// Left-associative: the right argument binds one step tighter.
static void put_binary(Text *text, const Expr *a, const char *word) {
  Precedence own = precedence_of(a);
  bool is_mixed = own >= BINDS_OR && own <= BINDS_AND; // (x & y) == z: be plain
  Precedence left = own == BINDS_SHIFT ? BINDS_SUM : own;
  put_infix(text, a->args[0], word, a->args[1], left,
            is_mixed ? BINDS_SHIFT : (Precedence)(own + 1));
}

static void put_plain(Text *text, const Expr *a) {
  switch (a->op) {
  case EXPR_CONST:
    put_const(text, a);
    return;
  case EXPR_SYMBOL:
    put(text, a->symbol->name);
    return;
  case EXPR_ADD:
    put_sum(text, a);
    return;
  case EXPR_MUL:
    put_product(text, a);
    return;
  case EXPR_AND:
    put_binary(text, a, a->width == 1 ? "&&" : "&");
    return;
  case EXPR_OR:
    put_binary(text, a, a->width == 1 ? "||" : "|");
    return;
  case EXPR_SUB:
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_UREM:
  case EXPR_SREM:
  case EXPR_XOR:
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR:
  case EXPR_EQ:
    put_binary(text, a, expr_op_text(a->op));
    return;
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_SLT:
  case EXPR_SLE:
    put_order(text, a);
    return;
  case EXPR_NOT:
    put_not(text, a);
    return;
  case EXPR_ITE:
    put_choice(text, a);
    return;
  case EXPR_EXTRACT:
    put_extract(text, a);
    return;
  case EXPR_ZEXT:
  case EXPR_SEXT:
    put_extension(text, a);
    return;
  case EXPR_CONCAT:
    put_call(text, expr_op_text(a->op), a);
    return;
  case EXPR_APPLY:
    put_call(text, a->function, a);
    return;
  case EXPR_OPS:
    break;
  }
  assert(false && "an operator");
}

static void put_expr(Text *text, const Expr *a, Precedence around) {
  const char *name = text->naming && text->depth > 0
                         ? text->naming->name_of(a, text->naming->data)
                         : NULL;
  if (name) {
    put(text, name);
    return;
  }
  if (text->is_cut || text->depth > TEXT_DEPTH) {
    put(text, text->is_cut ? "" : "...");
    return;
  }
  bool is_inside = precedence_of(a) < around;
  text->depth++;
  put(text, is_inside ? "(" : "");
  put_plain(text, a);
  put(text, is_inside ? ")" : "");
  text->depth--;
}

char *expr_text_named(Task *task, const Expr *a, const ExprNaming *naming) {
  Text text = {.naming = naming};
  put_expr(&text, a, BINDS_CHOICE);
  return arena_copy(&task->arena, text.at);
}

char *expr_text(Task *task, const Expr *a) {
  return expr_text_named(task, a, NULL);
}
