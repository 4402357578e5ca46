// Assumptions that the proof of one obligation needs and others do not.
//
// SOUND(benign-writes) where two threads may write one value to one place, and
// SOUND(volatile-accesses): both are reported with their places.
// SOUND(atomic-counters) is used where a proof without it is not found soon.

#include "smt/smt.h"
#include "translator/expr.h"

#include <string.h>

enum { EFFORT = 500 };

void assumed_by_name(Task *task, Verdict *verdict, const char *name) {
  for (size_t i = 0; i < verdict->assumptions.count; i++)
    if (!strcmp(verdict->assumptions.at[i], name))
      return;
  push(&task->arena, &verdict->assumptions, name);
}

static bool is_same_place(Loc a, Loc b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

void assumed_tolerance(Task *task, Verdict *verdict, const char *name,
                       const Stmt *where, const Stmt *other) {
  assumed_by_name(task, verdict, name);
  for (size_t i = 0; i < verdict->tolerated.count; i++)
    if (is_same_place(verdict->tolerated.at[i].where, where->loc) &&
        is_same_place(verdict->tolerated.at[i].other, other->loc))
      return;
  Tolerated pair = {where->loc, other->loc, where->access.array->name, name};
  push(&task->arena, &verdict->tolerated, pair);
}

// The obligation without what is known of atomic counters.
static Obligation without_counters(Task *task, const Obligation *obligation) {
  Obligation rest = *obligation;
  rest.facts = rest.counters = (Exprs){0};
  ExprMap *left_out = expr_map_new(task);
  for (size_t i = 0; i < obligation->counters.count; i++)
    expr_map_put(task, left_out, obligation->counters.at[i],
                 obligation->counters.at[i]);
  for (size_t i = 0; i < obligation->facts.count; i++)
    if (!expr_map_get(left_out, obligation->facts.at[i]))
      push(&task->arena, &rest.facts, obligation->facts.at[i]);
  return rest;
}

void assumed_counters(Task *task, Solver *solver, Verdict *verdict,
                      const Obligation *obligation) {
  if (!obligation->counters.count)
    return;
  Obligation rest = without_counters(task, obligation);
  Question question = obligation_question(task, &rest);
  if (smt_decide(task, solver, &question, EFFORT, NULL) != ANSWER_NO_MODEL)
    assumed_by_name(task, verdict, "atomic-counters");
}
