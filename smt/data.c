// What a query says without what threads read.
//
// A guard may compare what is read with what is read elsewhere, in a loop over
// both: which places threads access mostly has nothing to do with it, and what
// solvers make of it may take all their effort.  So where there is much of
// this, a weaker query is asked first, in which each comparison of data is
// whatever makes its formula true.  What is refuted is refuted without them; a
// model of the weaker query says nothing.
//
// A place may be one of a few that data choose, as  8 * i + (read(j) > x ? 4 :
// 0)  is.  Such a choice gets a name, and what is compared is kept: it is true
// of each way to choose.

#include "smt/smt.h"
#include "translator/expr.h"

// Of a guard that looks up one index the solvers make nothing of themselves.
enum { MANY_TERMS = 24 };

typedef struct Weakening {
  Task *task;
  ExprMap *data;    // terms that say something of what is read
  ExprMap *chosen;  // ... and no more than which of a few they are: with names
  ExprMap *done[2]; // by whether it may be true rather than false
  size_t count;     // of terms of data
} Weakening;

static bool is_read(const Expr *e) {
  if (e->op == EXPR_APPLY)
    return true;
  return e->op == EXPR_SYMBOL &&
         (e->symbol->kind == SYMBOL_LOAD || e->symbol->kind == SYMBOL_ATOMIC ||
          e->symbol->kind == SYMBOL_UNKNOWN);
}

// Its number is a place that no other condition has.
static Expr *name_of(Task *task, const Expr *condition) {
  Expr *number = expr_const(task, 64, condition->id);
  return expr_apply(task, "chosen", 1, &number, 1);
}

// NULL: it is not known but for a choice.
static Expr *known_part(const Weakening *to, Expr *e) {
  bool is_data = expr_map_get(to->data, e);
  if (is_data && e->width == 1)
    return name_of(to->task, e);
  return is_data ? expr_map_get(to->chosen, e) : e;
}

static void find_chosen(Weakening *to, Expr *e) {
  if (is_read(e) || (e->width == 1 && !expr_is_comparison(e)))
    return;
  Expr **args = arena_alloc(&to->task->arena, (e->count + 1) * sizeof *args);
  for (unsigned i = 0; i < e->count; i++)
    if (!(args[i] = known_part(to, e->args[i])))
      return;
  expr_map_put(to->task, to->chosen, e, expr_rebuild(to->task, e, args));
}

static void find_data(Weakening *to, const Exprs *formulas) {
  ExprMap *seen = expr_map_new(to->task);
  Exprs terms = {0};
  for (size_t i = 0; i < formulas->count; i++)
    expr_order(to->task, formulas->at[i], seen, &terms);
  for (size_t i = 0; i < terms.count; i++) {
    Expr *term = terms.at[i];
    bool is_data = is_read(term);
    for (unsigned k = 0; k < term->count && !is_data; k++)
      is_data = expr_map_get(to->data, term->args[k]);
    to->count += is_data;
    if (!is_data)
      continue;
    expr_map_put(to->task, to->data, term, term);
    find_chosen(to, term);
  }
}

static Expr *weaker(Weakening *to, Expr *e, bool truth);

static Expr *weaker_choice(Weakening *to, const Expr *e, bool truth) {
  Task *task = to->task;
  Expr *may_be = weaker(to, e->args[0], truth);
  Expr *need_not_be = expr_not(task, weaker(to, e->args[0], !truth));
  Expr *one = weaker(to, e->args[1], truth);
  Expr *other = weaker(to, e->args[2], truth);
  return expr_and(task, expr_or(task, need_not_be, one),
                  expr_or(task, may_be, other));
}

static Expr *weaker_parts(Weakening *to, const Expr *e, bool truth) {
  Task *task = to->task;
  Expr *chosen = expr_map_get(to->chosen, e);
  if (chosen)
    return chosen;
  if (e->op == EXPR_NOT)
    return expr_not(task, weaker(to, e->args[0], !truth));
  if (e->op == EXPR_ITE)
    return weaker_choice(to, e, truth);
  if (e->op != EXPR_AND && e->op != EXPR_OR)
    return expr_bool(task, truth);
  Expr *one = weaker(to, e->args[0], truth);
  Expr *other = weaker(to, e->args[1], truth);
  return e->op == EXPR_AND ? expr_and(task, one, other)
                           : expr_or(task, one, other);
}

// If `truth`, whatever makes `e` true makes it true; else the same of false.
static Expr *weaker(Weakening *to, Expr *e, bool truth) {
  if (!expr_map_get(to->data, e))
    return e;
  Expr *done = expr_map_get(to->done[truth], e);
  if (done)
    return done;
  Expr *weak = weaker_parts(to, e, truth);
  expr_map_put(to->task, to->done[truth], e, weak);
  return weak;
}

bool smt_without_data(Task *task, const Exprs *formulas, Exprs *rest) {
  Weakening to = {.task = task,
                  .data = expr_map_new(task),
                  .chosen = expr_map_new(task),
                  .done = {expr_map_new(task), expr_map_new(task)}};
  find_data(&to, formulas);
  if (to.count < MANY_TERMS)
    return false;
  for (size_t i = 0; i < formulas->count; i++)
    push(&task->arena, rest, weaker(&to, formulas->at[i], true));
  return true;
}
