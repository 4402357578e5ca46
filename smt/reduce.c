// Facts that are used up before a solver sees them.
//
// A fact that another formula contains is true there: the guard of an access
// is known, so what is said under it is said.  A fact x == a whose a does not
// speak of x defines x, which then leaves all other formulas: a size that is
// 1024 makes products linear, and the solvers need not find that out.
//
// Each step uses only facts that remain, or definitions, so the formulas and
// the definitions together have the models of what they were made from; and
// whatever satisfies the formulas satisfies the definitions for some values of
// the symbols they define.

#include "smt/smt.h"
#include "translator/expr.h"

enum { MOST_ROUNDS = 8 };

typedef struct Reduction {
  Task *task;
  Exprs facts;
  Exprs *definitions;
  ExprMap *known;    // formula -> its truth; -> itself: not known any more
  ExprMap *replaced; // symbols of one round -> what they are
  Exprs used;        // symbols that must stay in this round
} Reduction;

// ----------------------------------------------------------- conjunction ---

static void add_conjuncts(Reduction *to, Expr *fact, ExprMap *seen) {
  if (expr_is_true(fact) || expr_map_get(seen, fact))
    return;
  expr_map_put(to->task, seen, fact, fact);
  if (fact->op != EXPR_AND) {
    push(&to->task->arena, &to->facts, fact);
    return;
  }
  add_conjuncts(to, fact->args[0], seen);
  add_conjuncts(to, fact->args[1], seen);
}

static void flatten(Reduction *to, const Exprs *formulas) {
  ExprMap *seen = expr_map_new(to->task);
  to->facts = (Exprs){0};
  for (size_t i = 0; i < formulas->count; i++)
    add_conjuncts(to, formulas->at[i], seen);
}

// ----------------------------------------------------------- known facts ---

static void learn(Reduction *to, Expr *fact) {
  expr_map_put(to->task, to->known, fact, expr_bool(to->task, true));
  expr_map_put(to->task, to->known, expr_not(to->task, fact),
               expr_bool(to->task, false));
}

static void forget(Reduction *to, Expr *fact) {
  Expr *negation = expr_not(to->task, fact);
  expr_map_put(to->task, to->known, fact, fact);
  expr_map_put(to->task, to->known, negation, negation);
}

static bool is_connective(const Expr *e) {
  return e->width == 1 && e->count && e->count < 3 && e->args[0]->width == 1 &&
         (e->op == EXPR_AND || e->op == EXPR_OR || e->op == EXPR_NOT);
}

static Expr *under_facts(Reduction *to, Expr *e, ExprMap *done);

static Expr *parts_under_facts(Reduction *to, Expr *e, ExprMap *done) {
  Expr *args[2];
  if (!is_connective(e))
    return e;
  for (unsigned i = 0; i < e->count; i++)
    args[i] = under_facts(to, e->args[i], done);
  return expr_rebuild(to->task, e, args);
}

static Expr *under_facts(Reduction *to, Expr *e, ExprMap *done) {
  Expr *truth = expr_map_get(to->known, e), *new = expr_map_get(done, e);
  if (truth && expr_is_const(truth))
    return truth;
  if (!new) {
    new = parts_under_facts(to, e, done);
    expr_map_put(to->task, done, e, new);
  }
  return new;
}

// One fact after the other, each by the others that there are at the time: two
// may not use each other up, nor a fact itself.
static bool propagate(Reduction *to) {
  bool has_changed = false;
  to->known = expr_map_new(to->task);
  for (size_t i = 0; i < to->facts.count; i++)
    learn(to, to->facts.at[i]);
  for (size_t i = 0; i < to->facts.count; i++) {
    Expr *old = to->facts.at[i];
    forget(to, old);
    Expr *new = parts_under_facts(to, old, expr_map_new(to->task));
    learn(to, new);
    to->facts.at[i] = new;
    has_changed |= new != old;
  }
  return has_changed;
}

// ----------------------------------------------------------- definitions ---

static bool is_free(const Reduction *to, const Expr *symbol) {
  if (symbol->op != EXPR_SYMBOL || expr_map_get(to->replaced, symbol))
    return false;
  for (size_t i = 0; i < to->used.count; i++)
    if (to->used.at[i] == symbol)
      return false;
  return true;
}

// The symbols of `value` stay until the next round.
static bool try_define(Reduction *to, Expr *symbol, Expr *value) {
  Symbols symbols = {0};
  if (!is_free(to, symbol) || expr_mentions(to->task, value, symbol->symbol))
    return false;
  expr_symbols(to->task, value, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (expr_map_get(to->replaced, expr_symbol(to->task, symbols.at[i])))
      return false;
  for (size_t i = 0; i < symbols.count; i++)
    push(&to->task->arena, &to->used, expr_symbol(to->task, symbols.at[i]));
  expr_map_put(to->task, to->replaced, symbol, value);
  return true;
}

// A Boolean symbol is a fact by itself.
static bool is_definition(Reduction *to, Expr *fact) {
  Task *task = to->task;
  if (fact->op == EXPR_SYMBOL)
    return try_define(to, fact, expr_bool(task, true));
  if (fact->op == EXPR_NOT && fact->width == 1)
    return try_define(to, fact->args[0], expr_bool(task, false));
  return fact->op == EXPR_EQ && (try_define(to, fact->args[0], fact->args[1]) ||
                                 try_define(to, fact->args[1], fact->args[0]));
}

static Expr *replacement(Task *task, Symbol *symbol, void *data) {
  Expr *e = expr_symbol(task, symbol);
  Expr *new = expr_map_get(((Reduction *)data)->replaced, e);
  return new ? new : e;
}

// Takes definitions out of the facts, and their symbols with them.
static bool substitute(Reduction *to) {
  Exprs rest = {0};
  to->replaced = expr_map_new(to->task);
  to->used = (Exprs){0};
  for (size_t i = 0; i < to->facts.count; i++) {
    Expr *fact = to->facts.at[i];
    Exprs *list = is_definition(to, fact) ? to->definitions : &rest;
    push(&to->task->arena, list, fact);
  }
  if (rest.count == to->facts.count)
    return false;
  Substitution substitution = {.replace = replacement, .data = to};
  for (size_t i = 0; i < rest.count; i++)
    rest.at[i] = expr_substitute(to->task, &substitution, rest.at[i]);
  to->facts = rest;
  return true;
}

Exprs smt_reduce(Task *task, const Exprs *formulas, Exprs *definitions) {
  Reduction to = {.task = task, .definitions = definitions};
  flatten(&to, formulas);
  bool has_changed = true;
  for (unsigned round = 0; has_changed && round < MOST_ROUNDS; round++) {
    has_changed = propagate(&to);
    has_changed |= substitute(&to);
    Exprs facts = to.facts;
    flatten(&to, &facts);
  }
  return to.facts;
}
