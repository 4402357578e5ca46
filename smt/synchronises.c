// Loops of which no iteration goes without a barrier.
//
// The control-flow graph mostly has a way round the barrier: one in an inner
// loop is not passed if that loop runs zero times.  Whether such an iteration
// can happen is a question about values, so it is asked here, inner loops
// first; the walks of interval.c do not go ways that the answer excludes.

#include "smt/smt.h"

enum { EFFORT = 500 };

static bool is_refuted(Task *task, Solver *solver,
                       const Obligation *obligation) {
  Question question = obligation_question(task, obligation);
  return smt_sift(task, solver, &question, EFFORT);
}

static bool always_synchronises(Task *task, Kernel *kernel, Loop *loop,
                                unsigned reach, bool is_global) {
  Obligation *obligation =
      pair_synchronises(task, kernel, loop, reach, is_global);
  if (!obligation)
    return false;
  if (expr_is_false(obligation->violation))
    return true;
  Solver *solver = solver_open(task, kernel->options->memory);
  return is_refuted(task, solver, obligation);
}

void smt_find_synchronising(Task *task, Kernel *kernel) {
  for (size_t i = kernel->loops.count; i-- > 0;) {
    Loop *loop = kernel->loops.at[i];
    for (unsigned reach = 0; reach < 3; reach++)
      for (unsigned space = 0; space < 2; space++)
        loop->always_synchronises[reach][space] =
            always_synchronises(task, kernel, loop, reach, space);
  }
}
