// Are the phases of the mbarriers the same in every schedule?
//
// The rules, for each life of an mbarrier, from its initialisation to its end:
//
//   1. who counts for phase g > 0, by an arrival or by bytes, has a wait for
//      phase g - 1 behind it (PTX asks for that, too);
//   2. a wait for phase a is behind the end of phase a - 1, else it may pass
//      early, and before something that counts for phase a + 1, else it may
//      miss that a is over;
//   3. who announces bytes, or an asynchronous arrival without .noinc, does so
//      before an arrival of that phase;
//   4. the mbarrier ends behind everything that uses it;
//   5. who must not complete a phase (.noComplete) is before an arrival;
//   6. a phase that gets bytes of bulk copies is over before some thread of the
//      block ends: with the last one the memory goes that they are written to;
//      likewise of the block whose memory they read, and before the block of
//      an mbarrier ends all has been done to it that threads of others do;
//   7. a try that lets a wait pass is behind the end of the phase before the
//      one that it asks about; this is the phase that the wait waits for, or a
//      later one, or it cannot be over by then.
//
// "Before" is what must have been executed: program order, generations of
// barriers, bar.warp.sync, and whatever counts for a phase before a wait that
// this phase lets pass.  That is more than what happens before in memory,
// where bytes publish nothing; order.c has that.
//
// If one schedule reaches the end, with right counts (simulate.c), and these
// rules hold in it, then in every schedule each command counts for the same
// phase, or waits for it.  For look at the first command x of another schedule
// that does not; what was executed before did as here.  Let x count for g: the
// wait of rule 1 has passed for g - 1, so g has begun.  It is not over: of its
// arrivals none but its own have come, so if x is one of them it is missing;
// if x brings bytes, all arrivals may have come and, by rule 3, all was
// announced, so these bytes are missing; if x announces, an arrival is missing
// by rule 3.  So x counts for g.  Let x wait for a: by rule 2 phase a has begun
// and a + 1 is not over, so the parity tells whether a is, which is what x
// waits for.  And no schedule gets stuck: of the commands that it did not
// execute take the first in the order here; all before it has been executed,
// so it can be.  For barriers this is Theorem 1 (recycle.c).
//
// A try that says "yes" is a wait that passed at that place: by rule 7 the
// phase of its wait is over then, which by rule 2 is before the next one is, so
// this wait would pass at once.  It orders what follows and more than the wait
// does, which is all we count.  (A later phase than that of the wait is not
// over before it, by rule 2, so that try says "no".)
//
// Who waits knows that the phase is over, and it hands that on.  A wait for
// phase a may also know the end of a - 1 because it is behind everything that
// counted for it.

#include "barriers/programs/check.h"

#include <assert.h>

// The part of some lanes in a command.
typedef struct Part {
  unsigned warp;
  uint32_t lanes, command, time;
} Part;

typedef Vec(Part) Parts;

// What a try asks about.
typedef struct Try {
  uint32_t command;
  int64_t over;   // is it so many phases, those of earlier lives counted?
  uint32_t early; // lanes that may ask while the phase before goes on
  uint32_t late;  // ... and when it is over; known once it is
} Try;

// One life of an mbarrier.
typedef struct Life {
  Row *coming, *come;  // what counts for this phase, and for the last one
  Row *arrivals;       // of this phase
  uint32_t *events[3]; // for each thread its last part in this phase, in the
                       // one before and in the one before that
  uint32_t *uses, *use_commands; // of each thread the last one
  uint32_t asynchronous; // arrivals: phases up to this one have some, those of
                         // earlier lives counted
  End asynchronous_end;
  // By blocks, whose memory bulk copies read or write that count for phases up
  // to this one; and the last of them.
  uint32_t copied[MOST_BLOCKS];
  End last_copy[MOST_BLOCKS];
  Parts waits, old_waits; // for this phase, and for the one before
  Parts announcements;
  Parts tries;      // about this phase
  Parts unfinished; // what must not complete the phase
  End completed;    // who made the last phase complete
} Life;

// A time, of what a thread only began.
static const uint32_t NEVER_KNOWN = UINT32_MAX;

typedef struct Phases {
  FindingSet *findings;
  const Programs *programs;
  Rounds rounds;
  Clocks *clocks;
  Mbarriers mbarriers;
  Life *lives;
  Vec(Try) tries[MOST_WARPS];    // in order
  uint32_t attempts[MOST_WARPS]; // the wait where the warp stood last, plus one
} Phases;

static End end_of_part(const Phases *phases, const Part *part, uint32_t lanes) {
  return end_of_lane(phases->programs, part->warp,
                     (unsigned)__builtin_ctz(lanes), part->command);
}

static Try *find_try(const Phases *phases, unsigned warp, uint32_t command) {
  size_t from = 0, to = phases->tries[warp].count;
  while (to - from > 1) {
    size_t middle = from + (to - from) / 2;
    if (phases->tries[warp].at[middle].command <= command)
      from = middle;
    else
      to = middle;
  }
  assert(to > from && phases->tries[warp].at[from].command == command);
  return &phases->tries[warp].at[from];
}

static size_t threads_of(const Phases *phases) {
  return (size_t)programs_warps(phases->programs) * WARP;
}

// ------------------------------------------------------------- knowledge ---

// Does the lane know of all that these threads did up to these times?  If not,
// *first is a thread of which it does not.
static bool knows_all(const Phases *phases, const uint32_t *times,
                      unsigned warp, unsigned lane, unsigned *first) {
  for (unsigned thread = 0; thread < threads_of(phases); thread++) {
    uint32_t bit = (uint32_t)1 << thread % WARP;
    *first = thread;
    if (times[thread] == NEVER_KNOWN ||
        (times[thread] && clocks_unordered(phases->clocks, thread / WARP, bit,
                                           times[thread], warp, lane)))
      return false;
  }
  return true;
}

// Those of the part's lanes that are not in the row.
static uint32_t missing_in(const Row *row, const Part *part) {
  uint32_t missing = 0;
  for (uint32_t left = part->lanes; left; left &= left - 1)
    if (!row_has(row, part->warp * WARP + (unsigned)__builtin_ctz(left),
                 part->time))
      missing |= left & -left;
  return missing;
}

static void complain(Phases *phases, FindingKind kind,
                     const ProgramMbarrier *mbarrier, uint32_t phase, End end,
                     const End *other) {
  findings_add_phase(phases->findings, kind, mbarrier->address, phase, end,
                     other);
}

// All of these must be in the row.
static void check_parts(Phases *phases, FindingKind kind,
                        const ProgramMbarrier *mbarrier, const Parts *parts,
                        const Row *row, uint32_t phase, End other) {
  for (size_t i = 0; i < parts->count; i++) {
    uint32_t missing = missing_in(row, &parts->at[i]);
    if (missing)
      complain(phases, kind, mbarrier, phase,
               end_of_part(phases, &parts->at[i], missing), &other);
  }
}

// ----------------------------------------------------------- their rules ---

// Rule 1.
static void check_early(Phases *phases, const ProgramMbarrier *mbarrier,
                        const Life *life, End end) {
  size_t index = (size_t)(mbarrier - phases->mbarriers.at);
  if (mbarrier->state.phase &&
      clocks_phases(phases->clocks, end.warp, end.lane, index) <
          mbarrier->state.past + mbarrier->state.phase)
    complain(phases, FINDING_EARLY, mbarrier, mbarrier->state.phase, end,
             &life->completed);
}

// The lanes that may be there before phase - 1 is over; `phase` may be -1.
static uint32_t early_lanes(const Phases *phases,
                            const ProgramMbarrier *mbarrier, const Life *life,
                            const Part *part, int64_t phase) {
  size_t index = (size_t)(mbarrier - phases->mbarriers.at);
  const uint32_t *before = life->events[phase == mbarrier->state.phase ? 1 : 2];
  uint32_t early = 0;
  unsigned unknown;
  for (uint32_t left = part->lanes; left && phase > 0; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    if (clocks_phases(phases->clocks, part->warp, lane, index) <
            mbarrier->state.past + phase &&
        !knows_all(phases, before, part->warp, lane, &unknown))
      early |= left & -left;
  }
  return early;
}

// Rule 2, of a wait that is not reached too early.
static void check_wait(Phases *phases, const ProgramMbarrier *mbarrier,
                       const Life *life, const Part *part, int64_t phase) {
  for (uint32_t left = early_lanes(phases, mbarrier, life, part, phase); left;
       left &= left - 1)
    complain(phases, FINDING_PASSES, mbarrier, (uint32_t)phase,
             end_of_part(phases, part, left), &life->completed);
}

// Rule 7.
static void check_try(Phases *phases, const ProgramMbarrier *mbarrier,
                      const Part *wait, int64_t phase) {
  const Command *command =
      &phases->programs->warps[wait->warp].at[wait->command];
  if (!command->tried)
    return;
  assert(command->tried <= wait->command);
  Part part = *wait;
  part.command -= command->tried;
  const Try *try = find_try(phases, wait->warp, part.command);
  uint32_t wrong = try->early;
  if (try->over < (int64_t)mbarrier->state.past + phase + 1)
    wrong |= try->late;
  End end = end_of_part(phases, wait, wait->lanes);
  for (uint32_t left = wait->lanes & wrong; left; left &= left - 1)
    complain(phases, FINDING_PASSES, mbarrier, (uint32_t)phase,
             end_of_part(phases, &part, left), &end);
}

// Rule 4.
static void check_end(Phases *phases, const ProgramMbarrier *mbarrier,
                      const Life *life, End end) {
  size_t index = (size_t)(mbarrier - phases->mbarriers.at);
  unsigned user;
  if (clocks_phases(phases->clocks, end.warp, end.lane, index) <
      life->asynchronous)
    complain(phases, FINDING_IN_USE, mbarrier, mbarrier->state.phase, end,
             &life->asynchronous_end);
  else if (!knows_all(phases, life->uses, end.warp, end.lane, &user)) {
    End other = end_of_lane(phases->programs, user / WARP, user % WARP,
                            life->use_commands[user]);
    complain(phases, FINDING_IN_USE, mbarrier, mbarrier->state.phase, end,
             &other);
  }
}

// ----------------------------------------------------------------- lives ---

static uint32_t *new_times(const Phases *phases) {
  return arena_alloc(&phases->findings->task->arena,
                     threads_of(phases) * sizeof(uint32_t));
}

static void clear(const Phases *phases, uint32_t *times) {
  for (size_t i = 0; i < threads_of(phases); i++)
    times[i] = 0;
}

static void begin(Phases *phases, Life *life) {
  clocks_release(phases->clocks, &life->coming);
  clocks_release(phases->clocks, &life->come);
  clocks_release(phases->clocks, &life->arrivals);
  for (unsigned i = 0; i < 3; i++)
    clear(phases, life->events[i]);
  clear(phases, life->uses);
  life->asynchronous = 0;
  life->waits.count = life->old_waits.count = life->announcements.count = 0;
  life->unfinished.count = life->tries.count = 0;
}

static Life *new_lives(const Phases *phases) {
  size_t count = phases->mbarriers.count;
  Life *lives =
      arena_alloc(&phases->findings->task->arena, count * sizeof(Life));
  for (size_t i = 0; i < count; i++) {
    for (unsigned k = 0; k < 3; k++)
      lives[i].events[k] = new_times(phases);
    lives[i].uses = new_times(phases);
    lives[i].use_commands = new_times(phases);
  }
  return lives;
}

static bool is_arrival(const Command *command) {
  return command->kind == COMMAND_MBARRIER_ARRIVE ||
         command->kind == COMMAND_MBARRIER_DROP ||
         (command->kind == COMMAND_COPY_ARRIVE && command->arrivals);
}

static bool is_announcement(const Command *command) {
  return (command->kind == COMMAND_MBARRIER_EXPECT && command->tx) ||
         (command->kind == COMMAND_COPY_ARRIVE && !command->arrivals);
}

static bool counts(const Command *command) {
  return is_arrival(command) || is_announcement(command) ||
         ((command->kind == COMMAND_MBARRIER_COMPLETE ||
           command->kind == COMMAND_BULK_COMPLETE) &&
          command->tx);
}

// The phase before the current one is complete; the rows are those of its end.
static void complete(Phases *phases, const ProgramMbarrier *mbarrier,
                     Life *life, End end) {
  uint32_t phase = mbarrier->state.phase - 1;
  check_parts(phases, FINDING_UNANNOUNCED, mbarrier, &life->announcements,
              life->arrivals, phase, end);
  check_parts(phases, FINDING_COMPLETES, mbarrier, &life->unfinished,
              life->arrivals, phase, end);
  check_parts(phases, FINDING_MISSES, mbarrier, &life->old_waits, life->coming,
              phase - 1, end);
  for (size_t i = 0; i < life->tries.count; i++) {
    const Part *try = &life->tries.at[i];
    find_try(phases, try->warp, try->command)->late =
        missing_in(life->coming, try);
  }
  clocks_turn_over(phases->clocks, &life->coming, &life->come,
                   (size_t)(mbarrier - phases->mbarriers.at),
                   mbarrier->state.past + mbarrier->state.phase);
  clocks_release(phases->clocks, &life->arrivals);
  uint32_t *oldest = life->events[2];
  life->events[2] = life->events[1];
  life->events[1] = life->events[0];
  life->events[0] = oldest;
  clear(phases, oldest);
  Parts old = life->old_waits;
  life->old_waits = life->waits;
  life->waits = old;
  life->waits.count = life->announcements.count = life->unfinished.count = 0;
  life->tries.count = 0;
  life->completed = end;
}

// What these lanes did for the current phase.
static void publish(Phases *phases, Life *life, const Command *command,
                    unsigned warp, uint32_t lanes) {
  if (!counts(command) || !lanes)
    return;
  clocks_publish(phases->clocks, &life->coming, warp, lanes);
  if (is_arrival(command))
    clocks_publish(phases->clocks, &life->arrivals, warp, lanes);
}

static void note_use(const Phases *phases, Life *life, End end) {
  unsigned thread = end.warp * WARP + end.lane;
  life->uses[thread] = clocks_now(phases->clocks, end.warp);
  life->use_commands[thread] = end.command;
}

// What bulk copies read or write is right before their bytes come.
static void note_copies(const Phases *phases, Life *life, End end) {
  const Commands *commands = &phases->programs->warps[end.warp];
  for (uint32_t back = 1; back <= 2 && back <= end.command; back++) {
    const Command *copy = &commands->at[end.command - back];
    if (!is_bulk(copy->kind) || copy->completes_in != back)
      continue;
    unsigned block = copy->address / MOST_SHARED_BYTES;
    life->copied[block] = life->asynchronous;
    life->last_copy[block] =
        end_of_lane(phases->programs, end.warp, end.lane, end.command - back);
  }
}

// What one lane is about to do.
static void note(Phases *phases, const ProgramMbarrier *mbarrier, Life *life,
                 End end) {
  const Command *command = &phases->programs->warps[end.warp].at[end.command];
  unsigned thread = end.warp * WARP + end.lane;
  uint32_t now = clocks_now(phases->clocks, end.warp);
  if (command->kind == COMMAND_MBARRIER_INVAL)
    check_end(phases, mbarrier, life, end);
  if (is_use(command->kind))
    note_use(phases, life, end);
  if (!counts(command))
    return;
  check_early(phases, mbarrier, life, end);
  if (life->events[0][thread] < now)
    life->events[0][thread] = now;
  Part part = {end.warp, (uint32_t)1 << end.lane, end.command, now};
  if (is_announcement(command))
    push(&phases->findings->task->arena, &life->announcements, part);
  part.time++; // what knows more than this arrival alone
  if (command->never_completes)
    push(&phases->findings->task->arena, &life->unfinished, part);
  if (command->kind != COMMAND_COPY_ARRIVE &&
      command->kind != COMMAND_BULK_COMPLETE)
    return;
  life->events[0][thread] = NEVER_KNOWN;
  life->asynchronous = mbarrier->state.past + mbarrier->state.phase + 1;
  life->asynchronous_end = end;
  if (command->kind == COMMAND_BULK_COMPLETE)
    note_copies(phases, life, end);
}

static void act(Phases *phases, unsigned warp, uint32_t at) {
  const Command *command = &phases->programs->warps[warp].at[at];
  ProgramMbarrier *mbarrier =
      mbarriers_find(&phases->mbarriers, command->address);
  Life *life = &phases->lives[mbarrier - phases->mbarriers.at];
  uint32_t together = 0;
  for (uint32_t left = command->lanes; left; left &= left - 1) {
    End end =
        end_of_lane(phases->programs, warp, (unsigned)__builtin_ctz(left), at);
    note(phases, mbarrier, life, end);
    together |= left & -left;
    if (!mbarrier_do(mbarrier, command).completes)
      continue;
    publish(phases, life, command, warp, together);
    together = 0;
    complete(phases, mbarrier, life, end);
  }
  publish(phases, life, command, warp, together);
  if (command->kind == COMMAND_MBARRIER_INIT)
    begin(phases, life);
}

// ------------------------------------------------------------------ walk ---

static void ask(Phases *phases, unsigned warp, uint32_t at) {
  const Command *command = &phases->programs->warps[warp].at[at];
  const ProgramMbarrier *mbarrier =
      mbarriers_find(&phases->mbarriers, command->address);
  Life *life = &phases->lives[mbarrier - phases->mbarriers.at];
  bool passes = mbarrier_passes(mbarrier, command);
  int64_t phase = (int64_t)mbarrier->state.phase - passes;
  Part part = {warp, command->lanes, at, clocks_now(phases->clocks, warp)};
  Try try = {.command = at,
             .over = mbarrier->state.past + phase + 1,
             .early = early_lanes(phases, mbarrier, life, &part, phase),
             .late = passes ? command->lanes : 0};
  push(&phases->findings->task->arena, &phases->tries[warp], try);
  if (!passes)
    push(&phases->findings->task->arena, &life->tries, part);
}

// A wait comes; it may have to come again.
static void attempt(Phases *phases, unsigned warp, uint32_t at) {
  const Command *command = &phases->programs->warps[warp].at[at];
  const ProgramMbarrier *mbarrier =
      mbarriers_find(&phases->mbarriers, command->address);
  Life *life = &phases->lives[mbarrier - phases->mbarriers.at];
  bool passes = mbarrier_passes(mbarrier, command);
  Part part = {warp, command->lanes, at, clocks_now(phases->clocks, warp)};
  phases->attempts[warp] = at + 1;
  push(&phases->findings->task->arena, passes ? &life->old_waits : &life->waits,
       part);
  check_wait(phases, mbarrier, life, &part,
             (int64_t)mbarrier->state.phase - passes);
  check_try(phases, mbarrier, &part, (int64_t)mbarrier->state.phase - passes);
  for (uint32_t left = command->lanes; left; left &= left - 1)
    note_use(phases, life, end_of_part(phases, &part, left));
}

static void wait(Phases *phases, unsigned warp, uint32_t at) {
  const Command *command = &phases->programs->warps[warp].at[at];
  const ProgramMbarrier *mbarrier =
      mbarriers_find(&phases->mbarriers, command->address);
  if (phases->attempts[warp] != at + 1)
    attempt(phases, warp, at);
  clocks_learn(phases->clocks, warp, command->lanes,
               phases->lives[mbarrier - phases->mbarriers.at].come);
}

// As many phases are known to be over when the last thread of a block ends.
static uint32_t known_at_end(const Phases *phases, size_t mbarrier,
                             unsigned block) {
  unsigned threads = programs_block_warps(phases->programs) * WARP;
  uint32_t most = 0;
  for (unsigned thread = block * threads; thread < (block + 1) * threads;
       thread++) {
    uint32_t known =
        clocks_phases(phases->clocks, thread / WARP, thread % WARP, mbarrier);
    if (most < known)
      most = known;
  }
  return most;
}

static void check_copies(Phases *phases, size_t mbarrier) {
  const Life *life = &phases->lives[mbarrier];
  for (unsigned block = 0; block < programs_blocks(phases->programs); block++) {
    if (!life->copied[block] ||
        life->copied[block] <= known_at_end(phases, mbarrier, block))
      continue;
    End end = life->last_copy[block];
    const Command *copy = programs_command(phases->programs, end);
    Finding *finding =
        findings_get(phases->findings, FINDING_UNFINISHED, 0, end, NULL);
    if (finding->occurrences++)
      continue;
    finding->address = copy->address;
    finding->bytes = copy->extent;
  }
}

// Some thread of the block knows of it when it ends.
static bool is_known_at_end(const Phases *phases, unsigned block, unsigned user,
                            uint32_t time) {
  unsigned threads = programs_block_warps(phases->programs) * WARP;
  uint32_t bit = (uint32_t)1 << user % WARP;
  for (unsigned thread = block * threads; thread < (block + 1) * threads;
       thread++)
    if (!clocks_unordered(phases->clocks, user / WARP, bit, time, thread / WARP,
                          thread % WARP))
      return true;
  return false;
}

// What threads of other blocks do to an mbarrier.
static void check_strangers(Phases *phases, size_t index) {
  const ProgramMbarrier *mbarrier = &phases->mbarriers.at[index];
  const Life *life = &phases->lives[index];
  unsigned block = mbarrier->address / MOST_SHARED_BYTES;
  if (mbarrier->address >= CLUSTER_BARRIER)
    return;
  for (unsigned user = 0; user < threads_of(phases); user++)
    if (life->uses[user] &&
        block_of_warp(phases->programs, user / WARP) != block &&
        !is_known_at_end(phases, block, user, life->uses[user]))
      complain(phases, FINDING_GONE, mbarrier, mbarrier->state.phase,
               end_of_lane(phases->programs, user / WARP, user % WARP,
                           life->use_commands[user]),
               NULL);
}

// Rule 6.  If some warp is stuck or counts for another phase, that has been
// said.
static void check_ends(Phases *phases) {
  if (phases->findings->check->findings.count)
    return;
  for (size_t i = 0; i < phases->mbarriers.count; i++) {
    check_copies(phases, i);
    check_strangers(phases, i);
  }
}

static void step(void *data, unsigned warp, uint32_t at) {
  Phases *phases = data;
  const Command *command = &phases->programs->warps[warp].at[at];
  if (command->kind == COMMAND_EXIT)
    clocks_exit(phases->clocks, warp, command->lanes);
  if (command->kind == COMMAND_WARP_SYNC)
    clocks_sync_lanes(phases->clocks, warp,
                      clocks_living(phases->clocks, warp, command->lanes));
  if (!is_mbarrier(command->kind))
    return;
  if (command->kind == COMMAND_MBARRIER_TRY)
    ask(phases, warp, at);
  if (command->kind == COMMAND_MBARRIER_WAIT)
    wait(phases, warp, at);
  else
    act(phases, warp, at);
  clocks_tick(phases->clocks, warp);
}

static void turn_at(void *data, Turn turn) {
  Phases *phases = data;
  const Command *command = &phases->programs->warps[turn.warp].at[turn.command];
  if (command->kind == COMMAND_MBARRIER_WAIT) {
    if (phases->attempts[turn.warp] != turn.command + 1)
      attempt(phases, turn.warp, turn.command);
    return;
  }
  rounds_meet(&phases->rounds, turn,
              clocks_generations(phases->clocks, turn.warp, command->barrier));
  clocks_meet(phases->clocks, turn, command);
}

void find_phases(FindingSet *findings, const Trace *trace) {
  Task *task = findings->task;
  Phases phases = {.findings = findings,
                   .programs = findings->programs,
                   .rounds = {.findings = findings, .trace = trace},
                   .mbarriers = mbarriers_of(task, findings->programs)};
  if (!phases.mbarriers.count) {
    find_recycling(findings, trace);
    return;
  }
  phases.clocks = clocks_new(task, phases.programs, phases.mbarriers.count);
  phases.lives = new_lives(&phases);
  trace_walk(task, phases.programs, trace, (Walk){&phases, step, turn_at});
  check_ends(&phases);
}
