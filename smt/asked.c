// What was asked of digits.
//
// To find out that sums are made of digits takes questions, more of them than
// the query that they are for, and a hard query is asked again and again, with
// more effort each time.  Its digits stay what they are.  How long linear
// integers take is luck, but not so much of it that the same question, as long
// as before, is worth being asked twice.

#include "smt/smt.h"

bool asked_before(const Solver *solver, const Exprs *formulas,
                  bool *is_refuted) {
  const uint64_t hash = exprs_hash(formulas);
  for (size_t i = 0; i < solver->asked.count; i++) {
    const Answered *known = &solver->asked.at[i];
    if (known->hash == hash && exprs_are_same(&known->formulas, formulas)) {
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
  Answered asked = {.hash = exprs_hash(formulas), .is_refuted = is_refuted};
  for (size_t i = 0; i < formulas->count; i++)
    push(lasting, &asked.formulas, formulas->at[i]);
  push(lasting, &solver->asked, asked);
}
