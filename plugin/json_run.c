// What one execution has shown, for a program: one object on one line.
// docs/JSON.md describes the members.

#include "plugin/run.h"

#include <jansson.h>
#include <stdlib.h>

static json_t *triple(const uint32_t values[3]) {
  return json_pack("[I, I, I]", (json_int_t)values[0], (json_int_t)values[1],
                   (json_int_t)values[2]);
}

static json_t *text(const char *string) {
  json_t *value = string ? json_string(string) : NULL;
  return value ? value : json_null();
}

static json_t *place(const Site *site, const char *file) {
  if (!site || !site->loc.line)
    return json_null();
  return json_pack("{s:o, s:I, s:I}", "file",
                   text(site->loc.file ? site->loc.file : file), "line",
                   (json_int_t)site->loc.line, "column",
                   (json_int_t)site->loc.column);
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
                   triple(actor->thread), "block", triple(actor->block),
                   "exited", (int)actor->has_exited, "action",
                   text(action(site)), "array",
                   text(actor_array(report, actor)), "offset_bytes",
                   (json_int_t)actor->offset, "bytes", (json_int_t)actor->bytes,
                   "where", place(site, report->file));
}

static json_t *incident_object(Task *task, const RunReport *report,
                               const Incident *incident) {
  json_t *threads = json_array();
  for (unsigned i = 0; i < incident->count; i++)
    json_array_append_new(threads, actor_object(report, &incident->actors[i]));
  return json_pack(
      "{s:s, s:o, s:I, s:o}", "kind", incident_kind(incident->kind), "sentence",
      text(incident_sentence(task, report, incident)), "occurrences",
      (json_int_t)incident->times, "threads", threads);
}

static json_t *range_object(Task *task, const RunReport *report,
                            const Range *range) {
  const Buffer *buffer = &report->run->buffers.at[range->buffer];
  json_t *values = json_array();
  for (uint64_t i = 0; i < range->count; i++)
    json_array_append_new(
        values, text(element_text(task, range->element,
                                  buffer->at + (range->from + i) *
                                                   range->element->bytes)));
  return json_pack("{s:o, s:s, s:I, s:o}", "buffer", text(buffer->name), "type",
                   range->element->name, "from", (json_int_t)range->from,
                   "values", values);
}

void report_run_json(FILE *out, Task *task, const RunReport *report) {
  const Outcome *outcome = report->outcome;
  json_t *problems = json_array(), *buffers = json_array();
  for (unsigned i = 0; i < outcome->count; i++)
    json_array_append_new(
        problems, incident_object(task, report, &outcome->incidents[i]));
  for (size_t i = 0; i < report->launch->prints.count; i++)
    json_array_append_new(
        buffers, range_object(task, report, &report->launch->prints.at[i]));
  json_t *object = json_pack(
      "{s:i, s:s, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:i, s:o, s:f}", "schema",
      1, "technique", "run", "file", text(report->file), "kernel",
      text(report->entry->name), "source", text(report->entry->source),
      "verdict", run_verdict(report), "grid_size", triple(report->run->grid),
      "block_size", triple(report->run->block), "problems", problems,
      "differences", (int)report->differences, "buffers", buffers, "seconds",
      outcome->seconds);
  char *line = object ? json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER |
                                               JSON_REAL_PRECISION(6))
                      : NULL;
  if (!line) {
    fputs("out of memory\n", stderr);
    abort();
  }
  fprintf(out, "%s\n", line);
  free(line);
  json_decref(object);
}
