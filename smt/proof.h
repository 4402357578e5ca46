// A proof of one kernel under way, and what its makers share.

#ifndef SMT_PROOF_H
#define SMT_PROOF_H

#include "smt/smt.h"

// A query with its answer.
typedef struct Query {
  uint64_t hash;
  Question question; // all of it by id, each once
  Exprs refuted;     // NO_MODEL: which of it has none, by id
  Answer answer;
  bool is_of_core;  // that was refuted
  unsigned glanced; // effort of a glance that did not decide it,
  unsigned asked;   // and of a question
  bool is_seen;     // looked at; not decided, if there is no answer
  bool is_tried;    // by plain numbers
  Model *model;
} Query;

// What is known of an obligation with the facts of some premises.
typedef struct Attempt {
  Answer answer;
  PremiseSet names;
  const Obligation *base;       // the obligation without
  const Obligation *obligation; // and with these facts
  Model *model;
} Attempt;

typedef struct Proof {
  Task *task;
  const Pair *pair;
  Solver *solver;
  Verdict *verdict;
  Vec(Query *) queries;
  Vec(Model *) arrivals; // of threads at places that they reach
  Vec(Attempt) hard;     // attempts at those that are not easy
  PartEfforts parts;
  bool may_overflow; // an obligation holds unless an index overflows
  bool has_climbed;  // what comes next is known
  bool is_doubtful;  // whether what is open has a model
  PremiseSet open;   // premises that may be used
  PremiseSet needed; // and those that something proved rests on
} Proof;

// --------------------------------------------------------------- query.c ---

// The obligation with the facts of `names`, of which nothing is asked yet.
Attempt proof_attempt(const Proof *proof, const Obligation *obligation,
                      PremiseSet names);
// The obligation with the facts of `names`.  Each query is asked once; one that
// was not decided, again with more effort.
Attempt proof_ask(Proof *proof, const Obligation *obligation, PremiseSet names,
                  unsigned effort);
// The same by plain numbers alone, which refute nothing.
Attempt proof_try(Proof *proof, const Obligation *obligation, PremiseSet names);
// Is it refuted by what is read off it, or seen by integers at once?
bool proof_sees(Proof *proof, const Obligation *obligation, PremiseSet names);
// The same by linear integers alone, which find no model.
Attempt proof_glance(Proof *proof, const Obligation *obligation,
                     PremiseSet names, unsigned effort);
// The same by what finds a model soon, if there is one.
Attempt proof_search(Proof *proof, const Obligation *obligation,
                     PremiseSet names, unsigned effort);
// Both, one after the other.
Attempt proof_find(Proof *proof, const Obligation *obligation, PremiseSet names,
                   unsigned effort);
// Has the obligation a model, as it is?  One is expected.
Answer proof_reaches(Proof *proof, const Obligation *obligation,
                     unsigned effort);
// What was proved of it tolerates nothing, as the core of its question.
bool proof_is_strict(Proof *proof, const Obligation *obligation,
                     PremiseSet names);
// For --dump=smt.
void proof_print_queries(Proof *proof);

// ------------------------------------------------------------- problem.c ---

// Of the obligation; without a witness.
Problem problem_of(const Proof *proof, const Obligation *obligation);
// False: there is none, for with all facts the obligation holds.
bool problem_find_witness(Proof *proof, const Attempt *attempt,
                          Problem *problem);
// A problem at the same places is told already, without a caveat.
bool problem_is_told(const Proof *proof, const Obligation *obligation);
void problem_repeat(Proof *proof, const Obligation *obligation);

// What becomes of an obligation.  Proved, perhaps because something is
// tolerated; proved though nothing is; not proved, and suppressed; not decided,
// and why; failed, and not decided under `left`.
void note_proof(Proof *proof, const Obligation *obligation);
void note_strict_proof(Proof *proof, const Obligation *strict);
void note_excuse(Proof *proof, const Obligation *obligation);
void note_undecided(Proof *proof, const Obligation *obligation,
                    const char *why);
void note_failure(Proof *proof, const Attempt *attempt, PremiseSet left);

// --------------------------------------------------------------- climb.c ---

// The premises that may help with it.
PremiseSet climb_names(Proof *proof, const Obligation *obligation);
// It is plain with these names.
bool climb_sees(Proof *proof, const Obligation *obligation, PremiseSet names);
// What integers prove of it with these names.
Attempt climb_glance(Proof *proof, const Obligation *obligation,
                     PremiseSet names, unsigned effort);
// With what is assumed already, else with all there is.
Attempt climb_straight(Proof *proof, const Attempt *exact, PremiseSet all,
                       unsigned effort);
// What integers prove of it, with ever more of the names.
Attempt climb_by_integers(Proof *proof, const Obligation *obligation,
                          PremiseSet all, unsigned effort);
// ... and where that is not decided with less: fewer facts may be easier.  A
// model of fewer is kept.
Attempt climb(Proof *proof, const Attempt *exact, PremiseSet all,
              unsigned effort);
// Proved; what it does not need is dropped.
void climb_accept(Proof *proof, const Attempt *attempt);
// True: it is known whether the obligation holds.
bool climb_conclude(Proof *proof, const Attempt *attempt, PremiseSet all);
// Without tolerance, with the facts of `names`; then it is noted.
bool climb_proves_strictly(Proof *proof, const Obligation *obligation,
                           PremiseSet names, unsigned effort);

#endif
