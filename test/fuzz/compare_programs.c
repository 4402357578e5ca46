// The check of the barriers against all schedules of a small program.
//
// The check must find something about barriers if and only if the program is
// not well-synchronised; if it is, the two must know the same pairs of places
// that race, and the same number of pairs of threads.

#include "test/fuzz/interleave.h"

static bool has_races_only(const Check *check) {
  for (size_t i = 0; i < check->findings.count; i++)
    if (check->findings.at[i].kind != FINDING_RACE &&
        check->findings.at[i].kind != FINDING_UNFENCED)
      return false;
  return true;
}

static bool is_between(const Finding *finding, const RacingPlaces *races) {
  uint32_t a = finding->ends[0].place, b = finding->ends[1].place;
  return (a < b ? a : b) == races->places[0] &&
         (a < b ? b : a) == races->places[1];
}

static bool is_found(const InterleavedOutcome *outcome,
                     const Finding *finding) {
  for (size_t i = 0; i < outcome->races.count; i++)
    if (!outcome->races.at[i].is_unsure &&
        is_between(finding, &outcome->races.at[i]))
      return true;
  return false;
}

// Two threads may race at two places both in earnest and for want of a fence.
static bool has_same_races(const Check *check,
                           const InterleavedOutcome *outcome) {
  for (size_t i = 0; i < check->findings.count; i++)
    if (!is_found(outcome, &check->findings.at[i]))
      return false;
  for (size_t i = 0; i < outcome->races.count; i++) {
    const RacingPlaces *races = &outcome->races.at[i];
    uint64_t pairs = 0, unfenced = 0;
    if (races->is_unsure)
      continue;
    for (size_t k = 0; k < check->findings.count; k++) {
      const Finding *finding = &check->findings.at[k];
      if (!is_between(finding, races))
        continue;
      pairs += finding->occurrences;
      if (finding->kind == FINDING_UNFENCED)
        unfenced += finding->occurrences;
    }
    if (pairs < races->pairs || pairs - races->pairs > unfenced)
      return false;
  }
  return true;
}

static const char *const kinds[] = {
    [FINDING_DEADLOCK] = "deadlock",
    [FINDING_COUNT] = "count",
    [FINDING_TOO_MANY] = "too many",
    [FINDING_ALL_ARRIVE] = "all arrive",
    [FINDING_TWICE] = "twice",
    [FINDING_MIXED] = "mixed",
    [FINDING_RECYCLED] = "recycled",
    [FINDING_DEAD] = "dead",
    [FINDING_LIVE] = "live",
    [FINDING_IN_USE] = "in use",
    [FINDING_ARRIVALS] = "arrivals",
    [FINDING_EARLY] = "early",
    [FINDING_PASSES] = "passes",
    [FINDING_MISSES] = "misses",
    [FINDING_UNANNOUNCED] = "late",
    [FINDING_COMPLETES] = "completes",
    [FINDING_RANGE] = "range",
    [FINDING_UNBALANCED] = "unbalanced",
    [FINDING_WARPGROUP] = "warpgroup",
    [FINDING_DIRECTION] = "direction",
    [FINDING_POOL] = "pool",
    [FINDING_NOT_STARTED] = "not started",
    [FINDING_GONE] = "gone",
    [FINDING_UNFENCED] = "unfenced",
    [FINDING_UNFINISHED] = "unfinished",
    [FINDING_OVERLAP] = "overlap",
    [FINDING_RACE] = "race",
};

const char *finding_name(FindingKind kind) { return kinds[kind]; }

static void print_finding(const Finding *finding, FILE *out) {
  fprintf(out, "check: %s", kinds[finding->kind]);
  for (unsigned i = 0; i < finding->end_count; i++)
    fprintf(out, "  warp %u lane %u command %u (place %u)",
            finding->ends[i].warp, finding->ends[i].lane,
            finding->ends[i].command, finding->ends[i].place);
  fprintf(out, "  %llu times\n", (unsigned long long)finding->occurrences);
}

static void print_both(Task *task, const Programs *programs, const Check *check,
                       const InterleavedOutcome *outcome, FILE *out) {
  programs_print(task, programs, out);
  fprintf(out, "%s\n", programs->lock_step ? "in lock step" : "lanes are free");
  for (size_t i = 0; i < check->findings.count; i++)
    print_finding(&check->findings.at[i], out);
  fprintf(out, "schedules: %s\n",
          outcome->wrong ? outcome->wrong : "well-synchronised");
  for (size_t i = 0; i < outcome->races.count; i++)
    fprintf(out, "schedules: places %u and %u %srace, %llu pairs\n",
            outcome->races.at[i].places[0], outcome->races.at[i].places[1],
            outcome->races.at[i].is_unsure ? "may " : "",
            (unsigned long long)outcome->races.at[i].pairs);
}

typedef struct Checking {
  const Programs *programs;
  Check check;
} Checking;

static void check_all(Task *task, void *data) {
  Checking *checking = data;
  programs_check(task, checking->programs, &checking->check);
}

// What was seen can be.  All races were seen; and of mistakes at least one, for
// others may only follow from it.
static bool replays_agree(Task *task, const Programs *programs,
                          const Check *check, const InterleavedOutcome *outcome,
                          Replays *replays, FILE *out) {
  Replays now = {0};
  compare_replays(task, programs, check, &now, outcome->wrong ? NULL : out);
  if (!outcome->wrong && replays->refutes)
    refute_replays(task, programs, outcome, &now, out);
  replays->findings += now.findings;
  replays->confirmed += now.confirmed;
  replays->behind += now.behind;
  replays->missed += now.missed;
  replays->invented += now.invented;
  return !now.invented && (outcome->wrong ? now.confirmed || !now.findings
                                          : now.confirmed == now.findings);
}

Agreement compare_programs(Task *task, const Programs *programs,
                           Replays *replays, FILE *out) {
  InterleavedOutcome outcome = interleave(&task->arena, programs);
  if (outcome.is_too_large)
    return TOO_LARGE;
  Checking checking = {.programs = programs};
  if (!task_run(task, check_all, &checking) && !checking.check.doubt.end_count)
    return TOO_LARGE;
  const Check check = checking.check;
  bool agree = outcome.wrong ? !has_races_only(&check)
                             : has_same_races(&check, &outcome) &&
                                   !check.doubt.end_count == !outcome.is_unsure;
  if (agree && replays_agree(task, programs, &check, &outcome, replays, out))
    return check.findings.count ? AGREE_FINDINGS : AGREE_CLEAN;
  if (out)
    print_both(task, programs, &check, &outcome, out);
  return DISAGREE;
}
