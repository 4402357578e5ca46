// The pair program for a second opinion: Boogie 2 text.
//
// One procedure an obligation.  The symbols are its variables, of which nothing
// is known; subterms that occur more than once are assigned to variables in
// order; the facts are assumed and the absence of the violation asserted.
// Boogie verifies the procedure exactly if no values of the symbols meet the
// facts and the violation.  Boogie lacks our treatment of products, so it may
// not decide in time what is left to brute force.

#include "translator/boogie_text.h"

#include <assert.h>

enum { LEAST_SHARED = 3, MOST_INLINE = 12 };

typedef struct Printer {
  Task *task;
  FILE *out;
  BoogieText text;
  // Of the procedure at hand.
  Symbols symbols; // by number, and their names
  BoogieNames names;
  Exprs shared;
} Printer;

// ----------------------------------------------------------------- names ---

static void name_symbols(Printer *p) {
  p->names = (BoogieNames){0};
  for (size_t i = 0; i < p->symbols.count; i++)
    boogie_name(p->task, &p->names, p->symbols.at[i]->name);
}

static const char *name_of_symbol(const Printer *p, const Symbol *symbol) {
  for (size_t i = 0; i < p->symbols.count; i++)
    if (p->symbols.at[i] == symbol)
      return p->names.at[i];
  assert(false && "a symbol of this procedure");
  return "";
}

static const char *name_of(const Expr *e, void *data) {
  const Printer *p = data;
  if (e->op == EXPR_SYMBOL)
    return name_of_symbol(p, e->symbol);
  size_t at = expr_find(&p->shared, e);
  return at == SIZE_MAX ? NULL : arena_printf(&p->task->arena, "v%zu", at + 1);
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
            boogie_type(&p->text, p->symbols.at[i]->width));
  for (size_t i = 0; i < p->shared.count; i++)
    fprintf(p->out, "  var v%zu: %s;\n", i + 1,
            boogie_type(&p->text, p->shared.at[i]->width));
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
    boogie_node(&p->text, p->shared.at[i]);
    fputs(";\n", p->out);
  }
  for (size_t i = 0; i < facts.count; i++) {
    fputs("  assume ", p->out);
    boogie_term(&p->text, facts.at[i]);
    fputs(";\n", p->out);
  }
  fputs("  assert !(", p->out);
  boogie_term(&p->text, obligation->violation);
  fputs(");\n}\n\n", p->out);
}

void boogie_print(Task *task, const Pair *pair, FILE *out) {
  Printer printer = {.task = task, .out = out};
  printer.text = (BoogieText){
      .task = task, .out = out, .name_of = name_of, .data = &printer};
  fprintf(out, "// %s\n\n",
          pair->kernel->source ? pair->kernel->source : pair->kernel->name);
  for (size_t i = 0; i < pair->obligations.count; i++)
    print_obligation(&printer, pair->obligations.at[i]);
  boogie_declarations(&printer.text);
  fflush(out); // complete, should the solver be killed
}
