// POS: each step has a priority by lot, drawn anew once it has lost a conflict.
//
// Yuan, Yang, Gu, "Partial Order Aware Concurrency Sampling", CAV 2018.  The
// pending step of the highest priority is made; the others that conflict with
// it get new priorities.  All get one where a thread gives way, lest one with a
// very low priority never comes to what the others look for.

#include "runtime/threads/world.h"

static void begin(void) { policy_ask_at(1); }

static void draw(PosixThread *thread) {
  thread->priority = world_draw(&world.random);
}

static void add(PosixThread *thread) {
  policy_in_order(thread);
  draw(thread);
}

static bool conflict(const PosixDeed *a, const PosixDeed *b) {
  return a->at && b->at && (a->is_write || b->is_write) &&
         a->at < b->at + b->bytes && b->at < a->at + a->bytes;
}

static PosixThread *choose(void) {
  PosixThread *best = NULL;
  for (uint32_t i = 0; i < world_places(); i++) {
    PosixThread *thread = world.at_place[i];
    bool is_ready = thread_is_ready(thread);
    if (is_ready && (!best || thread->priority > best->priority))
      best = thread;
  }
  for (uint32_t i = 0; i < world_places(); i++)
    if (world.at_place[i] != best &&
        conflict(&world.at_place[i]->pending, &best->pending))
      draw(world.at_place[i]);
  return best;
}

static PosixThread *at_point(void) {
  policy_ask_at(world.steps + 1);
  draw(world.self);
  return choose();
}

static void yield(PosixThread *thread) {
  (void)thread;
  for (uint32_t i = 0; i < world_places(); i++)
    draw(world.at_place[i]);
}

const SchedulePolicy policy_pos = {begin, at_point, choose, add, yield};
