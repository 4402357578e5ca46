// What happens before what, while we walk along the trace.
//
// Vector clocks, but one number for a warp and none for an access: the time
// of a warp counts the barriers that it has met, and `knows` says up to which
// time of each warp everything has happened before.  Whoever meets a barrier
// publishes what it knows and its own past; bar.sync and bar.red acquire what
// their generation has published when it is complete; bar.arrive does not,
// not even from the other lanes of its own warp.  The clocks of the past are
// not kept: the accesses remember their times (shadow.c).
//
// Lanes of one warp need more: bar.warp.sync orders the accesses of its lanes
// and of those that they know of.  `lanes` has a clock for each lane, in the
// times of the warp; the usual case, all lanes of the warp, is the one number
// `together`.
//
// A lane that exits takes no part in later barriers: what it did since the
// last one is published only as far as a lane that lives on knows of it, by
// bar.warp.sync.  `cut` is the last of its times for which that is so.
//
// All of this is for programs without mbarriers and copies.  With them lanes
// know more than their warps: then clocks.c has a clock for each.  An arrival
// publishes for its phase, a wait learns what the arrivals of its phase have
// published; announcements and bytes that come publish nothing, asynchronous
// arrivals only that copies have been made.  What is relaxed is for the phases
// alone.

#include "barriers/programs/check.h"

#include <assert.h>
#include <string.h>

// What the arrivals of the current phase have published, and of the last one.
typedef struct Publication {
  Row *coming, *come;
} Publication;

struct Order {
  Task *task;
  const Programs *programs;
  unsigned warps;
  uint32_t now[MOST_WARPS];
  uint32_t live[MOST_WARPS];         // lanes
  uint32_t (*knows)[MOST_WARPS];     // by warp
  uint32_t (*published)[MOST_WARPS]; // by barrier
  uint32_t waiting[ALL_BARRIERS];    // sets of warps
  uint32_t last_met[MOST_WARPS];     // the time of the last barrier
  uint32_t together[MOST_WARPS];
  uint32_t (*lanes)[WARP][WARP]; // by warp
  uint32_t cut[MOST_WARPS][WARP];
  uint32_t is_cut[MOST_WARPS]; // lanes
  Visit visit;
  void *data;
  bool has_bulks, is_wrong;
  Clocks *clocks; // NULL: warps are enough
  Mbarriers mbarriers;
  Publication *publications; // for each mbarrier
};

uint32_t order_now(const Order *order, unsigned warp) {
  return order->clocks ? clocks_now(order->clocks, warp) : order->now[warp];
}

bool order_is_of_warps(const Order *order) { return !order->clocks; }

// Some lane that lives knows the accesses of `dead` up to here.
static uint32_t last_known(const Order *order, unsigned warp, unsigned dead) {
  uint32_t known = order->last_met[warp];
  if (known < order->together[warp])
    known = order->together[warp];
  for (uint32_t left = order->live[warp]; left; left &= left - 1) {
    uint32_t time = order->lanes[warp][__builtin_ctz(left)][dead];
    if (known < time)
      known = time;
  }
  return known;
}

// In lock step a lane's past is that of its warp, also when it has exited.
static void cut_dead_lanes(Order *order, unsigned warp) {
  if (order->programs->lock_step)
    return;
  uint32_t dead = warp_lanes(order->programs, warp) & ~order->live[warp];
  for (uint32_t left = dead & ~order->is_cut[warp]; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    order->cut[warp][lane] = last_known(order, warp, lane);
  }
  order->is_cut[warp] |= dead;
}

static void learn(uint32_t *known, const uint32_t *from, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (known[i] < from[i])
      known[i] = from[i];
}

static void complete(Order *order, unsigned barrier) {
  uint32_t *published = order->published[barrier];
  unsigned first = first_warp(order->programs, barrier);
  for (uint32_t left = order->waiting[barrier]; left; left &= left - 1)
    learn(order->knows[first + (unsigned)__builtin_ctz(left)], published,
          order->warps);
  memset(published, 0, order->warps * sizeof *published);
  order->waiting[barrier] = 0;
}

static void meet(Order *order, Turn turn, const Command *command) {
  unsigned warp = turn.warp;
  uint32_t *published = order->published[command->barrier];
  cut_dead_lanes(order, warp);
  learn(published, order->knows[warp], order->warps);
  published[warp] = order->last_met[warp] = order->now[warp]++;
  if (is_waiting(command->kind))
    order->waiting[command->barrier] |= warp_bit(order->programs, warp);
  if (turn.completes)
    complete(order, command->barrier);
}

static void sync_lanes(Order *order, unsigned warp, uint32_t lanes) {
  uint32_t time = order->now[warp]++;
  if (lanes == warp_lanes(order->programs, warp)) {
    order->together[warp] = time;
    return;
  }
  uint32_t known[WARP] = {0};
  for (uint32_t left = lanes; left; left &= left - 1)
    learn(known, order->lanes[warp][__builtin_ctz(left)], WARP);
  for (uint32_t left = lanes; left; left &= left - 1)
    known[__builtin_ctz(left)] = time;
  for (uint32_t left = lanes; left; left &= left - 1)
    learn(order->lanes[warp][__builtin_ctz(left)], known, WARP);
}

static uint32_t unordered_in_warp(const Order *order, unsigned warp,
                                  uint32_t lanes, uint32_t time,
                                  unsigned lane) {
  lanes &= ~((uint32_t)1 << lane);
  if (order->programs->lock_step || time <= order->together[warp])
    return 0;
  bool is_known = time <= order->knows[warp][warp];
  uint32_t unordered = 0;
  for (uint32_t left = lanes; left; left &= left - 1) {
    unsigned other = (unsigned)__builtin_ctz(left);
    if (is_known && time <= order->cut[warp][other])
      continue;
    if (time > order->lanes[warp][lane][other])
      unordered |= (uint32_t)1 << other;
  }
  return unordered;
}

uint32_t order_unordered(const Order *order, unsigned of, uint32_t lanes,
                         uint32_t time, unsigned warp, unsigned lane) {
  if (order->clocks)
    return clocks_unordered(order->clocks, of, lanes, time, warp, lane);
  if (of == warp)
    return unordered_in_warp(order, warp, lanes, time, lane);
  if (time > order->knows[warp][of])
    return lanes;
  uint32_t unordered = 0;
  for (uint32_t left = lanes & order->is_cut[of]; left; left &= left - 1) {
    unsigned other = (unsigned)__builtin_ctz(left);
    if (time > order->cut[of][other])
      unordered |= (uint32_t)1 << other;
  }
  return unordered;
}

uint32_t order_known(const Order *order, unsigned of, unsigned warp) {
  if (order->clocks)
    return 0;
  if (of == warp && order->programs->lock_step)
    return order->now[warp] - 1;
  uint32_t known = order->is_cut[of] ? 0 : order->knows[warp][of];
  return of == warp && known < order->together[warp] ? order->together[warp]
                                                     : known;
}

uint32_t order_uncopied(const Order *order, unsigned of, uint32_t lanes,
                        uint32_t command, unsigned warp, unsigned lane) {
  assert(order->clocks);
  return clocks_uncopied(order->clocks, of, lanes, command, warp, lane);
}

// ----------------------------------------------------------- bulk copies ---

static const Command *end_of_bulk(const Order *order, unsigned warp,
                                  uint32_t at) {
  const Command *copy = &order->programs->warps[warp].at[at];
  assert(is_bulk(copy->kind));
  return copy->completes_in ? copy + copy->completes_in : NULL;
}

uint32_t order_end(const Order *order, unsigned warp, uint32_t command) {
  const Command *end = end_of_bulk(order, warp, command);
  if (!end)
    return 0;
  const ProgramMbarrier *mbarrier =
      mbarriers_find(&order->mbarriers, end->address);
  return mbarrier->state.past + mbarrier->state.phase + 1;
}

uint32_t order_unfinished(const Order *order, unsigned of, uint32_t lanes,
                          uint32_t time, uint32_t command, unsigned warp,
                          unsigned lane) {
  const Command *end = end_of_bulk(order, of, command);
  assert(order->clocks);
  if (!end)
    return clocks_unfinished(order->clocks, of, lanes, command, warp, lane);
  const ProgramMbarrier *mbarrier =
      mbarriers_find(&order->mbarriers, end->address);
  size_t index = (size_t)(mbarrier - order->mbarriers.at);
  return clocks_phases(order->clocks, warp, lane, index) >= time ? 0 : lanes;
}

uint32_t order_unfenced(const Order *order, unsigned of, uint32_t lanes,
                        uint32_t time, unsigned warp, unsigned lane) {
  assert(order->clocks);
  return clocks_unfenced(order->clocks, of, lanes, time, warp, lane);
}

uint32_t order_unswept(const Order *order, unsigned of, uint32_t lanes,
                       uint32_t command, unsigned warp, unsigned lane) {
  assert(order->clocks);
  return clocks_unswept(order->clocks, of, lanes, command, warp, lane);
}

uint32_t order_never_fenced(const Order *order, unsigned of, uint32_t lanes,
                            uint32_t time, unsigned warp, unsigned lane) {
  return clocks_never_fenced(order->clocks, of, lanes, time, warp, lane);
}

uint32_t order_uninitialised(const Order *order, unsigned of, uint32_t lanes,
                             uint32_t time, unsigned warp, unsigned lane) {
  assert(order->clocks);
  return clocks_uninitialised(order->clocks, of, lanes, time, warp, lane);
}

bool order_has_begun(const Order *order, unsigned block, unsigned warp,
                     unsigned lane) {
  unsigned warps = programs_block_warps(order->programs);
  for (size_t i = order->mbarriers.count; i-- > 0;)
    if (order->mbarriers.at[i].address == CLUSTER_BARRIER &&
        clocks_phases(order->clocks, warp, lane, i))
      return true;
  for (unsigned of = block * warps; of < (block + 1) * warps; of++) {
    uint32_t lanes = warp_lanes(order->programs, of);
    if (order_unordered(order, of, lanes, 1, warp, lane) != lanes)
      return true;
  }
  return false;
}

// A phase that is known to be over says that those before it are, too: whoever
// arrives for it knows.  With bytes for those before that has to be so in
// memory, and nobody may arrive who only knows it from the phases.
static void check_chain(const Order *order, const Publication *publication,
                        size_t mbarrier, uint32_t over, unsigned warp,
                        uint32_t at) {
  bool has_bytes =
      order->has_bulks && !is_apart(&order->programs->warps[warp].at[at]);
  if (has_bytes && !order->is_wrong && over > 1 &&
      (!publication->coming ||
       row_phases(order->clocks, publication->coming, mbarrier) < over - 1))
    unsupported(order->task, programs_loc(order->programs, warp, at),
                "a bulk copy and a phase whose arrivals have not acquired the "
                "one before");
}

// ------------------------------------------------------------- mbarriers ---

static bool publishes(CommandKind kind) {
  return kind == COMMAND_MBARRIER_ARRIVE || kind == COMMAND_MBARRIER_DROP;
}

// What these lanes have done for the current phase.
static void publish(Order *order, Publication *to, unsigned warp, uint32_t at,
                    uint32_t lanes) {
  const Command *command = &order->programs->warps[warp].at[at];
  CommandKind kind = command->kind;
  if (publishes(kind) && lanes && !command->is_relaxed)
    clocks_publish(order->clocks, &to->coming, warp, lanes);
  if (is_cluster_barrier(command) && kind == COMMAND_MBARRIER_ARRIVE &&
      command->is_relaxed && lanes)
    clocks_publish_inits(order->clocks, &to->coming, warp, lanes);
  if (kind == COMMAND_COPY_ARRIVE)
    clocks_publish_copies(order->clocks, &to->coming, warp, lanes, at);
}

static void use_mbarrier(Order *order, unsigned warp, uint32_t at) {
  const Command *command = &order->programs->warps[warp].at[at];
  ProgramMbarrier *mbarrier =
      mbarriers_find(&order->mbarriers, command->address);
  size_t index = (size_t)(mbarrier - order->mbarriers.at);
  Publication *publication = &order->publications[index];
  uint32_t together = 0;
  for (uint32_t left = command->lanes; left; left &= left - 1) {
    together |= left & -left;
    if (!mbarrier_do(mbarrier, command).completes)
      continue;
    publish(order, publication, warp, at, together);
    check_chain(order, publication, index,
                mbarrier->state.past + mbarrier->state.phase, warp, at);
    clocks_turn_over(order->clocks, &publication->coming, &publication->come,
                     index, mbarrier->state.past + mbarrier->state.phase);
    together = 0;
  }
  publish(order, publication, warp, at, together);
  if (command->kind == COMMAND_MBARRIER_WAIT && !command->is_relaxed)
    clocks_learn(order->clocks, warp, command->lanes, publication->come);
  if (command->kind == COMMAND_MBARRIER_INIT) {
    clocks_release(order->clocks, &publication->coming);
    clocks_release(order->clocks, &publication->come);
  }
  clocks_tick(order->clocks, warp);
}

// ------------------------------------------------------------------ walk ---

static Order *order_new(Task *task, const Programs *programs) {
  Order *order = NEW(&task->arena, Order);
  order->programs = programs;
  order->task = task;
  order->has_bulks = has_bulks(programs);
  order->warps = programs_warps(programs);
  order->knows = (uint32_t (*)[MOST_WARPS])arena_alloc(
      &task->arena, order->warps * sizeof *order->knows);
  order->published = (uint32_t (*)[MOST_WARPS])arena_alloc(
      &task->arena, programs_barriers(programs) * sizeof *order->published);
  order->lanes = (uint32_t (*)[WARP][WARP])arena_alloc(
      &task->arena, order->warps * sizeof *order->lanes);
  for (unsigned warp = 0; warp < programs_warps(programs); warp++) {
    order->now[warp] = 1;
    order->live[warp] = warp_lanes(programs, warp);
    for (unsigned lane = 0; lane < WARP; lane++)
      order->cut[warp][lane] = UINT32_MAX;
  }
  if (!needs_lanes(programs))
    return order;
  order->mbarriers = mbarriers_of(task, programs);
  size_t count = order->mbarriers.count;
  order->clocks = clocks_new(task, programs, count);
  order->publications =
      arena_alloc(&task->arena, (count + 1) * sizeof(Publication));
  return order;
}

static void exit_lanes(Order *order, unsigned warp, uint32_t lanes) {
  order->live[warp] &= ~lanes;
  if (order->clocks)
    clocks_exit(order->clocks, warp, lanes);
}

static void sync_warp(Order *order, unsigned warp, uint32_t lanes) {
  if (order->clocks)
    clocks_sync_lanes(order->clocks, warp, lanes);
  else
    sync_lanes(order, warp, lanes);
}

static void step(void *data, unsigned warp, uint32_t at) {
  Order *order = data;
  const Command *command = &order->programs->warps[warp].at[at];
  uint32_t live = order->live[warp];
  switch (command->kind) {
  case COMMAND_READ:
  case COMMAND_STRONG_READ:
  case COMMAND_WRITE:
  case COMMAND_ATOMIC:
  case COMMAND_COPY:
  case COMMAND_BULK_READ:
  case COMMAND_BULK_WRITE:
  case COMMAND_BULK_ATOMIC:
    assert(!(command->lanes & ~live));
    order->visit(order->data, order, warp, at);
    return;
  case COMMAND_REGISTERS:
    return;
  case COMMAND_WARP_SYNC:
    sync_warp(order, warp, command->lanes & live);
    return;
  case COMMAND_EXIT:
    exit_lanes(order, warp, command->lanes);
    return;
  case COMMAND_COPIES_DONE:
    clocks_copied(order->clocks, warp, command->lanes, command->before);
    return;
  case COMMAND_BULKS_DONE:
    clocks_bulks_done(order->clocks, warp, command->lanes, command->before);
    return;
  case COMMAND_INIT_FENCE:
    clocks_fence_inits(order->clocks, warp, command->lanes);
    return;
  case COMMAND_PROXY_FENCE:
    clocks_fence(order->clocks, warp, command->lanes);
    return;
  case COMMAND_BULK_COMPLETE:
  case COMMAND_MBARRIER_INIT:
  case COMMAND_MBARRIER_INVAL:
  case COMMAND_MBARRIER_EXPECT:
  case COMMAND_MBARRIER_ARRIVE:
  case COMMAND_MBARRIER_DROP:
  case COMMAND_MBARRIER_COMPLETE:
  case COMMAND_MBARRIER_WAIT:
  case COMMAND_MBARRIER_TRY:
  case COMMAND_COPY_ARRIVE:
    assert(!(command->lanes & ~live));
    if (!is_apart(command))
      order->visit(order->data, order, warp, at);
    use_mbarrier(order, warp, at);
    return;
  case COMMAND_SYNC:
  case COMMAND_REDUCE:
  case COMMAND_ARRIVE:
    assert(!"a barrier without a turn");
  }
}

static void turn_at(void *data, Turn turn) {
  Order *order = data;
  const Command *command = &order->programs->warps[turn.warp].at[turn.command];
  if (command->kind == COMMAND_MBARRIER_WAIT)
    return;
  if (order->clocks)
    clocks_meet(order->clocks, turn, command);
  else
    meet(order, turn, command);
}

const Order *order_walk(Task *task, const Programs *programs,
                        const Trace *trace, Visit visit, void *data) {
  Order *order = order_new(task, programs);
  order->visit = visit;
  order->is_wrong = trace->is_wrong;
  order->data = data;
  trace_walk(task, programs, trace, (Walk){order, step, turn_at});
  return order;
}
