// What a program reads of a proof: one object a kernel (see json.c).

#include "report/json.h"
#include "report/tell.h"

// As text: 64 bits do not fit into every reader's numbers.
static json_t *values(size_t count, const Value *at) {
  json_t *object = json_object();
  for (size_t i = 0; i < count; i++)
    json_object_set_new(object, at[i].name,
                        json_sprintf("%llu", (unsigned long long)at[i].value));
  return object;
}

// --------------------------------------------------------------- problem ---

static void add_access(json_t *thread, const Witness *witness, unsigned which,
                       const Stmt *stmt) {
  const Array *array = stmt->access.array;
  json_object_set_new(thread, "access",
                      json_text(access_name(stmt->access.kind)));
  json_object_set_new(thread, "array", json_text(array->name));
  json_object_set_new(thread, "offset_bytes",
                      json_number(witness->offset[which]));
  json_object_set_new(thread, "bytes", json_number(witness->bytes[which]));
  json_object_set_new(thread, "element_bytes", json_number(array->element));
}

static json_t *way(const Locs *places, const char *file) {
  json_t *list = json_array();
  for (size_t i = 0; i < places->count; i++)
    json_array_append_new(list, json_place(places->at[i], file));
  return list;
}

static json_t *thread(const Problem *problem, unsigned which, const Stmt *stmt,
                      const char *file) {
  const Witness *witness = &problem->witness;
  json_t *object = json_object();
  json_object_set_new(object, "thread", json_triple(witness->thread[which]));
  json_object_set_new(object, "block", json_triple(witness->block[which]));
  if (stmt && stmt->kind == STMT_ACCESS)
    add_access(object, witness, which, stmt);
  json_object_set_new(object, "where",
                      stmt ? json_place(stmt->loc, file) : json_null());
  json_object_set_new(object, "way", way(&witness->way[which], file));
  return object;
}

static json_t *arguments(const Witness *witness) {
  return values(witness->arguments.count, witness->arguments.at);
}

static json_t *witness(const Problem *problem, const char *file) {
  const Witness *w = &problem->witness;
  const Obligation *obligation = problem->obligation;
  const Stmt *second =
      obligation->kind == OBLIGATION_RACE ? obligation->second : NULL;
  if (!problem->has_witness)
    return json_null();
  return json_pack("{s:o, s:o, s:[o, o], s:o, s:o}", "block_size",
                   json_triple(w->block_size), "grid_size",
                   json_triple(w->grid_size), "threads",
                   thread(problem, 0, obligation->first, file),
                   thread(problem, 1, second, file), "arguments", arguments(w),
                   "values", values(w->others.count, w->others.at));
}

// The access of a race that `where` does not name.
static Loc other_place(const Problem *problem) {
  const Obligation *obligation = problem->obligation;
  if (obligation->kind != OBLIGATION_RACE)
    return (Loc){0};
  Loc first = obligation->first->loc, second = obligation->second->loc;
  bool is_second = second.line == problem->where.line &&
                   second.column == problem->where.column;
  return is_second ? first : second;
}

static json_t *problem_object(const Remark *remark, const Problem *problem,
                              const char *file) {
  const Obligation *obligation = problem->obligation;
  Loc barrier = obligation->barrier ? obligation->barrier->loc : (Loc){0};
  return json_pack(
      "{s:o, s:b, s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o}", "kind",
      json_text(remark->kind), "confirmed", (int)remark->is_confirmed, "replay",
      json_text(remark->replay), "sentence", json_text(remark->sentence),
      "obligation", (int)obligation->number, "where",
      json_place(remark->where, file), "other",
      json_place(other_place(problem), file), "barrier",
      json_place(barrier, file), "caveat", json_text(problem->caveat),
      "witness", witness(problem, file));
}

static json_t *problems(const Diagnosis *diagnosis) {
  const KernelReport *report = diagnosis->answer;
  const Verdict *verdict = report->verdict;
  json_t *list = json_array();
  for (size_t i = 0; i < verdict->problems.count; i++)
    json_array_append_new(list, problem_object(&diagnosis->remarks.at[i],
                                               &verdict->problems.at[i],
                                               diagnosis->file));
  return list;
}

static json_t *tolerated(const KernelReport *report) {
  Arena arena = {0};
  json_t *list = json_array();
  for (size_t i = 0; i < report->verdict->tolerated.count; i++) {
    const Tolerated *writes = &report->verdict->tolerated.at[i];
    json_array_append_new(
        list, json_pack("{s:o, s:o, s:o, s:o, s:o}", "array",
                        json_text(writes->array), "assumption",
                        json_text(writes->assumption), "sentence",
                        json_text(tell_tolerated(&arena, writes)), "where",
                        json_place(writes->where, report->file), "other",
                        json_place(writes->other, report->file)));
  }
  arena_free(&arena);
  return list;
}

static json_t *breach_inputs(const Breach *breach) {
  const Witness *w = &breach->witness;
  if (!breach->sentence)
    return json_null();
  return json_pack("{s:o, s:o, s:o}", "block_size", json_triple(w->block_size),
                   "grid_size", json_triple(w->grid_size), "arguments",
                   arguments(w));
}

static json_t *breaches(const KernelReport *report) {
  json_t *list = json_array();
  for (size_t i = 0; i < report->verdict->breaches.count; i++) {
    const Breach *breach = &report->verdict->breaches.at[i];
    json_array_append_new(list,
                          json_pack("{s:o, s:o, s:o, s:o}", "assumption",
                                    json_text(breach->assumption), "sentence",
                                    json_text(breach->sentence), "where",
                                    json_place(breach->where, report->file),
                                    "inputs", breach_inputs(breach)));
  }
  return list;
}

static json_t *parts(const KernelReport *report) {
  json_t *list = json_array();
  for (size_t i = 0; i < report->verdict->parts.count; i++) {
    const Part *part = &report->verdict->parts.at[i];
    json_array_append_new(
        list, json_pack("{s:o, s:o, s:o}", "array", json_text(part->name),
                        "where", json_place(part->where, report->file),
                        "verdict", json_text(verdict_name(part->kind))));
  }
  return list;
}

// ---------------------------------------------------------------- kernel ---

static json_t *extents(const Extent sizes[3]) {
  json_t *list = json_array();
  for (unsigned axis = 0; axis < 3; axis++)
    json_array_append_new(
        list, sizes[axis].known ? json_number(sizes[axis].value) : json_null());
  return list;
}

static json_t *facts(const KernelReport *report) {
  const HostFacts *known = &report->launch->facts;
  json_t *list = json_array();
  for (size_t i = 0; i < known->count; i++)
    json_array_append_new(
        list, json_pack("{s:o, s:o, s:o}", "text", json_text(known->at[i].text),
                        "where", json_place(known->at[i].where, report->file),
                        "assumption",
                        known->at[i].is_of_program
                            ? json_text(premise_name(PREMISE_WHOLE_PROGRAM))
                            : json_null()));
  return list;
}

static json_t *launch_object(const KernelReport *report) {
  return json_pack("{s:o, s:o, s:i, s:b, s:o, s:o}", "block_size",
                   extents(report->launch->block), "grid_size",
                   extents(report->launch->grid), "host_launches",
                   (int)report->launches, "joined", (int)report->is_joined,
                   "where", json_place(report->launch->where, report->file),
                   "facts", facts(report));
}

static json_t *obligations(const Verdict *verdict) {
  return json_pack(
      "{s:i, s:i, s:i, s:i, s:i}", "total", (int)verdict->obligations, "proved",
      (int)verdict->proved, "failed", (int)verdict->failed, "undecided",
      (int)verdict->undecided, "suppressed", (int)verdict->excused);
}

json_t *json_proof(const Diagnosis *diagnosis) {
  const KernelReport *report = diagnosis->answer;
  const Verdict *verdict = report->verdict;
  return json_pack(
      "{s:i, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
      "s:o, s:o, s:o, s:f}",
      "schema", SCHEMA_VERSION, "file", json_text(diagnosis->file), "kernel",
      json_text(diagnosis->kernel), "source", json_text(diagnosis->source),
      "where", json_place(diagnosis->loc, diagnosis->file), "verdict",
      json_text(diagnosis->verdict), "confirmed", (int)diagnosis->is_confirmed,
      "problems", problems(diagnosis), "reason", json_text(diagnosis->reason),
      "reason_where", json_place(diagnosis->reason_where, diagnosis->file),
      "assumptions",
      json_names(diagnosis->assumptions.count, diagnosis->assumptions.at),
      "breaches", breaches(report), "parts", parts(report), "tolerated",
      tolerated(report), "suppressed",
      json_suppressed(diagnosis, verdict, verdict->kind), "launch",
      launch_object(report), "obligations", obligations(verdict), "seconds",
      diagnosis->seconds);
}
