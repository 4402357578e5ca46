// What the user knows of what runs, searches and the check of named barriers
// find.
//
// These findings are no obligations: nothing has to be proved without them.  So
// the verdict stays what it is, each that is known is marked, and the exit
// status is that of what is left.  `verified modulo suppressions` would say
// more than is known: behind a deadlock nothing was executed.

#include "plugin/suppress.h"

#include <string.h>

// How much there is of what.
typedef struct Tally {
  int left;      // the status of what is left
  bool is_known; // a finding of the verdict's kind is known
  unsigned suppressed;
} Tally;

static bool is_only_warned(const Settings *settings, VerdictKind kind) {
  return settings->only_warned >> kind & 1;
}

static void scan(Suppressions *suppressions, const Suspect *suspect) {
  for (unsigned i = 0; i < 2; i++)
    if (suspect->at[i].line)
      suppressions_scan(suppressions, suspect->at[i].file ? suspect->at[i].file
                                                          : suspect->file);
}

static Suspect suspect_of(const Diagnosis *diagnosis, const Remark *remark,
                          VerdictKind kind) {
  const char *kernel = remark->of ? remark->of : diagnosis->source;
  return (Suspect){.kind = kind,
                   .file = diagnosis->file,
                   .kernel = kernel ? kernel : "",
                   .name = diagnosis->kernel,
                   .array = remark->array,
                   .at = {remark->where, remark->other}};
}

static void mark(Arena *arena, const Diagnosis *diagnosis, Remark *remark,
                 const Suppression *by) {
  Loc where = by->where;
  remark->suppression = by;
  remark->level = LEVEL_REMARK;
  push(arena, &remark->notes,
       ((Note){.line = arena_printf(arena, "suppressed: %s (%s:%u)", by->reason,
                                    where.file ? where.file : diagnosis->file,
                                    where.line)}));
}

// True: it counts.
static bool settle_finding(Suppressions *suppressions, const Settings *settings,
                           const Diagnosis *diagnosis, Remark *remark,
                           Tally *tally) {
  VerdictKind kind;
  if (!remark->kind || !suppressions_kind(remark->kind, &kind))
    return true;
  Suspect suspect = suspect_of(diagnosis, remark, kind);
  scan(suppressions, &suspect);
  const Suppression *by = suppressions_find(suppressions, &suspect);
  if (suppressions->found &&
      (!by || suppressions_is_of_baseline(suppressions, by)))
    suppressions_note_one(suppressions, &suspect);
  if (by) {
    *by->is_used = true;
    tally->suppressed++;
    mark(&suppressions->task->arena, diagnosis, remark, by);
  }
  return !by && !is_only_warned(settings, kind);
}

static void settle_findings(Suppressions *suppressions,
                            const Settings *settings, Diagnosis *diagnosis,
                            Tally *tally) {
  for (size_t i = 0; i < diagnosis->remarks.count; i++) {
    Remark *remark = &diagnosis->remarks.at[i];
    bool is_alarm =
        remark->level == LEVEL_WARNING || remark->level == LEVEL_DOUBT;
    if (!is_alarm)
      continue;
    int status = status_of_level(remark->level);
    if (settle_finding(suppressions, settings, diagnosis, remark, tally))
      status_worsen(&tally->left, status);
    else
      tally->is_known |= !strcmp(remark->kind, diagnosis->verdict);
  }
}

// Of an answer that is none, or of a part of it.  True: it counts.
static bool settle_reason(Suppressions *suppressions, const Settings *settings,
                          Diagnosis *diagnosis) {
  Suspect all = {.kind = VERDICT_UNKNOWN,
                 .file = diagnosis->file,
                 .kernel = diagnosis->source ? diagnosis->source : "",
                 .name = diagnosis->kernel,
                 .at = {diagnosis->reason_where}};
  const Suppression *by = suppressions_find_whole(
      suppressions, &all, diagnosis->reason_where.line != 0);
  if (suppressions->found &&
      (!by || suppressions_is_of_baseline(suppressions, by)))
    suppressions_note_one(suppressions, &all);
  if (by)
    *by->is_used = true;
  else
    suppressions_note_undecided(suppressions);
  diagnosis->accepted = by;
  return !by && !is_only_warned(settings, VERDICT_UNKNOWN);
}

// What is not decided is said by a remark of its own, without a kind.
static void settle_whole(Suppressions *suppressions, const Settings *settings,
                         Diagnosis *diagnosis, Tally *tally) {
  bool counts = settle_reason(suppressions, settings, diagnosis);
  for (size_t i = 0; i < diagnosis->remarks.count && !counts; i++) {
    Remark *remark = &diagnosis->remarks.at[i];
    if (remark->level == LEVEL_DOUBT && !remark->kind)
      remark->level = LEVEL_REMARK;
  }
  if (counts)
    tally->left = EXIT_NOT_DECIDED;
  tally->is_known |= !counts && !strcmp(diagnosis->verdict, "unknown");
}

int suppressions_give_up(Suppressions *suppressions, const Diagnosis *diagnosis,
                         int status) {
  if (suppressions->rules.count || suppressions->found)
    suppressions_complain(suppressions, (Loc){.file = diagnosis->file},
                          "nothing is suppressed: more was found than is kept, "
                          "and the rest may not be known");
  return status;
}

int suppressions_settle(Suppressions *suppressions, const Settings *settings,
                        Diagnosis *diagnosis, int status) {
  Tally tally = {.left = EXIT_ALL_VERIFIED};
  Arena *arena = &suppressions->task->arena;
  diagnosis->only_warned = settings->only_warned;
  if (status != EXIT_BUG_FOUND && status != EXIT_NOT_DECIDED)
    return status;
  if (diagnosis->reason)
    settle_whole(suppressions, settings, diagnosis, &tally);
  settle_findings(suppressions, settings, diagnosis, &tally);
  if (tally.suppressed)
    diagnosis->detail = arena_printf(arena, "%s, %u suppressed",
                                     diagnosis->detail, tally.suppressed);
  if (!tally.is_known)
    return status;
  if (tally.left == EXIT_ALL_VERIFIED)
    diagnosis->level = LEVEL_REMARK;
  return tally.left;
}

void suppressions_know_no_functions(Suppressions *suppressions) {
  for (size_t i = 0; i < suppressions->rules.count; i++) {
    SuppressionRule *rule = &suppressions->rules.at[i];
    if (!rule->function)
      continue;
    *rule->suppression.is_used = true; // it is told of already
    suppressions_complain(suppressions, rule->suppression.where,
                          "this suppresses nothing: where functions are is not "
                          "known here; src: and kernel: are");
  }
}

bool suppressions_begin(Task *task, Settings *settings, int *status) {
  const char *error = NULL;
  settings->options.suppressions = suppressions_open(task, settings, &error);
  if (error)
    status_complain(status, EXIT_WRONG_USE, NULL, error);
  return !error;
}

void suppressions_end(const Settings *settings, int *status) {
  if (!suppressions_close(settings->options.suppressions))
    status_worsen(status, EXIT_WRONG_USE);
}
