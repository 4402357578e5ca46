// From a two-thread program to an answer.

#ifndef SMT_SMT_H
#define SMT_SMT_H

#include "translator/translator.h"

typedef struct Model Model;
typedef struct Problem Problem;
typedef struct Solver Solver;
typedef struct Verdict Verdict;
typedef struct Witness Witness;

typedef enum VerdictKind {
  VERDICT_VERIFIED,
  VERDICT_RACY,
  VERDICT_DIVERGENT,
  VERDICT_DEADLOCK,
  VERDICT_ASSERTION,
  VERDICT_OUT_OF_BOUNDS,
  VERDICT_UNKNOWN,
  VERDICT_VACUOUS,
  VERDICT_ERROR,
} VerdictKind;

// A named number of a witness: n = 7.
typedef struct Value {
  const char *name;
  unsigned width; // bits
  uint64_t value;
} Value;

// Concrete inputs under which the problem shows itself.
struct Witness {
  uint32_t thread[2][3], block[2][3];
  uint32_t block_size[3], grid_size[3];
  Vec(Value) arguments; // scalar parameters
  Vec(Value) others;    // loop iterations, loaded values the path depends on
  uint64_t offset[2];   // bytes into the array
  uint64_t bytes[2];
};

struct Problem {
  VerdictKind kind;
  const Obligation *obligation;
  const char *sentence; // "possible write-write race on 'cell'"
  Loc where;            // the later access, the barrier, the assertion
  Witness witness;
  bool has_witness;
  const char *caveat; // NULL, or what makes it unlikely: "only if .. wraps"
};

// Plain data in the task's arena.
struct Verdict {
  VerdictKind kind;
  Vec(Problem) problems;
  const char *reason; // UNKNOWN, VACUOUS, ERROR: why
  Loc where;          // ... and where
  Vec(const char *) assumptions;
  unsigned obligations, proved, failed, undecided;
  double seconds;
};

const char *verdict_name(VerdictKind kind); // "verified", "out-of-bounds"

// ------------------------------------------------------------------ z3.c ---

typedef enum Answer { ANSWER_NO_MODEL, ANSWER_MODEL, ANSWER_UNKNOWN } Answer;

// The process's Z3 context lives behind this; one a task.  All of Z3 together
// takes at most `megabytes`, 0 being no limit; beyond, answers are UNKNOWN.
Solver *z3_open(Task *task, unsigned megabytes);

// Is there a model of all formulas together?  At most `milliseconds`.  With
// `model`, a model is kept there for z3_value.
Answer z3_check(Task *task, Solver *solver, const Exprs *formulas,
                unsigned milliseconds, Model **model);

// Have the formulas no model?  Asks linear integer arithmetic, to which what
// is not linear is unknown: false says nothing.  Much the faster where sums
// and products by constants decide.
bool z3_refute_integers(Task *task, Solver *solver, const Exprs *formulas,
                        unsigned milliseconds);

// The value of `a` (width <= 64) in the model, unassigned symbols being zero.
uint64_t z3_value(Task *task, Model *model, Expr *a);

// The query as SMT-LIB 2 text, for --dump=smt.
void z3_print(Task *task, Solver *solver, const Exprs *formulas, FILE *out);

// ------------------------------------------------------------- product.c ---

// Makes products of two unknowns, and division and remainder by an unknown,
// uninterpreted, and adds what is always true of them (the mixed-radix
// lemma).  Every model of the old formulas is one of the new; not the other
// way round.  Returns false, and leaves `to` empty, where there are none.
bool product_abstract(Task *task, const Exprs *from, Exprs *to);

// ------------------------------------------------------------- houdini.c ---

// Adds to each loop's invariants the candidates that hold.
void smt_infer_invariants(Task *task, Kernel *kernel);

// --------------------------------------------------------------- solve.c ---

// Proves or refutes every obligation of the pair program.
Verdict *smt_verify(Task *task, Pair *pair);

#endif
