// From a two-thread program to an answer.

#ifndef SMT_SMT_H
#define SMT_SMT_H

#include "smt/solver.h"

typedef struct Problem Problem;
typedef struct Verdict Verdict;
typedef struct Witness Witness;

// In the order of verdicts.def: the greater, the worse.
typedef enum VerdictKind {
#define VERDICT(kind, name, group) VERDICT_##kind,
#include "smt/verdicts.def"
#undef VERDICT
} VerdictKind;

// What a verdict comes to.
typedef enum VerdictGroup {
  GROUP_PROVED,
  GROUP_UNDECIDED,
  GROUP_BUG,
  GROUP_WRONG_USE,
} VerdictGroup;

// A named number of a witness: n = 7.
typedef struct Value {
  const char *name;
  unsigned width; // bits
  uint64_t value;
  bool is_signed; // declared so
} Value;

// What an array holds from the start; of a struct passed by value, its bytes.
typedef struct Held {
  const Array *array;
  uint64_t offset; // bytes
  unsigned width;  // bits
  uint64_t value;
} Held;

// What a thread, 0 or 1, found in memory that the kernel writes.
typedef struct Found {
  unsigned thread; // 2: both
  Loc loc;
  unsigned width;
  uint64_t value;
} Found;

// Concrete inputs under which the problem shows itself.
struct Witness {
  uint32_t thread[2][3], block[2][3];
  uint32_t block_size[3], grid_size[3], global_offset[3];
  Vec(Value) arguments; // scalar parameters
  Vec(Value) others;    // loop iterations, loaded values the path depends on
  uint64_t offset[2];   // bytes into the array
  uint64_t bytes[2];
  Locs way[2];        // lines that each thread takes to its access
  Vec(Held) contents; // what a replay puts into memory
  Vec(Found) found;
};

struct Problem {
  VerdictKind kind;
  const Obligation *obligation;
  const char *sentence; // "possible write-write race on 'cell'"
  Loc where;            // the later access, the barrier, the assertion
  Witness witness;
  bool has_witness;
  const char *caveat; // NULL, or what makes it unlikely: "only if .. wraps"
  bool is_confirmed;  // seen in an execution
  const char *replay; // what was seen, or why not; NULL: not tried
};

// Two accesses that may come at once and are no race because both write the
// same or are volatile: SOUND(benign-writes), SOUND(volatile-accesses).
typedef struct Tolerated {
  Loc where, other; // equal where it is one statement
  const char *array;
  const char *assumption; // its name
} Tolerated;

// An obligation that failed, or was not decided, and that is suppressed.
typedef struct Excuse {
  VerdictKind kind;
  const char *sentence;
  const char *array; // of a race, or NULL
  Loc where, other;  // of a race the other access, else nowhere
  const Suppression *by;
} Excuse;

// A set of premises, a bit each.
typedef unsigned PremiseSet;

// What goes wrong without an assumption that the verdict rests on.
typedef struct Breach {
  const char *assumption; // its name
  const char *sentence;   // NULL: it was not decided
  Loc where;
  Witness witness; // if there is a sentence
} Breach;

// An array, a barrier or whatever else may go wrong, beside a problem.
typedef struct Part {
  const char *name; // the array's; NULL: a barrier or an assertion
  Loc where;        // of its first obligation
  VerdictKind kind; // VERIFIED, UNKNOWN or the problem's
} Part;

// Plain data in the task's arena.
struct Verdict {
  VerdictKind kind;
  Vec(Problem) problems;
  const char *reason; // UNKNOWN, VACUOUS, ERROR: why
  Loc where;          // ... and where
  Vec(const char *) assumptions;
  Vec(Tolerated) tolerated; // each pair of places once
  Vec(Excuse) excuses;      // the same
  Vec(Breach) breaches;     // one a premise among the assumptions
  Vec(Part) parts;          // in the order of their first obligations
  unsigned obligations, proved, failed, undecided, excused;
  double seconds;
};

// ------------------------------------------------------------- verdict.c ---

const char *verdict_name(VerdictKind kind); // "verified", "out-of-bounds"
VerdictGroup verdict_group(VerdictKind kind);
// Does `a` count, of the two?
bool verdict_is_worse(VerdictKind a, VerdictKind b);
// What a kernel is if that fails.
VerdictKind verdict_of_failure(const Obligation *obligation);
// One of its problems was seen in an execution.
bool verdict_is_confirmed(const Verdict *verdict);
// What was seen in an execution comes before what was not.
void verdict_confirmed_first(Task *task, Verdict *verdict);

// ------------------------------------------------------------- assumed.c ---

// The verdict rests on it.
void assumed_by_name(Task *task, Verdict *verdict, const char *name);
// The proof tolerates two accesses that may meet, by this assumption.
void assumed_tolerance(Task *task, Verdict *verdict, const char *name,
                       const Stmt *where, const Stmt *other);
// The proof may rest upon atomic counters.
void assumed_counters(Task *task, Solver *solver, Verdict *verdict,
                      const Obligation *obligation);

// ------------------------------------------------------------- product.c ---

// Makes products of two unknowns, and division and remainder by an unknown,
// uninterpreted; what is always true of them (the mixed-radix lemma) goes to
// `lemmas`.  Every model of the old formulas is one of the new and of the
// lemmas; not the other way round.  Returns false, and leaves `to` and
// `lemmas` empty, where there are none.
bool product_abstract(Task *task, const Exprs *from, Exprs *to, Exprs *lemmas);

// Is it such a product, of its two arguments, which does not wrap?
bool product_is_wide(const Expr *e);

// Is it a product, quotient or remainder that becomes uninterpreted?
bool product_is_of_unknowns(const Expr *e);

// -------------------------------------------------------------- rewrite.c ---

// The formulas with fewer signs, cuts and cases where their own bounds allow
// that, and the lemmas, which are true wherever they are, with them.  Every
// model of formulas and lemmas is one of the results.
Exprs smt_rewrite(Task *task, const Exprs *formulas, Exprs *lemmas);

// ---------------------------------------------------------------- masks.c ---

// The same of sums that go by names, if masks are made of some: a weaker query.
bool smt_of_masks(Task *task, const Exprs *formulas, Exprs *rest);

// --------------------------------------------------------------- opaque.c ---

// The formulas with names for values that are read and for what is computed of
// such values alone.  Every model of the old formulas is one of the new.
Exprs smt_opaque(Task *task, const Exprs *formulas);

// ---------------------------------------------------------------- carry.c ---

// What is always true of the comparisons among the formulas that say of a sum
// that it does not wrap: that it is the sum, without wrapping.
void carry_lemmas(Task *task, const Exprs *formulas, Exprs *lemmas);

// --------------------------------------------------------------- reduce.c ---

// The formulas without what follows from others of them, and without the
// symbols that some of them define, x == a.  Together with these `definitions`
// they have the same models; alone they have one if there is one.
Exprs smt_reduce(Task *task, const Exprs *formulas, Exprs *definitions);

// ------------------------------------------------------------ multiples.c ---

// The formulas over x / c where one of them says that x is a multiple of c.
// Together with the `definitions` of x they have the same models; alone they
// have one if there is one.
Exprs smt_multiples(Task *task, const Exprs *formulas, Exprs *definitions);

// ------------------------------------------------------------ quotients.c ---

// The formulas with the quotients of which they have the remainders, where
// their own bounds say that these are the same.  They have the same models.
Exprs smt_quotients(Task *task, const Exprs *formulas);

// ----------------------------------------------------------------- idle.c ---

// Without the facts that say only that terms have room, of which no other
// speaks.
Exprs smt_without_idle(Task *task, const Exprs *formulas);

// -------------------------------------------------------------- threads.c ---

// The formulas, each a conjunct, that have to do with ids of threads and
// blocks, by symbols that they have in common.
Exprs smt_about_threads(Task *task, const Exprs *formulas);

// ----------------------------------------------------------------- data.c ---

// The conjuncts that say nothing of what is read.  False: what else there is is
// small.
bool smt_without_data(Task *task, const Exprs *formulas, Exprs *rest);

// --------------------------------------------------------------- places.c ---

// The conjuncts that say something of what the two threads' places are made of,
// and of nothing else.  False: those are most.
bool smt_of_places(Task *task, const Exprs *formulas, Exprs *rest);

// ---------------------------------------------------------------- radix.c ---

// Somebody who can say that formulas have no model.  False: perhaps they have.
typedef struct Refuter {
  bool (*refutes)(void *data, const Exprs *formulas);
  void *data;
} Refuter;

// Replaces s*x + y == s*x' + y' by x == x' and y == y' where the formulas say
// that y and y' are below s and that nothing wraps, as the refuter finds out,
// or without one smt/naturals.c, and then says x == x' also of equal quotients
// and remainders.  Together they have the models that they had.  False: there
// was nothing to be replaced.
bool radix_split(Task *task, const Refuter *refuter, const Exprs *from,
                 Exprs *to);

// --------------------------------------------------------------- wholes.c ---

// Adds that two numbers are equal whose quotients and remainders are.
void wholes_join(Task *task, Exprs *facts);

// --------------------------------------------------------------- asked.c ---

// Has the solver been asked of these formulas, for as long as anybody asks of
// digits?  Then whether it has refuted them.
bool asked_before(const Solver *solver, const Exprs *formulas,
                  bool *is_refuted);
void asked_note(Task *task, Solver *solver, const Exprs *formulas,
                bool is_refuted);

// -------------------------------------------------------------- decide.c ---

// Is there a model of all of the question?  Tries everything we have, for
// with that effort in all.  An empty core is not looked at.  Without `model` it
// is enough that there is one.
Answer smt_decide(Task *task, Solver *solver, const Question *question,
                  unsigned effort, Model **model);

// The same, but only what finds a model soon is tried.
Answer smt_find(Task *task, Solver *solver, const Question *question,
                unsigned effort, Model **model);

// The same where a model is worth no more than not to know: what only finds
// one is not asked for long.
bool smt_sift(Task *task, Solver *solver, const Question *question,
              unsigned effort);

// Is there none by what is read off it, or by linear integers at once?
bool smt_sees(Task *task, Solver *solver, const Question *question,
              unsigned effort);

// Do linear integers alone, for so long at most, show that there is none?
bool smt_refutes(Task *task, Solver *solver, const Question *question,
                 unsigned effort);

// ---------------------------------------------------------------- small.c ---

// The formulas, and that ids, sizes, parameters and iterations are small.
// False: there are none.
bool smt_bound(Task *task, const Exprs *from, Exprs *to);

// The same with sizes of the launch and factors that are plain numbers, others
// in each variant; and which.  False: there are none.
enum { SMT_VARIANTS = 4 };
bool smt_fix(Task *task, unsigned variant, const Exprs *from, Exprs *to);

// ---------------------------------------------------------------- trial.c ---

// A model of the formulas that is found by trying plain numbers, at once or
// not at all.  False: none was found, which says nothing.
bool smt_try(Task *task, Solver *solver, const Exprs *formulas, Model **model);

// ---------------------------------------------------------------- cases.c ---

// In how many cases a shift by an iteration's number becomes one by a number,
// but for the case that it shifts everything out; 0: there is no such shift.
unsigned smt_cases(Task *task, const Exprs *from);

// The formulas in one of them, and that it is this one; with the number of
// cases, in none of them.  Each model of the formulas is one of just one case.
Exprs smt_case(Task *task, const Exprs *from, unsigned number);

// -------------------------------------------------------------- choices.c ---

// The condition of a choice that the launch makes and that something is
// multiplied by; NULL: there is none.
Expr *smt_choice(Task *task, const Exprs *from);

// The formulas where the condition is true or false, and that it is.
Exprs smt_chosen(Task *task, const Exprs *from, Expr *condition, bool truth);

// ------------------------------------------------------- synchronises.c ---

// Finds the loops of which no iteration goes without a barrier.  Needs
// invariants.  Makes Loop.always_synchronises.
void smt_find_synchronising(Task *task, Kernel *kernel);

// ------------------------------------------------------------ promises.c ---

// Proves conditions on operands of atomics.  Makes Access.promises.
void smt_find_promises(Task *task, Kernel *kernel);

// ------------------------------------------------------------- houdini.c ---

// Adds to each loop's invariants the candidates that hold.
void smt_infer_invariants(Task *task, Kernel *kernel);

// ------------------------------------------------------------- witness.c ---

// "only if an index computation overflows ..."
extern const char *const smt_overflow_caveat;

// Is all well unless an index computation overflows?  False: perhaps not.
bool smt_needs_overflow(Task *task, Solver *solver,
                        const Obligation *obligation);

// Fills the problem's witness, and its caveat if it needs an overflow.  Of the
// obligation the model of a query without the facts that are not connected is
// known.  False: all of the facts refute it.
bool smt_find_witness(Task *task, Solver *solver, const Kernel *kernel,
                      Model *sliced, Problem *problem);

// --------------------------------------------------------------- parts.c ---

typedef struct PartEffort {
  const void *key;
  double effort; // since there was a problem
} PartEffort;

// Of one kernel, beside its Verdict.parts.
typedef struct PartEfforts {
  Task *task;
  Verdict *verdict;
  Vec(PartEffort) each;
} PartEfforts;

void parts_worsen(PartEfforts *parts, const Obligation *obligation,
                  VerdictKind kind);
// Once all is said, what rests on something that failed is not proved.
void parts_settle(Verdict *verdict);
void parts_spend(PartEfforts *parts, const Obligation *obligation,
                 double effort);
double parts_effort(PartEfforts *parts, const Obligation *obligation);

// -------------------------------------------------------------- ladder.c ---

bool names_have(PremiseSet names, unsigned kind);
PremiseSet names_with(PremiseSet names, unsigned kind);
PremiseSet names_without(PremiseSet names, unsigned kind);

// Those that say something of the obligation.
PremiseSet ladder_names(const Obligation *obligation);
// The obligation with their facts.
const Obligation *ladder_with(Task *task, const Obligation *obligation,
                              PremiseSet names);
// The same, but of all facts that nothing overflows only those of operations
// whose results the obligation speaks of.  NULL: there are no others.
const Obligation *ladder_near(Task *task, const Obligation *obligation,
                              PremiseSet names);
// The ways to choose by so many conditions; 0: they are too many to look at.
enum { LADDER_MOST_CHOICES = 5 };
unsigned ladder_cases(const Exprs *choices);
// Which of the conditions hold in one of them.
Expr *ladder_case(Task *task, const Exprs *choices, unsigned number);
// Those that may be used together.  `is_known`: there is a model of them all.
PremiseSet ladder_consistent(Task *task, Solver *solver, const Pair *pair,
                             bool *is_known);

// --------------------------------------------------------------- solve.c ---

// Proves or refutes every obligation of the pair program.
Verdict *smt_verify(Task *task, Pair *pair);

// The same where all obligations are proved at a glance; NULL at the first one
// that is not.
Verdict *smt_verify_easy(Task *task, const Pair *pair);

#endif
