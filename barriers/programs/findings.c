// The check, and where its findings are collected.
//
// A mistake in a loop is met in each iteration, and by each pair of threads;
// it is one finding, counted.  What tells findings apart is their kind, their
// barrier and the places in the program, so these are the key of a hash table.

#include "barriers/programs/check.h"

#include <assert.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

static size_t hash_of(const Finding *finding) {
  uint64_t hash = hash_mix(finding->kind, finding->barrier);
  for (unsigned i = 0; i < finding->end_count; i++)
    hash = hash_mix(hash, finding->ends[i].place);
  return (size_t)(hash ^ hash >> 32);
}

static bool is_same(const Finding *a, const Finding *b) {
  if (a->kind != b->kind || a->barrier != b->barrier ||
      a->end_count != b->end_count)
    return false;
  for (unsigned i = 0; i < a->end_count; i++)
    if (a->ends[i].place != b->ends[i].place)
      return false;
  return true;
}

// Where this finding is, or belongs.
static uint32_t *find_slot(const FindingSet *findings, const Finding *finding) {
  size_t mask = findings->slot_count - 1;
  size_t i = hash_of(finding) & mask;
  while (
      findings->slots[i] &&
      !is_same(&findings->check->findings.at[findings->slots[i] - 1], finding))
    i = (i + 1) & mask;
  return &findings->slots[i];
}

static void make_room(FindingSet *findings) {
  size_t count = findings->check->findings.count;
  if (2 * count < findings->slot_count)
    return;
  findings->slot_count =
      findings->slot_count ? 2 * findings->slot_count : FIRST_SLOTS;
  findings->slots = arena_alloc(&findings->task->arena,
                                findings->slot_count * sizeof(uint32_t));
  for (size_t i = 0; i < count; i++)
    *find_slot(findings, &findings->check->findings.at[i]) = (uint32_t)i + 1;
}

static Finding new_finding(FindingKind kind, unsigned barrier, End end,
                           const End *other) {
  Finding finding = {.kind = kind,
                     .barrier = barrier,
                     .ends = {end},
                     .end_count = other ? 2 : 1};
  if (other)
    finding.ends[1] = *other;
  return finding;
}

bool findings_has(const FindingSet *findings, FindingKind kind,
                  unsigned barrier, End end, const End *other) {
  Finding finding = new_finding(kind, barrier, end, other);
  return findings->slot_count && *find_slot(findings, &finding);
}

Finding *findings_get(FindingSet *findings, FindingKind kind, unsigned barrier,
                      End end, const End *other) {
  Finding finding = new_finding(kind, barrier, end, other);
  assert(findings->check->findings.count < UINT32_MAX);
  make_room(findings);
  uint32_t *slot = find_slot(findings, &finding);
  if (!*slot) {
    push(findings->arena, &findings->check->findings, finding);
    *slot = (uint32_t)findings->check->findings.count;
  }
  return &findings->check->findings.at[*slot - 1];
}

void findings_add(FindingSet *findings, FindingKind kind, unsigned barrier,
                  unsigned generation, End end, const End *other) {
  Finding *finding = findings_get(findings, kind, barrier, end, other);
  if (!finding->occurrences++)
    finding->generation = generation;
}

bool findings_are_unsure(const FindingSet *findings, End end, End other) {
  return findings->programs->has_other_order ||
         programs_command(findings->programs, end)->is_perhaps ||
         programs_command(findings->programs, other)->is_perhaps;
}

void findings_doubt(FindingSet *findings, End end, End other) {
  Finding *doubt = &findings->check->doubt;
  if (!doubt->end_count)
    *doubt = new_finding(FINDING_RACE, 0, end, &other);
}

const Command *programs_command(const Programs *programs, End end) {
  return &programs->warps[end.warp].at[end.command];
}

void findings_add_phase(FindingSet *findings, FindingKind kind,
                        uint32_t address, uint32_t phase, End end,
                        const End *other) {
  Finding *finding = findings_get(findings, kind, 0, end, other);
  if (finding->occurrences++)
    return;
  finding->is_mbarrier = true;
  finding->address = address;
  finding->generation = phase;
}

End end_of_lane(const Programs *programs, unsigned warp, unsigned lane,
                uint32_t command) {
  assert(command < programs->warps[warp].count);
  return (End){warp, lane, command, programs->warps[warp].at[command].place};
}

End end_of(const Programs *programs, unsigned warp, uint32_t command) {
  assert(command < programs->warps[warp].count);
  const Command *at = &programs->warps[warp].at[command];
  unsigned lane = at->lanes ? (unsigned)__builtin_ctz(at->lanes) : 0;
  return (End){warp, lane, command, at->place};
}

const SharedVariable *programs_symbol(const Programs *programs,
                                      uint32_t address) {
  address %= MOST_SHARED_BYTES;
  for (size_t i = 0; i < programs->symbols.count; i++) {
    const SharedVariable *symbol = &programs->symbols.at[i];
    if (address >= symbol->address &&
        (!symbol->bytes || address - symbol->address < symbol->bytes))
      return symbol;
  }
  return NULL;
}

Loc programs_loc(const Programs *programs, unsigned warp, uint32_t command) {
  uint32_t number = programs->warps[warp].at[command].place;
  if (number >= programs->places.count)
    return (Loc){0};
  const Place *place = &programs->places.at[number];
  return place->caller.line   ? place->caller
         : place->source.line ? place->source
                              : place->ptx;
}

static uint64_t count_commands(const Programs *programs) {
  uint64_t count = 0;
  for (unsigned warp = 0; warp < programs_warps(programs); warp++)
    count += programs->warps[warp].count;
  return count;
}

// Nobody knows whether there are data with which it is a race, or whether
// something orders it that is not followed.
static void give_up_doubt(Task *task, const Programs *programs,
                          const Finding *doubt) {
  const End *ends = doubt->ends;
  unsigned unsure = !programs_command(programs, ends[0])->is_perhaps;
  Loc here = programs_loc(programs, ends[unsure].warp, ends[unsure].command);
  Loc there = programs_loc(programs, ends[!unsure].warp, ends[!unsure].command);
  const char *slash = strrchr(there.file, '/');
  const char *file = slash ? slash + 1 : there.file;
  if (!programs_command(programs, ends[!unsure])->is_perhaps &&
      !programs_command(programs, ends[unsure])->is_perhaps)
    unsupported(task, here,
                "this may race with what is at %s:%u, unless release and "
                "acquire through shared memory order them",
                file, there.line);
  if (ends[0].place == ends[1].place)
    unsupported(task, here,
                "whether this is executed depends on data, and threads may "
                "race here");
  unsupported(task, here,
              "whether this is executed depends on data, and it may race with "
              "what is at %s:%u",
              file, there.line);
}

static void find_all(Task *task, void *data) {
  FindingSet *findings = data;
  findings->task = task;
  Check *check = findings->check;
  Trace *trace = trace_simulate(task, findings->programs, findings);
  for (unsigned barrier = 0; barrier < ALL_BARRIERS; barrier++)
    check->generations += trace->completed[barrier];
  check->generations += trace->phases;
  bool is_misused = check->findings.count;
  find_deadlock(findings);
  if (!is_misused) // what follows from a wrong count is no news
    find_phases(findings, trace);
  trace->is_wrong = check->findings.count;
  find_races(findings, trace);
  find_lifetimes(findings, trace);
  find_registers(findings);
}

void programs_check(Task *task, const Programs *programs, Check *check) {
  *check = (Check){.commands = count_commands(programs)};
  FindingSet findings = {
      .arena = &task->arena, .programs = programs, .check = check};
  task_stage(task, find_all, &findings);
  if (check->doubt.end_count)
    give_up_doubt(task, programs, &check->doubt);
}
