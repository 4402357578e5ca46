// What a schedule has to come to for a finding to be seen.
//
// A race is seen where both accesses are next, or one is and the other, a copy,
// is on its way: then either may be the first.  A misuse is seen where its
// command is next and would be one.  A command that counts for another
// generation or phase than in the plain schedule is seen where it is next.  An
// access to another block is seen where it is next and no thread of that block
// has begun, or all have ended.

#include "barriers/programs/replay.h"

bool is_next(const ReplayState *execution, End end) {
  return lane_position(execution, end.warp, end.lane) == end.command;
}

// Some lanes of its warp are there.
bool is_next_of_warp(const ReplayState *execution, End end) {
  const Crew *crew = &execution->crews[end.warp];
  for (unsigned i = 0; i < crew->count; i++)
    if (crew->parties[i].at == end.command)
      return true;
  return false;
}

// All that take part.
static bool is_next_warp(const ReplayState *execution, End end) {
  const Crew *crew = &execution->crews[end.warp];
  for (unsigned i = 0; i < crew->count; i++)
    if (crew->parties[i].at == end.command)
      return can_meet(execution, end.warp, end.command, crew->parties[i].lanes);
  return false;
}

static bool has_begun(const ReplayState *execution, End end) {
  return lane_position(execution, end.warp, end.lane) > end.command;
}

const Command *quest_command(const Quest *quest, End end) {
  return programs_command(quest->execution->programs, end);
}

static const ProgramMbarrier *mbarrier_of(const ReplayState *execution,
                                          End end) {
  const Command *command = programs_command(execution->programs, end);
  return mbarriers_find(&execution->mbarriers, command->address);
}

static int64_t phase_of(const ProgramMbarrier *mbarrier) {
  return (int64_t)mbarrier->state.past + mbarrier->state.phase;
}

// ----------------------------------------------------------------- races ---

// Next, or on its way.
bool is_pending(const ReplayState *execution, End end) {
  const Command *command = programs_command(execution->programs, end);
  return is_next(execution, end) ||
         (is_copying(command->kind) && has_begun(execution, end));
}

static bool overlap(const ReplayState *execution, End x, End y) {
  const Programs *programs = execution->programs;
  const Command *a = programs_command(programs, x);
  const Command *b = programs_command(programs, y);
  uint32_t from = access_address(programs, a, x.lane);
  uint32_t to = access_address(programs, b, y.lane);
  return from < to + access_width(b) && to < from + access_width(a);
}

// Two that access the same bytes, and it matters who is first.
bool can_conflict(const ReplayState *execution, End x, End y) {
  const Command *a = programs_command(execution->programs, x);
  const Command *b = programs_command(execution->programs, y);
  bool is_one = x.warp == y.warp && x.command == y.command;
  if (!overlap(execution, x, y) || (is_one && x.lane == y.lane))
    return false;
  if (write_the_same(execution->programs, a, x.lane, b, y.lane))
    return false;
  return kinds_conflict(a->kind, b->kind);
}

bool goal_both(const ReplayState *execution, void *data) {
  const Quest *quest = data;
  return is_pending(execution, quest->x) && is_pending(execution, quest->y);
}

// Who uses an mbarrier needs to know that it has begun, and no more.
bool goal_not_known(const ReplayState *execution, void *data) {
  const Quest *quest = data;
  const Command *command = programs_command(execution->programs, quest->x);
  uint8_t known = execution->known.lanes[quest->x.warp][quest->x.lane];
  uint8_t enough = KNOWN_MADE | (is_use(command->kind) ? KNOWN_BEGUN : 0);
  return execution->known.is_made && is_next(execution, quest->x) &&
         !(known & enough);
}

bool goal_not_fenced(const ReplayState *execution, void *data) {
  const Quest *quest = data;
  uint8_t known = execution->known.lanes[quest->x.warp][quest->x.lane];
  return execution->known.is_made && is_next(execution, quest->x) &&
         !(known & KNOWN_FENCED);
}

// An access where an mbarrier is.
bool goal_overlap(const ReplayState *execution, void *data) {
  const Quest *quest = data;
  return is_next(execution, quest->x) &&
         overlap(execution, quest->x, quest->y) &&
         mbarrier_of(execution, quest->y)->state.is_live;
}

// Has begun, and has not come.
static bool is_on_its_way(const ReplayState *execution, End end) {
  for (size_t i = 0; i < execution->landings.count; i++) {
    const Hold *landing = &execution->landings.at[i];
    if (landing->warp == end.warp && landing->command == end.command &&
        landing->lanes >> end.lane & 1)
      return true;
  }
  return false;
}

// A thread exits next, and its copy goes on.
bool goal_exit(const ReplayState *execution, void *data) {
  End x = ((const Quest *)data)->x;
  const Command *command = programs_command(execution->programs, x);
  uint32_t at = lane_position(execution, x.warp, x.lane);
  return command->kind == COMMAND_BULK_READ && !command->completes_in &&
         x.command < at && at < UINT32_MAX &&
         at == execution->routes[x.warp].exits[x.lane];
}

// All of its block have exited, and the bytes of a copy have not come.
bool goal_over(const ReplayState *execution, void *data) {
  End x = ((const Quest *)data)->x;
  unsigned block = block_of_end(execution, x);
  x.command += programs_command(execution->programs, x)->completes_in;
  return is_block_over(execution, block) && is_on_its_way(execution, x);
}

// ---------------------------------------------------------------- blocks ---

// Whose memory it accesses.
unsigned block_of_end(const ReplayState *execution, End end) {
  const Command *command = programs_command(execution->programs, end);
  return access_address(execution->programs, command, end.lane) /
         MOST_SHARED_BYTES;
}

static bool has_started(const ReplayState *execution, unsigned block) {
  const Programs *programs = execution->programs;
  unsigned warps = programs_block_warps(programs);
  for (unsigned warp = block * warps; warp < (block + 1) * warps; warp++) {
    const Crew *crew = &execution->crews[warp];
    bool is_at_first = crew->count == 1 && !crew->parties[0].at;
    if (programs->warps[warp].count && !is_at_first)
      return true;
  }
  return false;
}

bool goal_not_started(const ReplayState *execution, void *data) {
  End x = ((const Quest *)data)->x;
  return is_next(execution, x) &&
         !has_started(execution, block_of_end(execution, x));
}

// That the block has begun.
bool goal_not_told(const ReplayState *execution, void *data) {
  End x = ((const Quest *)data)->x;
  return is_next(execution, x) &&
         !(execution->known.lanes[x.warp][x.lane] & KNOWN_MADE);
}

bool goal_gone(const ReplayState *execution, void *data) {
  End x = ((const Quest *)data)->x;
  return is_next(execution, x) &&
         is_block_over(execution, block_of_end(execution, x));
}

// The access has been made, and nobody of the block knows when it ends.
bool goal_forgotten(const ReplayState *execution, void *data) {
  End y = ((const Quest *)data)->y;
  const Knowledge *known = &execution->known;
  unsigned block = block_of_end(execution, y);
  unsigned warps = programs_block_warps(execution->programs);
  if (!known->is_made || !is_block_over(execution, block))
    return false;
  for (unsigned warp = block * warps; warp < (block + 1) * warps; warp++)
    for (unsigned lane = 0; lane < WARP; lane++)
      if (known->lanes[warp][lane] & KNOWN_MADE)
        return false;
  return true;
}

// -------------------------------------------------------- named barriers ---

bool goal_generation(const ReplayState *execution, void *data) {
  const Quest *quest = data;
  const Command *command = programs_command(execution->programs, quest->x);
  return is_next_warp(execution, quest->x) &&
         execution->barriers[command->barrier].generation != quest->role;
}

bool goal_misuse(const ReplayState *execution, void *data) {
  const Quest *quest = data;
  const Command *command = programs_command(execution->programs, quest->x);
  return is_next_warp(execution, quest->x) &&
         is_misuse(execution, quest->finding->kind, quest->x.warp, command);
}

// ------------------------------------------------------------- mbarriers ---

bool asks(const Command *command) {
  return command->kind == COMMAND_MBARRIER_WAIT ||
         command->kind == COMMAND_MBARRIER_TRY;
}

// What it counts for now, or which phase it waits for.
int64_t role_of(const ReplayState *execution, End end) {
  const Command *command = programs_command(execution->programs, end);
  const ProgramMbarrier *mbarrier = mbarrier_of(execution, end);
  return phase_of(mbarrier) -
         (asks(command) && mbarrier_passes(mbarrier, command));
}

bool goal_next(const ReplayState *execution, void *data) {
  return is_next(execution, ((const Quest *)data)->x);
}

// A wait is for one phase, whether it comes before or behind its end.  What a
// try says matters if it says "yes".
bool goal_other_phase(const ReplayState *execution, void *data) {
  const Quest *quest = data;
  const Command *command = programs_command(execution->programs, quest->x);
  if (!is_next(execution, quest->x) || !asks(command) ||
      role_of(execution, quest->x) == quest->role)
    return false;
  return command->kind == COMMAND_MBARRIER_WAIT ||
         mbarrier_passes(mbarrier_of(execution, quest->x), command);
}

// No bytes are nothing.
static bool counts(const Command *command) {
  bool is_of_bytes = command->kind == COMMAND_MBARRIER_EXPECT ||
                     command->kind == COMMAND_MBARRIER_COMPLETE ||
                     command->kind == COMMAND_BULK_COMPLETE;
  return is_use(command->kind) && !asks(command) &&
         (!is_of_bytes || command->tx);
}

bool goal_early(const ReplayState *execution, void *data) {
  const Quest *quest = data;
  if (!is_next(execution, quest->x) ||
      !counts(programs_command(execution->programs, quest->x)))
    return false;
  int64_t phase = phase_of(mbarrier_of(execution, quest->x));
  size_t index = mbarrier_index(
      execution, programs_command(execution->programs, quest->x));
  return phase != quest->role || phase > execution->waited[index];
}

bool goal_late(const ReplayState *execution, void *data) {
  const Quest *quest = data;
  const Command *command = programs_command(execution->programs, quest->x);
  const ProgramMbarrier *mbarrier = mbarrier_of(execution, quest->x);
  bool announces = (command->kind == COMMAND_MBARRIER_EXPECT && command->tx) ||
                   (command->kind == COMMAND_COPY_ARRIVE && !command->arrivals);
  return is_next(execution, quest->x) && announces &&
         (!mbarrier->state.pending || phase_of(mbarrier) != quest->role);
}

// In lock step the other lanes of the command come with it.
bool goal_completes(const ReplayState *execution, void *data) {
  const Quest *quest = data;
  const Command *command = programs_command(execution->programs, quest->x);
  uint32_t lanes = execution->programs->lock_step ? command->lanes : 1;
  return is_next(execution, quest->x) && command->never_completes &&
         mbarrier_of(execution, quest->x)->state.pending <=
             command->arrivals * (uint32_t)__builtin_popcount(lanes);
}

// The object ends, and `y` has still to come.
bool goal_in_use(const ReplayState *execution, void *data) {
  const Quest *quest = data;
  return is_next(execution, quest->x) && (!has_begun(execution, quest->y) ||
                                          is_on_its_way(execution, quest->y));
}

// In lock step the lanes before it come with it.
bool goal_wrong_use(const ReplayState *execution, void *data) {
  const Quest *quest = data;
  const Command *command = programs_command(execution->programs, quest->x);
  if (!is_next(execution, quest->x))
    return false;
  ProgramMbarrier mbarrier = *mbarrier_of(execution, quest->x);
  uint32_t before = command->lanes & (((uint32_t)1 << quest->x.lane) - 1);
  for (; before && execution->programs->lock_step; before &= before - 1)
    mbarrier_do(&mbarrier, command);
  Effect effect = mbarrier_do(&mbarrier, command);
  return effect.is_wrong && effect.wrong == quest->finding->kind;
}

// At the end.
bool goal_unbalanced(const ReplayState *execution, void *data) {
  const Quest *quest = data;
  return is_over(execution) && is_unbalanced(mbarrier_of(execution, quest->x));
}
