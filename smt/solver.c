// Passes questions on to the solver there is.

#include "smt/solver.h"

#include <assert.h>

extern const SolverKind z3_kind; // z3.c

Solver *solver_open(Task *task, unsigned megabytes) {
  Solver *solver = z3_kind.open(task, megabytes);
  solver->kind = &z3_kind;
  return solver;
}

const char *solver_version(void) { return z3_kind.version(); }

Answer solver_check(Task *task, Solver *solver, const Exprs *formulas,
                    unsigned effort, Model **model) {
  return solver->kind->check(task, solver, formulas, effort, model);
}

Answer solver_check_integers(Task *task, Solver *solver, const Exprs *formulas,
                             const Exprs *lemmas, unsigned seed,
                             unsigned effort) {
  return solver->kind->check_integers(task, solver, formulas, lemmas, seed,
                                      effort);
}

uint64_t solver_value(Task *task, Model *model, Expr *a) {
  assert(a->width <= 64);
  return model->solver->kind->value(task, model, a);
}

void solver_print(Task *task, Solver *solver, const Exprs *formulas,
                  FILE *out) {
  solver->kind->print(task, solver, formulas, out);
}
