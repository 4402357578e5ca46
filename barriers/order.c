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

#include "barriers/check.h"

#include <assert.h>

enum { CHECK_EACH = 1 << 12 }; // commands

struct Order {
  const Programs *programs;
  uint32_t now[MOST_WARPS];
  uint32_t live[MOST_WARPS]; // lanes
  uint32_t knows[MOST_WARPS][MOST_WARPS];
  uint32_t published[NAMED_BARRIERS][MOST_WARPS];
  uint32_t waiting[NAMED_BARRIERS]; // sets of warps
  uint32_t last_met[MOST_WARPS];    // the time of the last barrier
  uint32_t together[MOST_WARPS];
  uint32_t lanes[MOST_WARPS][WARP][WARP];
  uint32_t cut[MOST_WARPS][WARP];
  uint32_t is_cut[MOST_WARPS]; // lanes
};

uint32_t order_now(const Order *order, unsigned warp) {
  return order->now[warp];
}

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

static void learn(uint32_t *known, const uint32_t *from) {
  for (unsigned warp = 0; warp < MOST_WARPS; warp++)
    if (known[warp] < from[warp])
      known[warp] = from[warp];
}

static void complete(Order *order, unsigned barrier) {
  uint32_t *published = order->published[barrier];
  for (uint32_t left = order->waiting[barrier]; left; left &= left - 1)
    learn(order->knows[__builtin_ctz(left)], published);
  for (unsigned warp = 0; warp < MOST_WARPS; warp++)
    published[warp] = 0;
  order->waiting[barrier] = 0;
}

static void meet(Order *order, Turn turn, const Command *command) {
  unsigned warp = turn.warp;
  uint32_t *published = order->published[command->barrier];
  cut_dead_lanes(order, warp);
  learn(published, order->knows[warp]);
  published[warp] = order->last_met[warp] = order->now[warp]++;
  if (is_waiting(command->kind))
    order->waiting[command->barrier] |= (uint32_t)1 << warp;
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
    learn(known, order->lanes[warp][__builtin_ctz(left)]);
  for (uint32_t left = lanes; left; left &= left - 1)
    known[__builtin_ctz(left)] = time;
  for (uint32_t left = lanes; left; left &= left - 1)
    learn(order->lanes[warp][__builtin_ctz(left)], known);
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

static Order *order_new(Task *task, const Programs *programs) {
  Order *order = NEW(&task->arena, Order);
  order->programs = programs;
  for (unsigned warp = 0; warp < programs_warps(programs); warp++) {
    order->now[warp] = 1;
    order->live[warp] = warp_lanes(programs, warp);
    for (unsigned lane = 0; lane < WARP; lane++)
      order->cut[warp][lane] = UINT32_MAX;
  }
  return order;
}

static void step(Order *order, unsigned warp, uint32_t at, Visit visit,
                 void *data) {
  const Command *command = &order->programs->warps[warp].at[at];
  switch (command->kind) {
  case COMMAND_READ:
  case COMMAND_WRITE:
  case COMMAND_ATOMIC:
    assert(!(command->lanes & ~order->live[warp]));
    visit(data, order, warp, at);
    return;
  case COMMAND_WARP_SYNC:
    sync_lanes(order, warp, command->lanes & order->live[warp]);
    return;
  case COMMAND_EXIT:
    order->live[warp] &= ~command->lanes;
    return;
  case COMMAND_SYNC:
  case COMMAND_REDUCE:
  case COMMAND_ARRIVE:
    assert(!"a barrier without a turn");
  }
}

// Up to the command of the turn, or until all lanes have exited.
static void run(Task *task, Order *order, Turn turn, uint32_t from, Visit visit,
                void *data) {
  task_check_time(task, (Loc){0});
  assert(from <= turn.command);
  for (uint32_t at = from; at < turn.command && order->live[turn.warp]; at++) {
    if (at % CHECK_EACH == 0)
      task_check_time(task, (Loc){0});
    step(order, turn.warp, at, visit, data);
  }
}

void order_walk(Task *task, const Programs *programs, const Trace *trace,
                Visit visit, void *data) {
  Order *order = order_new(task, programs);
  uint32_t next[MOST_WARPS] = {0};
  for (size_t i = 0; i < trace->turns.count; i++) {
    Turn turn = trace->turns.at[i];
    const Commands *commands = &programs->warps[turn.warp];
    run(task, order, turn, next[turn.warp], visit, data);
    if (turn.command == commands->count)
      continue;
    meet(order, turn, &commands->at[turn.command]);
    next[turn.warp] = turn.command + 1;
  }
}
