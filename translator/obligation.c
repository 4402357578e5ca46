// The facts that an obligation needs, and the subterms that deserve a name.
//
// An obligation comes with everything that is known where it holds, and most of
// that is about something else.  obligation_facts keeps the facts that are
// connected to the violation through symbols and functions; the others could
// help only if they contradicted each other.  expr_shared finds subterms that
// occur more than once.

#include "translator/expr.h"

#include <assert.h>

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

static Exprs all_facts(Task *task, const Obligation *obligation,
                       bool with_history) {
  Exprs all = {0};
  ExprMap *seen = expr_map_new(task);
  const Exprs *sources[] = {&obligation->facts, &obligation->history};
  for (size_t s = 0; s < (with_history ? 2 : 1); s++)
    for (size_t i = 0; i < sources[s]->count; i++) {
      Expr *fact = sources[s]->at[i];
      if (expr_is_true(fact) || expr_map_get(seen, fact))
        continue;
      expr_map_put(task, seen, fact, fact);
      push(&task->arena, &all, fact);
    }
  return all;
}

static Exprs connected_facts(Task *task, const Obligation *obligation,
                             bool with_history) {
  Exprs all = all_facts(task, obligation, with_history), kept = {0};
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

Exprs obligation_facts(Task *task, const Obligation *obligation) {
  return connected_facts(task, obligation, true);
}

Question obligation_question(Task *task, const Obligation *obligation) {
  Question question = {.all = connected_facts(task, obligation, true)};
  push(&task->arena, &question.all, obligation->violation);
  if (!obligation->history.count && !obligation->strict)
    return question;
  Obligation least = *obligation;
  if (obligation->strict)
    least.violation = obligation->strict->violation;
  Exprs core = connected_facts(task, &least, false);
  push(&task->arena, &core, least.violation);
  if (obligation->strict || core.count < question.all.count)
    question.core = core;
  return question;
}

// --------------------------------------------------------------- sharing ---

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

// A term on its way into a text.
typedef struct Usage {
  size_t uses;
  size_t size; // nodes to print, with named subterms counting one
  bool is_named;
} Usage;

typedef struct Sharing {
  Exprs terms; // by id, so arguments come first
  Usage *usage;
  size_t least, most;
} Sharing;

static Usage *usage_of(const Sharing *sharing, const Expr *e) {
  size_t at = expr_find(&sharing->terms, e);
  assert(at != SIZE_MAX);
  return &sharing->usage[at];
}

static size_t size_of(const Sharing *sharing, const Expr *e) {
  size_t size = 1;
  for (unsigned i = 0; i < e->count; i++)
    size += usage_of(sharing, e->args[i])->size;
  return size;
}

static void name(Usage *usage) {
  usage->is_named = true;
  usage->size = 1;
}

// A term that is too large has its largest argument named.
static void measure(const Sharing *sharing, const Expr *e) {
  Usage *own = usage_of(sharing, e);
  while ((own->size = size_of(sharing, e)) > sharing->most) {
    Usage *largest = usage_of(sharing, e->args[0]);
    for (unsigned i = 1; i < e->count; i++) {
      Usage *usage = usage_of(sharing, e->args[i]);
      if (usage->size > largest->size)
        largest = usage;
    }
    if (largest->size == 1)
      break; // a call with that many arguments
    name(largest);
  }
  if (own->uses > 1 && own->size >= sharing->least)
    name(own);
}

Exprs expr_shared(Task *task, const Exprs *roots, size_t least, size_t most) {
  Sharing sharing = {.least = least, .most = most};
  Exprs shared = {0}, *terms = &sharing.terms;
  ExprMap *seen = expr_map_new(task);
  for (size_t i = 0; i < roots->count; i++)
    expr_order(task, roots->at[i], seen, terms);
  if (terms->count == 0)
    return shared;
  exprs_sort(terms);
  sharing.usage =
      arena_alloc(&task->arena, terms->count * sizeof *sharing.usage);
  for (size_t i = 0; i < terms->count; i++)
    for (unsigned k = 0; k < terms->at[i]->count; k++)
      usage_of(&sharing, terms->at[i]->args[k])->uses++;
  for (size_t i = 0; i < roots->count; i++)
    usage_of(&sharing, roots->at[i])->uses++;
  for (size_t i = 0; i < terms->count; i++)
    measure(&sharing, terms->at[i]);
  for (size_t i = 0; i < terms->count; i++)
    if (sharing.usage[i].is_named)
      push(&task->arena, &shared, terms->at[i]);
  return shared;
}
