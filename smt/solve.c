// From obligations to a verdict.
//
// An obligation is proved if its facts and its violation have no model
// together.  It is enough that those facts refute it which are connected to
// the violation (obligation_question), so each query is small; threads are
// alike, so many are the same query.  Everybody gets a little effort first and
// the hard ones share what is left.
//
// What has a model is a problem; those of one kind at the same two places are
// one problem, with the first witness that was found, and the others are not
// asked about.  Once there is a problem the verdict is known, and the rest
// gets only a little more.  What the solver did not decide leaves the
// verdict `unknown`, never `verified`.

#include "smt/smt.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
  QUICK_EFFORT = 500,
  LEAST_EFFORT = 2000, // for a hard one, whatever the others need
  GLANCE_EFFORT = 50,  // for what has to be easy
  EFFORT_AFTER_PROBLEM = 1000,
  OVERFLOW_EFFORT = 1000,
  CONSISTENCY_EFFORT = 5000,
  MAX_PROBLEMS = 20,
};

// A query with its answer.
typedef struct Query {
  uint64_t hash;
  Question question; // all of it by id, each once
  Answer answer;
  Model *model;
} Query;

typedef struct Proof {
  Task *task;
  const Pair *pair;
  Solver *solver;
  Verdict *verdict;
  Vec(Query *) queries;
  Vec(const Obligation *) hard;
  double enough;     // effort, once there is a problem; 0: there is none
  bool may_overflow; // an obligation holds unless an index overflows
} Proof;

// --------------------------------------------------------------- queries ---

static void sort_and_unite(Exprs *formulas) {
  exprs_sort(formulas);
  size_t kept = 0;
  for (size_t i = 0; i < formulas->count; i++)
    if (kept == 0 || formulas->at[kept - 1] != formulas->at[i])
      formulas->at[kept++] = formulas->at[i];
  formulas->count = kept;
}

static uint64_t hash_of(const Exprs *formulas) {
  uint64_t hash = formulas->count;
  for (size_t i = 0; i < formulas->count; i++)
    hash = (hash ^ formulas->at[i]->id) * UINT64_C(0x9E3779B97F4A7C15);
  return hash;
}

static bool is_same(const Exprs *a, const Exprs *b) {
  if (a->count != b->count)
    return false;
  for (size_t i = 0; i < a->count; i++)
    if (a->at[i] != b->at[i])
      return false;
  return true;
}

static Query *query_of(Proof *proof, const Obligation *obligation) {
  Task *task = proof->task;
  Question question = obligation_question(task, obligation);
  sort_and_unite(&question.all);
  uint64_t hash = hash_of(&question.all);
  for (size_t i = 0; i < proof->queries.count; i++) {
    Query *known = proof->queries.at[i];
    if (known->hash == hash && is_same(&known->question.all, &question.all))
      return known;
  }
  Query *query = NEW(&task->arena, Query);
  *query = (Query){hash, question, ANSWER_UNKNOWN, NULL};
  push(&task->arena, &proof->queries, query);
  return query;
}

// -------------------------------------------------------------- problems ---

static VerdictKind kind_of(const Obligation *obligation) {
  switch (obligation->kind) {
  case OBLIGATION_RACE:
    return VERDICT_RACY;
  case OBLIGATION_DIVERGENCE:
    return VERDICT_DIVERGENT;
  case OBLIGATION_ASSERTION:
  case OBLIGATION_INVARIANT:
    return VERDICT_ASSERTION;
  case OBLIGATION_BOUNDS:
    return VERDICT_OUT_OF_BOUNDS;
  case OBLIGATION_CANDIDATE:
    break;
  }
  return VERDICT_UNKNOWN;
}

static const Stmt *later_of(const Obligation *obligation) {
  const Stmt *first = obligation->first, *second = obligation->second;
  return first && second && second->number > first->number ? second : first;
}

static const Stmt *earlier_of(const Obligation *obligation) {
  const Stmt *later = later_of(obligation);
  return later == obligation->first && obligation->second ? obligation->second
                                                          : obligation->first;
}

static Loc place_of(const Proof *proof, const Obligation *obligation) {
  const Stmt *stmt = later_of(obligation);
  if (stmt)
    return stmt->loc;
  return obligation->loop ? obligation->loop->loc : proof->pair->kernel->loc;
}

static bool same_place(Loc a, Loc b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

static bool same_stmt_place(const Stmt *a, const Stmt *b) {
  return a && b ? same_place(a->loc, b->loc) : a == b;
}

static Problem *known_problem(const Proof *proof,
                              const Obligation *obligation) {
  Verdict *verdict = proof->verdict;
  for (size_t i = 0; i < verdict->problems.count; i++) {
    Problem *problem = &verdict->problems.at[i];
    const Obligation *other = problem->obligation;
    if (other->kind == obligation->kind && other->loop == obligation->loop &&
        same_stmt_place(later_of(other), later_of(obligation)) &&
        same_stmt_place(earlier_of(other), earlier_of(obligation)))
      return problem;
  }
  return NULL;
}

static void leave_undecided(Proof *proof, const Obligation *obligation,
                            const char *why) {
  Verdict *verdict = proof->verdict;
  verdict->undecided++;
  if (verdict->reason)
    return;
  verdict->where = place_of(proof, obligation);
  verdict->reason = arena_printf(&proof->task->arena, "%s: %s", why,
                                 obligation->sentence ? obligation->sentence
                                                      : "an obligation");
}

// Of problems at one place, one without a caveat says most.
static void keep_problem(Proof *proof, Problem *known, const Problem *problem) {
  proof->verdict->failed++;
  if (proof->enough == 0)
    proof->enough = proof->solver->effort + EFFORT_AFTER_PROBLEM;
  if (!known)
    push(&proof->task->arena, &proof->verdict->problems, *problem);
  else if (!problem->caveat)
    *known = *problem;
}

static void note_proof(Proof *proof, const Obligation *obligation);

// Proved, perhaps because something is tolerated.
static void note_proof(Proof *proof, const Obligation *obligation) {
  proof->verdict->proved++;
  if (obligation->strict)
    assumed_tolerance(proof->task, proof->verdict, obligation->tolerance,
                      later_of(obligation), earlier_of(obligation));
  assumed_counters(proof->task, proof->solver, proof->verdict, obligation);
}

static void note_failure(Proof *proof, const Obligation *obligation,
                         Model *model) {
  Verdict *verdict = proof->verdict;
  Problem *known = known_problem(proof, obligation);
  bool is_repeated =
      known ? !known->caveat : verdict->problems.count >= MAX_PROBLEMS;
  Problem problem = {.kind = kind_of(obligation),
                     .obligation = obligation,
                     .sentence = obligation->sentence,
                     .where = place_of(proof, obligation)};
  if (is_repeated)
    verdict->failed++;
  else if (!smt_find_witness(proof->task, proof->solver, proof->pair->kernel,
                             model, &problem))
    note_proof(proof, obligation);
  else if (obligation->doubt)
    leave_undecided(proof, obligation, obligation->doubt);
  else
    keep_problem(proof, known, &problem);
}

// The user wants no more problems than these.
static bool is_limit_reached(const Proof *proof) {
  unsigned limit = proof->pair->kernel->options->error_limit;
  return limit && proof->verdict->problems.count >= limit;
}

static bool is_time_over(const Proof *proof) {
  return task_is_late(proof->task) || is_limit_reached(proof) ||
         (proof->enough > 0 && proof->solver->effort > proof->enough);
}

// A problem at the same places is told already.
static bool is_told(const Proof *proof, const Obligation *obligation) {
  const Problem *known = known_problem(proof, obligation);
  return known && !known->caveat;
}

static const char *why_undecided(const Proof *proof) {
  if (task_is_late(proof->task))
    return "the time budget is used up (see --timeout, --file-timeout)";
  return is_time_over(proof) ? "not looked at after the first problem"
                             : "the solver gave up";
}

// ----------------------------------------------------------- obligations ---

static void print_query(Proof *proof, const Obligation *obligation) {
  const Query *query = query_of(proof, obligation);
  FILE *out = proof->pair->kernel->options->dump_out;
  const char *sentence = obligation->sentence;
  fprintf(out, "; obligation %u: %s\n", obligation->number,
          sentence ? sentence : "");
  solver_print(proof->task, proof->solver, &query->question.all, out);
}

static void print_queries(Proof *proof) {
  const char *dump = proof->pair->kernel->options->dump;
  if (!dump || strcmp(dump, "smt"))
    return;
  for (size_t i = 0; i < proof->pair->obligations.count; i++)
    print_query(proof, proof->pair->obligations.at[i]);
}

static Answer settle(Proof *proof, const Obligation *obligation,
                     unsigned effort, Model **model) {
  Query *query = query_of(proof, obligation);
  if (query->answer == ANSWER_UNKNOWN)
    query->answer = smt_decide(proof->task, proof->solver, &query->question,
                               effort, &query->model);
  *model = query->model;
  return query->answer;
}

// Mostly two accesses never meet at all: then nothing has to be tolerated.
static bool is_proved_strictly(Proof *proof, const Obligation *obligation,
                               unsigned effort) {
  const Obligation *strict = obligation->strict;
  Model *model = NULL;
  if (!strict || settle(proof, strict, effort, &model) != ANSWER_NO_MODEL)
    return false;
  proof->verdict->proved++;
  assumed_counters(proof->task, proof->solver, proof->verdict, strict);
  return true;
}

// True: it is known whether the obligation holds.
static bool prove(Proof *proof, const Obligation *obligation, unsigned effort) {
  Model *model = NULL;
  if (is_told(proof, obligation)) {
    proof->verdict->failed++;
    return true;
  }
  if (is_proved_strictly(proof, obligation, effort))
    return true;
  switch (settle(proof, obligation, effort, &model)) {
  case ANSWER_NO_MODEL:
    note_proof(proof, obligation);
    return true;
  case ANSWER_MODEL:
    note_failure(proof, obligation, model);
    return true;
  case ANSWER_UNKNOWN:
    break;
  }
  return false;
}

static void prove_easy(Proof *proof) {
  for (size_t i = 0; i < proof->pair->obligations.count; i++) {
    const Obligation *obligation = proof->pair->obligations.at[i];
    if (is_time_over(proof) || !prove(proof, obligation, QUICK_EFFORT))
      push(&proof->task->arena, &proof->hard, obligation);
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

// A long search for an overflow is worth nobody's time, and a second one says
// nothing new.
static void prove_one_hard(Proof *proof, const Obligation *obligation,
                           unsigned share) {
  const char *why = NULL;
  if (!is_time_over(proof) &&
      smt_needs_overflow(proof->task, proof->solver, obligation)) {
    why = smt_overflow_caveat;
    share = proof->may_overflow ? 0 : OVERFLOW_EFFORT;
    proof->may_overflow = true;
  }
  if (!share || is_time_over(proof) || !prove(proof, obligation, share))
    leave_undecided(proof, obligation, why ? why : why_undecided(proof));
}

static void prove_hard(Proof *proof) {
  for (size_t i = 0; i < proof->hard.count; i++)
    prove_one_hard(proof, proof->hard.at[i],
                   fair_share(proof, proof->hard.count - i));
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
  Model *model = NULL;
  Question question = {.all = proof->pair->consistent};
  Answer answer = smt_decide(proof->task, proof->solver, &question,
                             CONSISTENCY_EFFORT, &model);
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
  VerdictKind kind = verdict->undecided ? VERDICT_UNKNOWN : VERDICT_VERIFIED;
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
  return (Proof){.task = task,
                 .pair = pair,
                 .solver = solver_open(task, pair->kernel->options->memory),
                 .verdict = new_verdict(task, pair)};
}

static bool is_easy(Proof *proof, const Obligation *obligation) {
  Model *model = NULL;
  if (is_proved_strictly(proof, obligation, GLANCE_EFFORT))
    return true;
  if (settle(proof, obligation, GLANCE_EFFORT, &model) != ANSWER_NO_MODEL)
    return false;
  note_proof(proof, obligation);
  return true;
}

Verdict *smt_verify_easy(Task *task, const Pair *pair) {
  double start = clock_seconds();
  Proof proof = new_proof(task, pair);
  Verdict *verdict = proof.verdict;
  for (size_t i = 0; i < pair->obligations.count; i++)
    if (!is_easy(&proof, pair->obligations.at[i]))
      return NULL;
  print_queries(&proof);
  if (!is_vacuous(&proof))
    verdict->kind = VERDICT_VERIFIED;
  verdict->seconds = clock_seconds() - start;
  return verdict;
}

Verdict *smt_verify(Task *task, Pair *pair) {
  double start = clock_seconds();
  Proof proof = new_proof(task, pair);
  Verdict *verdict = proof.verdict;
  print_queries(&proof);
  if (!is_vacuous(&proof)) {
    prove_easy(&proof);
    prove_hard(&proof);
    verdict->kind = worst(verdict);
  }
  verdict->seconds = clock_seconds() - start;
  return verdict;
}
