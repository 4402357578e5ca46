// Solvers: whether formulas have a model, whoever is asked.
//
// Formulas come in, an answer and perhaps a model go out.  A solver is a file
// with a SolverKind, which solver.c names; Z3 is the one there is.  All of the
// prover asks through solver_*.

#ifndef SMT_SOLVER_H
#define SMT_SOLVER_H

#include "translator/translator.h"

typedef enum Answer { ANSWER_NO_MODEL, ANSWER_MODEL, ANSWER_UNKNOWN } Answer;

// Effort is what a query may cost.  It is counted in steps of the solver and
// not timed, so that the answers are the same on every machine; a second of a
// quiet one makes some 1000 units.
enum { EFFORT_OF_SECOND = 1000 };

typedef struct SolverKind SolverKind;

// What somebody has asked, in its order, and was told.
typedef struct Answered {
  uint64_t hash;
  Exprs formulas;
  bool is_refuted;
} Answered;

// What every solver's own data begins with.
typedef struct Solver {
  const SolverKind *kind;
  double effort;       // made so far
  unsigned favourite;  // what decide.c remembers between queries: a method,
  unsigned seed;       // what kind of seed decided over integers, and whether
  bool was_read;       // the last refutation was read off the facts
  bool is_of_core;     // the core of the last question was refuted
  Vec(Answered) asked; // of digits
} Solver;

// What every model's own data begins with.
typedef struct Model {
  Solver *solver;
} Model;

// What a solver has to know; solver_* below says what each is about.
struct SolverKind {
  Solver *(*open)(Task *task, unsigned megabytes);
  Answer (*check)(Task *task, Solver *solver, const Exprs *formulas,
                  unsigned effort, Model **model);
  Answer (*check_integers)(Task *task, Solver *solver, const Exprs *formulas,
                           const Exprs *lemmas, unsigned seed, unsigned effort);
  uint64_t (*value)(Task *task, Model *model, Expr *a);
  void (*print)(Task *task, Solver *solver, const Exprs *formulas, FILE *out);
  const char *(*version)(void);
};

// Of the library that is loaded: "Z3 4.8.12.0".
const char *solver_version(void);

// A task has one for as long as it lasts.  All that solvers hold together
// takes at most `megabytes`, 0 being no limit; beyond, answers are UNKNOWN.
Solver *solver_open(Task *task, unsigned megabytes);

// Is there a model of all formulas together?  UNKNOWN beyond that effort.  With
// `model`, a model is kept there for solver_value.
Answer solver_check(Task *task, Solver *solver, const Exprs *formulas,
                    unsigned effort, Model **model);

// The same in linear integer arithmetic, to which what is not linear is
// unknown: only NO_MODEL says something about the formulas.  Much the faster
// where sums and products by constants decide.  Lemmas are true anyway; they
// join the formulas when a model breaks them.  Luck decides how long it takes:
// another seed may be faster, above all one that is odd where this is even.
Answer solver_check_integers(Task *task, Solver *solver, const Exprs *formulas,
                             const Exprs *lemmas, unsigned seed,
                             unsigned effort);

// The value of `a` (width <= 64) in the model, unassigned symbols being zero.
uint64_t solver_value(Task *task, Model *model, Expr *a);

// The query as SMT-LIB 2 text, for --dump=smt.
void solver_print(Task *task, Solver *solver, const Exprs *formulas, FILE *out);

#endif
