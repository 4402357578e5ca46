// What the z3*.c files share; everybody else includes solver.h.
//
// Z3 can be asked in two languages: bit vectors (z3_bits.c), which say exactly
// what a program computes, and linear integers (z3_integers.c), which say less
// and are refuted faster.  Contexts, solvers and errors are z3.c's.

#ifndef SMT_Z3_TERMS_H
#define SMT_Z3_TERMS_H

#include "smt/bounds.h"
#include "smt/solver.h"

#include <z3.h>

// Shared by all tasks of the process; deleted when the last one lets go of a
// context that is spoiled.
typedef struct TermContext {
  Z3_context z3;
  unsigned users;
  bool is_spoiled; // Z3 ran out of memory in it
} TermContext;

// What Z3 is asked in.
typedef enum TermLanguage { LANGUAGE_BITS, LANGUAGE_INTEGERS } TermLanguage;

// An expression as a number.
typedef struct Integer {
  Z3_ast loose;     // equal modulo 2^width; a Boolean where the width is one
  Z3_ast tight;     // in 0 .. 2^width - 1; NULL until someone asks
  Z3_ast range;     // what has to be known of it, or NULL
  double low, high; // of `loose`, rounded outwards
  Bounds bounds;    // of the query for which it was made,
  unsigned made;    // by number
} Integer;

typedef struct Z3Solver {
  Solver common;
  TermContext *context;
  Z3_context z3;
  Vec(Z3_ast) terms;       // by Expr.id, NULL where there is none yet
  Vec(bool) has_functions; // by Expr.id: an APPLY is in it
  Vec(Integer) integers;   // by Expr.id
  unsigned queries;        // over integers, so far
  Vec(Z3_ast) kept;        // what we hold references to
  Vec(Z3_model) models;
} Z3Solver;

static inline Z3Solver *z3_of(Solver *solver) { return (Z3Solver *)solver; }

// ------------------------------------------------------------------ z3.c ---

// Every term goes through here: holds it for the task, or ends the task if
// the call that made it failed.
Z3_ast z3_keep(Task *task, Z3Solver *solver, Z3_ast term);
// What was wrong with the last call, or NULL.  Tells only the first who asks.
const char *z3_failure(Z3Solver *solver);

// The caller gives them back.
Z3_params z3_new_parameters(Z3Solver *solver);
void z3_set_number(Z3_context z3, Z3_params params, const char *name,
                   unsigned value);
// Z3's answer, until so much effort is made or the task's time is over.
Answer z3_run(Task *task, Z3Solver *solver, Z3_solver z3_solver,
              TermLanguage language, double effort, Model **model);

// ----------------------------------------------------------- z3_watch.c ---

// Z3_solver_check, interrupted after so many seconds of the processor, or when
// the task's time is over.  A task without a limit is not interrupted.
Z3_lbool z3_watched_check(const Task *task, Z3Solver *solver,
                          Z3_solver z3_solver, double seconds);
// What comes to Z3 just as a check is over is kept for the next one, which
// loses its formulas (Z3 4.8.12).  So that is one nobody asks for.
void z3_take_late_stop(Z3_context z3);

// -------------------------------------------------------- z3_integers.c ---

// SolverKind.check_integers.
Answer z3_check_integers(Task *task, Solver *common, const Exprs *formulas,
                         const Exprs *lemmas, unsigned seed, unsigned effort);

// The integer of an expression that has one, modulo 2^width.
Z3_ast z3_loose(const Z3Solver *solver, const Expr *e);

// ----------------------------------------------------------- z3_digits.c ---

// x - y, both with integers, over digits that *definitions define.  NULL:
// there is one digit only.
Z3_ast z3_difference(Task *task, Z3Solver *solver, const Expr *x, const Expr *y,
                     Z3_ast *definitions);

// ------------------------------------------------------------- z3_bits.c ---

// The term of an expression; Boolean if it is one bit wide.
Z3_ast bits_term(Task *task, Z3Solver *solver, Expr *a);
// Makes all of them, which may end the task, so do it before there is a
// solver to lose.  True: there are uninterpreted functions among them.
bool bits_make_all(Task *task, Z3Solver *solver, const Exprs *formulas);
Z3_ast bits_known(const Z3Solver *solver, const Expr *a); // NULL: not made yet

// Booleans, for both languages.
Z3_sort bits_sort(Z3Solver *solver, unsigned width);
Z3_ast bits_constant(Task *task, Z3Solver *solver, const Expr *a);
Z3_ast bits_not(Task *task, Z3Solver *solver, Z3_ast a);
Z3_ast bits_and(Task *task, Z3Solver *solver, Z3_ast a, Z3_ast b);
Z3_ast bits_or(Task *task, Z3Solver *solver, Z3_ast a, Z3_ast b);
// The operator of `e` over single bits.
Z3_ast bits_operation(Task *task, Z3Solver *solver, const Expr *e, Z3_ast a,
                      Z3_ast b);

#endif
