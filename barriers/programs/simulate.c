// One schedule of the block, for its barriers alone.
//
// Each warp runs until it waits or ends; the last one to meet a generation of
// a barrier wakes those that wait there.  A warp meets a barrier as a whole
// and counts 32 threads, also where some of its lanes have exited or never
// were.  So each command is looked at once (section 3 of the paper has the
// rules; the warps that can run take turns).
//
// What goes wrong here is wrong in this schedule: a count that differs from
// the first one of its generation, more threads than the count (it is no
// multiple of 32), a generation with nobody waiting, a warp that meets one
// generation twice, bar.red mixed with others.  The replay goes on after each
// as if the first count and kind were meant, so races are still found; it may
// stop in a deadlock that is only a consequence.
//
// A generation that is never complete is no mistake by itself: whoever waits
// in it makes a deadlock; arrivals alone are forgotten when the block exits
// ("the hardware does not care", section 3.3, nor does the PTX manual).
//
// A wait for an mbarrier stops the whole warp until it passes, though other
// lanes might go on: what stands behind it in the program did not happen
// before it when the program was made.  Asynchronous arrivals come at once.

#include "barriers/programs/check.h"

#include <assert.h>
#include <string.h>

typedef struct Meeting {
  NamedBarrier barrier;
  End first; // who came to this generation
} Meeting;

typedef struct Simulation {
  const Programs *programs;
  FindingSet *findings;
  Trace *trace;
  Task *task;
  Meeting meetings[ALL_BARRIERS];
  bool without_increase; // who asks for registers waits for ever
  Mbarriers mbarriers;
  const ProgramMbarrier *waits_for[MOST_WARPS];
  uint32_t next[MOST_WARPS];             // command
  uint32_t live[MOST_WARPS];             // lanes
  unsigned ready[MOST_WARPS];            // those that can run, a ring
  unsigned first, count;                 // of it
  uint32_t bulk_reads[MOST_WARPS][WARP]; // the last one of a group, plus 1
  uint32_t bulks_done[MOST_WARPS][WARP]; // those before this command
} Simulation;

unsigned programs_blocks(const Programs *programs) {
  assert(programs->blocks <= MOST_BLOCKS);
  return programs->blocks ? programs->blocks : 1;
}

unsigned programs_block_warps(const Programs *programs) {
  return (programs->threads + WARP - 1) / WARP;
}

unsigned programs_warps(const Programs *programs) {
  unsigned warps = programs_block_warps(programs) * programs_blocks(programs);
  assert(warps <= MOST_WARPS);
  return warps;
}

uint32_t warp_lanes(const Programs *programs, unsigned warp) {
  unsigned index = warp % programs_block_warps(programs);
  unsigned threads = programs->threads - index * WARP;
  return threads >= WARP ? UINT32_MAX : ((uint32_t)1 << threads) - 1;
}

// Tells of what is wrong with a warp that comes now.
static void complain(Simulation *simulation, const Command *command,
                     NamedEvent event, End end) {
  const Meeting *meeting = &simulation->meetings[command->barrier];
  uint32_t left = named_barrier_mistakes(&meeting->barrier, event);
  for (; left; left &= left - 1)
    findings_add(simulation->findings,
                 meeting_finding((NamedMistake)__builtin_ctz(left)),
                 command->barrier, meeting->barrier.generation, end,
                 &meeting->first);
}

static void make_ready(Simulation *simulation, unsigned warp) {
  assert(simulation->count < MOST_WARPS);
  unsigned last = simulation->first + simulation->count++;
  simulation->ready[last % MOST_WARPS] = warp;
}

static unsigned take_ready(Simulation *simulation) {
  unsigned warp = simulation->ready[simulation->first];
  simulation->first = (simulation->first + 1) % MOST_WARPS;
  simulation->count--;
  return warp;
}

static void release(Simulation *simulation, unsigned barrier, uint32_t warps) {
  for (uint32_t left = warps; left; left &= left - 1)
    make_ready(simulation, first_warp(simulation->programs, barrier) +
                               (unsigned)__builtin_ctz(left));
  simulation->trace->completed[barrier]++;
}

static void meet(Simulation *simulation, unsigned warp,
                 const Command *command) {
  Meeting *meeting = &simulation->meetings[command->barrier];
  NamedEvent event = meeting_event(simulation->programs, warp, command);
  End end = end_of(simulation->programs, warp, simulation->next[warp]);
  if (!meeting->barrier.met)
    meeting->first = end;
  complain(simulation, command, event, end);
  Standing *standing = &simulation->findings->check->standing[warp];
  *standing = (Standing){.command = simulation->next[warp],
                         .barrier = command->barrier,
                         .generation = meeting->barrier.generation,
                         .waits_for = NO_WARP};
  NamedEffect effect = named_barrier_meet(&meeting->barrier, event);
  Turn turn = {simulation->next[warp], (uint8_t)warp, effect.completes};
  push(&simulation->task->arena, &simulation->trace->turns, turn);
  if (effect.completes)
    release(simulation, command->barrier, effect.released);
}

static void end_warp(Simulation *simulation, unsigned warp) {
  simulation->findings->check->standing[warp] =
      (Standing){.has_exited = true, .waits_for = NO_WARP};
  Turn turn = {(uint32_t)simulation->programs->warps[warp].count, (uint8_t)warp,
               false};
  push(&simulation->task->arena, &simulation->trace->turns, turn);
}

// ------------------------------------------------------------- mbarriers ---

static void wake(Simulation *simulation, const ProgramMbarrier *mbarrier) {
  simulation->trace->phases++;
  for (unsigned warp = 0; warp < programs_warps(simulation->programs); warp++) {
    if (simulation->waits_for[warp] != mbarrier)
      continue;
    simulation->waits_for[warp] = NULL;
    make_ready(simulation, warp);
  }
}

static void act(Simulation *simulation, unsigned warp, const Command *command) {
  ProgramMbarrier *mbarrier =
      mbarriers_find(&simulation->mbarriers, command->address);
  for (uint32_t left = command->lanes; left; left &= left - 1) {
    End end =
        end_of_lane(simulation->programs, warp, (unsigned)__builtin_ctz(left),
                    simulation->next[warp]);
    bool has_init = mbarrier->state.is_live && !is_apart(command);
    uint32_t phase = mbarrier->state.phase;
    Effect effect = mbarrier_do(mbarrier, command);
    if (effect.is_wrong)
      findings_add_phase(simulation->findings, effect.wrong, command->address,
                         phase, end, has_init ? &mbarrier->init : NULL);
    if (command->kind == COMMAND_MBARRIER_INIT)
      mbarrier->init = end;
    else if (command->tx)
      mbarrier->bytes = end;
    if (effect.completes)
      wake(simulation, mbarrier);
  }
}

// False: it does not pass.
static bool wait(Simulation *simulation, unsigned warp,
                 const Command *command) {
  ProgramMbarrier *mbarrier =
      mbarriers_find(&simulation->mbarriers, command->address);
  if (mbarrier_passes(mbarrier, command))
    return true;
  simulation->waits_for[warp] = mbarrier;
  simulation->findings->check->standing[warp] =
      (Standing){.command = simulation->next[warp],
                 .is_mbarrier = true,
                 .address = mbarrier->address,
                 .generation = mbarrier->state.phase,
                 .waits_for = NO_WARP};
  Turn turn = {simulation->next[warp], (uint8_t)warp, false};
  push(&simulation->task->arena, &simulation->trace->turns, turn);
  return false;
}

// ----------------------------------------------------------- bulk copies ---

static void note_bulks(Simulation *simulation, unsigned warp, uint32_t at) {
  const Command *command = &simulation->programs->warps[warp].at[at];
  for (uint32_t left = command->lanes; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    uint32_t *done = &simulation->bulks_done[warp][lane];
    if (command->kind == COMMAND_BULK_READ && !command->completes_in)
      simulation->bulk_reads[warp][lane] = at + 1;
    if (command->kind == COMMAND_BULKS_DONE && *done < command->before)
      *done = command->before;
  }
}

// Shared memory may end with the thread.
static void check_bulks(const Simulation *simulation, unsigned warp,
                        uint32_t at) {
  uint32_t lanes = simulation->programs->warps[warp].at[at].lanes;
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = (unsigned)__builtin_ctz(lanes);
    uint32_t last = simulation->bulk_reads[warp][lane];
    if (last <= simulation->bulks_done[warp][lane])
      continue;
    End copy = end_of_lane(simulation->programs, warp, lane, last - 1);
    Finding *finding =
        findings_get(simulation->findings, FINDING_UNFINISHED, 0, copy, NULL);
    const Command *command = programs_command(simulation->programs, copy);
    finding->address = command->address;
    finding->bytes = command->extent;
    finding->occurrences++;
  }
}

// Until it waits or ends.
static void run(Simulation *simulation, unsigned warp) {
  const Commands *commands = &simulation->programs->warps[warp];
  uint32_t *next = &simulation->next[warp];
  for (; *next < commands->count && simulation->live[warp]; ++*next) {
    const Command *command = &commands->at[*next];
    note_bulks(simulation, warp, *next);
    if (command->kind == COMMAND_REGISTERS && command->increases &&
        simulation->without_increase)
      return;
    if (command->kind == COMMAND_EXIT) {
      check_bulks(simulation, warp, *next);
      simulation->live[warp] &= ~command->lanes;
    }
    if (command->kind == COMMAND_ARRIVE)
      meet(simulation, warp, command);
    if (is_waiting(command->kind)) {
      meet(simulation, warp, command);
      ++*next;
      return;
    }
    if (command->kind == COMMAND_MBARRIER_WAIT &&
        !wait(simulation, warp, command))
      return;
    if (is_mbarrier(command->kind))
      act(simulation, warp, command);
  }
  end_warp(simulation, warp);
}

// How full the generations are that some still wait for.
static void count_met(Simulation *simulation) {
  Check *check = simulation->findings->check;
  for (unsigned warp = 0; warp < programs_warps(simulation->programs); warp++) {
    Standing *standing = &check->standing[warp];
    const ProgramMbarrier *mbarrier = simulation->waits_for[warp];
    if (standing->has_exited)
      continue;
    if (standing->is_mbarrier) {
      standing->met = mbarrier->count - mbarrier->state.pending;
      standing->expected = mbarrier->count;
      standing->tx = mbarrier->state.tx;
      continue;
    }
    const Meeting *meeting = &simulation->meetings[standing->barrier];
    standing->met = meeting->barrier.met;
    standing->expected = meeting->barrier.expected;
  }
}

// Where nobody is left to wait for it.
static void find_unbalanced(Simulation *simulation) {
  Check *check = simulation->findings->check;
  for (unsigned warp = 0; warp < programs_warps(simulation->programs); warp++)
    if (!check->standing[warp].has_exited)
      return;
  for (size_t i = 0; i < simulation->mbarriers.count; i++) {
    const ProgramMbarrier *mbarrier = &simulation->mbarriers.at[i];
    if (is_unbalanced(mbarrier))
      findings_add_phase(simulation->findings, FINDING_UNBALANCED,
                         mbarrier->address, mbarrier->state.phase,
                         mbarrier->bytes, NULL);
  }
}

static void simulate(Simulation *simulation) {
  for (unsigned warp = 0; warp < programs_warps(simulation->programs); warp++) {
    assert(simulation->programs->warps[warp].count < UINT32_MAX);
    simulation->live[warp] = warp_lanes(simulation->programs, warp);
    make_ready(simulation, warp);
  }
  while (simulation->count) {
    task_check_time(simulation->task, (Loc){0});
    run(simulation, take_ready(simulation));
  }
}

Trace *trace_simulate(Task *task, const Programs *programs,
                      FindingSet *findings) {
  Simulation simulation = {.programs = programs,
                           .findings = findings,
                           .trace = NEW(&task->arena, Trace),
                           .task = task,
                           .mbarriers = mbarriers_of(task, programs)};
  simulate(&simulation);
  count_met(&simulation);
  find_unbalanced(&simulation);
  return simulation.trace;
}

void simulate_without_increase(Task *task, const Programs *programs,
                               uint32_t next[MOST_WARPS]) {
  Check *check = NEW(&task->arena, Check);
  FindingSet findings = {.task = task,
                         .arena = &task->arena,
                         .programs = programs,
                         .check = check};
  Simulation simulation = {.programs = programs,
                           .findings = &findings,
                           .trace = NEW(&task->arena, Trace),
                           .task = task,
                           .without_increase = true,
                           .mbarriers = mbarriers_of(task, programs)};
  simulate(&simulation);
  memcpy(next, simulation.next, sizeof simulation.next);
}

// ------------------------------------------------------------------ walk ---

enum { CHECK_EACH = 1 << 12 }; // commands

// From one turn of a warp to the next.
static void walk_to(Task *task, const Commands *commands, Turn turn,
                    uint32_t from, uint32_t *live, Walk walk) {
  task_check_time(task, (Loc){0});
  assert(from <= turn.command);
  for (uint32_t at = from; at < turn.command && *live; at++) {
    if (at % CHECK_EACH == 0)
      task_check_time(task, (Loc){0});
    walk.step(walk.data, turn.warp, at);
    if (commands->at[at].kind == COMMAND_EXIT)
      *live &= ~commands->at[at].lanes;
  }
}

void trace_walk(Task *task, const Programs *programs, const Trace *trace,
                Walk walk) {
  uint32_t next[MOST_WARPS] = {0}, live[MOST_WARPS] = {0};
  for (unsigned warp = 0; warp < programs_warps(programs); warp++)
    live[warp] = warp_lanes(programs, warp);
  for (size_t i = 0; i < trace->turns.count; i++) {
    Turn turn = trace->turns.at[i];
    const Commands *commands = &programs->warps[turn.warp];
    walk_to(task, commands, turn, next[turn.warp], &live[turn.warp], walk);
    next[turn.warp] = turn.command;
    if (turn.command == commands->count)
      continue;
    walk.turn(walk.data, turn);
    if (commands->at[turn.command].kind != COMMAND_MBARRIER_WAIT)
      next[turn.warp]++;
  }
}
