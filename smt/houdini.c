// Houdini: the largest set of guesses that holds.
//
// Flanagan and Leino, "Houdini, an Annotation Assistant for ESC/Java" (2001).
// Guesses that fail on entry go at once; then those go that an iteration does
// not keep if all that are left hold at its start, until none goes.  Loops
// from the outside in, so that what is known of the outer loop helps inside.
// A guess that the solver cannot decide goes too.  Sifting may take a part of
// the kernel's effort: then all guesses about the loop at hand go, since what
// is left of them may not be inductive, and other loops have none.

#include "smt/smt.h"

#include <math.h>

enum { EFFORT = 250 };

static const double most_part = 0.5; // of what the kernel may take

typedef struct Houdini {
  Task *task;
  Kernel *kernel;
  Solver *solver;
  double enough; // effort
} Houdini;

static bool is_over(const Houdini *houdini) {
  return houdini->solver->effort > houdini->enough;
}

static bool holds(const Houdini *houdini, Loop *loop, Expr *candidate,
                  bool step, const Exprs *assumed) {
  Task *task = houdini->task;
  Obligation *obligation =
      pair_candidate(task, houdini->kernel, loop, candidate, step, assumed);
  Question question = obligation_question(task, obligation);
  return smt_sift(task, houdini->solver, &question, EFFORT);
}

// Keeps the candidates that hold; true if one went.
static bool filter(const Houdini *houdini, Loop *loop, Exprs *candidates,
                   bool step) {
  Exprs kept = {0};
  for (size_t i = 0; i < candidates->count && !is_over(houdini); i++) {
    task_check_time(houdini->task, loop->loc);
    if (holds(houdini, loop, candidates->at[i], step, candidates))
      push(&houdini->task->arena, &kept, candidates->at[i]);
  }
  bool changed = kept.count != candidates->count;
  *candidates = is_over(houdini) ? (Exprs){0} : kept;
  return changed;
}

static void infer(const Houdini *houdini, Loop *loop) {
  Exprs candidates = loop->candidates;
  filter(houdini, loop, &candidates, false);
  while (filter(houdini, loop, &candidates, true))
    ;
  exprs_add(houdini->task, &candidates, &loop->invariants);
}

void smt_infer_invariants(Task *task, Kernel *kernel) {
  const double effort = EFFORT_OF_SECOND * (double)kernel->options->timeout;
  Houdini houdini = {task, kernel, NULL,
                     effort > 0 ? most_part * effort : INFINITY};
  for (size_t i = 0; i < kernel->loops.count; i++) {
    Loop *loop = kernel->loops.at[i];
    if (!loop->candidates.count)
      continue;
    if (!houdini.solver)
      houdini.solver = solver_open(task, kernel->options->memory);
    infer(&houdini, loop);
  }
}
