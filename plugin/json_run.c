// What one execution has shown, for a program: one object on one line.
// docs/JSON.md describes the members.

#include "plugin/json.h"
#include "plugin/run.h"

static json_t *place(const Site *site, const char *file) {
  return site ? json_place(site->loc, file) : json_null();
}

static const char *action(const Site *site) {
  if (!site)
    return NULL;
  switch (site->kind) {
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

static json_t *actor_object(const RunReport *report, const Actor *actor) {
  const Site *site = actor_site(report, actor);
  return json_pack("{s:o, s:o, s:b, s:o, s:o, s:I, s:I, s:o}", "thread",
                   json_triple(actor->thread), "block",
                   json_triple(actor->block), "exited", (int)actor->has_exited,
                   "action", json_text(action(site)), "array",
                   json_text(actor_array(report, actor)), "offset_bytes",
                   (json_int_t)actor->offset, "bytes", (json_int_t)actor->bytes,
                   "where", place(site, report->file));
}

json_t *json_incident(Task *task, const RunReport *report,
                      const Incident *incident) {
  json_t *threads = json_array();
  for (unsigned i = 0; i < incident->count; i++)
    json_array_append_new(threads, actor_object(report, &incident->actors[i]));
  return json_pack(
      "{s:s, s:o, s:I, s:o}", "kind", incident_kind(incident->kind), "sentence",
      json_text(incident_sentence(task, report, incident)), "occurrences",
      (json_int_t)incident->times, "threads", threads);
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

void report_run_json(FILE *out, Task *task, const RunReport *report) {
  const Outcome *outcome = report->outcome;
  json_t *problems = json_array(), *buffers = json_array();
  for (unsigned i = 0; i < outcome->count; i++)
    json_array_append_new(problems,
                          json_incident(task, report, &outcome->incidents[i]));
  for (size_t i = 0; i < report->launch->prints.count; i++)
    json_array_append_new(
        buffers, range_object(task, report, &report->launch->prints.at[i]));
  json_t *object = json_pack(
      "{s:i, s:s, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:i, s:o, s:f}", "schema",
      (int)SCHEMA_VERSION, "technique", "run", "file", json_text(report->file),
      "kernel", json_text(report->entry->name), "source",
      json_text(report->entry->source), "verdict", run_verdict(report),
      "grid_size", json_triple(report->run->grid), "block_size",
      json_triple(report->run->block), "problems", problems, "differences",
      (int)report->differences, "buffers", buffers, "seconds",
      outcome->seconds);
  json_print_line(object, out);
}
