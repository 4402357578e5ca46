// The ladder of named assumptions.
//
// What is not proved of what the code says alone may hold in every program that
// people run: nothing signed overflows, warps are whole, sizes fit, arguments
// are not negative.  These are facts under names (translator/premises.def), and
// a proof that needs one says so.  All of them are tried at once, for a race
// that they do not exclude is a race; of what proves an obligation the names
// that it does not need are dropped again, the highest first, and what goes
// wrong without each of the others is kept for the report.
//
// SOUND(vacuity): names that contradict what is known, or under which no thread
// comes to the end of the kernel, are not used.

#include "smt/smt.h"

#include <string.h>

enum { CONSISTENCY_EFFORT = 1000 };

bool names_have(PremiseSet names, unsigned kind) { return names >> kind & 1; }

PremiseSet names_without(PremiseSet names, unsigned kind) {
  return names & ~((PremiseSet)1 << kind);
}

PremiseSet names_with(PremiseSet names, unsigned kind) {
  return names | (PremiseSet)1 << kind;
}

PremiseSet ladder_names(const Obligation *obligation) {
  PremiseSet names = 0;
  for (unsigned i = 0; i < PREMISES; i++)
    if (obligation->premises[i].count)
      names = names_with(names, i);
  return names;
}

const Obligation *ladder_with(Task *task, const Obligation *obligation,
                              PremiseSet names) {
  if (!names)
    return obligation;
  Obligation *more = NEW(&task->arena, Obligation);
  *more = *obligation;
  more->facts = (Exprs){0};
  exprs_add(task, &obligation->facts, &more->facts);
  for (unsigned i = 0; i < PREMISES; i++)
    if (names_have(names, i))
      exprs_add(task, &obligation->premises[i], &more->facts);
  return more;
}

// ----------------------------------------------------------- consistency ---

static Answer ask_end(Task *task, Solver *solver, const Pair *pair,
                      PremiseSet names) {
  Question question = {0};
  Model *model = NULL;
  exprs_add(task, &pair->consistent, &question.all);
  exprs_add(task, &pair->meant, &question.all);
  for (unsigned i = 0; i < PREMISES; i++)
    if (names_have(names, i))
      exprs_add(task, &pair->premises[i], &question.all);
  if (pair->exit)
    push(&task->arena, &question.all, pair->exit);
  return smt_decide(task, solver, &question, CONSISTENCY_EFFORT, &model);
}

static Answer ask_occasion(Task *task, Solver *solver, const Pair *pair,
                           const Exprs *facts, Expr *occasion) {
  Question question = {0};
  Model *model = NULL;
  exprs_add(task, &pair->consistent, &question.all);
  exprs_add(task, &pair->meant, &question.all);
  exprs_add(task, facts, &question.all);
  push(&task->arena, &question.all, occasion);
  return smt_decide(task, solver, &question, CONSISTENCY_EFFORT, &model);
}

// It leaves nothing of what there is without it.
static bool rules_out(Task *task, Solver *solver, const Pair *pair,
                      unsigned kind, Expr *occasion) {
  const Exprs *facts = &pair->premises[kind], none = {0};
  return ask_occasion(task, solver, pair, facts, occasion) == ANSWER_NO_MODEL &&
         ask_occasion(task, solver, pair, &none, occasion) != ANSWER_NO_MODEL;
}

// What rules out the very threads that it is meant for is not assumed, nor what
// rules out one of two launches that the host chooses between.  Nothing is
// where no time is left to look.
static bool is_meant(Task *task, Solver *solver, const Pair *pair,
                     unsigned kind) {
  const Exprs *occasions = &pair->occasions[kind], *choices = &pair->choices;
  for (size_t i = 0; i < occasions->count; i++)
    if (task_is_late(task) ||
        rules_out(task, solver, pair, kind, occasions->at[i]))
      return false;
  for (size_t i = 0; i < choices->count; i++)
    if (rules_out(task, solver, pair, kind, choices->at[i]) ||
        rules_out(task, solver, pair, kind, expr_not(task, choices->at[i])))
      return false;
  return true;
}

static PremiseSet all_meant(Task *task, Solver *solver, const Pair *pair,
                            PremiseSet names) {
  for (unsigned i = 0; i < PREMISES; i++)
    if (names_have(names, i) && !is_meant(task, solver, pair, i))
      names = names_without(names, i);
  return names;
}

static PremiseSet all_of(const Pair *pair) {
  PremiseSet names = 0;
  for (unsigned i = 0; i < PREMISES; i++)
    if (pair->premises[i].count)
      names = names_with(names, i);
  return names;
}

PremiseSet ladder_consistent(Task *task, Solver *solver, const Pair *pair,
                             bool *is_known) {
  PremiseSet all = all_meant(task, solver, pair, all_of(pair)), names = 0;
  *is_known = true;
  if (!all || ask_end(task, solver, pair, all) == ANSWER_MODEL)
    return all;
  for (unsigned i = 0; i < PREMISES; i++) {
    if (!names_have(all, i))
      continue;
    Answer answer = ask_end(task, solver, pair, names_with(names, i));
    if (answer == ANSWER_NO_MODEL)
      continue;
    names = names_with(names, i);
    *is_known = *is_known && answer == ANSWER_MODEL;
  }
  return names;
}
