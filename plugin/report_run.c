// What one execution has shown, for a person.
//
// The same form as the proof's: where and what, the threads, the verdict.  It
// speaks of this run only, so the good case is called "passed".

#include "plugin/run.h"

#include <inttypes.h>

enum { SHOWN_ELEMENTS = 64 };

// ----------------------------------------------------------------- words ---

// What ended the run goes before races, which do not; but a bug goes before
// what is not known.
static const Incident *worst(const Outcome *outcome) {
  for (unsigned i = outcome->count; i-- > 0;)
    if (incident_is_bug(outcome->incidents[i].kind))
      return &outcome->incidents[i];
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

// ------------------------------------------------------------------ text ---

void report_incident(FILE *out, Task *task, const RunReport *report,
                     const Incident *incident) {
  Sighting sighting = sighting_of(task, report, incident);
  sighting_print(out, &sighting);
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
