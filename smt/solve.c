// From obligations to a verdict.
//
// An obligation is proved if its facts and its violation have no model
// together.  It is enough that those facts refute it which are connected to
// the violation (obligation_question), so each query is small; threads are
// alike, so many are the same query.  Everybody gets a little effort first and
// the hard ones share what is left.
//
// What has a model may be proved under named assumptions (smt/ladder.c), and so
// may what is hard.  What has one in spite of them is a problem; those of one
// kind at the same two places are one problem, with the first witness that was
// found, and the others are not asked about.  Once there is a problem the
// verdict is known, and every other array and barrier gets only a little more
// (smt/parts.c).  What the solver did not decide leaves the verdict `unknown`,
// never `verified`.

#include "smt/proof.h"

#include <limits.h>
#include <math.h>

enum {
  LOOK_EFFORT = 100,
  QUICK_EFFORT = 500,
  INTEGER_EFFORT = 300,        // for each set of names
  LEAST_EFFORT = 2000,         // for a hard one, whatever the others need
  GLANCE_EFFORT = 50,          // for what has to be easy
  EFFORT_AFTER_PROBLEM = 1000, // for each array or barrier
  HARD_GLANCE = 1500,
  OVERFLOW_EFFORT = 1000,
  CONSISTENCY_EFFORT = 5000,
};

// The user wants no more problems than these.
static bool is_limit_reached(const Proof *proof) {
  unsigned limit = proof->pair->kernel->options->error_limit;
  return limit && proof->verdict->problems.count >= limit;
}

static bool is_time_over(Proof *proof, const Obligation *obligation) {
  return task_is_late(proof->task) || is_limit_reached(proof) ||
         parts_effort(&proof->parts, obligation) > EFFORT_AFTER_PROBLEM;
}

static const char *why_undecided(Proof *proof, const Obligation *obligation) {
  if (task_is_late(proof->task))
    return "the time budget is used up (see --timeout, --file-timeout)";
  return is_time_over(proof, obligation)
             ? "not looked at after the first problem"
             : "the solver gave up";
}

// ------------------------------------------------------------- one by one ---

static bool holds_at_a_glance(Proof *proof, const Obligation *obligation) {
  return proof_glance(proof, obligation, 0, GLANCE_EFFORT).answer ==
         ANSWER_NO_MODEL;
}

// What has to be tolerated is looked at more closely.
static bool is_easy(Proof *proof, const Obligation *obligation) {
  const Obligation *strict =
      obligation->strict ? obligation->strict : obligation;
  if (!holds_at_a_glance(proof, strict))
    return false;
  note_strict_proof(proof, strict);
  return true;
}

static bool prove_at_a_glance(Proof *proof, const Obligation *obligation) {
  if (is_easy(proof, obligation))
    return true;
  if (!obligation->strict || !holds_at_a_glance(proof, obligation))
    return false;
  if (!climb_proves_strictly(proof, obligation, 0, LOOK_EFFORT))
    note_proof(proof, obligation);
  return true;
}

// What is plain with all premises is so sooner than not plain without.
static bool prove_plainly(Proof *proof, const Obligation *obligation) {
  if (!ladder_names(obligation) || climb_sees(proof, obligation, 0))
    return prove_at_a_glance(proof, obligation);
  PremiseSet all = climb_names(proof, obligation);
  Attempt plain = proof_attempt(proof, obligation, all);
  plain.answer = ANSWER_NO_MODEL;
  if (all && climb_sees(proof, obligation, all) &&
      climb_conclude(proof, &plain, all))
    return true;
  return prove_at_a_glance(proof, obligation);
}

// What is not plain without premises may be so with them, and what they are
// needed for is found out by dropping them again.
static bool prove_at_once(Proof *proof, Attempt *attempt) {
  const Obligation *obligation = attempt->base;
  PremiseSet needed = proof->needed & ladder_names(obligation);
  if (needed) {
    Attempt quick = climb_glance(proof, obligation, needed, LOOK_EFFORT);
    if (quick.answer == ANSWER_NO_MODEL &&
        climb_conclude(proof, &quick, needed))
      return true;
  }
  if (prove_plainly(proof, obligation))
    return true;
  PremiseSet all = climb_names(proof, obligation);
  *attempt = proof_try(proof, obligation, all);
  if (attempt->answer == ANSWER_MODEL)
    return climb_conclude(proof, attempt, all);
  if (!all && climb_proves_strictly(proof, obligation, 0, LOOK_EFFORT))
    return true;
  *attempt = all ? climb_straight(proof, attempt, all, LOOK_EFFORT)
                 : proof_ask(proof, obligation, 0, LOOK_EFFORT);
  return climb_conclude(proof, attempt, all);
}

static bool prove(Proof *proof, Attempt *attempt, unsigned effort) {
  const Obligation *obligation = attempt->base;
  if (problem_is_told(proof, obligation)) {
    problem_repeat(proof, obligation);
    return true;
  }
  if (prove_at_once(proof, attempt))
    return true;
  PremiseSet all = climb_names(proof, obligation);
  *attempt = climb_by_integers(proof, obligation, all, INTEGER_EFFORT);
  if (attempt->answer == ANSWER_NO_MODEL)
    return climb_conclude(proof, attempt, all);
  *attempt = proof_ask(proof, obligation, 0, effort);
  if (attempt->answer == ANSWER_NO_MODEL)
    return climb_conclude(proof, attempt, 0);
  *attempt = climb(proof, attempt, all, effort);
  return climb_conclude(proof, attempt, all);
}

static bool prove_in_time(Proof *proof, Attempt *attempt) {
  double before = proof->solver->effort;
  bool is_known = !is_time_over(proof, attempt->base) &&
                  prove(proof, attempt, QUICK_EFFORT);
  parts_spend(&proof->parts, attempt->base, proof->solver->effort - before);
  return is_known;
}

static void prove_easy(Proof *proof) {
  for (size_t i = 0; i < proof->pair->obligations.count; i++) {
    const Obligation *obligation = proof->pair->obligations.at[i];
    Attempt attempt = {
        .answer = ANSWER_UNKNOWN, .base = obligation, .obligation = obligation};
    if (prove_in_time(proof, &attempt))
      continue;
    if (obligation->suppression)
      note_excuse(proof, obligation);
    else
      push(&proof->task->arena, &proof->hard, attempt);
  }
}

// What one of `count` may take of what is left to the kernel.
static unsigned fair_share(const Proof *proof, size_t count) {
  const double seconds = proof->pair->kernel->options->timeout;
  if (seconds <= 0)
    return UINT_MAX;
  double left = EFFORT_OF_SECOND * seconds - proof->solver->effort;
  return (unsigned)fmin(fmax(left / (double)count, LEAST_EFFORT), UINT_MAX);
}

// Half of it without premises, half with all of them.  How long integers take
// is luck, and many attempts with all premises cost less than the search for a
// model without.
static Attempt search(Proof *proof, const Attempt *best, PremiseSet all,
                      unsigned share) {
  const unsigned glance = share / 8 < HARD_GLANCE ? share / 8 : HARD_GLANCE;
  Attempt quick = {.answer = ANSWER_UNKNOWN};
  if (all)
    quick = climb_glance(proof, best->base, all, glance);
  if (quick.answer == ANSWER_NO_MODEL)
    return quick;
  Attempt exact = proof_ask(proof, best->base, 0, all ? share / 2 : share);
  if (exact.answer == ANSWER_NO_MODEL || !all)
    return exact;
  Attempt top = proof_ask(proof, best->base, all, share / 2);
  if (top.answer != ANSWER_UNKNOWN)
    return top;
  return best->answer == ANSWER_UNKNOWN ? exact : *best;
}

static unsigned what_is_left(Proof *proof, const Obligation *obligation,
                             unsigned share) {
  if (!proof->verdict->problems.count)
    return share;
  double left = EFFORT_AFTER_PROBLEM - parts_effort(&proof->parts, obligation);
  return (unsigned)fmin(share, fmax(left, 1));
}

// A long search for an overflow is worth nobody's time, and a second one says
// nothing new.
static void prove_one_hard(Proof *proof, Attempt attempt, unsigned share) {
  const Obligation *obligation = attempt.base;
  const char *why = NULL;
  if (problem_is_told(proof, obligation)) {
    problem_repeat(proof, obligation);
    return;
  }
  PremiseSet all = climb_names(proof, obligation);
  if (!is_time_over(proof, obligation) &&
      smt_needs_overflow(proof->task, proof->solver, obligation)) {
    why = smt_overflow_caveat;
    share = proof->may_overflow ? 0 : OVERFLOW_EFFORT;
    proof->may_overflow = true;
  }
  share = share ? what_is_left(proof, obligation, share) : 0;
  if (share && !is_time_over(proof, obligation))
    attempt = search(proof, &attempt, all, share);
  if (climb_conclude(proof, &attempt, all))
    return;
  if (attempt.answer == ANSWER_MODEL)
    note_failure(proof, &attempt, all & ~attempt.names);
  else
    note_undecided(proof, obligation,
                   why ? why : why_undecided(proof, obligation));
}

static void prove_hard(Proof *proof) {
  for (size_t i = 0; i < proof->hard.count; i++) {
    const Attempt *attempt = &proof->hard.at[i];
    double before = proof->solver->effort;
    prove_one_hard(proof, *attempt, fair_share(proof, proof->hard.count - i));
    parts_spend(&proof->parts, attempt->base, proof->solver->effort - before);
  }
}

// --------------------------------------------------------------- verdict ---

static Loc first_requirement(const Kernel *kernel) {
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (kernel->stmts.at[i]->is_requires)
      return kernel->stmts.at[i]->loc;
  return kernel->loc;
}

// SOUND(vacuity): whatever holds for no thread at all is proved of it.
static bool is_vacuous(Proof *proof) {
  Verdict *verdict = proof->verdict;
  Question question = {.all = proof->pair->consistent};
  Answer answer = smt_decide(proof->task, proof->solver, &question,
                             CONSISTENCY_EFFORT, NULL);
  if (answer == ANSWER_UNKNOWN)
    push(&proof->task->arena, &verdict->assumptions, "vacuity");
  if (answer != ANSWER_NO_MODEL)
    return false;
  verdict->kind = VERDICT_VACUOUS;
  verdict->reason = "no thread satisfies them all";
  verdict->where = first_requirement(proof->pair->kernel);
  return true;
}

static VerdictKind worst(const Verdict *verdict) {
  VerdictKind kind = verdict->undecided       ? VERDICT_UNKNOWN
                     : verdict->excuses.count ? VERDICT_SUPPRESSED
                                              : VERDICT_VERIFIED;
  for (size_t i = 0; i < verdict->problems.count; i++)
    if (verdict_is_worse(verdict->problems.at[i].kind, kind))
      kind = verdict->problems.at[i].kind;
  return kind;
}

static Verdict *new_verdict(Task *task, const Pair *pair) {
  Verdict *verdict = NEW(&task->arena, Verdict);
  verdict->obligations = (unsigned)pair->obligations.count;
  for (size_t i = 0; i < pair->kernel->assumptions.count; i++)
    push(&task->arena, &verdict->assumptions, pair->kernel->assumptions.at[i]);
  return verdict;
}

static Proof new_proof(Task *task, const Pair *pair) {
  Verdict *verdict = new_verdict(task, pair);
  return (Proof){.task = task,
                 .pair = pair,
                 .solver = solver_open(task, pair->kernel->options->memory),
                 .verdict = verdict,
                 .parts = {.task = task, .verdict = verdict}};
}

static void name_premises(Proof *proof) {
  for (unsigned i = 0; i < PREMISES; i++)
    if (names_have(proof->needed, i))
      assumed_by_name(proof->task, proof->verdict,
                      premise_name((PremiseKind)i));
  if (proof->needed && proof->is_doubtful)
    assumed_by_name(proof->task, proof->verdict, "vacuity");
}

Verdict *smt_verify_easy(Task *task, const Pair *pair) {
  double start = clock_seconds();
  Proof proof = new_proof(task, pair);
  Verdict *verdict = proof.verdict;
  for (size_t i = 0; i < pair->obligations.count; i++)
    if (!is_easy(&proof, pair->obligations.at[i]))
      return NULL;
  proof_print_queries(&proof);
  if (!is_vacuous(&proof))
    verdict->kind = VERDICT_VERIFIED;
  verdict->seconds = clock_seconds() - start;
  return verdict;
}

Verdict *smt_verify(Task *task, Pair *pair) {
  double start = clock_seconds();
  Proof proof = new_proof(task, pair);
  Verdict *verdict = proof.verdict;
  proof_print_queries(&proof);
  if (!is_vacuous(&proof)) {
    prove_easy(&proof);
    prove_hard(&proof);
    name_premises(&proof);
    parts_settle(verdict);
    verdict->kind = worst(verdict);
  }
  verdict->seconds = clock_seconds() - start;
  return verdict;
}
