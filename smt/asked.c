// What was asked of digits.
//
// To find out that sums are made of digits takes questions, more of them than
// the query that they are for, and a hard query is asked again and again, with
// more effort each time.  Its digits stay what they are.  How long linear
// integers take is luck, but not so much of it that the same question, as long
// as before, is worth being asked twice.

#include "smt/smt.h"

static uint64_t hash_of(const Exprs *formulas) {
  uint64_t hash = formulas->count;
  for (size_t i = 0; i < formulas->count; i++)
    hash = (hash ^ formulas->at[i]->id) * UINT64_C(0x9E3779B97F4A7C15);
  return hash;
}

static bool is_same(const Exprs *a, const Exprs *b) {
  if (a->count != b->count)
    return false;
  for (size_t i = 0; i < a->count; i++)
    if (a->at[i] != b->at[i])
      return false;
  return true;
}

bool asked_before(const Solver *solver, const Exprs *formulas,
                  bool *is_refuted) {
  const uint64_t hash = hash_of(formulas);
  for (size_t i = 0; i < solver->asked.count; i++) {
    const Answered *known = &solver->asked.at[i];
    if (known->hash == hash && is_same(&known->formulas, formulas)) {
      *is_refuted = known->is_refuted;
      return true;
    }
  }
  return false;
}

// In memory that lasts: what the question is written in does not.
void asked_note(Task *task, Solver *solver, const Exprs *formulas,
                bool is_refuted) {
  Arena *lasting = task_lasting(task);
  Answered asked = {.hash = hash_of(formulas), .is_refuted = is_refuted};
  for (size_t i = 0; i < formulas->count; i++)
    push(lasting, &asked.formulas, formulas->at[i]);
  push(lasting, &solver->asked, asked);
}
