// What is told of the obligations of a proof.
//
// Problems of one kind at the same two places are one problem, with the first
// witness that was found.

#include "smt/proof.h"

enum { MAX_PROBLEMS = 20 };

VerdictKind verdict_of_failure(const Obligation *obligation) {
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

Problem problem_of(const Proof *proof, const Obligation *obligation) {
  return (Problem){.kind = verdict_of_failure(obligation),
                   .obligation = obligation,
                   .sentence = obligation->sentence,
                   .where = place_of(proof, obligation)};
}

bool problem_find_witness(Proof *proof, const Attempt *attempt,
                          Problem *problem) {
  return smt_find_witness(proof->task, proof->solver, proof->pair->kernel,
                          attempt->model, problem);
}

// A problem at the same places is told already.
bool problem_is_told(const Proof *proof, const Obligation *obligation) {
  const Problem *known = known_problem(proof, obligation);
  return known && !known->caveat;
}

void problem_repeat(Proof *proof, const Obligation *obligation) {
  proof->verdict->failed++;
  parts_worsen(&proof->parts, obligation, verdict_of_failure(obligation));
}

// ----------------------------------------------------------------- notes ---

static bool is_excused(const Verdict *verdict, const Excuse *excuse) {
  for (size_t i = 0; i < verdict->excuses.count; i++) {
    const Excuse *other = &verdict->excuses.at[i];
    if (other->kind == excuse->kind &&
        same_place(other->where, excuse->where) &&
        same_place(other->other, excuse->other))
      return true;
  }
  return false;
}

// SOUND(suppressions): what else is proved may rest on it.
void note_excuse(Proof *proof, const Obligation *obligation) {
  Task *task = proof->task;
  Verdict *verdict = proof->verdict;
  const Stmt *earlier = earlier_of(obligation);
  bool is_race = obligation->kind == OBLIGATION_RACE;
  Excuse excuse = {.kind = verdict_of_failure(obligation),
                   .sentence = obligation->sentence,
                   .array = is_race ? earlier->access.array->name : NULL,
                   .where = place_of(proof, obligation),
                   .other = is_race ? earlier->loc : (Loc){0},
                   .by = obligation->suppression};
  verdict->excused++;
  *excuse.by->is_used = true;
  parts_worsen(&proof->parts, obligation, VERDICT_SUPPRESSED);
  assumed_by_name(task, verdict, "suppressions");
  if (!is_excused(verdict, &excuse))
    push(&task->arena, &verdict->excuses, excuse);
}

void note_undecided(Proof *proof, const Obligation *obligation,
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
void note_proof(Proof *proof, const Obligation *obligation) {
  proof->verdict->proved++;
  if (obligation->strict)
    assumed_tolerance(proof->task, proof->verdict, obligation->tolerance,
                      later_of(obligation), earlier_of(obligation));
  assumed_counters(proof->task, proof->solver, proof->verdict, obligation);
}

void note_strict_proof(Proof *proof, const Obligation *strict) {
  proof->verdict->proved++;
  assumed_counters(proof->task, proof->solver, proof->verdict, strict);
}

static const char *names_text(Proof *proof, PremiseSet names) {
  const char *text = "";
  for (unsigned i = 0; i < PREMISES; i++)
    if (names_have(names, i))
      text = arena_printf(&proof->task->arena, "%s%s%s", text,
                          *text ? ", " : "", premise_name((PremiseKind)i));
  return text;
}

// `left`: the premises under which it is not decided.
void note_failure(Proof *proof, const Attempt *attempt, PremiseSet left) {
  const Obligation *obligation = attempt->obligation;
  Verdict *verdict = proof->verdict;
  Problem *known = known_problem(proof, obligation);
  bool is_repeated =
      known ? !known->caveat : verdict->problems.count >= MAX_PROBLEMS;
  Problem problem = problem_of(proof, obligation);
  if (is_repeated) {
    problem_repeat(proof, obligation);
  } else if (!problem_find_witness(proof, attempt, &problem)) {
    climb_accept(proof, attempt);
  } else if (attempt->base->suppression) {
    note_excuse(proof, attempt->base);
  } else if (obligation->doubt) {
    note_undecided(proof, obligation, obligation->doubt);
  } else {
    if (left && !problem.caveat)
      problem.caveat = arena_printf(&proof->task->arena,
                                    "it was not decided whether this is so "
                                    "assuming %s",
                                    names_text(proof, left));
    keep_problem(proof, known, &problem);
  }
}
