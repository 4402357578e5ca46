// The replay of findings against all schedules of a small program.
//
// Of what the check finds we count what is seen in some schedule.  And what is
// wrong with no schedule must not be seen: we make findings up, about each
// command and each pair of accesses, and ask for them.

#include "test/fuzz/interleave.h"

#include <string.h>

typedef struct Asking {
  const Programs *programs;
  const InterleavedOutcome *outcome;
  Check *check;
  FILE *out;
} Asking;

static void replay(Task *task, void *data) {
  Asking *asking = data;
  programs_replay(task, asking->programs, asking->check);
}

static bool is_behind(const Finding *finding) {
  return finding->replay && strstr(finding->replay, "another mistake");
}

static void complain(const Asking *asking, const Finding *finding,
                     const char *what) {
  if (!asking->out)
    return;
  fprintf(asking->out, "replay: %s: %s", what, finding_name(finding->kind));
  for (unsigned i = 0; i < finding->end_count; i++)
    fprintf(asking->out, "  warp %u lane %u command %u", finding->ends[i].warp,
            finding->ends[i].lane, finding->ends[i].command);
  fprintf(asking->out, "\n  %s\n",
          finding->replay ? finding->replay : "not replayed");
}

void compare_replays(Task *task, const Programs *programs, const Check *check,
                     Replays *replays, FILE *out) {
  Check copy = *check;
  Asking asking = {.programs = programs, .check = &copy, .out = out};
  if (!task_run(task, replay, &asking))
    return;
  for (size_t i = 0; i < copy.findings.count; i++) {
    const Finding *finding = &copy.findings.at[i];
    replays->findings++;
    replays->confirmed += finding->is_confirmed;
    replays->behind += is_behind(finding);
    if (finding->is_confirmed || is_behind(finding))
      continue;
    replays->missed++;
    complain(&asking, finding, "not seen");
  }
}

// ------------------------------------------------------------- invention ---

static End end_at(const Programs *programs, unsigned warp, unsigned lane,
                  uint32_t command) {
  return (End){warp, lane, command, programs->warps[warp].at[command].place};
}

static bool is_a_race(const InterleavedOutcome *outcome,
                      const Finding *finding) {
  uint32_t a = finding->ends[0].place, b = finding->ends[1].place;
  for (size_t i = 0; i < outcome->races.count; i++) {
    const uint32_t *places = outcome->races.at[i].places;
    if ((places[0] == a && places[1] == b) ||
        (places[0] == b && places[1] == a))
      return true;
  }
  return false;
}

static bool is_invented(const Asking *asking, const Finding *finding) {
  return finding->kind != FINDING_RACE || !is_a_race(asking->outcome, finding);
}

static bool is_plain(CommandKind kind) {
  return kind == COMMAND_READ || kind == COMMAND_STRONG_READ ||
         kind == COMMAND_WRITE || kind == COMMAND_ATOMIC;
}

static bool is_access(CommandKind kind) {
  return is_plain(kind) || kind == COMMAND_COPY || kind == COMMAND_BULK_READ ||
         kind == COMMAND_BULK_WRITE;
}

static bool is_named(CommandKind kind) {
  return kind == COMMAND_SYNC || kind == COMMAND_REDUCE ||
         kind == COMMAND_ARRIVE;
}

static bool is_of_mbarrier(CommandKind kind) {
  return (kind >= COMMAND_MBARRIER_INIT && kind <= COMMAND_MBARRIER_TRY) ||
         kind == COMMAND_COPY_ARRIVE || kind == COMMAND_BULK_COMPLETE;
}

static bool is_use(CommandKind kind) {
  return is_of_mbarrier(kind) && kind != COMMAND_MBARRIER_INIT &&
         kind != COMMAND_MBARRIER_INVAL;
}

static void invent(Task *task, Check *check, FindingKind kind, End a,
                   const End *b) {
  Finding finding = {.kind = kind, .ends = {a}, .end_count = b ? 2 : 1};
  if (b)
    finding.ends[1] = *b;
  push(&task->arena, &check->findings, finding);
}

static void invent_of_one(Task *task, const Asking *asking, End end) {
  static const FindingKind of_named[] = {FINDING_COUNT,      FINDING_TOO_MANY,
                                         FINDING_ALL_ARRIVE, FINDING_TWICE,
                                         FINDING_MIXED,      FINDING_DEADLOCK};
  static const FindingKind of_mbarriers[] = {
      FINDING_DEAD,        FINDING_LIVE,      FINDING_ARRIVALS,
      FINDING_EARLY,       FINDING_PASSES,    FINDING_MISSES,
      FINDING_UNANNOUNCED, FINDING_COMPLETES, FINDING_RANGE,
      FINDING_UNBALANCED,  FINDING_DEADLOCK};
  CommandKind kind = programs_command(asking->programs, end)->kind;
  Check *check = asking->check;
  if (is_named(kind))
    for (size_t i = 0; i < sizeof of_named / sizeof *of_named; i++)
      invent(task, check, of_named[i], end, NULL);
  if (is_of_mbarrier(kind))
    for (size_t i = 0; i < sizeof of_mbarriers / sizeof *of_mbarriers; i++)
      invent(task, check, of_mbarriers[i], end, NULL);
  if (kind == COMMAND_BULK_READ || kind == COMMAND_BULK_WRITE)
    invent(task, check, FINDING_UNFINISHED, end, NULL);
  if (is_plain(kind))
    invent(task, check, FINDING_NOT_STARTED, end, NULL);
  if (is_plain(kind) || is_use(kind))
    invent(task, check, FINDING_GONE, end, NULL);
}

static void invent_of_two(Task *task, const Asking *asking, End a, End b) {
  const Command *first = programs_command(asking->programs, a);
  const Command *second = programs_command(asking->programs, b);
  Check *check = asking->check;
  if (is_access(first->kind) && is_access(second->kind))
    invent(task, check, FINDING_RACE, a, &b);
  if (is_named(first->kind) && is_named(second->kind) &&
      first->barrier == second->barrier)
    invent(task, check, FINDING_RECYCLED, a, &b);
  if (first->kind == COMMAND_MBARRIER_INVAL && is_of_mbarrier(second->kind))
    invent(task, check, FINDING_IN_USE, a, &b);
  if (first->kind == COMMAND_MBARRIER_WAIT &&
      second->kind == COMMAND_MBARRIER_TRY && first->address == second->address)
    invent(task, check, FINDING_PASSES, b, &a);
  if (is_use(first->kind) && second->kind == COMMAND_MBARRIER_INIT &&
      first->address == second->address)
    invent(task, check, FINDING_DEAD, a, &b);
  if (is_access(first->kind) && !first->is_perhaps &&
      second->kind == COMMAND_MBARRIER_INIT)
    invent(task, check, FINDING_OVERLAP, a, &b);
}

typedef Vec(End) Ends;

// Of each command the first and the last of its lanes.
static Ends ends_of(Task *task, const Programs *programs) {
  Ends ends = {0};
  for (unsigned warp = 0; warp < programs_warps(programs); warp++)
    for (uint32_t at = 0; at < programs->warps[warp].count; at++) {
      uint32_t lanes =
          programs->warps[warp].at[at].lanes & warp_lanes(programs, warp);
      if (!lanes)
        continue;
      unsigned first = (unsigned)__builtin_ctz(lanes);
      unsigned last = (unsigned)(31 - __builtin_clz(lanes));
      push(&task->arena, &ends, end_at(programs, warp, first, at));
      if (last != first)
        push(&task->arena, &ends, end_at(programs, warp, last, at));
    }
  return ends;
}

void refute_replays(Task *task, const Programs *programs,
                    const InterleavedOutcome *outcome, Replays *replays,
                    FILE *out) {
  Check check = {0};
  Asking asking = {
      .programs = programs, .outcome = outcome, .check = &check, .out = out};
  Ends ends = ends_of(task, programs);
  for (size_t i = 0; i < ends.count; i++) {
    invent_of_one(task, &asking, ends.at[i]);
    for (size_t k = 0; k < ends.count; k++)
      if (i != k)
        invent_of_two(task, &asking, ends.at[i], ends.at[k]);
  }
  if (!task_run(task, replay, &asking))
    return;
  for (size_t i = 0; i < check.findings.count; i++) {
    const Finding *finding = &check.findings.at[i];
    if (!finding->is_confirmed || !is_invented(&asking, finding))
      continue;
    replays->invented++;
    complain(&asking, finding, "seen, and cannot be");
  }
}
