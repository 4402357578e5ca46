// The pair program for a second opinion: Boogie 2 text.
//
// One procedure an obligation.  The symbols are its variables, of which
// nothing is known; subterms that occur more than once are assigned to
// variables in order; the facts are assumed and the absence of the violation
// asserted.  Boogie verifies the procedure exactly if no values of the symbols
// meet the facts and the violation.  It does without our treatment of
// products, so what it has to do by brute force it may not decide in time.
//
// Booleans are bool, all other widths bit vectors.  Operators are functions
// with a {:bvbuiltin}, declared at the end for the widths in use.

#include "translator/expr.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum { LEAST_SHARED = 3, MOST_INLINE = 12 };

typedef Vec(const char *) Lines;

typedef struct Printer {
  Task *task;
  FILE *out;
  Lines declarations;
  // Of the procedure at hand.
  Symbols symbols; // by number, and their names
  Lines names;
  Exprs shared;
} Printer;

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

static bool is_used(const Lines *names, const char *name) {
  for (size_t i = 0; i < names->count; i++)
    if (strcmp(names->at[i], name) == 0)
      return true;
  return false;
}

static void name_symbols(Printer *p) {
  p->names = (Lines){0};
  for (size_t i = 0; i < p->symbols.count; i++) {
    char *name = legal(p->task, p->symbols.at[i]->name);
    if (is_taken(name) || is_used(&p->names, name))
      name = arena_printf(&p->task->arena, "%s#%zu", name, i);
    push(&p->task->arena, &p->names, name);
  }
}

static const char *name_of_symbol(const Printer *p, const Symbol *symbol) {
  for (size_t i = 0; i < p->symbols.count; i++)
    if (p->symbols.at[i] == symbol)
      return p->names.at[i];
  assert(false && "a symbol of this procedure");
  return "";
}

// ---------------------------------------------------------- declarations ---

static const char *type_of(Printer *p, unsigned width) {
  return width == 1 ? "bool" : arena_printf(&p->task->arena, "bv%u", width);
}

static void declare(Printer *p, const char *line) {
  if (!is_used(&p->declarations, line))
    push(&p->task->arena, &p->declarations, line);
}

// "BV32_ADD", declared.
static const char *operator_of(Printer *p, const char *word, const char *smt,
                               unsigned from, unsigned to, unsigned count) {
  Arena *arena = &p->task->arena;
  const char *name = arena_printf(arena, "BV%u_%s", from, word);
  const char *type = type_of(p, from);
  declare(p, arena_printf(arena,
                          "function {:bvbuiltin \"%s\"} %s(%s%s%s) "
                          "returns (%s);",
                          smt, name, type, count > 1 ? ", " : "",
                          count > 1 ? type : "", type_of(p, to)));
  return name;
}

static const char *function_of(Printer *p, const Expr *call) {
  Arena *arena = &p->task->arena;
  const char *name =
      arena_printf(arena, "apply$%s", legal(p->task, call->function));
  const char *types = "";
  for (unsigned i = 0; i < call->count; i++)
    types = arena_printf(arena, "%s%s%s", types, i ? ", " : "",
                         type_of(p, call->args[i]->width));
  declare(p, arena_printf(arena, "function %s(%s) returns (%s);", name, types,
                          type_of(p, call->width)));
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

static void print_term(Printer *p, const Expr *e);

static void print_call(Printer *p, const char *function, const Expr *e) {
  fprintf(p->out, "%s(", function);
  for (unsigned i = 0; i < e->count; i++) {
    fputs(i ? ", " : "", p->out);
    print_term(p, e->args[i]);
  }
  fputs(")", p->out);
}

static void print_infix(Printer *p, const Expr *e, const char *word) {
  fputs("(", p->out);
  print_term(p, e->args[0]);
  fprintf(p->out, " %s ", word);
  print_term(p, e->args[1]);
  fputs(")", p->out);
}

// A Boolean as one of two bit vectors.
static void print_bit(Printer *p, const Expr *e, unsigned width) {
  fputs("(if ", p->out);
  print_term(p, e);
  fprintf(p->out, " then 1bv%u else 0bv%u)", width, width);
}

static void print_bits(Printer *p, const Expr *e) {
  if (e->width == 1)
    print_bit(p, e, 1);
  else
    print_term(p, e);
}

static void print_extension(Printer *p, const Expr *e) {
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
static void print_extract(Printer *p, const Expr *e) {
  unsigned low = (unsigned)e->value;
  fputs(e->width == 1 ? "(" : "", p->out);
  print_term(p, e->args[0]);
  fprintf(p->out, "[%u:%u]", low + e->width, low);
  fputs(e->width == 1 ? " == 1bv1)" : "", p->out);
}

static void print_concat(Printer *p, const Expr *e) {
  fputs("(", p->out);
  print_bits(p, e->args[0]);
  fputs(" ++ ", p->out);
  print_bits(p, e->args[1]);
  fputs(")", p->out);
}

static void print_choice(Printer *p, const Expr *e) {
  fputs("(if ", p->out);
  print_term(p, e->args[0]);
  fputs(" then ", p->out);
  print_term(p, e->args[1]);
  fputs(" else ", p->out);
  print_term(p, e->args[2]);
  fputs(")", p->out);
}

static void print_not(Printer *p, const Expr *e) {
  if (e->width > 1) {
    print_call(p, operator_of(p, "NOT", "bvnot", e->width, e->width, 1), e);
    return;
  }
  fputs("!", p->out);
  print_term(p, e->args[0]);
}

static void print_const(Printer *p, const Expr *e) {
  if (e->width == 1)
    fputs(e->value ? "true" : "false", p->out);
  else
    fprintf(p->out, "%llubv%u", (unsigned long long)e->value, e->width);
}

static void print_operator(Printer *p, const Expr *e) {
  unsigned width = e->args[0]->width;
  assert(width > 1 && "Booleans have no arithmetic, see expr_simplify.c");
  print_call(p,
             operator_of(p, op_word(e->op), expr_op_smt(e->op), width, e->width,
                         e->count),
             e);
}

static void print_node(Printer *p, const Expr *e) {
  switch (e->op) {
  case EXPR_CONST:
    print_const(p, e);
    return;
  case EXPR_SYMBOL:
    fputs(name_of_symbol(p, e->symbol), p->out);
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

// By its name, if it has one.
static void print_term(Printer *p, const Expr *e) {
  size_t at = expr_find(&p->shared, e);
  if (at == SIZE_MAX)
    print_node(p, e);
  else
    fprintf(p->out, "v%zu", at + 1);
}

// ------------------------------------------------------------ procedures ---

static void print_place(Printer *p, const char *what, const Stmt *stmt) {
  if (stmt && stmt->loc.line)
    fprintf(p->out, "//   %s %s:%u:%u\n", what,
            stmt->loc.file ? stmt->loc.file : "?", stmt->loc.line,
            stmt->loc.column);
}

static void print_heading(Printer *p, const Obligation *obligation) {
  fprintf(p->out, "// %s\n", obligation->sentence ? obligation->sentence : "");
  print_place(p, obligation->second ? "thread 1 at" : "at", obligation->first);
  print_place(p, "thread 2 at", obligation->second);
  print_place(p, "since", obligation->barrier);
}

static void declare_variables(Printer *p) {
  for (size_t i = 0; i < p->symbols.count; i++)
    fprintf(p->out, "  var %s: %s;\n", p->names.at[i],
            type_of(p, p->symbols.at[i]->width));
  for (size_t i = 0; i < p->shared.count; i++)
    fprintf(p->out, "  var v%zu: %s;\n", i + 1,
            type_of(p, p->shared.at[i]->width));
}

static void print_obligation(Printer *p, const Obligation *obligation) {
  Arena *arena = &p->task->arena;
  Exprs facts = obligation_facts(p->task, obligation), roots = {0};
  for (size_t i = 0; i < facts.count; i++)
    push(arena, &roots, facts.at[i]);
  push(arena, &roots, obligation->violation);
  p->symbols = (Symbols){0};
  for (size_t i = 0; i < roots.count; i++)
    expr_symbols(p->task, roots.at[i], &p->symbols);
  name_symbols(p);
  p->shared = expr_shared(p->task, &roots, LEAST_SHARED, MOST_INLINE);
  print_heading(p, obligation);
  fprintf(p->out, "procedure obligation_%u()\n{\n", obligation->number);
  declare_variables(p);
  for (size_t i = 0; i < p->shared.count; i++) {
    fprintf(p->out, "  v%zu := ", i + 1);
    print_node(p, p->shared.at[i]);
    fputs(";\n", p->out);
  }
  for (size_t i = 0; i < facts.count; i++) {
    fputs("  assume ", p->out);
    print_term(p, facts.at[i]);
    fputs(";\n", p->out);
  }
  fputs("  assert !(", p->out);
  print_term(p, obligation->violation);
  fputs(");\n}\n\n", p->out);
}

void boogie_print(Task *task, const Pair *pair, FILE *out) {
  Printer printer = {.task = task, .out = out};
  fprintf(out, "// %s\n\n",
          pair->kernel->source ? pair->kernel->source : pair->kernel->name);
  for (size_t i = 0; i < pair->obligations.count; i++)
    print_obligation(&printer, pair->obligations.at[i]);
  for (size_t i = 0; i < printer.declarations.count; i++)
    fprintf(out, "%s\n", printer.declarations.at[i]);
  fflush(out); // complete, should the solver be killed
}
