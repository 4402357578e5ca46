// What an obligation's formulas look like before somebody prints them.
//
// An obligation comes with everything that is known where it holds, most of
// which is about something else.  obligation_facts keeps what is connected to
// the violation through symbols and functions; the rest could only help if it
// contradicted itself.  expr_shared finds the subterms that deserve a name.

#include "translator/expr.h"

#include <assert.h>
#include <stdlib.h>

// ----------------------------------------------------------------- slice ---

typedef struct Slicer {
  Task *task;
  Exprs functions;  // for every function, the first call of it that was seen
  ExprMap *reached; // symbols and such calls
} Slicer;

static Expr *representative(Slicer *slicer, Expr *call) {
  for (size_t i = 0; i < slicer->functions.count; i++)
    if (slicer->functions.at[i]->function == call->function)
      return slicer->functions.at[i];
  push(&slicer->task->arena, &slicer->functions, call);
  return call;
}

// What formulas are connected by: the symbols and functions in `a`.
static Exprs links_of(Slicer *slicer, Expr *a) {
  Exprs links = {0}, order = {0};
  expr_order(slicer->task, a, expr_map_new(slicer->task), &order);
  for (size_t i = 0; i < order.count; i++) {
    Expr *e = order.at[i];
    if (e->op == EXPR_SYMBOL)
      push(&slicer->task->arena, &links, e);
    else if (e->op == EXPR_APPLY)
      push(&slicer->task->arena, &links, representative(slicer, e));
  }
  return links;
}

static void reach(Slicer *slicer, const Exprs *links) {
  for (size_t i = 0; i < links->count; i++)
    expr_map_put(slicer->task, slicer->reached, links->at[i], links->at[i]);
}

static bool is_reached(const Slicer *slicer, const Exprs *links) {
  for (size_t i = 0; i < links->count; i++)
    if (expr_map_get(slicer->reached, links->at[i]))
      return true;
  return links->count == 0;
}

static Exprs all_facts(Task *task, const Obligation *obligation) {
  Exprs all = {0};
  ExprMap *seen = expr_map_new(task);
  const Exprs *sources[] = {&obligation->facts, &obligation->history};
  for (size_t s = 0; s < 2; s++)
    for (size_t i = 0; i < sources[s]->count; i++) {
      Expr *fact = sources[s]->at[i];
      if (expr_is_true(fact) || expr_map_get(seen, fact))
        continue;
      expr_map_put(task, seen, fact, fact);
      push(&task->arena, &all, fact);
    }
  return all;
}

Exprs obligation_facts(Task *task, const Obligation *obligation) {
  Exprs all = all_facts(task, obligation), kept = {0};
  Slicer slicer = {.task = task, .reached = expr_map_new(task)};
  Exprs start = links_of(&slicer, obligation->violation);
  if (start.count == 0)
    return all;
  reach(&slicer, &start);
  Exprs *links = arena_alloc(&task->arena, all.count * sizeof *links);
  bool *is_kept = arena_alloc(&task->arena, all.count);
  for (size_t i = 0; i < all.count; i++)
    links[i] = links_of(&slicer, all.at[i]);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < all.count; i++) {
      if (is_kept[i] || !is_reached(&slicer, &links[i]))
        continue;
      reach(&slicer, &links[i]);
      is_kept[i] = changed = true;
    }
  }
  for (size_t i = 0; i < all.count; i++)
    if (is_kept[i])
      push(&task->arena, &kept, all.at[i]);
  return kept;
}

// --------------------------------------------------------------- sharing ---

static int by_id(const void *a, const void *b) {
  unsigned x = (*(Expr *const *)a)->id, y = (*(Expr *const *)b)->id;
  return (x > y) - (x < y);
}

size_t expr_find(const Exprs *by_ids, const Expr *e) {
  size_t low = 0, high = by_ids->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (by_ids->at[middle]->id < e->id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < by_ids->count && by_ids->at[low] == e ? low : SIZE_MAX;
}

typedef struct Usage {
  size_t uses;
  size_t size; // nodes to print, with named subterms counting one
} Usage;

static void count_use(const Exprs *terms, Usage *usage, const Expr *e) {
  size_t at = expr_find(terms, e);
  assert(at != SIZE_MAX);
  usage[at].uses++;
}

static size_t size_of(const Exprs *terms, const Usage *usage, const Expr *e) {
  size_t size = 1;
  for (unsigned i = 0; i < e->count; i++)
    size += usage[expr_find(terms, e->args[i])].size;
  return size;
}

Exprs expr_shared(Task *task, const Exprs *roots, size_t least, size_t most) {
  Exprs terms = {0}, shared = {0};
  ExprMap *seen = expr_map_new(task);
  for (size_t i = 0; i < roots->count; i++)
    expr_order(task, roots->at[i], seen, &terms);
  if (terms.count == 0)
    return shared;
  qsort(terms.at, terms.count, sizeof *terms.at, by_id);
  Usage *usage = arena_alloc(&task->arena, terms.count * sizeof *usage);
  for (size_t i = 0; i < terms.count; i++)
    for (unsigned k = 0; k < terms.at[i]->count; k++)
      count_use(&terms, usage, terms.at[i]->args[k]);
  for (size_t i = 0; i < roots->count; i++)
    count_use(&terms, usage, roots->at[i]);
  for (size_t i = 0; i < terms.count; i++) {
    size_t size = size_of(&terms, usage, terms.at[i]);
    bool is_named = (usage[i].uses > 1 && size >= least) || size > most;
    usage[i].size = is_named ? 1 : size;
    if (is_named)
      push(&task->arena, &shared, terms.at[i]);
  }
  return shared;
}
