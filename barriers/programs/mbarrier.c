// The mbarriers of a program, and what is wrong at them.
//
// What an mbarrier does is in ptx/mbarrier.c; here commands become its events,
// and its mistakes findings.  A wait for a parity passes when the current phase
// has the other one: then the phase that it waits for is the one before, or was
// never (parity 1 on a new mbarrier).
//
// Bytes are counted for each phase, both the announced ones and those that
// come: a number that is in range so is in range in every order.
//
// No bytes are nothing, neither announced nor come.
//
// An asynchronous arrival without .noinc raises the count of its phase first,
// which must not be over by then and must have room for one more; where copies
// are made at once this changes nothing else.

#include "barriers/programs/check.h"

#include <assert.h>

bool needs_lanes(const Programs *programs) {
  for (unsigned warp = 0; warp < programs_warps(programs); warp++)
    for (size_t i = 0; i < programs->warps[warp].count; i++)
      if (programs->warps[warp].at[i].kind > COMMAND_EXIT)
        return true;
  return false;
}

bool has_bulks(const Programs *programs) {
  for (unsigned warp = 0; warp < programs_warps(programs); warp++)
    for (size_t i = 0; i < programs->warps[warp].count; i++)
      if (programs->warps[warp].at[i].kind >= COMMAND_BULK_READ)
        return true;
  return false;
}

bool has_init_fences(const Programs *programs) {
  for (unsigned warp = 0; warp < programs_warps(programs); warp++)
    for (size_t i = 0; i < programs->warps[warp].count; i++)
      if (programs->warps[warp].at[i].kind == COMMAND_INIT_FENCE)
        return true;
  return false;
}

// Where it is, or the first one behind it.
static size_t find_place(const Mbarriers *mbarriers, uint32_t address) {
  size_t from = 0, to = mbarriers->count;
  while (from < to) {
    size_t middle = from + (to - from) / 2;
    if (mbarriers->at[middle].address < address)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

static void begin_phase(ProgramMbarrier *mbarrier) {
  mbarrier->count = mbarrier->state.pending;
  mbarrier->announced = mbarrier->coming = mbarrier->raised = 0;
}

// barrier.cluster is one without a beginning, and so are groups of wgmma.
static ProgramMbarrier untouched(const Programs *programs, uint32_t address) {
  uint32_t threads = programs_blocks(programs) * programs->threads;
  ProgramMbarrier mbarrier = {.address = address};
  if (address < CLUSTER_BARRIER)
    return mbarrier;
  if (address != CLUSTER_BARRIER)
    threads = WARPGROUP * WARP;
  mbarrier_step(&mbarrier.state,
                (MbarrierEvent){.kind = MBARRIER_INIT, .count = threads});
  begin_phase(&mbarrier);
  return mbarrier;
}

static void add(Task *task, const Programs *programs, Mbarriers *mbarriers,
                uint32_t address) {
  size_t place = find_place(mbarriers, address);
  if (place < mbarriers->count && mbarriers->at[place].address == address)
    return;
  push(&task->arena, mbarriers, ((ProgramMbarrier){0}));
  for (size_t i = mbarriers->count - 1; i > place; i--)
    mbarriers->at[i] = mbarriers->at[i - 1];
  mbarriers->at[place] = untouched(programs, address);
}

Mbarriers mbarriers_of(Task *task, const Programs *programs) {
  Mbarriers mbarriers = {0};
  for (unsigned warp = 0; warp < programs_warps(programs); warp++) {
    const Commands *commands = &programs->warps[warp];
    for (size_t i = 0; i < commands->count; i++)
      if (is_mbarrier(commands->at[i].kind))
        add(task, programs, &mbarriers, commands->at[i].address);
  }
  return mbarriers;
}

ProgramMbarrier *mbarriers_find(const Mbarriers *mbarriers, uint32_t address) {
  size_t place = find_place(mbarriers, address);
  assert(place < mbarriers->count && mbarriers->at[place].address == address);
  return &mbarriers->at[place];
}

static bool is_out_of_range(int64_t bytes) {
  return bytes < 0 || bytes > MBARRIER_MOST;
}

static FindingKind finding_of(MbarrierMistake mistake) {
  switch (mistake) {
  case MBARRIER_DEAD:
    return FINDING_DEAD;
  case MBARRIER_LIVE:
    return FINDING_LIVE;
  case MBARRIER_COUNT:
  case MBARRIER_TX:
    return FINDING_RANGE;
  case MBARRIER_TOO_MANY:
    return FINDING_ARRIVALS;
  case MBARRIER_COMPLETES:
    return FINDING_COMPLETES;
  case MBARRIER_RIGHT:
    break;
  }
  assert(!"a mistake at an mbarrier");
  return FINDING_RACE;
}

static void note(Effect *effect, bool is_wrong, FindingKind kind) {
  if (!is_wrong || effect->is_wrong)
    return;
  effect->is_wrong = true;
  effect->wrong = kind;
}

bool is_unbalanced(const ProgramMbarrier *mbarrier) {
  return mbarrier->state.is_live && !mbarrier->state.pending &&
         mbarrier->state.tx;
}

static bool is_nothing(const Command *command) {
  if (command->kind == COMMAND_COPY_ARRIVE)
    return !command->arrivals;
  return !command->tx && (command->kind == COMMAND_MBARRIER_COMPLETE ||
                          command->kind == COMMAND_BULK_COMPLETE);
}

bool mbarrier_event_of(const Command *command, MbarrierEvent *event) {
  static const struct {
    CommandKind command;
    MbarrierEventKind event;
  } rows[] = {
      {COMMAND_MBARRIER_INIT, MBARRIER_INIT},
      {COMMAND_MBARRIER_INVAL, MBARRIER_INVAL},
      {COMMAND_MBARRIER_EXPECT, MBARRIER_EXPECT},
      {COMMAND_MBARRIER_ARRIVE, MBARRIER_ARRIVE},
      {COMMAND_MBARRIER_DROP, MBARRIER_DROP},
      {COMMAND_MBARRIER_COMPLETE, MBARRIER_COMPLETE},
      {COMMAND_BULK_COMPLETE, MBARRIER_COMPLETE},
      {COMMAND_COPY_ARRIVE, MBARRIER_ARRIVE},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].command == command->kind) {
      *event = (MbarrierEvent){.kind = rows[i].event,
                               .count = command->arrivals,
                               .bytes = command->tx};
      return !is_nothing(command);
    }
  return false;
}

// What depends on the schedule: bytes that come behind the last arrival, an
// object that ends before they have come, and bytes that are too many in some
// order.
static void check(ProgramMbarrier *mbarrier, MbarrierEvent event,
                  Effect *effect) {
  bool is_late = !mbarrier->state.pending;
  bool comes = event.kind == MBARRIER_COMPLETE;
  int64_t *bytes = comes ? &mbarrier->coming : &mbarrier->announced;
  *bytes += event.bytes;
  note(effect, event.kind == MBARRIER_INVAL && is_unbalanced(mbarrier),
       FINDING_UNBALANCED);
  note(effect, event.kind == MBARRIER_EXPECT && is_late && event.bytes,
       FINDING_UNANNOUNCED);
  note(effect, event.bytes && is_out_of_range(*bytes), FINDING_RANGE);
}

// One arrival more is to come, as late as those that were raised before.
static void raise(ProgramMbarrier *mbarrier, Effect *effect) {
  uint32_t pending = mbarrier->state.pending;
  note(effect, !pending, FINDING_UNANNOUNCED);
  mbarrier->raised++;
  note(effect, pending + mbarrier->raised > MBARRIER_MOST, FINDING_RANGE);
}

Effect mbarrier_do(ProgramMbarrier *mbarrier, const Command *command) {
  Effect effect = {0};
  MbarrierEvent event;
  assert(is_mbarrier(command->kind));
  bool is_dead =
      !mbarrier->state.is_live && command->kind != COMMAND_MBARRIER_INIT;
  note(&effect, is_dead, FINDING_DEAD);
  if (is_dead)
    return effect;
  if (!mbarrier_event_of(command, &event)) {
    if (command->kind == COMMAND_COPY_ARRIVE)
      raise(mbarrier, &effect);
    return effect;
  }
  check(mbarrier, event, &effect);
  MbarrierEffect done = mbarrier_step(&mbarrier->state, event);
  if (done.mistake != MBARRIER_RIGHT)
    note(&effect, true, finding_of(done.mistake));
  if (done.completes || event.kind == MBARRIER_INIT)
    begin_phase(mbarrier);
  effect.completes = done.completes;
  return effect;
}

bool mbarrier_passes(const ProgramMbarrier *mbarrier, const Command *wait) {
  return !mbarrier->state.is_live ||
         mbarrier_is_over(&mbarrier->state, wait->parity);
}
