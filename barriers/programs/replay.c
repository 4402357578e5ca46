// Findings, looked for in schedules.
//
// The check finds what it finds by what orders what in one schedule.  Here the
// programs are executed again, and nothing is known of order: a finding is
// confirmed if an execution comes to a state that shows it, else it stays
// possible.  Which commands are held back in that execution is guessed from the
// finding; a wrong guess confirms nothing.  If the barriers and mbarriers are
// used well, holding back one command lets everything come that does not
// depend on it, so one guess is enough; else some orders of the warps are
// tried.
//
// A misuse ends an execution: what hardware does then, nobody knows.  So a
// finding that is behind another one stays possible.

#include "barriers/programs/replay.h"

#include <assert.h>
#include <string.h>

enum {
  MOST_STEPS = 10000000, // of one kernel
  MOST_ALL_LEGS = 1 << 18,
};

static const Policy policies[] = {
    {.is_late = false}, {.backwards = true},
    {.in_turns = true}, {.is_late = true},
    {.together = true}, {.backwards = true, .in_turns = true, .is_late = true},
};

// -------------------------------------------------------------- schedules ---

static void hold(Quest *quest, End end, uint32_t lanes, bool is_end) {
  ReplayState *execution = quest->execution;
  if (execution->programs->lock_step && !is_end)
    lanes = UINT32_MAX;
  Hold hold = {end.warp, end.command, lanes, is_end};
  size_t count = execution->holds.count;
  Hold *last = count ? &execution->holds.at[count - 1] : NULL;
  if (last && last->warp == end.warp && last->command == end.command &&
      last->is_end == is_end)
    last->lanes |= lanes;
  else if (lanes)
    push(&execution->task->arena, &execution->holds, hold);
}

static void hold_lane(Quest *quest, End end) {
  hold(quest, end, (uint32_t)1 << end.lane, false);
}

// An access; a copy begins.
static void hold_access(Quest *quest, End end) {
  bool is_copy = is_copying(quest_command(quest, end)->kind);
  hold(quest, end, (uint32_t)1 << end.lane, is_copy);
}

static void hold_nothing(Quest *quest) { quest->execution->holds.count = 0; }

static bool run(Quest *quest, Goal goal, Policy policy) {
  ReplayState *execution = quest->execution;
  execution->goal = goal;
  execution->data = quest;
  execution->policy = policy;
  execution_run(execution);
  if (execution->is_wrong) {
    quest->was_wrong = true;
    quest->wrong = execution->wrong;
  }
  quest->was_stopped |= execution->is_stopped;
  return execution->is_met;
}

// With what is held now, in some orders; holds nothing afterwards.
static bool attempt(Quest *quest, Goal goal) {
  bool is_met = false;
  for (unsigned i = 0; i < sizeof policies / sizeof *policies && !is_met; i++)
    is_met = run(quest, goal, policies[i]);
  hold_nothing(quest);
  return is_met;
}

// What a command is in the plain schedule, of a wait that never passes what it
// waits for first; in the first order in which it is reached.
static bool find_role(Quest *quest, End end) {
  ReplayState *execution = quest->execution;
  bool is_found = false;
  execution->is_watched = true;
  execution->watched = end;
  for (unsigned i = 0; i < sizeof policies / sizeof *policies && !is_found;
       i++) {
    run(quest, NULL, policies[i]);
    is_found = execution->has_role || execution->has_come;
  }
  execution->is_watched = false;
  quest->role = execution->role;
  return is_found;
}

// ----------------------------------------------------------------- races ---

// What uses an mbarrier leaves nothing in memory that others have to know of.
static bool is_followed(Quest *quest, Goal goal, End access, End other) {
  Knowledge *known = &quest->execution->known;
  if (is_use(quest_command(quest, access)->kind))
    return false;
  quest->x = other;
  quest->y = access;
  known->following = FOLLOWS_ACCESS;
  known->access = access;
  hold_lane(quest, other);
  bool is_met = attempt(quest, goal);
  known->following = FOLLOWS_NOTHING;
  return is_met;
}

void quest_hold_both(Quest *quest) {
  hold_access(quest, quest->x);
  hold_access(quest, quest->y);
}

static bool try_both(Quest *quest) {
  quest_hold_both(quest);
  return attempt(quest, goal_both);
}

// One end is a bulk copy that does not see what the other one writes.
static bool try_unfenced(Quest *quest) {
  End x = quest->finding->ends[0], y = quest->finding->ends[1];
  bool is_first = is_bulk(quest_command(quest, x)->kind);
  bool is_second = is_bulk(quest_command(quest, y)->kind);
  return is_first != is_second &&
         !is_reading(quest_command(quest, is_first ? y : x)->kind) &&
         can_conflict(quest->execution, x, y) &&
         is_followed(quest, goal_not_fenced, is_first ? y : x,
                     is_first ? x : y);
}

static bool try_race(Quest *quest) {
  End x = quest->finding->ends[0], y = quest->finding->ends[1];
  return can_conflict(quest->execution, x, y) &&
         (try_both(quest) || is_followed(quest, goal_not_known, x, y) ||
          is_followed(quest, goal_not_known, y, x) || try_unfenced(quest));
}

// Its thread must wait for a copy of a group, its block for others.
static bool try_unfinished(Quest *quest) {
  bool is_of_group = !quest_command(quest, quest->x)->completes_in;
  hold(quest, quest->x, (uint32_t)1 << quest->x.lane, true);
  return attempt(quest, is_of_group ? goal_exit : goal_over);
}

static void swap_ends(Quest *quest) {
  End x = quest->x;
  quest->x = quest->y;
  quest->y = x;
}

static bool try_overlap(Quest *quest) {
  if (is_mbarrier(quest_command(quest, quest->x)->kind))
    swap_ends(quest);
  hold_lane(quest, quest->x);
  return attempt(quest, goal_overlap) || try_race(quest);
}

// ---------------------------------------------------------------- blocks ---

static void hold_block(Quest *quest, unsigned block) {
  unsigned warps = programs_block_warps(quest->execution->programs);
  for (unsigned warp = block * warps; warp < (block + 1) * warps; warp++)
    hold(quest, (End){.warp = warp}, UINT32_MAX, false);
}

static bool accesses_other_block(const Quest *quest) {
  const Programs *programs = quest->execution->programs;
  unsigned block = block_of_end(quest->execution, quest->x);
  return block < programs_blocks(programs) &&
         block != block_of_warp(programs, quest->x.warp);
}

// Nobody of the block is there, or what there is says nothing of memory.
static bool try_not_started(Quest *quest) {
  Knowledge *known = &quest->execution->known;
  if (!accesses_other_block(quest))
    return false;
  known->block = block_of_end(quest->execution, quest->x);
  hold_lane(quest, quest->x);
  hold_block(quest, known->block);
  if (attempt(quest, goal_not_started))
    return true;
  known->following = FOLLOWS_BLOCK;
  hold_lane(quest, quest->x);
  bool is_met = attempt(quest, goal_not_told);
  known->following = FOLLOWS_NOTHING;
  return is_met;
}

// It is late, or the block ends and does not know of it.
static bool try_gone(Quest *quest) {
  Knowledge *known = &quest->execution->known;
  CommandKind kind = quest_command(quest, quest->x)->kind;
  if (!accesses_other_block(quest))
    return false;
  hold_lane(quest, quest->x);
  if (attempt(quest, goal_gone))
    return true;
  if (is_use(kind))
    return false;
  quest->y = quest->x;
  known->following = FOLLOWS_ACCESS;
  known->access = quest->x;
  bool is_met = attempt(quest, goal_forgotten);
  known->following = FOLLOWS_NOTHING;
  return is_met;
}

// -------------------------------------------------------- named barriers ---

static bool try_misuse(Quest *quest) {
  hold(quest, quest->x, UINT32_MAX, false);
  return attempt(quest, goal_misuse);
}

// Who waits in the generation before is late, or else it is the warp itself.
static bool try_recycled(Quest *quest) {
  if (!find_role(quest, quest->x))
    return false;
  hold(quest, quest->x, UINT32_MAX, false);
  hold(quest, quest->y, UINT32_MAX, false);
  if (attempt(quest, goal_generation))
    return true;
  hold(quest, quest->x, UINT32_MAX, false);
  return attempt(quest, goal_generation);
}

static bool try_too_many(Quest *quest) {
  return try_misuse(quest) ||
         (quest->finding->end_count == 2 && try_recycled(quest));
}

// Nobody can go on, and the warp stands where the finding says.
static bool try_deadlock(Quest *quest) {
  ReplayState *execution = quest->execution;
  for (unsigned i = 0; i < sizeof policies / sizeof *policies; i++) {
    run(quest, NULL, policies[i]);
    if (!is_ended(execution) && !execution->is_stopped && !is_over(execution) &&
        is_next_of_warp(execution, quest->x))
      return true;
  }
  return false;
}

// ------------------------------------------------------------- mbarriers ---

static bool try_completes(Quest *quest) {
  hold_lane(quest, quest->x);
  return attempt(quest, goal_completes);
}

static bool try_without(Quest *quest, const ReplayEvent *event, uint32_t lanes,
                        Goal goal) {
  End end = {.warp = event->part.warp, .command = event->part.command};
  if (end.warp == quest->x.warp)
    lanes &= ~((uint32_t)1 << quest->x.lane);
  if (!lanes || (end.warp == quest->x.warp && !event->part.is_end &&
                 quest->execution->programs->lock_step))
    return false;
  hold_lane(quest, quest->x);
  hold(quest, end, lanes, event->part.is_end);
  return attempt(quest, goal);
}

static bool is_same_command(const ReplayEvent *a, const ReplayEvent *b) {
  return a->part.warp == b->part.warp && a->part.command == b->part.command;
}

// Something that counts for the phase before is late: all lanes of a command,
// or one.
static bool try_early_wait(Quest *quest, Goal goal, int64_t before) {
  for (unsigned together = 0; together < 2; together++)
    for (size_t i = 0; i < quest->execution->events.count; i++) {
      const ReplayEvent *event = &quest->execution->events.at[i];
      if (event->is_wait || event->phase != before)
        continue;
      bool is_first = !i || !is_same_command(event, event - 1);
      uint32_t lanes = together ? event->part.lanes : UINT32_MAX;
      if ((together || is_first) && try_without(quest, event, lanes, goal))
        return true;
      if (!quest->execution->left)
        return false;
    }
  return false;
}

// The wait is that of the try.
static bool is_answered(const Quest *quest, End try, End wait) {
  const Command *command = quest_command(quest, wait);
  return command->kind == COMMAND_MBARRIER_WAIT && try.warp == wait.warp &&
         try.command + command->tried == wait.command;
}

// A wait, or the try that answers it, comes too early or too late.
static bool try_asking(Quest *quest) {
  End x = quest->x, y = quest->y;
  bool is_try = quest_command(quest, x)->kind == COMMAND_MBARRIER_TRY;
  if ((is_try && !is_answered(quest, x, y)) ||
      !find_role(quest, is_try ? y : x))
    return false;
  hold_lane(quest, x);
  if (attempt(quest, goal_other_phase))
    return true;
  for (unsigned i = 0; i < 2; i++)
    if (try_early_wait(quest, goal_other_phase, quest->role - 1 + i))
      return true;
  hold_lane(quest, x);
  hold_lane(quest, y);
  return attempt(quest, goal_other_phase);
}

// All that wait for the phase before are late.
static bool try_early(Quest *quest) {
  if (!find_role(quest, quest->x))
    return false;
  hold_lane(quest, quest->x);
  if (attempt(quest, goal_early))
    return true;
  for (size_t i = 0; i < quest->execution->events.count; i++) {
    const ReplayEvent *event = &quest->execution->events.at[i];
    End end = {.warp = event->part.warp, .command = event->part.command};
    if (event->is_wait && event->phase == quest->role - 1)
      hold(quest, end, event->part.lanes, false);
  }
  hold_lane(quest, quest->x);
  return attempt(quest, goal_early) ||
         try_early_wait(quest, goal_early, quest->role - 1);
}

// Either may come before the other.
static bool try_in_use(Quest *quest) {
  const Command *use = quest_command(quest, quest->y);
  bool is_end =
      use->kind == COMMAND_COPY_ARRIVE || use->kind == COMMAND_BULK_COMPLETE;
  if (use->address != quest_command(quest, quest->x)->address)
    return false;
  hold_lane(quest, quest->x);
  bool can_be_first = find_role(quest, quest->y);
  hold(quest, quest->y, (uint32_t)1 << quest->y.lane, is_end);
  return attempt(quest, goal_in_use) && can_be_first;
}

// Of its command the lane is the last one, or those before it are the first.
static bool try_wrong_use(Quest *quest) {
  hold_lane(quest, quest->x);
  if (attempt(quest, goal_wrong_use))
    return true;
  hold(quest, quest->x, UINT32_MAX << quest->x.lane, false);
  return attempt(quest, goal_wrong_use);
}

// The end that uses the mbarrier, before the other one has begun it.
static bool try_dead(Quest *quest) {
  const Finding *finding = quest->finding;
  for (unsigned i = 0; i < finding->end_count; i++) {
    quest->x = finding->ends[i];
    quest->y = finding->ends[finding->end_count - 1 - i];
    if (quest_command(quest, quest->x)->kind == COMMAND_MBARRIER_INIT)
      continue;
    hold_lane(quest, quest->x);
    if (finding->end_count == 2)
      hold_lane(quest, quest->y);
    if (attempt(quest, goal_wrong_use) || try_wrong_use(quest))
      return true;
  }
  return finding->end_count == 2 && try_race(quest);
}

static bool try_live(Quest *quest) {
  if (try_wrong_use(quest))
    return true;
  swap_ends(quest);
  return quest->finding->end_count == 2 &&
         (try_wrong_use(quest) || try_race(quest));
}

static bool try_unbalanced(Quest *quest) {
  return try_wrong_use(quest) || attempt(quest, goal_unbalanced);
}

// A misuse in any schedule, or one of the phases'.
static bool try_unannounced(Quest *quest) {
  if (try_wrong_use(quest))
    return true;
  bool has_role = find_role(quest, quest->x);
  hold_lane(quest, quest->x);
  return attempt(quest, goal_late) && has_role;
}

// ----------------------------------------------------------------- kinds ---

static bool try_finding(Quest *quest) {
  switch (quest->finding->kind) {
  case FINDING_RACE:
    return try_race(quest);
  case FINDING_OVERLAP:
    return try_overlap(quest);
  case FINDING_UNFENCED:
    return try_unfenced(quest);
  case FINDING_UNFINISHED:
    return try_unfinished(quest);
  case FINDING_DEADLOCK:
  case FINDING_POOL:
    return try_deadlock(quest);
  case FINDING_COUNT:
  case FINDING_ALL_ARRIVE:
  case FINDING_TWICE:
  case FINDING_MIXED:
    return try_misuse(quest);
  case FINDING_TOO_MANY:
    return try_too_many(quest);
  case FINDING_RECYCLED:
    return try_recycled(quest);
  case FINDING_DEAD:
    return try_dead(quest);
  case FINDING_LIVE:
    return try_live(quest);
  case FINDING_IN_USE:
    return try_in_use(quest);
  case FINDING_ARRIVALS:
  case FINDING_RANGE:
    return try_wrong_use(quest);
  case FINDING_EARLY:
    return try_early(quest);
  case FINDING_PASSES:
  case FINDING_MISSES:
    return try_asking(quest);
  case FINDING_UNANNOUNCED:
    return try_unannounced(quest);
  case FINDING_UNBALANCED:
    return try_unbalanced(quest);
  case FINDING_COMPLETES:
    return try_completes(quest);
  case FINDING_WARPGROUP:
  case FINDING_DIRECTION:
    hold_lane(quest, quest->x);
    return attempt(quest, goal_next);
  case FINDING_NOT_STARTED:
    return try_not_started(quest);
  case FINDING_GONE:
    return try_gone(quest);
  }
  return false;
}

// Also behind another mistake, which then ends nothing.
static bool try_behind(Quest *quest) {
  quest->x = quest->finding->ends[0];
  quest->y = quest->finding->ends[quest->finding->end_count == 2];
  quest->execution->forgives = true;
  bool is_seen = try_finding(quest);
  quest->is_behind = is_seen && quest->execution->is_wrong;
  quest->execution->forgives = false;
  return is_seen && !quest->is_behind;
}

void quest_tell(const Quest *quest, Finding *finding) {
  ReplayState *execution = quest->execution;
  const Legs *legs = &execution->legs;
  finding->is_confirmed = true;
  finding->replay = arena_copy(execution->arena, replay_happened(quest));
  finding->schedule.count = 0;
  if (legs->count > MOST_LEGS || legs->count > execution->legs_left)
    return;
  execution->legs_left -= legs->count;
  finding->schedule.at =
      arena_alloc(execution->arena, legs->count * sizeof *legs->at);
  finding->schedule.count = finding->schedule.room = legs->count;
  if (legs->count)
    memcpy(finding->schedule.at, legs->at, legs->count * sizeof *legs->at);
}

static void replay(ReplayState *execution, Finding *finding, uint64_t *left) {
  Quest quest = {.execution = execution,
                 .finding = finding,
                 .x = finding->ends[0],
                 .y = finding->ends[finding->end_count == 2]};
  uint64_t share = *left < MOST_OF_ONE ? *left : MOST_OF_ONE;
  execution->left = share;
  bool is_seen =
      !execution->unknown &&
      (try_finding(&quest) || (quest.was_wrong && try_behind(&quest)));
  *left -= share - execution->left;
  if (is_seen)
    quest_tell(&quest, finding);
  else
    finding->replay = arena_copy(execution->arena, replay_missed(&quest));
}

// What is replayed, and where its results go.
typedef struct Replay {
  const Programs *programs;
  Check *check;
  Arena *arena;
} Replay;

static void replay_all(Task *task, void *data) {
  const Replay *all = data;
  uint64_t left = MOST_STEPS;
  Check *check = all->check;
  ReplayState *execution = execution_new(task, all->programs);
  execution->arena = all->arena;
  execution->legs_left = check->needs_no_schedules ? 0 : MOST_ALL_LEGS;
  replay_tour(execution, check, &left);
  for (size_t i = 0; i < check->findings.count; i++)
    if (!check->findings.at[i].is_confirmed)
      replay(execution, &check->findings.at[i], &left);
}

void programs_replay(Task *task, const Programs *programs, Check *check) {
  Replay all = {programs, check, &task->arena};
  for (size_t i = 0; i < check->findings.count; i++)
    check->findings.at[i].is_confirmed = false;
  if (check->findings.count)
    task_stage(task, replay_all, &all);
}
