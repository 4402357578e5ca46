// What one execution has shown, for a person.
//
// The same form as the proof's: where and what, the threads, the verdict.  It
// speaks of this run only, so the good case is called "passed".

#include "plugin/run.h"

#include <inttypes.h>

enum { SHOWN_ELEMENTS = 64 };

// ----------------------------------------------------------------- words ---

const char *incident_kind(IncidentKind kind) {
  switch (kind) {
  case INCIDENT_RACE:
    return "racy";
  case INCIDENT_OUT_OF_BOUNDS:
    return "out-of-bounds";
  case INCIDENT_DIVERGENCE:
    return "divergent";
  case INCIDENT_DEADLOCK:
    return "deadlock";
  case INCIDENT_ENDLESS:
    return "endless";
  case INCIDENT_STACK:
    return "stack-overflow";
  case INCIDENT_ASSERTION:
    return "assertion";
  case INCIDENT_TRAP:
    return "trap";
  case INCIDENT_CRASH:
    return "crash";
  case INCIDENT_REQUIRES:
    return "vacuous";
  case INCIDENT_LIMIT:
  case INCIDENT_REFUSED:
    return "unknown";
  }
  return "";
}

// What ended the run goes before races, which do not.
static const Incident *worst(const Outcome *outcome) {
  return outcome->count ? &outcome->incidents[outcome->count - 1] : NULL;
}

const char *run_verdict(const RunReport *report) {
  const Incident *incident = worst(report->outcome);
  if (incident)
    return incident_kind(incident->kind);
  if (!report->outcome->is_done)
    return "unknown";
  return report->differences ? "wrong-result" : "passed";
}

int run_status(const RunReport *report) {
  const Incident *incident = worst(report->outcome);
  if (incident)
    return incident_is_bug(incident->kind) ? EXIT_BUG_FOUND : EXIT_NOT_DECIDED;
  if (!report->outcome->is_done)
    return EXIT_NOT_DECIDED;
  return report->differences ? EXIT_BUG_FOUND : EXIT_ALL_VERIFIED;
}

const Site *actor_site(const RunReport *report, const Actor *actor) {
  return actor->site == NO_SITE ? NULL : &report->code->sites.at[actor->site];
}

const char *actor_array(const RunReport *report, const Actor *actor) {
  size_t index = (size_t)actor->array, buffers = report->run->buffers.count;
  if (actor->array < 0)
    return NULL;
  return index < buffers ? report->run->buffers.at[index].name
                         : report->code->variables.at[index - buffers].name;
}

unsigned actor_element(const RunReport *report, const Actor *actor) {
  size_t index = (size_t)actor->array, buffers = report->run->buffers.count;
  if (actor->array < 0)
    return 0;
  return index < buffers ? report->launch->elements.at[index]->bytes
                         : report->code->variables.at[index - buffers].element;
}

const char *site_verb(const Site *site) {
  switch (site->kind) {
  case SITE_READ:
  case SITE_FETCH:
    return "reads";
  case SITE_WRITE:
  case SITE_FILL:
    return "writes";
  case SITE_ATOMIC:
    return site->is_load    ? "reads atomically"
           : site->is_store ? "writes atomically"
                            : "updates atomically";
  case SITE_FENCE:
  case SITE_CALL:
  case SITE_LOOP:
    return "is here";
  }
  return "";
}

static const char *race_name(const RunReport *report,
                             const Incident *incident) {
  const Site *a = actor_site(report, &incident->actors[0]);
  const Site *b = actor_site(report, &incident->actors[1]);
  if (a->kind == SITE_ATOMIC || b->kind == SITE_ATOMIC) {
    const Site *other = a->kind == SITE_ATOMIC ? b : a;
    if (other->kind == SITE_ATOMIC)
      return "atomic-atomic";
    return other->kind == SITE_READ || other->kind == SITE_FETCH
               ? "atomic-read"
               : "atomic-write";
  }
  bool reads = a->kind == SITE_READ || a->kind == SITE_FETCH ||
               b->kind == SITE_READ || b->kind == SITE_FETCH;
  return reads ? "read-write" : "write-write";
}

const char *incident_sentence(Task *task, const RunReport *report,
                              const Incident *incident) {
  const char *array = actor_array(report, &incident->actors[0]);
  Arena *arena = &task->arena;
  switch (incident->kind) {
  case INCIDENT_RACE:
    return arena_printf(arena, "%s race on '%s'%s%s",
                        race_name(report, incident), array,
                        incident->text[0] ? ": " : "", incident->text);
  case INCIDENT_OUT_OF_BOUNDS:
    if (!array)
      return arena_printf(arena, "access outside of all arrays: %s",
                          incident->text);
    return arena_printf(arena, "access outside of '%s': %s", array,
                        incident->text);
  case INCIDENT_DIVERGENCE:
    return incident->text[0] ? incident->text : "barrier divergence";
  case INCIDENT_DEADLOCK:
    return arena_printf(arena, "deadlock: %s", incident->text);
  case INCIDENT_ENDLESS:
    return arena_printf(arena, "this loop does not end: stopped %s",
                        incident->text);
  case INCIDENT_STACK:
    return "stack overflow";
  case INCIDENT_ASSERTION:
    return arena_printf(arena, "assertion failed%s%s",
                        incident->text[0] ? ": " : "", incident->text);
  case INCIDENT_TRAP:
    return "trap";
  case INCIDENT_CRASH:
    return arena_printf(arena, "crash: %s", incident->text);
  case INCIDENT_REQUIRES:
    return "the launch breaks a __requires";
  case INCIDENT_LIMIT:
  case INCIDENT_REFUSED:
    return arena_printf(arena, "not executed to the end: %s", incident->text);
  }
  return "";
}

// ------------------------------------------------------------------ text ---

static void print_place(FILE *out, const RunReport *report,
                        const Actor *actor) {
  const Site *site = actor_site(report, actor);
  report_place(out, site ? site->loc : (Loc){0}, report->file);
}

static void print_cell(FILE *out, const RunReport *report, const Actor *actor) {
  const char *array = actor_array(report, actor);
  unsigned element = actor_element(report, actor);
  if (!array)
    return;
  fprintf(out, " %s", array);
  if (element && actor->offset % (int64_t)element == 0)
    fprintf(out, "[%lld]", (long long)(actor->offset / (int64_t)element));
  if (actor->bytes > 1)
    fprintf(out, " (bytes %lld..%lld)", (long long)actor->offset,
            (long long)actor->offset + (long long)actor->bytes - 1);
  else
    fprintf(out, " (byte %lld)", (long long)actor->offset);
}

static void print_actor(FILE *out, const RunReport *report,
                        const Actor *actor) {
  const Site *site = actor_site(report, actor);
  fprintf(out, "  thread (%u,%u,%u) in block (%u,%u,%u)", actor->thread[0],
          actor->thread[1], actor->thread[2], actor->block[0], actor->block[1],
          actor->block[2]);
  if (actor->has_exited) {
    fputs(" has left the kernel\n", out);
    return;
  }
  if (site)
    fprintf(out, " %s", site_verb(site));
  if (site && site->kind != SITE_CALL && site->kind != SITE_LOOP)
    print_cell(out, report, actor);
  fputs(", ", out);
  print_place(out, report, actor);
  fputc('\n', out);
}

void report_incident(FILE *out, Task *task, const RunReport *report,
                     const Incident *incident) {
  const Site *site =
      incident->count ? actor_site(report, &incident->actors[0]) : NULL;
  if (incident->count)
    print_place(out, report, &incident->actors[0]);
  else
    fputs(report->file, out);
  fprintf(out, ": %s\n", incident_sentence(task, report, incident));
  if (site)
    report_quote(out, site->loc, "    ");
  for (unsigned i = 0; i < incident->count; i++)
    print_actor(out, report, &incident->actors[i]);
  if (incident->times > 1)
    fprintf(out, "  and %" PRIu64 " more like this\n", incident->times - 1);
}

static void print_range(FILE *out, Task *task, const RunReport *report,
                        const Range *range) {
  const Buffer *buffer = &report->run->buffers.at[range->buffer];
  fprintf(out, "%s", buffer->name);
  if (range->from)
    fprintf(out, "[%" PRIu64 "..]", range->from);
  fputs(" =", out);
  for (uint64_t i = 0; i < range->count && i < SHOWN_ELEMENTS; i++)
    fprintf(
        out, " %s",
        element_text(task, range->element,
                     buffer->at + (range->from + i) * range->element->bytes));
  fputs(range->count > SHOWN_ELEMENTS ? " ..\n" : "\n", out);
}

static void print_difference(FILE *out, Task *task, const RunReport *report,
                             const Range *range) {
  uint64_t i = range_difference(range, report->run);
  unsigned bytes = range->element->bytes;
  const Buffer *buffer = &report->run->buffers.at[range->buffer];
  if (i == range->count)
    return;
  fprintf(out, "%s: %s[%" PRIu64 "] is %s, not %s\n", report->launch->name,
          buffer->name, range->from + i,
          element_text(task, range->element,
                       buffer->at + (range->from + i) * bytes),
          element_text(task, range->element, range->expected + i * bytes));
}

void report_run_text(FILE *out, Task *task, const RunReport *report) {
  const LaunchFile *launch = report->launch;
  const Run *run = report->run;
  for (unsigned i = 0; i < report->outcome->count; i++)
    report_incident(out, task, report, &report->outcome->incidents[i]);
  for (size_t i = 0; i < launch->prints.count; i++)
    print_range(out, task, report, &launch->prints.at[i]);
  for (size_t i = 0; report->outcome->is_done && i < launch->expectations.count;
       i++)
    print_difference(out, task, report, &launch->expectations.at[i]);
  fprintf(out,
          "verdict: %s (this run, kernel '%s', grid (%u,%u,%u), block "
          "(%u,%u,%u), %.2f s)\n",
          run_verdict(report), report->entry->source, run->grid[0],
          run->grid[1], run->grid[2], run->block[0], run->block[1],
          run->block[2], report->outcome->seconds);
}
