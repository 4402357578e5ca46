// The two-thread program as text: for Boogie (--emit-program), and for people
// (--dump=program).
//
// Terms that occur more than once are computed into variables v1, v2, .. before
// the first step that needs them, and again after each step that changes a part
// of them.  A loop is a `while` with the guessed invariants behind existential
// constants, for boogie /contractInfer.

#include "translator/boogie_text.h"
#include "translator/lockstep.h"

#include <assert.h>
#include <string.h>

enum { LEAST_SHARED = 3, MOST_INLINE = 24, LARGEST_GUESS = 4000 };

typedef struct Printer {
  Task *task;
  FILE *out;
  bool is_boogie;
  BoogieText text;
  unsigned guesses; // printed so far
  // Of the procedure at hand.
  const Procedure *procedure;
  BoogieNames names; // of the variables
  Exprs shared;
  Symbols *made_of; // of each shared term: its variables
  bool *is_valid;   // ... its variable has its value
  unsigned depth;
} Printer;

// ------------------------------------------------------------------ terms ---

static const char *name_of_variable(const Printer *p, const Symbol *symbol) {
  unsigned first = p->procedure->variables.at[0]->number;
  assert(symbol->number >= first &&
         symbol->number - first < p->procedure->variables.count);
  return p->names.at[symbol->number - first];
}

static const char *name_of(const Expr *e, void *data) {
  const Printer *p = data;
  if (e->op == EXPR_SYMBOL)
    return name_of_variable(p, e->symbol);
  size_t at = expr_find(&p->shared, e);
  return at == SIZE_MAX || !p->is_valid[at]
             ? NULL
             : arena_printf(&p->task->arena, "v%zu", at + 1);
}

static void print_term(Printer *p, const Expr *e) {
  ExprNaming naming = {name_of, p};
  if (p->is_boogie)
    boogie_term(&p->text, e);
  else
    fputs(expr_text_named(p->task, e, &naming), p->out);
}

static void indent(const Printer *p) {
  fprintf(p->out, "%*s", 2 * (int)p->depth, "");
}

static void end_line(const Printer *p) {
  fputs(p->is_boogie ? ";\n" : "\n", p->out);
}

static const char *becomes(const Printer *p) {
  return p->is_boogie ? ":=" : "=";
}

// Computes the shared terms in `e` that have no value yet.
static void prepare(Printer *p, Expr *e) {
  Exprs order = {0};
  expr_order(p->task, e, expr_map_new(p->task), &order);
  for (size_t i = 0; i < order.count; i++) {
    size_t at = expr_find(&p->shared, order.at[i]);
    if (at == SIZE_MAX || p->is_valid[at])
      continue;
    indent(p);
    fprintf(p->out, "v%zu %s ", at + 1, becomes(p));
    print_term(p, order.at[i]);
    end_line(p);
    p->is_valid[at] = true;
  }
}

static void invalidate(Printer *p, const Symbol *changed) {
  for (size_t i = 0; i < p->shared.count; i++)
    for (size_t k = 0; p->is_valid[i] && k < p->made_of[i].count; k++)
      p->is_valid[i] = p->made_of[i].at[k] != changed;
}

static void invalidate_all(Printer *p, const LockstepStep *step) {
  for (size_t i = 0; i < step->variables.count; i++)
    invalidate(p, step->variables.at[i]);
}

// ------------------------------------------------------------------ steps ---

static void print_place(const Printer *p, Loc loc) {
  const char *folder = loc.file ? strrchr(loc.file, '/') : NULL;
  const char *file = folder ? folder + 1 : loc.file ? loc.file : "?";
  if (loc.line)
    fprintf(p->out, "%s:%u:%u", file, loc.line, loc.column);
}

static void print_variables(const Printer *p, const LockstepStep *step) {
  for (size_t i = 0; i < step->variables.count; i++)
    fprintf(p->out, "%s%s", i ? ", " : "",
            name_of_variable(p, step->variables.at[i]));
}

static void print_set(Printer *p, const LockstepStep *step) {
  for (size_t i = 0; i < step->values.count; i++)
    prepare(p, step->values.at[i]);
  indent(p);
  print_variables(p, step);
  fprintf(p->out, " %s ", becomes(p));
  for (size_t i = 0; i < step->values.count; i++) {
    fputs(i ? ", " : "", p->out);
    print_term(p, step->values.at[i]);
  }
  end_line(p);
  invalidate_all(p, step);
}

static void print_forget(Printer *p, const LockstepStep *step) {
  indent(p);
  fputs(p->is_boogie ? "havoc " : "any ", p->out);
  print_variables(p, step);
  end_line(p);
  invalidate_all(p, step);
}

static void print_condition(Printer *p, const LockstepStep *step,
                            const char *word) {
  prepare(p, step->condition);
  if (step->text) {
    indent(p);
    fputs("// ", p->out);
    print_place(p, step->loc);
    fprintf(p->out, ": %s\n", step->text);
  }
  indent(p);
  fprintf(p->out, "%s ", word);
  print_term(p, step->condition);
  end_line(p);
}

static void print_note(Printer *p, const LockstepStep *step) {
  fputs("\n", p->out);
  indent(p);
  fprintf(p->out, "// %s  ", step->text);
  print_place(p, step->loc);
  fputs("\n", p->out);
}

// ------------------------------------------------------------------ loops ---

// Nodes of the term as it would be printed, up to `most`.
static size_t printed_size(const Printer *p, const Expr *e, size_t most) {
  size_t size = 1;
  if (e->op == EXPR_SYMBOL || name_of(e, (void *)p))
    return size;
  for (unsigned i = 0; i < e->count && size < most; i++)
    size += printed_size(p, e->args[i], most - size);
  return size;
}

static void print_guess(Printer *p, const Expr *guess) {
  if (printed_size(p, guess, LARGEST_GUESS) >= LARGEST_GUESS)
    return;
  indent(p);
  if (p->is_boogie)
    fprintf(p->out, "  invariant guess#%u ==> ", ++p->guesses);
  else
    fputs("  guess ", p->out);
  print_term(p, guess);
  end_line(p);
}

// The steps of the loop's text, up to its end, change what they set.
static void forget_changed(Printer *p, size_t repeat) {
  unsigned depth = 0;
  for (size_t i = repeat; i < p->procedure->steps.count; i++) {
    const LockstepStep *step = p->procedure->steps.at[i];
    depth += step->kind == STEP_REPEAT;
    depth -= step->kind == STEP_END;
    if (depth == 0)
      return;
    invalidate_all(p, step);
  }
}

static void print_steps(Printer *p, size_t *at);

// What is computed inside has no value behind the loop: control leaves at its
// head.
static void print_loop(Printer *p, size_t *at) {
  const LockstepStep *repeat = p->procedure->steps.at[*at];
  forget_changed(p, *at);
  indent(p);
  fputs("while (", p->out);
  print_term(p, repeat->condition);
  fputs(")\n", p->out);
  for (size_t i = 0; i < repeat->candidates.count; i++)
    print_guess(p, repeat->candidates.at[i]);
  size_t bytes = p->shared.count * sizeof *p->is_valid;
  bool *before = arena_alloc(&p->task->arena, bytes + 1);
  memcpy(before, p->is_valid, bytes);
  indent(p);
  fputs("{\n", p->out);
  p->depth++;
  ++*at;
  print_steps(p, at);
  p->depth--;
  indent(p);
  fputs("}\n", p->out);
  memcpy(p->is_valid, before, bytes);
}

// Up to the end of the loop, or of the procedure.
static void print_steps(Printer *p, size_t *at) {
  for (; *at < p->procedure->steps.count; ++*at) {
    const LockstepStep *step = p->procedure->steps.at[*at];
    switch (step->kind) {
    case STEP_SET:
      print_set(p, step);
      break;
    case STEP_FORGET:
      print_forget(p, step);
      break;
    case STEP_ASSUME:
      print_condition(p, step, "assume");
      break;
    case STEP_CHECK:
      print_condition(p, step, p->is_boogie ? "assert {:check}" : "check");
      break;
    case STEP_NOTE:
      print_note(p, step);
      break;
    case STEP_REPEAT:
      print_loop(p, at);
      break;
    case STEP_END:
      return;
    }
  }
}

// ------------------------------------------------------------- procedures ---

static void find_shared(Printer *p) {
  Arena *arena = &p->task->arena;
  Exprs roots = {0};
  for (size_t i = 0; i < p->procedure->steps.count; i++) {
    const LockstepStep *step = p->procedure->steps.at[i];
    exprs_add(p->task, &step->values, &roots);
    if (step->condition)
      push(arena, &roots, step->condition);
  }
  p->shared = expr_shared(p->task, &roots, LEAST_SHARED, MOST_INLINE);
  p->made_of = arena_alloc(arena, (p->shared.count + 1) * sizeof *p->made_of);
  p->is_valid = arena_alloc(arena, p->shared.count + 1);
  for (size_t i = 0; i < p->shared.count; i++)
    expr_symbols(p->task, p->shared.at[i], &p->made_of[i]);
}

static void declare_variables(Printer *p) {
  for (size_t i = 0; i < p->procedure->variables.count; i++)
    fprintf(p->out, "  var %s: %s;\n", p->names.at[i],
            boogie_type(&p->text, p->procedure->variables.at[i]->width));
  for (size_t i = 0; i < p->shared.count; i++)
    fprintf(p->out, "  var v%zu: %s;\n", i + 1,
            boogie_type(&p->text, p->shared.at[i]->width));
}

static void print_procedure(Printer *p, const Procedure *procedure) {
  size_t at = 0;
  p->procedure = procedure;
  p->names = (BoogieNames){0};
  for (size_t i = 0; i < procedure->variables.count; i++)
    boogie_name(p->task, &p->names, procedure->variables.at[i]->name);
  find_shared(p);
  fprintf(p->out, p->is_boogie ? "procedure %s()\n{\n" : "%s\n",
          procedure->name);
  if (p->is_boogie)
    declare_variables(p);
  p->depth = 1;
  print_steps(p, &at);
  fputs(p->is_boogie ? "}\n\n" : "\n", p->out);
}

static void print_program(Printer *p, const Program *program) {
  const Kernel *kernel = program->kernel;
  fprintf(p->out, "// %s\n", kernel->source ? kernel->source : kernel->name);
  if (program->too_much)
    fprintf(p->out, "// too much: %s\n", program->too_much);
  if (program->unsupported) {
    fprintf(p->out, "// unsupported: %s ", program->unsupported);
    print_place(p, program->where);
    fputs("\n", p->out);
  }
  for (size_t i = 0; i < program->procedures.count; i++)
    print_procedure(p, program->procedures.at[i]);
}

void lockstep_print(Task *task, const Program *program, FILE *out) {
  Printer printer = {.task = task, .out = out, .is_boogie = true};
  printer.text = (BoogieText){
      .task = task, .out = out, .name_of = name_of, .data = &printer};
  print_program(&printer, program);
  for (unsigned i = 1; i <= printer.guesses; i++)
    fprintf(out, "const {:existential true} guess#%u: bool;\n", i);
  boogie_declarations(&printer.text);
  fflush(out); // complete, should the solver be killed
}

void lockstep_dump(Task *task, const Program *program, FILE *out) {
  Printer printer = {.task = task, .out = out};
  print_program(&printer, program);
}
