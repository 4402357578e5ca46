// How a program has ended and what its kernels have done wrong, for a person.
//
// A program that ends with an exit status other than 0, or by a signal, says
// itself that something is wrong: it has failed, whether or not we have seen
// why.  But if we did not execute a launch to its end, that may be why.

#define _POSIX_C_SOURCE 200809L

#include "plugin/run.h"

#include <inttypes.h>
#include <string.h>

// The first thing that is a mistake; else the first at all.
static const Sighting *worst(const Ledger *ledger) {
  for (unsigned i = 0; i < ledger->counts.sightings; i++)
    if (incident_is_bug(ledger->sightings[i].kind))
      return &ledger->sightings[i];
  return ledger->counts.sightings ? &ledger->sightings[0] : NULL;
}

static bool has_refusals(const Ledger *ledger) {
  for (unsigned i = 0; i < ledger->counts.refusals; i++)
    if (ledger->refusals[i].times)
      return true;
  return false;
}

// What it seemed to do wrong may be our interruption.
static bool has_failed(const ProgramReport *report) {
  return !report->end.interrupted &&
         (has_refusals(report->ledger) ||
          (report->end.exit_status && !report->ledger->counts.sightings));
}

// NULL: it is decided, or a sighting says why not.
const char *program_reason(const ProgramReport *report) {
  const Sighting *sighting = worst(report->ledger);
  bool is_decided = sighting && incident_is_bug(sighting->kind);
  return is_decided || has_failed(report) ? NULL : report->doubt;
}

const char *program_verdict(const ProgramReport *report) {
  const Sighting *sighting = worst(report->ledger);
  if (sighting && incident_is_bug(sighting->kind))
    return incident_kind(sighting->kind);
  if (has_failed(report))
    return "failed";
  if (sighting)
    return incident_kind(sighting->kind);
  return report->doubt ? "unknown" : "passed";
}

int program_status(const ProgramReport *report) {
  const Sighting *sighting = worst(report->ledger);
  if (sighting && incident_is_bug(sighting->kind))
    return EXIT_BUG_FOUND;
  if (has_failed(report))
    return EXIT_BUG_FOUND;
  return sighting || report->doubt ? EXIT_NOT_DECIDED : EXIT_ALL_VERIFIED;
}

static void print_host(FILE *out, Loc loc, const HostSighting *sighting) {
  if (loc.line) {
    report_place(out, loc, "");
    fputs(": ", out);
  }
  fprintf(out, "%s\n", sighting->sentence);
  if (loc.line)
    report_quote(out, loc, "    ");
}

static void print_refusals(FILE *out, const ProgramReport *report) {
  for (unsigned i = 0; i < report->ledger->counts.refusals; i++) {
    const HostSighting *refusal = &report->ledger->refusals[i];
    if (!refusal->times)
      continue;
    print_host(out, report->refusals[i], refusal);
    if (refusal->times > 1)
      fprintf(out, "  and %" PRIu64 " more like this\n", refusal->times - 1);
    fputs("  the program does not ask for its last error after that\n", out);
  }
}

static void print_end(FILE *out, const ProgramReport *report) {
  const Ledger *ledger = report->ledger;
  if (ledger->fault.times)
    print_host(out, report->fault, &ledger->fault);
  if (report->end.signal) {
    fprintf(out, "program ended by signal %d: %s", report->end.signal,
            strsignal(report->end.signal));
    if (ledger->counts.launches > ledger->counts.finished)
      fprintf(out, ", in launch %" PRIu64 ", kernel '%s'",
              ledger->counts.launches, ledger->counts.kernel);
    fputc('\n', out);
  } else if (report->end.exit_status) {
    fprintf(out, "program exited with %d\n", report->end.exit_status);
  }
  if (program_reason(report))
    fprintf(out, "not decided: %s\n", program_reason(report));
}

static const char *count_text(Task *task, const LedgerCounts *counts) {
  if (counts->is_damaged)
    return "launches not counted";
  return arena_printf(&task->arena, "%" PRIu64 " launch%s", counts->launches,
                      counts->launches == 1 ? "" : "es");
}

void report_program_text(FILE *out, Task *task, const ProgramReport *report) {
  const Ledger *ledger = report->ledger;
  for (unsigned i = 0; i < ledger->counts.sightings; i++)
    sighting_print(out, &ledger->sightings[i]);
  print_refusals(out, report);
  print_end(out, report);
  fprintf(out, "verdict: %s (this run, %s, %.2f s of %.2f s in kernels)\n",
          program_verdict(report), count_text(task, &ledger->counts),
          ledger->counts.seconds, report->end.seconds);
}
