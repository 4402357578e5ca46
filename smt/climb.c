// Up the ladder of named assumptions with one obligation, and down again.

#include "smt/proof.h"

#include <string.h>

enum {
  FEW_EFFORT = 50,
  FEWER_EFFORT = 100, // is a premise needed?
  STRICT_EFFORT = 1500,
  REACHED_EFFORT = 1000,
};

// Mostly two accesses never meet at all: then nothing has to be tolerated.
bool climb_proves_strictly(Proof *proof, const Obligation *obligation,
                           PremiseSet names, unsigned effort) {
  if (!obligation->strict)
    return false;
  if (proof_is_strict(proof, obligation, names)) {
    note_strict_proof(proof,
                      ladder_with(proof->task, obligation->strict, names));
    return true;
  }
  Attempt attempt = proof_glance(proof, obligation->strict, names, FEW_EFFORT);
  if (attempt.answer == ANSWER_UNKNOWN)
    attempt = proof_ask(proof, obligation->strict, names, effort);
  if (attempt.answer != ANSWER_NO_MODEL)
    return false;
  note_strict_proof(proof, attempt.obligation);
  return true;
}

// Two that never meet at all need no values to be compared, and nothing of what
// these were read from.
static bool are_apart(Proof *proof, const Obligation *obligation,
                      PremiseSet names, unsigned effort) {
  return obligation->strict &&
         proof_glance(proof, obligation->strict, names, effort).answer ==
             ANSWER_NO_MODEL;
}

bool climb_sees(Proof *proof, const Obligation *obligation, PremiseSet names) {
  const Obligation *strict = obligation->strict;
  return proof_sees(proof, strict ? strict : obligation, names);
}

static Attempt apart(Proof *proof, const Obligation *obligation,
                     PremiseSet names) {
  Attempt attempt = proof_attempt(proof, obligation, names);
  attempt.answer = ANSWER_NO_MODEL;
  return attempt;
}

Attempt climb_glance(Proof *proof, const Obligation *obligation,
                     PremiseSet names, unsigned effort) {
  return are_apart(proof, obligation, names, effort)
             ? apart(proof, obligation, names)
             : proof_glance(proof, obligation, names, effort);
}

// That threads come to `place`, as the violation of another obligation.
static Obligation arrival(Proof *proof, const Obligation *obligation,
                          PremiseSet names, Expr *place) {
  const Obligation *under = ladder_with(proof->task, obligation, names);
  Obligation there = *under;
  there.facts = (Exprs){0};
  exprs_add(proof->task, &under->facts, &there.facts);
  exprs_add(proof->task, &proof->pair->meant, &there.facts);
  there.violation = place;
  there.strict = NULL; // it is about that violation no more
  return there;
}

// Code for blocks that are not full says that they are meant, too.
static bool is_for_smaller_blocks(Proof *proof, const Obligation *obligation) {
  PremiseSet full = names_with(0, PREMISE_FULL_LAUNCH_BOUNDS);
  if (!obligation->reached)
    return false;
  const Obligation there =
      arrival(proof, obligation, full, obligation->reached);
  return proof_glance(proof, &there, 0, FEW_EFFORT).answer == ANSWER_NO_MODEL;
}

// The premises that may help with it.
PremiseSet climb_names(Proof *proof, const Obligation *obligation) {
  PremiseSet names = ladder_names(obligation);
  if (names && !proof->has_climbed) {
    bool is_known = true;
    proof->open =
        ladder_consistent(proof->task, proof->solver, proof->pair, &is_known);
    proof->is_doubtful = !is_known;
    proof->has_climbed = true;
  }
  names &= proof->open;
  if (names_have(names, PREMISE_FULL_LAUNCH_BOUNDS) &&
      is_for_smaller_blocks(proof, obligation))
    names = names_without(names, PREMISE_FULL_LAUNCH_BOUNDS);
  return names;
}

// --------------------------------------------------------------- breaches ---

static Breach *breach_of(Verdict *verdict, const char *name) {
  for (size_t i = 0; i < verdict->breaches.count; i++)
    if (!strcmp(verdict->breaches.at[i].assumption, name))
      return &verdict->breaches.at[i];
  return NULL;
}

static void note_breach(Proof *proof, unsigned kind, const Problem *problem,
                        bool is_found) {
  Verdict *verdict = proof->verdict;
  const char *name = premise_name((PremiseKind)kind);
  Breach breach = {.assumption = name,
                   .sentence = is_found ? problem->sentence : NULL,
                   .where = problem->where,
                   .witness = problem->witness};
  Breach *known = breach_of(verdict, name);
  if (!known)
    push(&proof->task->arena, &verdict->breaches, breach);
  else if (is_found)
    *known = breach;
}

// That values are the same is plain, or found out where they matter.
static bool holds_with(Proof *proof, const Obligation *obligation,
                       PremiseSet names) {
  if (climb_sees(proof, obligation, names))
    return true;
  return obligation->strict
             ? are_apart(proof, obligation, names, FEW_EFFORT) ||
                   proof_sees(proof, obligation, names)
             : proof_glance(proof, obligation, names, FEW_EFFORT).answer ==
                   ANSWER_NO_MODEL;
}

// Without one premise less, `kind`: else that is what breaks.
static bool holds_without(Proof *proof, const Obligation *obligation,
                          PremiseSet names, unsigned kind) {
  PremiseSet fewer = names_without(names, kind);
  if (holds_with(proof, obligation, fewer))
    return true;
  Attempt attempt = proof_search(proof, obligation, fewer, FEWER_EFFORT);
  Problem problem = problem_of(proof, attempt.obligation);
  bool is_model = attempt.answer == ANSWER_MODEL;
  if (attempt.answer == ANSWER_NO_MODEL ||
      (is_model && !problem_find_witness(proof, &attempt, &problem)))
    return true;
  note_breach(proof, kind, &problem, is_model);
  return false;
}

// ------------------------------------------------------------- up and down ---

// That a proof without names tolerates nothing is worth no more effort than to
// find out that it needs none.
void climb_accept(Proof *proof, const Attempt *attempt) {
  PremiseSet names = attempt->names;
  for (unsigned i = PREMISES; i-- > 0;)
    if (names_have(names, i) && !names_have(proof->needed, i) &&
        holds_without(proof, attempt->base, names, i))
      names = names_without(names, i);
  proof->needed |= names;
  const bool are_dropped = attempt->names && !names;
  if (!climb_proves_strictly(proof, attempt->base, names,
                             are_dropped ? FEWER_EFFORT : STRICT_EFFORT))
    note_proof(proof, ladder_with(proof->task, attempt->base, names));
}

// That no operation overflows are facts by the dozen, in which a proof by what
// sizes are gets lost.
static Attempt glance_up(Proof *proof, const Obligation *obligation,
                         PremiseSet all) {
  const PremiseSet sets[] = {
      all & proof->needed, names_without(all, PREMISE_NO_SIGNED_OVERFLOW), all};
  for (unsigned i = 0; i < 3; i++)
    if (sets[i] && are_apart(proof, obligation, sets[i], FEW_EFFORT))
      return apart(proof, obligation, sets[i]);
  Attempt attempt = {.answer = ANSWER_UNKNOWN};
  for (unsigned i = 0; i < 3 && attempt.answer != ANSWER_NO_MODEL; i++)
    if (sets[i] || i == 2)
      attempt = proof_glance(proof, obligation, sets[i], FEW_EFFORT);
  return attempt;
}

Attempt climb_straight(Proof *proof, const Attempt *exact, PremiseSet all,
                       unsigned effort) {
  Attempt quick = glance_up(proof, exact->base, all);
  if (quick.answer != ANSWER_UNKNOWN)
    return quick;
  Attempt top = proof_ask(proof, exact->base, all, effort);
  return top.answer == ANSWER_UNKNOWN && exact->answer == ANSWER_MODEL ? *exact
                                                                       : top;
}

Attempt climb_by_integers(Proof *proof, const Obligation *obligation,
                          PremiseSet all, unsigned effort) {
  Attempt attempt = {
      .answer = ANSWER_UNKNOWN, .base = obligation, .obligation = obligation};
  PremiseSet some = 0;
  for (unsigned i = 0; i < PREMISES && attempt.answer != ANSWER_NO_MODEL; i++) {
    if (!names_have(all, i))
      continue;
    some = names_with(some, i);
    attempt = climb_glance(proof, obligation, some, effort);
  }
  return attempt;
}

Attempt climb(Proof *proof, const Attempt *exact, PremiseSet all,
              unsigned effort) {
  Attempt best = climb_straight(proof, exact, all, effort);
  PremiseSet some = 0;
  if (best.answer == ANSWER_NO_MODEL ||
      (best.answer == ANSWER_MODEL && best.names == all))
    return best;
  if (best.answer == ANSWER_UNKNOWN)
    best = *exact;
  for (unsigned i = 0; i < PREMISES; i++) {
    if (!names_have(all, i))
      continue;
    some = names_with(some, i);
    Attempt attempt = proof_find(proof, exact->base, some, FEWER_EFFORT);
    if (attempt.answer == ANSWER_NO_MODEL)
      return attempt;
    if (attempt.answer == ANSWER_MODEL)
      best = attempt;
  }
  return best;
}

static Answer comes_to(Proof *proof, const Obligation *obligation,
                       PremiseSet names, Expr *choice, Expr *place) {
  Obligation there = arrival(proof, obligation, names, place);
  push(&proof->task->arena, &there.facts, choice);
  return proof_reaches(proof, &there, REACHED_EFFORT);
}

// Both do, or each of them may while the other is elsewhere: that no two come
// there at once is a proof.
static Answer come(Proof *proof, const Obligation *obligation, PremiseSet names,
                   Expr *choice) {
  Answer answer =
      comes_to(proof, obligation, names, choice, obligation->reached);
  if (answer != ANSWER_NO_MODEL || !obligation->alone[0])
    return answer;
  answer = ANSWER_MODEL;
  for (unsigned i = 0; i < 2 && answer == ANSWER_MODEL; i++)
    answer = comes_to(proof, obligation, names, choice, obligation->alone[i]);
  return answer;
}

// Without the names a thread comes there in this launch, with them none does.
static bool rules_out(Proof *proof, const Attempt *attempt, PremiseSet names,
                      Expr *choice) {
  return come(proof, attempt->base, names, choice) == ANSWER_NO_MODEL &&
         come(proof, attempt->base, 0, choice) != ANSWER_NO_MODEL;
}

// Of the launches that the host chooses between.
static bool rules_out_one(Proof *proof, const Attempt *attempt,
                          PremiseSet names) {
  const Exprs *choices = &proof->pair->choices;
  const unsigned cases = ladder_cases(choices);
  for (unsigned i = 0; choices->count && i < cases; i++)
    if (rules_out(proof, attempt, names, ladder_case(proof->task, choices, i)))
      return true;
  return !cases;
}

// SOUND(vacuity): of threads that never come there under the premises anything
// is proved.  That no thread comes there with the arguments that are meant is
// what arguments-not-negative and whole-program say.
static bool is_reached(Proof *proof, const Attempt *attempt) {
  PremiseSet names =
      names_without(attempt->names, PREMISE_ARGUMENTS_NOT_NEGATIVE);
  names = names_without(names, PREMISE_WHOLE_PROGRAM);
  if (!names || !attempt->base->reached)
    return true;
  Answer answer =
      come(proof, attempt->base, names, expr_bool(proof->task, true));
  proof->is_doubtful |= answer == ANSWER_UNKNOWN;
  return answer != ANSWER_NO_MODEL && !rules_out_one(proof, attempt, names);
}

// What the language rules out anyway is less to assume than what a user means.
static PremiseSet lowest(Proof *proof, const Attempt *attempt) {
  PremiseSet language = names_with(proof->needed, PREMISE_NO_SIGNED_OVERFLOW);
  if (!attempt->names || names_have(attempt->names, PREMISE_NO_SIGNED_OVERFLOW))
    return attempt->names;
  language &= climb_names(proof, attempt->base);
  if (!names_have(language, PREMISE_NO_SIGNED_OVERFLOW) ||
      (attempt->names & ~proof->needed) == 0)
    return attempt->names;
  Attempt other = climb_glance(proof, attempt->base, language, FEW_EFFORT);
  return other.answer == ANSWER_NO_MODEL ? language : attempt->names;
}

// Drops what is not needed of a proof, if it is about threads that come there.
static bool accept_lowest(Proof *proof, const Attempt *attempt) {
  Attempt low = *attempt;
  low.names = lowest(proof, attempt);
  if (!is_reached(proof, &low)) {
    if (low.names == attempt->names || !is_reached(proof, attempt))
      return false;
    low.names = attempt->names;
  }
  climb_accept(proof, &low);
  return true;
}

// True: it is known whether the obligation holds.
bool climb_conclude(Proof *proof, const Attempt *attempt, PremiseSet all) {
  if (attempt->answer == ANSWER_NO_MODEL)
    return accept_lowest(proof, attempt);
  if (attempt->answer == ANSWER_MODEL && attempt->names == all)
    note_failure(proof, attempt, 0);
  else
    return false;
  return true;
}
