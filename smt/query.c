// The queries of a proof, each asked once.
//
// Threads are alike, so many obligations are the same query; and what is known
// of an access is known of the next one, too, with what is new there.  So a
// query that has all formulas of one without a model has none either.

#include "smt/proof.h"

#include <string.h>

static void sort_and_unite(Exprs *formulas) {
  exprs_sort(formulas);
  size_t kept = 0;
  for (size_t i = 0; i < formulas->count; i++)
    if (kept == 0 || formulas->at[kept - 1] != formulas->at[i])
      formulas->at[kept++] = formulas->at[i];
  formulas->count = kept;
}

static bool has_all(const Exprs *many, const Exprs *few) {
  size_t i = 0;
  for (size_t k = 0; k < many->count && i < few->count; k++)
    i += many->at[k] == few->at[i];
  return i == few->count;
}

static bool is_among(const Exprs *formulas, const Expr *violation) {
  return expr_find(formulas, violation) != SIZE_MAX;
}

// Has one of those that were refuted no formula that these, by id, lack?  Only
// those are looked at that say the same of the violation.
static bool is_refuted(const Proof *proof, const Exprs *formulas,
                       const Expr *violation) {
  for (size_t i = 0; i < proof->queries.count; i++) {
    const Query *known = proof->queries.at[i];
    if (known->answer == ANSWER_NO_MODEL &&
        is_among(&known->refuted, violation) &&
        has_all(formulas, &known->refuted))
      return true;
  }
  return false;
}

static void note_answer(const Proof *proof, Query *query, Answer answer) {
  query->answer = answer;
  query->is_of_core = proof->solver->is_of_core;
  if (answer != ANSWER_NO_MODEL)
    return;
  exprs_add(proof->task,
            query->is_of_core ? &query->question.core : &query->question.all,
            &query->refuted);
  sort_and_unite(&query->refuted);
}

// What was refuted of others is so of this one.
static void compare_with_known(const Proof *proof, Query *query,
                               const Obligation *obligation) {
  const Obligation *strict = obligation->strict;
  Exprs core = {0};
  exprs_add(proof->task, &query->question.core, &core);
  sort_and_unite(&core);
  bool is_of_core =
      core.count &&
      is_refuted(proof, &core, (strict ? strict : obligation)->violation);
  if (!is_of_core &&
      !is_refuted(proof, &query->question.all, obligation->violation))
    return;
  proof->solver->is_of_core = is_of_core;
  note_answer(proof, query, ANSWER_NO_MODEL);
}

static Query *query_of(Proof *proof, const Obligation *obligation) {
  Task *task = proof->task;
  Question question = obligation_question(task, obligation);
  sort_and_unite(&question.all);
  uint64_t hash = exprs_hash(&question.all);
  for (size_t i = 0; i < proof->queries.count; i++) {
    Query *known = proof->queries.at[i];
    if (known->hash == hash &&
        exprs_are_same(&known->question.all, &question.all) &&
        exprs_are_same(&known->question.core, &question.core))
      return known;
  }
  Query *query = NEW(&task->arena, Query);
  *query =
      (Query){.hash = hash, .question = question, .answer = ANSWER_UNKNOWN};
  compare_with_known(proof, query, obligation);
  push(&task->arena, &proof->queries, query);
  return query;
}

static Answer settle(Proof *proof, const Obligation *obligation,
                     unsigned effort, Model **model) {
  Query *query = query_of(proof, obligation);
  if (query->answer == ANSWER_UNKNOWN && query->asked < effort) {
    query->asked = effort;
    note_answer(proof, query,
                smt_decide(proof->task, proof->solver, &query->question, effort,
                           &query->model));
  }
  *model = query->model;
  return query->answer;
}

Attempt proof_attempt(const Proof *proof, const Obligation *obligation,
                      PremiseSet names) {
  return (Attempt){.answer = ANSWER_UNKNOWN,
                   .names = names,
                   .base = obligation,
                   .obligation = ladder_with(proof->task, obligation, names)};
}

// Is there a model that plain numbers make?  What has one need not be refuted.
Attempt proof_try(Proof *proof, const Obligation *obligation,
                  PremiseSet names) {
  Attempt attempt = proof_attempt(proof, obligation, names);
  Query *query = query_of(proof, attempt.obligation);
  if (query->answer == ANSWER_UNKNOWN && !query->is_tried) {
    query->is_tried = true;
    if (smt_try(proof->task, proof->solver, &query->question.all,
                &query->model))
      note_answer(proof, query, ANSWER_MODEL);
  }
  attempt.answer = query->answer;
  attempt.model = query->model;
  return attempt;
}

Attempt proof_ask(Proof *proof, const Obligation *obligation, PremiseSet names,
                  unsigned effort) {
  Attempt attempt = proof_attempt(proof, obligation, names);
  attempt.answer = settle(proof, attempt.obligation, effort, &attempt.model);
  return attempt;
}

Attempt proof_search(Proof *proof, const Obligation *obligation,
                     PremiseSet names, unsigned effort) {
  Attempt attempt = proof_attempt(proof, obligation, names);
  Query *query = query_of(proof, attempt.obligation);
  if (query->answer == ANSWER_UNKNOWN && query->asked < effort)
    note_answer(proof, query,
                smt_find(proof->task, proof->solver, &query->question, effort,
                         &query->model));
  attempt.answer = query->answer;
  attempt.model = query->model;
  return attempt;
}

Attempt proof_find(Proof *proof, const Obligation *obligation, PremiseSet names,
                   unsigned effort) {
  proof_glance(proof, obligation, names, effort / 2);
  return proof_search(proof, obligation, names, effort);
}

static bool is_model(Proof *proof, Model *model, const Exprs *formulas) {
  for (size_t i = 0; i < formulas->count; i++)
    if (!solver_value(proof->task, model, formulas->at[i]))
      return false;
  return true;
}

// Threads come to many places in one way.
static bool has_known_model(Proof *proof, const Query *query) {
  enum { LATEST = 6 };
  for (size_t i = proof->arrivals.count; i-- > 0;)
    if (proof->arrivals.count - i <= LATEST &&
        is_model(proof, proof->arrivals.at[i], &query->question.all))
      return true;
  return false;
}

Answer proof_reaches(Proof *proof, const Obligation *obligation,
                     unsigned effort) {
  Query *query = query_of(proof, obligation);
  if (query->answer == ANSWER_UNKNOWN && has_known_model(proof, query))
    return ANSWER_MODEL;
  if (query->answer == ANSWER_UNKNOWN && query->asked < effort)
    note_answer(
        proof, query,
        smt_try(proof->task, proof->solver, &query->question.all, &query->model)
            ? ANSWER_MODEL
            : smt_find(proof->task, proof->solver, &query->question, effort,
                       &query->model));
  Model *model = NULL;
  Answer answer = settle(proof, obligation, effort, &model);
  if (model)
    push(&proof->task->arena, &proof->arrivals, model);
  return answer;
}

bool proof_sees(Proof *proof, const Obligation *obligation, PremiseSet names) {
  enum { EFFORT = 15 };
  const Obligation *near = ladder_near(proof->task, obligation, names);
  Query *query = query_of(
      proof, near ? near : ladder_with(proof->task, obligation, names));
  if (query->answer == ANSWER_UNKNOWN && !query->is_seen) {
    query->is_seen = true;
    if (smt_sees(proof->task, proof->solver, &query->question, EFFORT))
      note_answer(proof, query, ANSWER_NO_MODEL);
  }
  return query->answer == ANSWER_NO_MODEL;
}

// Do integers refute it?
static bool glance(Proof *proof, Query *query, unsigned effort) {
  if (query->answer == ANSWER_UNKNOWN && query->glanced < effort) {
    query->glanced = effort;
    if (smt_refutes(proof->task, proof->solver, &query->question, effort))
      note_answer(proof, query, ANSWER_NO_MODEL);
  }
  return query->answer == ANSWER_NO_MODEL;
}

// What an obligation says nothing of hardly ever helps.
static bool is_refuted_near(Proof *proof, const Obligation *obligation,
                            PremiseSet names, unsigned effort) {
  const Obligation *near = ladder_near(proof->task, obligation, names);
  return near && glance(proof, query_of(proof, near), effort);
}

Attempt proof_glance(Proof *proof, const Obligation *obligation,
                     PremiseSet names, unsigned effort) {
  Attempt attempt = proof_attempt(proof, obligation, names);
  Query *query = query_of(proof, attempt.obligation);
  if (query->answer == ANSWER_UNKNOWN &&
      is_refuted_near(proof, obligation, names, effort))
    compare_with_known(proof, query, attempt.obligation);
  glance(proof, query, effort);
  attempt.answer = query->answer;
  attempt.model = query->model;
  return attempt;
}

bool proof_is_strict(Proof *proof, const Obligation *obligation,
                     PremiseSet names) {
  const Obligation *with = ladder_with(proof->task, obligation, names);
  return obligation->strict && query_of(proof, with)->is_of_core;
}

static void print_query(Proof *proof, const Obligation *obligation) {
  const Query *query = query_of(proof, obligation);
  FILE *out = proof->pair->kernel->options->dump_out;
  const char *sentence = obligation->sentence;
  fprintf(out, "; obligation %u: %s\n", obligation->number,
          sentence ? sentence : "");
  solver_print(proof->task, proof->solver, &query->question.all, out);
}

void proof_print_queries(Proof *proof) {
  const char *dump = proof->pair->kernel->options->dump;
  if (!dump || strcmp(dump, "smt"))
    return;
  for (size_t i = 0; i < proof->pair->obligations.count; i++)
    print_query(proof, proof->pair->obligations.at[i]);
}
