// The scheduler: blocks and threads.
//
// Threads are fibers.  One runs until it waits at a barrier, leaves the kernel
// or has gone round a loop often; then the next thread of its block runs.  A
// fiber whose thread has left goes on with the next thread that has not begun,
// so threads that never wait need no switch; not so if one may have the address
// of another's array.  Blocks begin one after another.  If those at work only
// go round loops, or wait for other blocks of the grid, more begin, as many as
// there is room for.  So a run is the same each time.
//
// If nobody can run, it is a mistake of the kernel: threads that wait at
// different barriers (machine_barrier.c), or for threads that have left, or for
// each other (stuck.c).
//
// Where a block is a loop over its threads (runtime/jit/block.c), it is one
// fiber, and the loop runs one thread after another.  It waits only where it
// goes round a loop with barriers, and blocks that may wait for each other
// there are at work together.

#define _GNU_SOURCE

#include "runtime/machine/machine.h"
#include "runtime/machine/twice.h"

#include <string.h>

enum {
  MOST_TOGETHER = 4096,  // threads
  TURNS_IN_LOOPS = 16,   // of a block before others begin
  INTERVALS_A_TURN = 64, // of a block before another one goes on
  ROUNDS_A_TURN = 64,    // the same of loops with barriers
};

Machine machine;
volatile bool machine_is_late;

// --------------------------------------------------------------- threads ---

void machine_set_state(Thread *thread, ThreadState state) {
  thread->group->in[thread->state]--;
  thread->group->in[state]++;
  machine.moves += state != THREAD_READY;
  if (state == THREAD_DONE ||
      (state == THREAD_READY && thread->state != THREAD_AT_MBARRIER &&
       thread->state != THREAD_AT_WARP && thread->state != THREAD_READY))
    machine.fruitless = 0;
  thread->state = state;
}

static void fiber_body(void *data);

// A fiber for a thread that has none yet.
static void start_fiber(Thread *thread) {
  unsigned slot = (unsigned)(thread->group - machine.groups);
  unsigned index =
      machine.image->is_block ? slot : slot * machine.threads + thread->index;
  fiber_start(&thread->fiber, &machine.stacks, index, fiber_body, NULL);
}

// The one behind this one, or the first again.
static uint64_t behind(const Turns *turns, uint64_t number) {
  number += turns->step;
  return number < turns->count ? number : number - turns->count;
}

// The next thread of the block, if it can run.
static Thread *successor(const Thread *thread) {
  uint64_t number = behind(&machine.of_threads, thread->index);
  Thread *next = &thread->group->threads[number];
  bool is_ready = number != machine.of_threads.first &&
                  next->state == THREAD_READY && !machine.one_a_turn;
  return is_ready ? next : NULL;
}

static void take_turn(Thread *thread) {
  machine.self = thread;
  if (thread && machine.watches_races)
    races_turn(thread);
}

void machine_take_turn(Thread *thread) { take_turn(thread); }

// To the next thread, if there is one, without the scheduler in between.
static void leave(Thread *self) {
  Thread *next = successor(self);
  if (next && !next->fiber.sp)
    start_fiber(next);
  take_turn(next);
  fiber_switch(&self->fiber, next ? &next->fiber : &machine.scheduler);
}

void machine_wait(ThreadState state) {
  Thread *self = machine.self;
  races_settle();
  machine_set_state(self, state);
  leave(self);
}

// Where a thread has ended the next can begin.
static void fiber_body(void *data) {
  (void)data;
  for (Thread *self = machine.self, *next;; take_turn(self = next)) {
    machine.image->entry(machine.arguments);
    races_settle();
    copies_leave(self);
    machine_set_state(self, THREAD_DONE);
    next = successor(self);
    if (!next || next->fiber.sp || machine.run->code->shares_own)
      leave(self);
  }
}

// Nobody switches back to where it is.
void machine_leave(void) {
  races_settle();
  copies_leave(machine.self);
  machine_set_state(machine.self, THREAD_DONE);
  leave(machine.self);
}

// On a copy of its own a thread may wait for ever for what others write.  What
// has ended once would end a second time.
static void limit_steps(uint32_t site) {
  bool may_end = machine.run->code->is_cut || twice_execution() == 2;
  IncidentKind kind = may_end ? INCIDENT_LIMIT : INCIDENT_ENDLESS;
  machine.self->site = site;
  if (machine.run->max_steps && machine.steps > machine.run->max_steps)
    machine_fail(kind, "after %llu steps", (unsigned long long)machine.steps);
  if (machine_is_late)
    machine_fail(kind, "after %g s", machine.run->max_seconds);
}

void machine_step(uint32_t site) {
  machine.steps++;
  limit_steps(site);
  if (machine.steps % STEPS_A_TURN == 0)
    machine_wait(THREAD_READY);
}

// In a loop over threads none of them waits for another.
void machine_turn(uint32_t site) {
  machine.steps += STEPS_A_TURN;
  limit_steps(site);
  if (!machine.image->is_block)
    machine_wait(THREAD_READY);
}

void machine_round(uint32_t site) {
  if (++machine.rounds % ROUNDS_A_TURN)
    return;
  machine.is_blind = false;
  machine.self = machine.self->group->threads;
  machine.steps += (uint64_t)ROUNDS_A_TURN * machine.threads;
  limit_steps(site);
  if (machine.together > 1)
    machine_wait(THREAD_READY);
}

static void start_clock(Thread *thread) {
  if (machine.run->code->has_warp_sync)
    memset(thread->clock, 0, sizeof thread->clock);
  thread->clock[thread->index % LANES] = 1;
}

static void start_thread(Thread *thread) {
  memset(&thread->fiber, 0, offsetof(Thread, lanes) - offsetof(Thread, fiber));
  thread->site = NO_SITE;
  copies_drop(thread);
  if (machine.run->watch >= WATCH_RACES)
    start_clock(thread);
}

// In a loop over threads nothing of one changes but when it tells of an order.
static void start_threads(Group *group) {
  bool is_block = machine.image->is_block;
  bool is_watched = machine.run->watch != WATCH_NOTHING;
  bool is_first = !group->has_threads || !machine.turn_mask;
  unsigned count = is_block && !(is_watched && is_first) ? 1 : machine.threads;
  for (unsigned i = 0; i < count; i++)
    start_thread(&group->threads[i]);
  group->has_threads = true;
}

// ---------------------------------------------------------------- blocks ---

// Memory that was never written holds anything; this is never zero.
static void scramble(char *at, uint64_t bytes) {
  enum { PERIOD = 128 };
  for (uint64_t i = 0; i < bytes && i < PERIOD; i++)
    at[i] = (char)(0x5a ^ (i * 29 & 0x7f));
  for (uint64_t done = PERIOD; done < bytes; done *= 2)
    memcpy(at + done, at, done < bytes - done ? done : bytes - done);
}

static uint64_t block_at(uint64_t position) {
  const Run *run = machine.run;
  const Turns *turns = &machine.of_clusters;
  uint64_t cluster = position / machine.cluster;
  if (run->blocks.count)
    return run->blocks.at[position];
  cluster = (turns->first + cluster * turns->step) % turns->count;
  return clusters_block(run,
                        cluster * machine.cluster + position % machine.cluster);
}

// What a block leaves behind, but for what it is made of.
static void clear_group(Group *group) {
  Thread *threads = group->threads;
  char *shared = group->shared;
  Shadow **shadow = group->shadow;
  bool has_threads = group->has_threads;
  bool has_arrivals = machine.run->code->has_arrivals;
  if (has_arrivals) {
    named_forget(group);
    mbarriers_forget(group);
    clusters_forget(group);
  }
  visits_forget(group);
  memset(group, 0, has_arrivals ? sizeof *group : offsetof(Group, named));
  group->threads = threads;
  group->shared = shared;
  group->shadow = shadow;
  group->has_threads = has_threads;
}

static void start_group(Group *group, uint64_t index) {
  unsigned count = machine.image->is_block ? 1 : machine.threads;
  clear_group(group);
  group->index = index;
  group->count = group->in[THREAD_READY] = count;
  group->moment = ++machine.moments;
  grid_place(index, machine.run->grid, group->id);
  clusters_seat(group);
  if (machine.run->watch >= WATCH_RACES)
    races_forget(group);
  if (machine.inside == group)
    machine.inside = NULL;
  machine.is_blind = false;
  machine.rounds = 0;
  scramble(group->shared, machine.image->shared_bytes);
  start_threads(group);
}

// Puts the shared memory of a block where its code looks for it.
void machine_enter(Group *group) {
  uint64_t bytes = machine.image->shared_bytes;
  if (machine.inside == group)
    return;
  if (machine.inside && bytes)
    memcpy(machine.inside->shared, machine.image->shared, bytes);
  if (bytes)
    memcpy(machine.image->shared, group->shared, bytes);
  machine.inside = group;
}

// Nobody is to run any more: both threads of a replay are held, or the run is
// over.
static bool is_halted(void) { return machine.is_met || machine.is_over; }

void machine_run_thread(Thread *thread) {
  if (thread->state != THREAD_READY || is_halted())
    return;
  machine_enter(thread->group);
  take_turn(thread);
  if (!thread->fiber.sp)
    start_fiber(thread);
  fiber_switch(&machine.scheduler, &thread->fiber);
  machine.self = NULL;
}

// Of the blocks at work; NULL: its block is not among them.
static Thread *find_thread(const uint32_t block[3], const uint32_t thread[3]) {
  const uint32_t *size = machine.run->block;
  uint64_t index =
      thread[0] + size[0] * (thread[1] + (uint64_t)size[1] * thread[2]);
  for (unsigned i = 0; i < machine.group_count; i++)
    if (!memcmp(machine.groups[i].id, block, sizeof machine.groups[i].id) &&
        index < machine.threads)
      return &machine.groups[i].threads[index];
  return NULL;
}

// The threads that a replay is about run first, as long as they can, of
// whichever block they are.
static void run_chosen(void) {
  const Run *run = machine.run;
  for (unsigned i = 0; i < 2 && run->chosen; i++) {
    const Stop *stop = &run->stops[i ^ (run->chosen == CHOSEN_REVERSED)];
    Thread *thread = find_thread(stop->block, stop->thread);
    if (thread)
      machine_run_thread(thread);
  }
}

// True: something other than going round loops has happened.
static bool run_threads(Group *group) {
  uint64_t moves = machine.moves;
  uint64_t number = machine.of_threads.first;
  run_chosen();
  for (unsigned i = 0; i < group->count && !is_halted(); i++) {
    if (group->threads[number].state == THREAD_READY)
      machine_run_thread(&group->threads[number]);
    number = behind(&machine.of_threads, number);
  }
  return machine.moves != moves;
}

bool machine_release(Group *group) {
  return warp_resolve(group) || named_resolve(group) ||
         mbarriers_resolve(group) || clusters_resolve(group) ||
         machine_open_barrier(group);
}

// Until it waits; but a block may go round a loop with a barrier in it, and
// wait there for another block.
static bool run_group(Group *group) {
  bool has_moved = false, again = true;
  for (unsigned i = 0; again && i < INTERVALS_A_TURN && !is_halted(); i++) {
    again = run_threads(group);
    again |= machine_release(group);
    has_moved |= again;
  }
  return has_moved;
}

// ------------------------------------------------------------------ grid ---

static bool any_ready(void) {
  for (unsigned i = 0; i < machine.group_count; i++)
    if (machine.groups[i].in[THREAD_READY])
      return true;
  return false;
}

static void start_era(uint32_t epoch) {
  machine.grid_epoch = epoch;
  machine.era = ++machine.moments;
  for (unsigned i = 0; i < machine.group_count; i++)
    machine.groups[i].moment = ++machine.moments;
}

bool machine_release_grid(void) {
  const uint32_t *size = machine.run->grid;
  if (machine.group_count < (uint64_t)size[0] * size[1] * size[2])
    return false;
  for (unsigned i = 0; i < machine.group_count; i++)
    if (machine.groups[i].in[THREAD_AT_GRID] < machine.threads)
      return false;
  for (unsigned i = 0; i < machine.group_count; i++)
    machine_release_all(&machine.groups[i], THREAD_AT_GRID);
  causality_grid();
  start_era(machine.grid_epoch + 1);
  return true;
}

// The next cluster, which may be one block.  False: there are no more.
static bool start_cluster(Group *first) {
  if (machine.started == machine.total)
    return false;
  for (unsigned i = 0; i < machine.cluster; i++)
    start_group(&first[i], block_at(machine.started++));
  return true;
}

// As many again as are at work, or one.  False: there are no more, or no room.
static bool start_more(void) {
  unsigned most = machine.group_count ? 2 * machine.group_count : 1;
  bool has_started = false;
  if (most > machine.together || machine.one_a_turn)
    most = machine.together;
  while (machine.group_count < most &&
         start_cluster(&machine.groups[machine.group_count])) {
    machine.group_count += machine.cluster;
    has_started = true;
  }
  return has_started;
}

// Where a cluster is done another one begins.
static bool start_next(Group *group) {
  return clusters_are_done(group) && start_cluster(clusters_first(group));
}

// Runs a block, and when it is done the next in its place.
static bool run_place(Group *group) {
  bool has_moved = false, is_done = group->in[THREAD_DONE] == group->count;
  while (!is_done && !is_halted()) {
    has_moved |= run_group(group);
    if (group->in[THREAD_DONE] < group->count)
      break;
    machine.finished++;
    visits_end(group);
    if (machine.run->progress)
      machine.run->progress(machine.finished, machine.total);
    is_done = !start_next(group);
  }
  return has_moved;
}

static void run_blocks(void) {
  unsigned turns = 0;
  start_more();
  while (machine.finished < machine.total && !is_halted()) {
    bool has_moved = false;
    uint64_t finished = machine.finished;
    for (unsigned i = 0; i < machine.group_count && !is_halted(); i++)
      has_moved |= run_place(&machine.groups[i]);
    bool is_new = machine_release_grid() || machine.finished > finished;
    turns = is_new ? 0 : turns + 1;
    if (is_new || is_halted())
      continue;
    bool is_stuck = !has_moved && !any_ready();
    if ((is_stuck || turns >= TURNS_IN_LOOPS) &&
        (start_more() || mbarriers_time_out()))
      continue;
    if (is_stuck) {
      machine_stuck();
      return;
    }
  }
}

// -------------------------------------------------------------- execution ---

static uint64_t count_blocks(const Run *run) {
  return run->blocks.count
             ? run->blocks.count
             : (uint64_t)run->grid[0] * run->grid[1] * run->grid[2];
}

static uint64_t common_factor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// With a seed by lot, else as they are numbered.
static Turns turns_of(uint64_t count, uint64_t seed) {
  enum { MOST_STEP = 1 << 16 };
  Turns turns = {.count = count, .step = 1};
  uint64_t lot = seed * UINT64_C(0x9e3779b97f4a7c15);
  if (!seed || count < 2)
    return turns;
  lot = (lot ^ lot >> 32) * UINT64_C(0xff51afd7ed558ccd);
  turns.first = (lot >> 33) % count;
  turns.step += (lot >> 8) % (count < MOST_STEP ? count - 1 : MOST_STEP);
  while (common_factor(count, turns.step) > 1)
    turns.step++;
  return turns;
}

bool machine_open(const Run *run, Image *image, Outcome *outcome) {
  Incident incident = {.kind = INCIDENT_LIMIT};
  machine = (Machine){
      .run = run, .image = image, .outcome = outcome, .stacks = machine.stacks};
  machine.threads = run->block[0] * run->block[1] * run->block[2];
  machine.total = count_blocks(run);
  machine.one_a_turn = run->is_logged || run->is_stopped || run->chosen;
  machine.needs_actors = run->is_logged || run->is_stopped || run->hints.count;
  machine.watches_races = run->watch == WATCH_RACES;
  causality_open();
  machine.turn_mask = causality_has_ticks() ? 0 : LANES - 1;
  start_era(0);
  uint64_t together = MOST_TOGETHER / machine.threads;
  if (together > machine.total)
    together = machine.total;
  machine.cluster = image->is_block ? 1 : clusters_size(run);
  if (together < machine.cluster ||
      (image->is_block && !run->code->waits_for_blocks)) // one after another
    together = machine.cluster;
  machine.together = (unsigned)(together - together % machine.cluster);
  machine.of_threads =
      turns_of(image->is_block ? 1 : machine.threads, run->seed);
  machine.of_clusters = turns_of(machine.total / machine.cluster, run->seed);
  if (!image->spots)
    image->spots = spots_make(run->code);
  if (machine_allocate() && regions_open() && image->spots)
    return true;
  snprintf(incident.text, sizeof incident.text,
           "not enough memory for %u threads", machine.threads);
  machine_stop(&incident);
  return false;
}

bool machine_restart(void) {
  machine.started = machine.finished = machine.steps = 0;
  machine.group_count = machine.fruitless = 0;
  start_era(0);
  machine.inside = NULL;
  machine.is_over = false;
  machine.one_a_turn = true;
  start_more();
  return machine.started == machine.total;
}

void machine_run(void) {
  Outcome *outcome = machine.outcome;
  regions_put_given();
  double start = clock_seconds();
  run_blocks();
  prints_end();
  outcome->is_done = machine.finished == machine.total;
  outcome->steps = machine.steps;
  outcome->seconds = clock_seconds() - start;
}

void machine_close(void) {
  machine_give_back();
  races_close();
  regions_close();
  machine = (Machine){.stacks = machine.stacks};
}

void machine_execute(const Run *run, Image *image, Outcome *outcome) {
  if (machine_open(run, image, outcome))
    machine_run();
}
