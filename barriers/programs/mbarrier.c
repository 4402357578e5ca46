// What an mbarrier does.
//
// Its phases are numbered from 0.  A phase is over when as many arrivals as it
// expects have come, and as many bytes as were announced; the next one begins
// at once, and expects as many less as have dropped out.  A wait for a parity
// passes when the current phase has the other one: then the phase that it
// waits for is the one before, or was never (parity 1 on a new mbarrier).
//
// Bytes are counted for each phase, both the announced ones and those that
// come: a number that is in range so is in range in every order.
//
// No bytes are nothing, neither announced nor come.
//
// An asynchronous arrival without .noinc raises the count of its phase first,
// which must not be over by then.

#include "barriers/programs/check.h"

#include <assert.h>

enum { MOST_COUNTED = (1 << 20) - 1 }; // arrivals and bytes

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

// barrier.cluster is one without a beginning, and so are groups of wgmma.
static Mbarrier untouched(const Programs *programs, uint32_t address) {
  uint32_t threads = programs_blocks(programs) * programs->threads;
  if (address < CLUSTER_BARRIER)
    return (Mbarrier){.address = address};
  if (address != CLUSTER_BARRIER)
    threads = WARPGROUP * WARP;
  return (Mbarrier){.address = address,
                    .is_live = true,
                    .pending = threads,
                    .count = threads,
                    .expected = threads};
}

static void add(Task *task, const Programs *programs, Mbarriers *mbarriers,
                uint32_t address) {
  size_t place = find_place(mbarriers, address);
  if (place < mbarriers->count && mbarriers->at[place].address == address)
    return;
  push(&task->arena, mbarriers, ((Mbarrier){0}));
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

Mbarrier *mbarriers_find(const Mbarriers *mbarriers, uint32_t address) {
  size_t place = find_place(mbarriers, address);
  assert(place < mbarriers->count && mbarriers->at[place].address == address);
  return &mbarriers->at[place];
}

static void note(Effect *effect, bool is_wrong, FindingKind kind) {
  if (!is_wrong || effect->is_wrong)
    return;
  effect->is_wrong = true;
  effect->wrong = kind;
}

static bool is_out_of_range(int64_t bytes) {
  return bytes < 0 || bytes > MOST_COUNTED;
}

static void settle(Mbarrier *mbarrier, Effect *effect) {
  if (mbarrier->pending || mbarrier->tx)
    return;
  mbarrier->phase++;
  mbarrier->pending = mbarrier->count = mbarrier->expected;
  mbarrier->announced = mbarrier->coming = 0;
  effect->completes = true;
}

static void announce(Mbarrier *mbarrier, int32_t tx, Effect *effect) {
  mbarrier->tx += tx;
  mbarrier->announced += tx;
  note(effect, is_out_of_range(tx) || is_out_of_range(mbarrier->announced),
       FINDING_RANGE);
}

static void arrive(Mbarrier *mbarrier, uint32_t threads, Effect *effect) {
  note(effect, !threads || threads > MOST_COUNTED, FINDING_RANGE);
  note(effect, threads > mbarrier->pending, FINDING_ARRIVALS);
  mbarrier->pending -=
      threads < mbarrier->pending ? threads : mbarrier->pending;
  settle(mbarrier, effect);
}

static void drop(Mbarrier *mbarrier, uint32_t threads, Effect *effect) {
  note(effect, threads > mbarrier->expected, FINDING_ARRIVALS);
  mbarrier->expected -=
      threads < mbarrier->expected ? threads : mbarrier->expected;
}

static void receive(Mbarrier *mbarrier, int32_t tx, Effect *effect) {
  mbarrier->tx -= tx;
  mbarrier->coming += tx;
  note(effect, is_out_of_range(tx) || is_out_of_range(mbarrier->coming),
       FINDING_RANGE);
  settle(mbarrier, effect);
}

static void init(Mbarrier *mbarrier, uint32_t threads, Effect *effect) {
  note(effect, mbarrier->is_live, FINDING_LIVE);
  note(effect, !threads || threads > MOST_COUNTED, FINDING_RANGE);
  *mbarrier = (Mbarrier){.address = mbarrier->address,
                         .is_live = true,
                         .past = mbarrier->past + mbarrier->phase,
                         .pending = threads,
                         .count = threads,
                         .expected = threads,
                         .init = mbarrier->init,
                         .bytes = mbarrier->bytes};
}

bool is_unbalanced(const Mbarrier *mbarrier) {
  return mbarrier->is_live && !mbarrier->pending && mbarrier->tx;
}

Effect mbarrier_do(Mbarrier *mbarrier, const Command *command) {
  Effect effect = {0};
  assert(is_mbarrier(command->kind));
  if (command->kind == COMMAND_MBARRIER_INIT) {
    init(mbarrier, command->threads, &effect);
    return effect;
  }
  note(&effect, !mbarrier->is_live, FINDING_DEAD);
  if (!mbarrier->is_live)
    return effect;
  bool is_late = !mbarrier->pending;
  if (command->kind == COMMAND_MBARRIER_INVAL) {
    note(&effect, is_unbalanced(mbarrier), FINDING_UNBALANCED);
    mbarrier->is_live = false;
  }
  if (command->kind == COMMAND_MBARRIER_EXPECT)
    note(&effect, is_late && command->tx, FINDING_UNANNOUNCED);
  if (command->kind == COMMAND_MBARRIER_EXPECT ||
      command->kind == COMMAND_MBARRIER_ARRIVE ||
      command->kind == COMMAND_MBARRIER_DROP)
    announce(mbarrier, command->tx, &effect);
  if (command->kind == COMMAND_MBARRIER_DROP)
    drop(mbarrier, command->threads, &effect);
  if (command->kind == COMMAND_MBARRIER_ARRIVE ||
      command->kind == COMMAND_MBARRIER_DROP ||
      (command->kind == COMMAND_COPY_ARRIVE && command->threads))
    arrive(mbarrier, command->threads, &effect);
  if (command->kind == COMMAND_COPY_ARRIVE && !command->threads)
    note(&effect, is_late, FINDING_UNANNOUNCED);
  if ((command->kind == COMMAND_MBARRIER_COMPLETE ||
       command->kind == COMMAND_BULK_COMPLETE) &&
      command->tx)
    receive(mbarrier, command->tx, &effect);
  return effect;
}

bool mbarrier_passes(const Mbarrier *mbarrier, const Command *wait) {
  return !mbarrier->is_live || (mbarrier->phase & 1) != (wait->barrier & 1);
}
