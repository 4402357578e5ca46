// From how a program has ended, and what its kernels have done wrong, to a
// diagnosis.
//
// A program that ends with an exit status other than 0, or by a signal, says
// itself that something is wrong: it has failed, whether or not we have seen
// why.  But if we did not execute a launch to its end, that may be why.

#define _POSIX_C_SOURCE 200809L

#include "report/runs.h"
#include "report/tell.h"

#include <inttypes.h>
#include <math.h>
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

static Level level(const ProgramReport *report) {
  const Sighting *sighting = worst(report->ledger);
  bool is_bug = sighting && incident_is_bug(sighting->kind);
  if (is_bug || has_failed(report))
    return LEVEL_WARNING;
  return sighting || report->doubt ? LEVEL_DOUBT : LEVEL_REMARK;
}

// ---------------------------------------------------------------- remarks ---

static Remark *tell_host(Arena *arena, Diagnosis *diagnosis, Loc loc,
                         const HostSighting *sighting) {
  return remark_add(arena, diagnosis,
                    (Remark){.level = LEVEL_WARNING,
                             .kind = "failed",
                             .naming = loc.line ? NAMES_PLACE : NAMES_NOTHING,
                             .where = loc,
                             .is_quoted = loc.line,
                             .sentence = sighting->sentence,
                             .there = sighting->sentence,
                             .is_confirmed = true});
}

static void tell_refusals(Arena *arena, Diagnosis *diagnosis,
                          const ProgramReport *report) {
  for (unsigned i = 0; i < report->ledger->counts.refusals; i++) {
    const HostSighting *refusal = &report->ledger->refusals[i];
    if (!refusal->times)
      continue;
    Remark *remark = tell_host(arena, diagnosis, report->refusals[i], refusal);
    if (refusal->times > 1)
      note_line(arena, remark,
                arena_printf(arena, "and %" PRIu64 " more like this",
                             refusal->times - 1));
    note_line(arena, remark,
              "the program does not ask for its last error after that");
  }
}

static void tell_sentence(Arena *arena, Diagnosis *diagnosis, Level level,
                          const char *sentence) {
  remark_add(arena, diagnosis,
             (Remark){.level = level,
                      .naming = NAMES_NOTHING,
                      .sentence = sentence,
                      .there = sentence});
}

static const char *signal_text(Arena *arena, const ProgramReport *report) {
  const LedgerCounts *counts = &report->ledger->counts;
  const char *text =
      arena_printf(arena, "program ended by signal %d: %s", report->end.signal,
                   strsignal(report->end.signal));
  if (counts->launches <= counts->finished)
    return text;
  return arena_printf(arena, "%s, in launch %" PRIu64 ", kernel '%s'", text,
                      counts->launches, counts->kernel);
}

static void tell_end(Arena *arena, Diagnosis *diagnosis,
                     const ProgramReport *report) {
  const Ledger *ledger = report->ledger;
  if (ledger->fault.times)
    tell_host(arena, diagnosis, report->fault, &ledger->fault);
  if (report->end.signal)
    tell_sentence(arena, diagnosis, LEVEL_WARNING, signal_text(arena, report));
  else if (report->end.exit_status)
    tell_sentence(
        arena, diagnosis, LEVEL_WARNING,
        arena_printf(arena, "program exited with %d", report->end.exit_status));
  if (program_reason(report))
    tell_sentence(
        arena, diagnosis, LEVEL_DOUBT,
        arena_printf(arena, "not decided: %s", program_reason(report)));
}

// How many of them were executed in this way, if any.
static const char *add_count(Arena *arena, const char *text, uint64_t count,
                             const char *how) {
  return count ? arena_printf(arena, "%s, %" PRIu64 " %s", text, count, how)
               : text;
}

// Of the pairs of blocks, if that is not all of them in each launch, the least.
static const char *add_shared(Arena *arena, const char *text,
                              const LedgerCounts *counts) {
  bool is_least = counts->shared > 1 && counts->apart < 1;
  if (!counts->shared)
    return text;
  return arena_printf(arena, "%s, %" PRIu64 " with shared copies: %s%s", text,
                      counts->shared, is_least ? "at least " : "",
                      pairs_text(arena, is_least
                                            ? floor(100 * counts->apart) / 100
                                            : counts->apart));
}

static const char *count_text(Arena *arena, const LedgerCounts *counts) {
  if (counts->is_damaged)
    return "launches not counted";
  const char *text =
      arena_printf(arena, "%" PRIu64 " launch%s", counts->launches,
                   counts->launches == 1 ? "" : "es");
  text = add_count(arena, text, counts->proved, "proved");
  text = add_shared(arena, text, counts);
  return add_count(arena, text, counts->repeated, "in order");
}

Diagnosis *diagnose_program(Arena *arena, const ProgramReport *report) {
  const Ledger *ledger = report->ledger;
  Diagnosis *diagnosis = NEW(arena, Diagnosis);
  *diagnosis = (Diagnosis){.file = report->file,
                           .verdict = program_verdict(report),
                           .level = level(report),
                           .reason = program_reason(report),
                           .seconds = report->end.seconds,
                           .answer = report,
                           .json = json_program};
  tell_explanations(arena, diagnosis, &report->explained);
  for (unsigned i = 0; i < ledger->counts.sightings; i++)
    tell_sighting(arena, diagnosis, &ledger->sightings[i]);
  tell_refusals(arena, diagnosis, report);
  tell_end(arena, diagnosis, report);
  diagnosis->detail =
      arena_printf(arena, "this run%s%s, %s, %.2f s of %.2f s in kernels",
                   report->is_by_values ? " by values" : "",
                   report->is_deterministic ? ", deterministic" : "",
                   count_text(arena, &ledger->counts), ledger->counts.seconds,
                   report->end.seconds);
  return diagnosis;
}
