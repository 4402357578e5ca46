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

#include "smt/smt.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
  QUICK_EFFORT = 500,
  LEAST_EFFORT = 2000,         // for a hard one, whatever the others need
  GLANCE_EFFORT = 50,          // for what has to be easy
  EFFORT_AFTER_PROBLEM = 1000, // for each array or barrier
  OVERFLOW_EFFORT = 1000,
  FEWER_EFFORT = 500, // is a premise needed?
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
  PartEfforts parts;
  bool may_overflow; // an obligation holds unless an index overflows
  bool has_climbed;  // what comes next is known
  bool is_doubtful;  // whether what is open has a model
  PremiseSet open;   // premises that may be used
  PremiseSet needed; // and those that something proved rests on
} Proof;

// What is known of an obligation with the facts of some premises.
typedef struct Finding {
  Answer answer;
  PremiseSet names;
  const Obligation *base;       // the obligation without
  const Obligation *obligation; // and with these facts
  Model *model;
} Finding;

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
  parts_worsen(&proof->parts, obligation, VERDICT_UNKNOWN);
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
  parts_worsen(&proof->parts, problem->obligation, problem->kind);
  if (!known)
    push(&proof->task->arena, &proof->verdict->problems, *problem);
  else if (!problem->caveat)
    *known = *problem;
}

// Proved, perhaps because something is tolerated.
static void note_proof(Proof *proof, const Obligation *obligation) {
  proof->verdict->proved++;
  if (obligation->strict)
    assumed_tolerance(proof->task, proof->verdict, obligation->tolerance,
                      later_of(obligation), earlier_of(obligation));
  assumed_counters(proof->task, proof->solver, proof->verdict, obligation);
}

static void accept(Proof *proof, const Finding *finding);

static const char *names_text(Proof *proof, PremiseSet names) {
  const char *text = "";
  for (unsigned i = 0; i < PREMISES; i++)
    if (names_have(names, i))
      text = arena_printf(&proof->task->arena, "%s%s%s", text,
                          *text ? ", " : "", premise_name((PremiseKind)i));
  return text;
}

static Problem problem_of(const Proof *proof, const Obligation *obligation) {
  return (Problem){.kind = kind_of(obligation),
                   .obligation = obligation,
                   .sentence = obligation->sentence,
                   .where = place_of(proof, obligation)};
}

static bool find_witness(Proof *proof, const Finding *finding,
                         Problem *problem) {
  return smt_find_witness(proof->task, proof->solver, proof->pair->kernel,
                          finding->model, problem);
}

// `left`: the premises under which it is not decided.
static void note_failure(Proof *proof, const Finding *finding,
                         PremiseSet left) {
  const Obligation *obligation = finding->obligation;
  Verdict *verdict = proof->verdict;
  Problem *known = known_problem(proof, obligation);
  bool is_repeated =
      known ? !known->caveat : verdict->problems.count >= MAX_PROBLEMS;
  Problem problem = problem_of(proof, obligation);
  if (is_repeated) {
    verdict->failed++;
    parts_worsen(&proof->parts, obligation, problem.kind);
  } else if (!find_witness(proof, finding, &problem)) {
    accept(proof, finding);
  } else if (obligation->doubt) {
    leave_undecided(proof, obligation, obligation->doubt);
  } else {
    if (left && !problem.caveat)
      problem.caveat = arena_printf(&proof->task->arena,
                                    "it was not decided whether this is so "
                                    "assuming %s",
                                    names_text(proof, left));
    keep_problem(proof, known, &problem);
  }
}

// The user wants no more problems than these.
static bool is_limit_reached(const Proof *proof) {
  unsigned limit = proof->pair->kernel->options->error_limit;
  return limit && proof->verdict->problems.count >= limit;
}

static bool is_time_over(Proof *proof, const Obligation *obligation) {
  return task_is_late(proof->task) || is_limit_reached(proof) ||
         parts_effort(&proof->parts, obligation) > EFFORT_AFTER_PROBLEM;
}

// A problem at the same places is told already.
static bool is_told(const Proof *proof, const Obligation *obligation) {
  const Problem *known = known_problem(proof, obligation);
  return known && !known->caveat;
}

static const char *why_undecided(Proof *proof, const Obligation *obligation) {
  if (task_is_late(proof->task))
    return "the time budget is used up (see --timeout, --file-timeout)";
  return is_time_over(proof, obligation)
             ? "not looked at after the first problem"
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

// ---------------------------------------------------------------- ladder ---

static Finding ask_with(Proof *proof, const Obligation *obligation,
                        PremiseSet names, unsigned effort) {
  Finding finding = {.names = names,
                     .base = obligation,
                     .obligation = ladder_with(proof->task, obligation, names)};
  finding.answer = settle(proof, finding.obligation, effort, &finding.model);
  return finding;
}

// Mostly two accesses never meet at all: then nothing has to be tolerated.
static bool is_proved_strictly(Proof *proof, const Obligation *obligation,
                               PremiseSet names, unsigned effort) {
  if (!obligation->strict)
    return false;
  Finding finding = ask_with(proof, obligation->strict, names, effort);
  if (finding.answer != ANSWER_NO_MODEL)
    return false;
  proof->verdict->proved++;
  assumed_counters(proof->task, proof->solver, proof->verdict,
                   finding.obligation);
  return true;
}

// The premises that may help with it.
static PremiseSet names_for(Proof *proof, const Obligation *obligation) {
  PremiseSet names = ladder_names(obligation);
  if (names && !proof->has_climbed) {
    bool is_known = true;
    proof->open =
        ladder_consistent(proof->task, proof->solver, proof->pair, &is_known);
    proof->is_doubtful = !is_known;
    proof->has_climbed = true;
  }
  return names & proof->open;
}

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

// Without one premise less, `kind`: else that is what breaks.
static bool holds_without(Proof *proof, const Obligation *obligation,
                          PremiseSet names, unsigned kind) {
  PremiseSet fewer = names_without(names, kind);
  Finding finding = ask_with(proof, obligation, fewer, FEWER_EFFORT);
  Problem problem = problem_of(proof, finding.obligation);
  bool is_model = finding.answer == ANSWER_MODEL;
  if (finding.answer == ANSWER_NO_MODEL ||
      (is_model && !find_witness(proof, &finding, &problem)))
    return true;
  note_breach(proof, kind, &problem, is_model);
  return false;
}

// Proved; what it does not need is dropped.
static void accept(Proof *proof, const Finding *finding) {
  PremiseSet names = finding->names;
  for (unsigned i = PREMISES; i-- > 0;)
    if (names_have(names, i) && !names_have(proof->needed, i) &&
        holds_without(proof, finding->base, names, i))
      names = names_without(names, i);
  proof->needed |= names;
  if (!names || !is_proved_strictly(proof, finding->base, names, FEWER_EFFORT))
    note_proof(proof, ladder_with(proof->task, finding->base, names));
}

// With what is assumed already, else with all there is.  Where that is not
// decided, with less: fewer facts may be easier.  A model of fewer is kept.
static Finding climb(Proof *proof, const Finding *exact, PremiseSet all,
                     unsigned effort) {
  const Obligation *obligation = exact->base;
  PremiseSet some = all & proof->needed;
  Finding finding = some ? ask_with(proof, obligation, some, effort) : *exact;
  if (finding.answer == ANSWER_NO_MODEL || some == all)
    return finding;
  Finding top = ask_with(proof, obligation, all, effort);
  if (top.answer != ANSWER_UNKNOWN)
    return top;
  Finding best = finding.answer == ANSWER_MODEL ? finding : *exact;
  some = 0;
  for (unsigned i = 0; i < PREMISES; i++) {
    if (!names_have(all, i))
      continue;
    some = names_with(some, i);
    finding = ask_with(proof, obligation, some, effort);
    if (finding.answer == ANSWER_NO_MODEL)
      return finding;
    if (finding.answer == ANSWER_MODEL)
      best = finding;
  }
  return best;
}

// ------------------------------------------------------------- one by one ---

// SOUND(vacuity): of threads that never come there under the premises anything
// is proved.  That no thread comes there with the arguments that are meant is
// what arguments-not-negative says.
static bool is_reached(Proof *proof, const Finding *finding) {
  PremiseSet names =
      names_without(finding->names, PREMISE_ARGUMENTS_NOT_NEGATIVE);
  if (!names || !finding->base->reached)
    return true;
  Model *model = NULL;
  Obligation there = *ladder_with(proof->task, finding->base, names);
  there.violation = there.reached;
  Question question = obligation_question(proof->task, &there);
  Answer answer = smt_decide(proof->task, proof->solver, &question,
                             CONSISTENCY_EFFORT, &model);
  proof->is_doubtful |= answer == ANSWER_UNKNOWN;
  return answer != ANSWER_NO_MODEL;
}

// True: it is known whether the obligation holds.
static bool conclude(Proof *proof, const Finding *finding, PremiseSet all) {
  if (finding->answer == ANSWER_NO_MODEL && !is_reached(proof, finding))
    return false;
  if (finding->answer == ANSWER_NO_MODEL)
    accept(proof, finding);
  else if (finding->answer == ANSWER_MODEL && finding->names == all)
    note_failure(proof, finding, 0);
  else
    return false;
  return true;
}

// A problem of this kind at its place needs no second witness.
static bool is_done(Proof *proof, const Obligation *obligation,
                    unsigned effort) {
  if (!is_told(proof, obligation))
    return is_proved_strictly(proof, obligation, 0, effort);
  proof->verdict->failed++;
  parts_worsen(&proof->parts, obligation, kind_of(obligation));
  return true;
}

static bool prove(Proof *proof, const Obligation *obligation, unsigned effort) {
  if (is_done(proof, obligation, effort))
    return true;
  Finding exact = ask_with(proof, obligation, 0, effort);
  if (exact.answer == ANSWER_UNKNOWN)
    return false;
  if (exact.answer == ANSWER_NO_MODEL)
    return conclude(proof, &exact, 0);
  PremiseSet all = names_for(proof, obligation);
  Finding finding = climb(proof, &exact, all, effort);
  return conclude(proof, &finding, all);
}

static bool prove_in_time(Proof *proof, const Obligation *obligation,
                          unsigned effort) {
  double before = proof->solver->effort;
  bool is_known =
      !is_time_over(proof, obligation) && prove(proof, obligation, effort);
  parts_spend(&proof->parts, obligation, proof->solver->effort - before);
  return is_known;
}

static void prove_easy(Proof *proof) {
  for (size_t i = 0; i < proof->pair->obligations.count; i++) {
    const Obligation *obligation = proof->pair->obligations.at[i];
    if (!prove_in_time(proof, obligation, QUICK_EFFORT))
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

// Half of it without premises, half with all of them.
static Finding search(Proof *proof, const Finding *best, PremiseSet all,
                      unsigned share) {
  Finding exact = ask_with(proof, best->base, 0, all ? share / 2 : share);
  if (exact.answer == ANSWER_NO_MODEL || !all)
    return exact;
  Finding top = ask_with(proof, best->base, all, share / 2);
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

// With premises it is mostly soon done.  Without, a long search for an overflow
// is worth nobody's time, and a second one says nothing new.
static void prove_one_hard(Proof *proof, const Obligation *obligation,
                           unsigned share) {
  const char *why = NULL;
  if (is_done(proof, obligation, 1))
    return;
  Finding finding = ask_with(proof, obligation, 0, 1); // mostly known by now
  PremiseSet all = names_for(proof, obligation);
  if (all && !is_time_over(proof, obligation))
    finding = climb(proof, &finding, all, QUICK_EFFORT);
  if (conclude(proof, &finding, all))
    return;
  if (!is_time_over(proof, obligation) &&
      smt_needs_overflow(proof->task, proof->solver, obligation)) {
    why = smt_overflow_caveat;
    share = proof->may_overflow ? 0 : OVERFLOW_EFFORT;
    proof->may_overflow = true;
  }
  share = share ? what_is_left(proof, obligation, share) : 0;
  if (share && !is_time_over(proof, obligation))
    finding = search(proof, &finding, all, share);
  if (conclude(proof, &finding, all))
    return;
  if (finding.answer == ANSWER_MODEL)
    note_failure(proof, &finding, all & ~finding.names);
  else
    leave_undecided(proof, obligation,
                    why ? why : why_undecided(proof, obligation));
}

static void prove_hard(Proof *proof) {
  for (size_t i = 0; i < proof->hard.count; i++) {
    const Obligation *obligation = proof->hard.at[i];
    double before = proof->solver->effort;
    prove_one_hard(proof, obligation, fair_share(proof, proof->hard.count - i));
    parts_spend(&proof->parts, obligation, proof->solver->effort - before);
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

static bool is_easy(Proof *proof, const Obligation *obligation) {
  Model *model = NULL;
  if (is_proved_strictly(proof, obligation, 0, GLANCE_EFFORT))
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
    name_premises(&proof);
    parts_settle(verdict);
    verdict->kind = worst(verdict);
  }
  verdict->seconds = clock_seconds() - start;
  return verdict;
}
