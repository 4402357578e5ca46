// What a replay has come to, in a few words.

#include "barriers/programs/replay.h"

static Arena *arena_of(const Quest *quest) {
  return &quest->execution->task->arena;
}

// "warp 3", and of which block if there are several.
static const char *warp_text(const Quest *quest, unsigned warp) {
  const Programs *programs = quest->execution->programs;
  const char *text = arena_printf(arena_of(quest), "warp %u",
                                  warp % programs_block_warps(programs));
  if (programs_blocks(programs) == 1)
    return text;
  return arena_printf(arena_of(quest), "%s of block %u", text,
                      block_of_warp(programs, warp));
}

// Where both are of one warp, "lane 4 of warp 3".
static const char *who(const Quest *quest, End end) {
  const char *warp = warp_text(quest, end.warp);
  if (quest->x.warp == quest->y.warp && quest->x.lane != quest->y.lane)
    return arena_printf(arena_of(quest), "lane %u of %s", end.lane, warp);
  return warp;
}

static const char *verb(const Quest *quest, End end) {
  switch (quest_command(quest, end)->kind) {
  case COMMAND_READ:
  case COMMAND_STRONG_READ:
    return "reads";
  case COMMAND_WRITE:
    return "writes";
  case COMMAND_ATOMIC:
    return "updates";
  case COMMAND_COPY:
  case COMMAND_BULK_READ:
  case COMMAND_BULK_WRITE:
  case COMMAND_BULK_ATOMIC:
    return "starts its copy";
  case COMMAND_MBARRIER_INIT:
    return "initialises the mbarrier";
  case COMMAND_MBARRIER_INVAL:
    return "ends the mbarrier";
  case COMMAND_MBARRIER_ARRIVE:
  case COMMAND_MBARRIER_DROP:
    return "arrives at the mbarrier";
  case COMMAND_MBARRIER_EXPECT:
  case COMMAND_MBARRIER_COMPLETE:
  case COMMAND_MBARRIER_WAIT:
  case COMMAND_MBARRIER_TRY:
  case COMMAND_COPY_ARRIVE:
  case COMMAND_BULK_COMPLETE:
  case COMMAND_COPIES_DONE:
  case COMMAND_BULKS_DONE:
  case COMMAND_PROXY_FENCE:
  case COMMAND_INIT_FENCE:
  case COMMAND_SYNC:
  case COMMAND_REDUCE:
  case COMMAND_ARRIVE:
  case COMMAND_WARP_SYNC:
  case COMMAND_REGISTERS:
  case COMMAND_EXIT:
    break;
  }
  return "goes on";
}

// ----------------------------------------------------------------- races ---

static const char *both_text(const Quest *quest) {
  const ReplayState *execution = quest->execution;
  End x = quest->x, y = quest->y;
  bool x_waits = is_next(execution, x), y_waits = is_next(execution, y);
  if (x_waits && y_waits)
    return arena_printf(arena_of(quest),
                        "%s %s and %s %s next, in either order", who(quest, x),
                        verb(quest, x), who(quest, y), verb(quest, y));
  if (!x_waits && !y_waits)
    return "both copies are on their way";
  End copy = x_waits ? y : x, other = x_waits ? x : y;
  return arena_printf(arena_of(quest),
                      "%s %s next, and the copy of %s is on its way",
                      who(quest, other), verb(quest, other), who(quest, copy));
}

static const char *unfenced_text(const Quest *quest) {
  return arena_printf(arena_of(quest),
                      "%s starts its copy next, and knows of no proxy fence "
                      "behind what %s has done",
                      who(quest, quest->x), who(quest, quest->y));
}

static const char *race_text(const Quest *quest) {
  if (quest->execution->goal == goal_not_fenced)
    return unfenced_text(quest);
  if (quest->execution->goal == goal_overlap)
    return arena_printf(arena_of(quest),
                        "%s %s next, and the mbarrier is there",
                        who(quest, quest->x), verb(quest, quest->x));
  if (quest->execution->goal != goal_not_known)
    return both_text(quest);
  return arena_printf(
      arena_of(quest),
      "%s %s next, and nothing that it has waited for tells that %s has %s",
      who(quest, quest->x), verb(quest, quest->x), who(quest, quest->y),
      is_copying(quest_command(quest, quest->y)->kind) ? "made its copy"
                                                       : "been there");
}

// Of the block whose memory it accesses.
static const char *all_warps(const Quest *quest, End access) {
  if (programs_blocks(quest->execution->programs) == 1)
    return "all warps";
  return arena_printf(arena_of(quest), "all warps of block %u",
                      block_of_end(quest->execution, access));
}

static const char *not_started_text(const Quest *quest) {
  unsigned block = block_of_end(quest->execution, quest->x);
  if (quest->execution->goal == goal_not_started)
    return arena_printf(arena_of(quest),
                        "%s %s next, and no thread of block %u has begun",
                        who(quest, quest->x), verb(quest, quest->x), block);
  return arena_printf(arena_of(quest),
                      "%s %s next, and nothing that it has waited for tells "
                      "that block %u has begun",
                      who(quest, quest->x), verb(quest, quest->x), block);
}

static const char *gone_text(const Quest *quest) {
  const char *warps = all_warps(quest, quest->x);
  if (quest->execution->goal == goal_gone)
    return arena_printf(arena_of(quest), "%s %s next, and %s have exited",
                        who(quest, quest->x), verb(quest, quest->x), warps);
  return arena_printf(arena_of(quest),
                      "%s have exited, and nothing that they have waited for "
                      "tells that %s has been there",
                      warps, who(quest, quest->x));
}

static const char *unfinished_text(const Quest *quest) {
  if (quest->execution->goal == goal_over)
    return arena_printf(arena_of(quest),
                        "%s have exited, and the copy is on its way",
                        all_warps(quest, quest->x));
  return arena_printf(arena_of(quest),
                      "%s exits next, and its copy is on its way",
                      warp_text(quest, quest->x.warp));
}

// -------------------------------------------------------------- barriers ---

static const char *generation_text(const Quest *quest) {
  const Command *command = quest_command(quest, quest->x);
  const NamedBarrier *barrier = &quest->execution->barriers[command->barrier];
  if (quest->execution->goal == goal_generation)
    return arena_printf(arena_of(quest),
                        "%s comes next, in generation %u, and in another "
                        "schedule in %lld",
                        warp_text(quest, quest->x.warp), barrier->generation,
                        (long long)quest->role);
  return arena_printf(arena_of(quest),
                      "%s comes next, and %u of %u threads are there",
                      warp_text(quest, quest->x.warp), barrier->met,
                      barrier->met ? barrier->expected : command->threads);
}

static const char *phase_text(const Quest *quest) {
  const ReplayState *execution = quest->execution;
  Goal goal = execution->goal;
  const char *warp = warp_text(quest, quest->x.warp);
  long long phase = role_of(execution, quest->x);
  const Command *command = quest_command(quest, quest->x);
  if (asks(command) &&
      mbarrier_passes(mbarriers_find(&execution->mbarriers, command->address),
                      command))
    return arena_printf(
        arena_of(quest),
        "%s asks next and passes because phase %lld is over; in "
        "another schedule it waits for phase %lld",
        warp, phase, (long long)quest->role);
  if (phase != quest->role)
    return arena_printf(arena_of(quest),
                        "%s comes next, in phase %lld, and in another schedule "
                        "in %lld",
                        warp, phase, (long long)quest->role);
  if (goal == goal_early)
    return arena_printf(arena_of(quest),
                        "%s comes next, and nobody has passed a wait for "
                        "the phase before",
                        warp);
  return arena_printf(arena_of(quest),
                      "%s comes next, and all others have arrived", warp);
}

static const char *use_text(const Quest *quest) {
  Goal goal = quest->execution->goal;
  const char *warp = warp_text(quest, quest->x.warp);
  if (goal == goal_in_use)
    return arena_printf(arena_of(quest),
                        "%s ends the mbarrier next, and %s has still to come",
                        who(quest, quest->x), who(quest, quest->y));
  if (goal == goal_unbalanced)
    return "all warps have exited, and the phase is not over";
  if (goal != goal_wrong_use)
    return race_text(quest);
  return arena_printf(arena_of(quest), "%s comes next, and that is wrong",
                      warp);
}

static const char *what_happened(const Quest *quest) {
  switch (quest->finding->kind) {
  case FINDING_RACE:
  case FINDING_OVERLAP:
  case FINDING_UNFENCED:
    return race_text(quest);
  case FINDING_UNFINISHED:
    return unfinished_text(quest);
  case FINDING_DEADLOCK:
  case FINDING_POOL:
    return "no warp can go on";
  case FINDING_COUNT:
  case FINDING_ALL_ARRIVE:
  case FINDING_TWICE:
  case FINDING_MIXED:
  case FINDING_TOO_MANY:
  case FINDING_RECYCLED:
    return generation_text(quest);
  case FINDING_EARLY:
  case FINDING_PASSES:
  case FINDING_MISSES:
  case FINDING_COMPLETES:
    return phase_text(quest);
  case FINDING_UNANNOUNCED:
    return quest->execution->goal == goal_late ? phase_text(quest)
                                               : use_text(quest);
  case FINDING_DEAD:
  case FINDING_LIVE:
  case FINDING_IN_USE:
  case FINDING_ARRIVALS:
  case FINDING_RANGE:
  case FINDING_UNBALANCED:
    return use_text(quest);
  case FINDING_WARPGROUP:
  case FINDING_DIRECTION:
    return arena_printf(arena_of(quest), "%s asks next",
                        warp_text(quest, quest->x.warp));
  case FINDING_NOT_STARTED:
    return not_started_text(quest);
  case FINDING_GONE:
    return gone_text(quest);
  }
  return "";
}

const char *replay_happened(const Quest *quest) {
  unsigned long long commands = quest->execution->commands;
  return arena_printf(arena_of(quest), "after %llu command%s %s", commands,
                      commands == 1 ? "" : "s", what_happened(quest));
}

static const char *mistake_text(const Quest *quest) {
  End end = quest->wrong.end;
  Loc loc = programs_loc(quest->execution->programs, end.warp, end.command);
  return arena_printf(arena_of(quest), "another mistake, of %s at line %u",
                      warp_text(quest, end.warp), loc.line);
}

const char *replay_missed(const Quest *quest) {
  const ReplayState *execution = quest->execution;
  const Programs *programs = execution->programs;
  if (execution->unknown)
    return arena_printf(arena_of(quest), "'%s' is not replayed",
                        programs->places.at[execution->unknown->place].text);
  if (quest->is_behind)
    return arena_printf(arena_of(quest), "seen only behind %s: %s",
                        mistake_text(quest), replay_happened(quest));
  if (quest->was_stopped)
    return "not seen within the steps that are tried";
  if (quest->was_wrong)
    return arena_printf(arena_of(quest),
                        "all schedules that were tried come to %s",
                        mistake_text(quest));
  return "no schedule that was tried shows it";
}
