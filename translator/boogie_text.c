// Formulas as Boogie 2 text, for both programs that go there.
//
// Booleans are bool, all other widths bit vectors.  Operators are functions
// with a {:bvbuiltin}, declared at the end for the widths in use.

#include "translator/boogie_text.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

// ----------------------------------------------------------------- names ---

static bool is_keyword(const char *name) {
  static const char *const keywords[] = {
      "assert",    "assume",  "async",          "axiom",    "bool",
      "break",     "call",    "complete",       "const",    "div",
      "else",      "ensures", "exists",         "false",    "finite",
      "float",     "forall",  "free",           "function", "goto",
      "havoc",     "if",      "implementation", "int",      "invariant",
      "lambda",    "mod",     "modifies",       "old",      "par",
      "procedure", "real",    "requires",       "return",   "returns",
      "then",      "true",    "type",           "unique",   "var",
      "where",     "while",   "yield"};
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (strcmp(name, keywords[i]) == 0)
      return true;
  return false;
}

// v12 is a shared term, and bv32 a type.
static bool is_taken(const char *name) {
  if (is_keyword(name))
    return true;
  size_t letters = strspn(name, "bv");
  return letters > 0 && name[letters] != '\0' &&
         name[letters + strspn(name + letters, "0123456789")] == '\0';
}

// The letters that Boogie allows, but '#', which keeps made-up names apart.
static char *legal(Task *task, const char *name) {
  char *copy = arena_printf(&task->arena, "%s%s",
                            isdigit((unsigned char)*name) ? "_" : "", name);
  for (char *c = copy; *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("_.$", *c))
      *c = '_';
  return copy;
}

static bool is_used(const BoogieNames *names, const char *name) {
  for (size_t i = 0; i < names->count; i++)
    if (strcmp(names->at[i], name) == 0)
      return true;
  return false;
}

const char *boogie_name(Task *task, BoogieNames *names, const char *wanted) {
  char *name = legal(task, wanted);
  if (is_taken(name) || is_used(names, name))
    name = arena_printf(&task->arena, "%s#%zu", name, names->count);
  push(&task->arena, names, name);
  return name;
}

// ---------------------------------------------------------- declarations ---

const char *boogie_type(BoogieText *p, unsigned width) {
  return width == 1 ? "bool" : arena_printf(&p->task->arena, "bv%u", width);
}

static void declare(BoogieText *p, const char *line) {
  if (!is_used(&p->declarations, line))
    push(&p->task->arena, &p->declarations, line);
}

// "BV32_ADD", declared.
static const char *operator_of(BoogieText *p, const char *word, const char *smt,
                               unsigned from, unsigned to, unsigned count) {
  Arena *arena = &p->task->arena;
  const char *name = arena_printf(arena, "BV%u_%s", from, word);
  const char *type = boogie_type(p, from);
  declare(p, arena_printf(arena,
                          "function {:bvbuiltin \"%s\"} %s(%s%s%s) "
                          "returns (%s);",
                          smt, name, type, count > 1 ? ", " : "",
                          count > 1 ? type : "", boogie_type(p, to)));
  return name;
}

static const char *function_of(BoogieText *p, const Expr *call) {
  Arena *arena = &p->task->arena;
  const char *name =
      arena_printf(arena, "apply$%s", legal(p->task, call->function));
  const char *types = "";
  for (unsigned i = 0; i < call->count; i++)
    types = arena_printf(arena, "%s%s%s", types, i ? ", " : "",
                         boogie_type(p, call->args[i]->width));
  declare(p, arena_printf(arena, "function %s(%s) returns (%s);", name, types,
                          boogie_type(p, call->width)));
  return name;
}

static const char *op_word(ExprOp op) {
  static const char *const words[] = {
#define OP(name, arguments, text, smt) [EXPR_##name] = #name,
#include "translator/expr_ops.def"
#undef OP
  };
  return words[op];
}

// ----------------------------------------------------------------- terms ---

static void print_call(BoogieText *p, const char *function, const Expr *e) {
  fprintf(p->out, "%s(", function);
  for (unsigned i = 0; i < e->count; i++) {
    fputs(i ? ", " : "", p->out);
    boogie_term(p, e->args[i]);
  }
  fputs(")", p->out);
}

static void print_infix(BoogieText *p, const Expr *e, const char *word) {
  fputs("(", p->out);
  boogie_term(p, e->args[0]);
  fprintf(p->out, " %s ", word);
  boogie_term(p, e->args[1]);
  fputs(")", p->out);
}

// A Boolean as one of two bit vectors.
static void print_bit(BoogieText *p, const Expr *e, unsigned width) {
  fputs("(if ", p->out);
  boogie_term(p, e);
  fprintf(p->out, " then 1bv%u else 0bv%u)", width, width);
}

static void print_bits(BoogieText *p, const Expr *e) {
  if (e->width == 1)
    print_bit(p, e, 1);
  else
    boogie_term(p, e);
}

static void print_extension(BoogieText *p, const Expr *e) {
  const Expr *narrow = e->args[0];
  if (e->op == EXPR_ZEXT && narrow->width == 1) {
    print_bit(p, narrow, e->width);
    return;
  }
  Arena *arena = &p->task->arena;
  const char *word = arena_printf(arena, "%s%u", op_word(e->op), e->width);
  const char *smt =
      arena_printf(arena, "%s_extend %u", e->op == EXPR_ZEXT ? "zero" : "sign",
                   e->width - narrow->width);
  unsigned from = narrow->width;
  if (from == 1) { // bv1 is no bool
    declare(p, arena_printf(arena,
                            "function {:bvbuiltin \"%s\"} BV1_%s(bv1) "
                            "returns (bv%u);",
                            smt, word, e->width));
    fprintf(p->out, "BV1_%s(", word);
  } else {
    fprintf(p->out, "%s(", operator_of(p, word, smt, from, e->width, 1));
  }
  print_bits(p, narrow);
  fputs(")", p->out);
}

// Boogie's upper end is exclusive.
static void print_extract(BoogieText *p, const Expr *e) {
  unsigned low = (unsigned)e->value;
  fputs(e->width == 1 ? "(" : "", p->out);
  boogie_term(p, e->args[0]);
  fprintf(p->out, "[%u:%u]", low + e->width, low);
  fputs(e->width == 1 ? " == 1bv1)" : "", p->out);
}

static void print_concat(BoogieText *p, const Expr *e) {
  fputs("(", p->out);
  print_bits(p, e->args[0]);
  fputs(" ++ ", p->out);
  print_bits(p, e->args[1]);
  fputs(")", p->out);
}

static void print_choice(BoogieText *p, const Expr *e) {
  fputs("(if ", p->out);
  boogie_term(p, e->args[0]);
  fputs(" then ", p->out);
  boogie_term(p, e->args[1]);
  fputs(" else ", p->out);
  boogie_term(p, e->args[2]);
  fputs(")", p->out);
}

static void print_not(BoogieText *p, const Expr *e) {
  if (e->width > 1) {
    print_call(p, operator_of(p, "NOT", "bvnot", e->width, e->width, 1), e);
    return;
  }
  fputs("!", p->out);
  boogie_term(p, e->args[0]);
}

static void print_const(BoogieText *p, const Expr *e) {
  if (e->width == 1)
    fputs(e->value ? "true" : "false", p->out);
  else
    fprintf(p->out, "%llubv%u", (unsigned long long)e->value, e->width);
}

static void print_operator(BoogieText *p, const Expr *e) {
  unsigned width = e->args[0]->width;
  assert(width > 1 && "Booleans have no arithmetic, see expr_simplify.c");
  print_call(p,
             operator_of(p, op_word(e->op), expr_op_smt(e->op), width, e->width,
                         e->count),
             e);
}

void boogie_node(BoogieText *p, const Expr *e) {
  switch (e->op) {
  case EXPR_CONST:
    print_const(p, e);
    return;
  case EXPR_SYMBOL:
    assert(false && "symbols have names");
    return;
  case EXPR_EQ:
    print_infix(p, e, e->args[0]->width == 1 ? "<==>" : "==");
    return;
  case EXPR_AND:
  case EXPR_OR:
    if (e->width == 1)
      print_infix(p, e, e->op == EXPR_AND ? "&&" : "||");
    else
      print_operator(p, e);
    return;
  case EXPR_NOT:
    print_not(p, e);
    return;
  case EXPR_ITE:
    print_choice(p, e);
    return;
  case EXPR_EXTRACT:
    print_extract(p, e);
    return;
  case EXPR_ZEXT:
  case EXPR_SEXT:
    print_extension(p, e);
    return;
  case EXPR_CONCAT:
    print_concat(p, e);
    return;
  case EXPR_APPLY:
    print_call(p, function_of(p, e), e);
    return;
  case EXPR_ADD:
  case EXPR_SUB:
  case EXPR_MUL:
  case EXPR_UDIV:
  case EXPR_SDIV:
  case EXPR_UREM:
  case EXPR_SREM:
  case EXPR_XOR:
  case EXPR_SHL:
  case EXPR_LSHR:
  case EXPR_ASHR:
  case EXPR_ULT:
  case EXPR_ULE:
  case EXPR_SLT:
  case EXPR_SLE:
  case EXPR_OPS:
    break;
  }
  print_operator(p, e);
}

void boogie_term(BoogieText *p, const Expr *e) {
  const char *name = p->name_of(e, p->data);
  if (name)
    fputs(name, p->out);
  else
    boogie_node(p, e);
}

void boogie_declarations(BoogieText *p) {
  for (size_t i = 0; i < p->declarations.count; i++)
    fprintf(p->out, "%s\n", p->declarations.at[i]);
}
