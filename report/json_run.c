// What one execution has shown, for a program: one object on one line.
// docs/JSON.md describes the members.

#include "report/json.h"
#include "report/runs.h"

static json_t *place(const SightingPlace *where) {
  return json_place((Loc){where->file, where->line, where->column}, "");
}

static const char *action(const SightingEnd *end) {
  if (!end->has_site)
    return NULL;
  switch (end->kind) {
  case SITE_READ:
  case SITE_FETCH:
    return "read";
  case SITE_WRITE:
  case SITE_FILL:
    return "write";
  case SITE_ATOMIC:
    return "atomic";
  case SITE_FENCE:
    return "fence";
  case SITE_CALL:
    return "wait";
  case SITE_LOOP:
    return "loop";
  }
  return NULL;
}

static json_t *end_object(const SightingEnd *end) {
  return json_pack("{s:o, s:o, s:b, s:o, s:o, s:I, s:I, s:o}", "thread",
                   json_triple(end->thread), "block", json_triple(end->block),
                   "exited", (int)end->has_exited, "action",
                   json_text(action(end)), "array",
                   json_text(end->array[0] ? end->array : NULL), "offset_bytes",
                   (json_int_t)end->offset, "bytes", (json_int_t)end->bytes,
                   "where", place(&end->where));
}

static json_t *sighting_object(const Sighting *sighting) {
  json_t *threads = json_array();
  for (unsigned i = 0; i < sighting->count; i++)
    json_array_append_new(threads, end_object(&sighting->ends[i]));
  return json_pack("{s:s, s:o, s:I, s:o}", "kind",
                   incident_kind(sighting->kind), "sentence",
                   json_text(sighting->sentence), "occurrences",
                   (json_int_t)sighting->times, "threads", threads);
}

json_t *json_incident(Task *task, const RunReport *report,
                      const Incident *incident) {
  Sighting sighting = sighting_of(task, report, incident);
  return sighting_object(&sighting);
}

static json_t *range_object(Task *task, const RunReport *report,
                            const Range *range) {
  const Buffer *buffer = &report->run->buffers.at[range->buffer];
  json_t *values = json_array();
  for (uint64_t i = 0; i < range->count; i++)
    json_array_append_new(
        values, json_text(element_text(
                    task, range->element,
                    buffer->at + (range->from + i) * range->element->bytes)));
  return json_pack("{s:o, s:s, s:I, s:o}", "buffer", json_text(buffer->name),
                   "type", range->element->name, "from",
                   (json_int_t)range->from, "values", values);
}

static json_t *problems_of(Task *task, const RunReport *report) {
  const Outcome *outcome = report->outcome;
  json_t *problems = json_array();
  for (unsigned i = 0; i < outcome->count; i++)
    json_array_append_new(problems,
                          json_incident(task, report, &outcome->incidents[i]));
  return problems;
}

static json_t *buffers_of(Task *task, const RunReport *report) {
  json_t *buffers = json_array();
  for (size_t i = 0; i < report->launch->prints.count; i++)
    json_array_append_new(
        buffers, range_object(task, report, &report->launch->prints.at[i]));
  return buffers;
}

static json_t *explained_array(const Explanations *explained) {
  json_t *array = json_array();
  for (size_t i = 0; i < explained->count; i++)
    json_array_append_new(
        array, json_pack("{s:o, s:o}", "sentence",
                         json_text(explained->at[i].sentence), "where",
                         json_place(explained->at[i].where, "")));
  return array;
}

// Null where each block had copies for itself.
static json_t *sharing_object(const Sharing *sharing) {
  return sharing->copies
             ? json_pack("{s:i, s:i, s:f}", "passes", (int)sharing->passes,
                         "copies", (int)sharing->copies, "apart",
                         sharing->apart)
             : json_null();
}

json_t *json_run(const Diagnosis *diagnosis) {
  const RunReport *report = diagnosis->answer;
  Task task = {0};
  Explanations explained = explanations_of_run(&task.arena, report);
  json_t *object = json_pack(
      "{s:i, s:s, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:i, "
      "s:o, s:f}",
      "schema", (int)SCHEMA_VERSION, "technique", "run", "file",
      json_text(diagnosis->file), "kernel", json_text(diagnosis->kernel),
      "source", json_text(diagnosis->source), "verdict", diagnosis->verdict,
      "grid_size", json_triple(report->run->grid), "block_size",
      json_triple(report->run->block), "device", json_text(report->device),
      "sharing", sharing_object(&report->outcome->sharing), "proved",
      report->is_proved, "explained", explained_array(&explained), "problems",
      problems_of(&task, report), "differences", (int)report->differences,
      "buffers", buffers_of(&task, report), "seconds", diagnosis->seconds);
  arena_free(&task.arena);
  return object;
}

static json_t *program_object(const Sighting *sighting) {
  json_t *object = sighting_object(sighting);
  json_object_set_new(object, "launch",
                      json_integer((json_int_t)sighting->launch));
  json_object_set_new(object, "kernel", json_text(sighting->kernel));
  json_object_set_new(object, "where", place(&sighting->where));
  return object;
}

static json_t *host_object(Loc loc, const HostSighting *sighting) {
  return json_pack("{s:s, s:o, s:I}", "sentence", sighting->sentence, "where",
                   json_place(loc, ""), "times", (json_int_t)sighting->times);
}

static json_t *refusals_of(const ProgramReport *report) {
  json_t *refusals = json_array();
  for (unsigned i = 0; i < report->ledger->counts.refusals; i++)
    if (report->ledger->refusals[i].times)
      json_array_append_new(
          refusals,
          host_object(report->refusals[i], &report->ledger->refusals[i]));
  return refusals;
}

// Null where nothing is executed by values.
static json_t *launches_proved(const ProgramReport *report) {
  const LedgerCounts *counts = &report->ledger->counts;
  return report->is_by_values && !counts->is_damaged
             ? json_integer((json_int_t)counts->proved)
             : json_null();
}

// The same of all launches.
static json_t *launches_shared(const LedgerCounts *counts) {
  return counts->shared && !counts->is_damaged
             ? json_pack("{s:I, s:f}", "launches", (json_int_t)counts->shared,
                         "apart", counts->apart)
             : json_null();
}

json_t *json_program(const Diagnosis *diagnosis) {
  const ProgramReport *report = diagnosis->answer;
  const Ledger *ledger = report->ledger;
  const ProgramEnd *end = &report->end;
  json_t *problems = json_array();
  for (unsigned i = 0; i < ledger->counts.sightings; i++)
    json_array_append_new(problems, program_object(&ledger->sightings[i]));
  return json_pack(
      "{s:i, s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
      "s:f}",
      "schema", (int)SCHEMA_VERSION, "technique", "program", "file",
      json_text(diagnosis->file), "verdict", diagnosis->verdict, "reason",
      json_text(diagnosis->reason), "exit_status",
      end->signal ? json_null() : json_integer(end->exit_status), "signal",
      end->signal ? json_integer(end->signal) : json_null(), "launches",
      ledger->counts.is_damaged
          ? json_null()
          : json_integer((json_int_t)ledger->counts.launches),
      "proved", launches_proved(report), "explained",
      explained_array(&report->explained), "sharing",
      launches_shared(&ledger->counts), "problems", problems, "refused",
      refusals_of(report), "fault",
      ledger->fault.times ? host_object(report->fault, &ledger->fault)
                          : json_null(),
      "seconds", diagnosis->seconds);
}
