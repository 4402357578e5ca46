// The scheduler: blocks, threads and barriers.
//
// Threads are fibers.  One runs until it waits at a barrier, leaves the kernel
// or has gone round a loop often; then the next thread of its block runs.  A
// fiber whose thread has left goes on with the next one that has not begun, so
// threads that never wait need no switch.  Blocks begin one after another; if
// those at work only go round loops, or wait for others of the grid, more of
// them begin, as many as have room.  So a run is the same each time.
//
// A barrier opens when all threads of the block wait at it.  If nobody can
// run, it is a mistake of the kernel: threads that wait at different barriers,
// or for threads that have left, or for each other.

#define _GNU_SOURCE

#include "runtime/machine.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_TOGETHER = 4096,  // threads
  TURNS_IN_LOOPS = 16,   // of a block before others begin
  INTERVALS_A_TURN = 64, // of a block before another one goes on
  STACK_BYTES = 1 << 16, // beside the kernel's own arrays
};

Machine machine;

// ---------------------------------------------------------------- incidents
// ---

Actor machine_actor(const Thread *thread) {
  Actor actor = {.site = thread->site,
                 .has_exited = thread->state == THREAD_DONE,
                 .array = -1};
  memcpy(actor.thread, thread->id, sizeof actor.thread);
  memcpy(actor.block, thread->group->id, sizeof actor.block);
  return actor;
}

bool machine_same_place(uint32_t a, uint32_t b) {
  const Site *sites = machine.run->code->sites.at;
  if (a == b || a == NO_SITE || b == NO_SITE)
    return a == b;
  return sites[a].loc.line == sites[b].loc.line &&
         sites[a].loc.column == sites[b].loc.column &&
         sites[a].kind == sites[b].kind;
}

// `swap`: the first actor of one is compared with the second of the other.
static bool same_actors(const Incident *a, const Incident *b, unsigned swap) {
  for (unsigned i = 0; i < a->count; i++)
    if (!machine_same_place(a->actors[i].site, b->actors[i ^ swap].site) ||
        a->actors[i].array != b->actors[i ^ swap].array)
      return false;
  return true;
}

static bool same_incident(const Incident *a, const Incident *b) {
  return a->kind == b->kind && a->count == b->count &&
         (same_actors(a, b, 0) ||
          (a->kind == INCIDENT_RACE && same_actors(a, b, 1)));
}

void machine_note(const Incident *incident) {
  Outcome *outcome = machine.outcome;
  for (unsigned i = 0; i < outcome->count; i++)
    if (same_incident(&outcome->incidents[i], incident)) {
      outcome->incidents[i].times++;
      return;
    }
  if (outcome->count == MOST_INCIDENTS)
    return;
  outcome->incidents[outcome->count] = *incident;
  outcome->incidents[outcome->count++].times = 1;
}

void machine_stop(const Incident *incident) {
  machine_note(incident);
  machine.is_over = true;
}

// Of the threads whose operations are one, any may have been it.
static Incident of_block(const Incident *incident) {
  Incident of_any = *incident;
  const uint32_t *block = incident->actors[0].block;
  snprintf(
      of_any.text, sizeof of_any.text,
      "%.80s%ssome thread of block (%u,%u,%u); --detect=bounds tells which",
      incident->text, incident->text[0] ? "; " : "", block[0], block[1],
      block[2]);
  of_any.count = 0;
  return of_any;
}

void machine_end(const Incident *incident) {
  Incident of_any = of_block(incident);
  machine_stop(machine.is_blind ? &of_any : incident);
  fiber_switch(&machine.self->fiber, &machine.scheduler);
  assert(!"a run that is over goes on");
  abort();
}

void machine_fail(IncidentKind kind, const char *fmt, ...) {
  Incident incident = {.kind = kind, .count = 1};
  va_list args;
  va_start(args, fmt);
  vsnprintf(incident.text, sizeof incident.text, fmt, args);
  va_end(args);
  incident.actors[0] = machine_actor(machine.self);
  machine_end(&incident);
}

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
  fiber_start(&thread->fiber, &machine.stacks,
              slot * machine.threads + thread->index, fiber_body, NULL);
}

// The next thread of the block, if it can run.
static Thread *successor(const Thread *thread) {
  Thread *next = &thread->group->threads[thread->index + 1];
  bool is_ready = thread->index + 1 < thread->group->count &&
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
    if (!next || next->fiber.sp)
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

static void limit_steps(uint32_t site) {
  machine.self->site = site;
  if (machine.run->max_steps && machine.steps > machine.run->max_steps)
    machine_fail(INCIDENT_ENDLESS, "after %llu steps",
                 (unsigned long long)machine.steps);
  if (machine.is_late)
    machine_fail(INCIDENT_ENDLESS, "after %g s", machine.run->max_seconds);
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
  if (++machine.rounds % STEPS_A_TURN)
    return;
  machine.is_blind = false;
  machine.self = machine.self->group->threads;
  machine.steps += (uint64_t)STEPS_A_TURN * machine.threads;
  limit_steps(site);
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
  return run->blocks.count ? run->blocks.at[position]
                           : clusters_block(run, position);
}

static void start_group(Group *group, uint64_t index) {
  const uint32_t *size = machine.run->grid;
  unsigned count = machine.image->is_block ? 1 : machine.threads;
  Thread *threads = group->threads;
  char *shared = group->shared;
  Shadow **shadow = group->shadow;
  if (machine.run->code->has_arrivals) {
    named_forget(group);
    mbarriers_forget(group);
    clusters_forget(group);
  }
  visits_forget(group);
  *group = (Group){.index = index,
                   .threads = threads,
                   .count = count,
                   .in = {[THREAD_READY] = count},
                   .shared = shared,
                   .shadow = shadow,
                   .has_threads = group->has_threads,
                   .moment = ++machine.moments};
  grid_place(index, size, group->id);
  clusters_seat(group);
  if (machine.run->watch >= WATCH_RACES)
    races_forget(group);
  if (machine.inside == group)
    machine.inside = NULL;
  machine.is_blind = false;
  machine.rounds = 0;
  scramble(shared, machine.image->shared_bytes);
  start_threads(group);
}

// Puts the shared memory of a block where its code looks for it.
void machine_enter(Group *group) {
  uint64_t bytes = machine.image->shared_bytes;
  if (machine.inside == group || !bytes)
    return;
  if (machine.inside)
    memcpy(machine.inside->shared, machine.image->shared, bytes);
  memcpy(machine.image->shared, group->shared, bytes);
  machine.inside = group;
}

void machine_release_all(Group *group, ThreadState state) {
  for (unsigned i = 0; i < group->count; i++)
    if (group->threads[i].state == state)
      machine_set_state(&group->threads[i], THREAD_READY);
}

// Two threads of the block that should be at one barrier and are not, or a
// thread that waits for one that has left.
static Incident divergence(Group *group) {
  Incident incident = {.kind = INCIDENT_DIVERGENCE, .count = 2};
  Thread *first = NULL, *other = NULL;
  for (unsigned i = 0; i < group->count; i++) {
    Thread *thread = &group->threads[i];
    if (!first && thread->state == THREAD_AT_BARRIER)
      first = thread;
  }
  for (unsigned i = 0; i < group->count && !other; i++) {
    Thread *thread = &group->threads[i];
    if (thread->state != THREAD_AT_BARRIER ||
        !machine_same_place(thread->site, first->site))
      other = thread;
  }
  incident.actors[0] = machine_actor(first);
  incident.actors[1] = machine_actor(other);
  return incident;
}

void machine_diverge(Group *group) {
  Incident incident = divergence(group);
  machine_stop(&incident);
}

// Each of them waits where it is, or has left.
static void part(Group *group, const uint32_t *sites) {
  machine.is_blind = false;
  races_settle();
  machine.self = group->threads;
  group->count = machine.threads;
  for (unsigned i = 0; i < group->count; i++) {
    group->threads[i].site = sites[i];
    group->threads[i].state =
        sites[i] == NO_SITE ? THREAD_DONE : THREAD_AT_BARRIER;
  }
  machine_diverge(group);
  fiber_switch(&machine.self->fiber, &machine.scheduler);
}

uint32_t machine_meet(const uint32_t *sites) {
  for (unsigned i = 1; i < machine.threads; i++)
    if (sites[i] != sites[0])
      part(machine.self->group, sites);
  return sites[0];
}

// Does every thread that waits wait at the same barrier?
static bool is_one_barrier(const Group *group) {
  const Thread *first = NULL;
  for (unsigned i = 0; i < group->count; i++) {
    const Thread *thread = &group->threads[i];
    if (thread->state != THREAD_AT_BARRIER)
      continue;
    if (!first)
      first = thread;
    if (!machine_same_place(thread->site, first->site))
      return false;
  }
  return true;
}

// Nobody else will come.
static bool is_barrier_full(const Group *group) {
  unsigned here = group->in[THREAD_AT_BARRIER];
  if (machine.run->passes_left)
    return here && here + group->in[THREAD_DONE] == group->count;
  return here == group->count;
}

// What came before the barrier comes before what follows.
static void pass(Group *group) {
  if (machine.watches_races)
    causality_barrier(group);
  group->interval++;
  group->moment = ++machine.moments;
}

void machine_pass(void) {
  races_settle();
  pass(machine.self->group);
}

// All wait at the barrier: it opens.
static bool open_barrier(Group *group) {
  if (!is_barrier_full(group))
    return false;
  if (!is_one_barrier(group)) {
    machine_diverge(group);
    return false;
  }
  if (group->in[THREAD_DONE]) {
    Incident incident = divergence(group);
    machine_note(&incident);
  }
  if (group->threads->collects) {
    machine_release_all(group, THREAD_AT_BARRIER);
    return true;
  }
  pass(group);
  group->result = group->votes;
  group->votes = 0;
  machine_release_all(group, THREAD_AT_BARRIER);
  return true;
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
  run_chosen();
  for (unsigned i = 0; i < group->count && !is_halted(); i++)
    if (group->threads[i].state == THREAD_READY)
      machine_run_thread(&group->threads[i]);
  return machine.moves != moves;
}

bool machine_release(Group *group) {
  return warp_resolve(group) || named_resolve(group) ||
         mbarriers_resolve(group) || clusters_resolve(group) ||
         open_barrier(group);
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

static void place_thread(Group *group, unsigned index) {
  const uint32_t *size = machine.run->block;
  Thread *thread = &group->threads[index];
  thread->group = group;
  thread->index = index;
  grid_place(index, size, thread->id);
}

// With clusters others know it by an address of 32 bits, too.
static char *take_shared(void) {
  uint64_t bytes = machine.image->shared_bytes + 1;
  return machine.cluster > 1 ? memory_low(bytes) : malloc(bytes);
}

static void give_shared(char *at) {
  if (machine.cluster > 1 && at)
    memory_private_free(at, 0, machine.image->shared_bytes + 1);
  else
    free(at);
}

static bool allocate_group(Group *group) {
  size_t variables = machine.run->code->variables.count;
  group->threads = calloc(machine.threads, sizeof *group->threads);
  for (unsigned i = 0; group->threads && i < machine.threads; i++)
    place_thread(group, i);
  group->shared = take_shared();
  group->shadow = calloc(variables + 1, sizeof *group->shadow);
  return group->threads && group->shared && group->shadow;
}

// Stacks of an earlier run are taken again.
static bool allocate_stacks(void) {
  bool is_block = machine.image->is_block;
  uint64_t bytes = STACK_BYTES + machine.run->code->stack_bytes;
  unsigned count = is_block ? 1 : machine.together * machine.threads;
  if (is_block)
    bytes += machine.threads * machine.image->kept_bytes;
  if (stacks_suffice(&machine.stacks, count, bytes))
    return true;
  stacks_close(&machine.stacks);
  return stacks_open(&machine.stacks, count, bytes);
}

static bool allocate(void) {
  machine.groups = calloc(machine.together, sizeof *machine.groups);
  for (unsigned i = 0; machine.groups && i < machine.together; i++)
    if (!allocate_group(&machine.groups[i]))
      return false;
  return machine.groups && allocate_stacks();
}

// Of an array in shared memory the argument is its address.
static bool place_arguments(void) {
  const Run *run = machine.run;
  const Code *code = run->code;
  machine.arguments = calloc(run->arguments.count + 1, sizeof(void *));
  for (size_t i = 0; machine.arguments && i < run->arguments.count; i++)
    machine.arguments[i] = run->arguments.at[i];
  for (size_t i = 0; machine.arguments && i < code->variables.count; i++)
    if (code->variables.at[i].is_local)
      machine.arguments[code->variables.at[i].parameter] =
          &machine.image->variables.at[i];
  return machine.arguments;
}

static uint64_t count_blocks(const Run *run) {
  return run->blocks.count
             ? run->blocks.count
             : (uint64_t)run->grid[0] * run->grid[1] * run->grid[2];
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
  if (together < machine.cluster || image->is_block) // one after another
    together = machine.cluster;
  machine.together = (unsigned)(together - together % machine.cluster);
  if (!image->spots)
    image->spots = spots_make(run->code);
  if (place_arguments() && allocate() && regions_open() && image->spots)
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
  outcome->is_done = machine.finished == machine.total;
  outcome->steps = machine.steps;
  outcome->seconds = clock_seconds() - start;
}

static void forget_threads(Group *group) {
  named_forget(group);
  mbarriers_forget(group);
  clusters_forget(group);
  visits_forget(group);
  for (unsigned i = 0; group->threads && i < machine.threads; i++)
    for (unsigned kind = 0; kind < COPY_KINDS; kind++)
      copies_clear(&group->threads[i].copies[kind]);
}

void machine_close(void) {
  for (unsigned i = 0; machine.groups && i < machine.together; i++) {
    Group *group = &machine.groups[i];
    forget_threads(group);
    if (group->shadow)
      races_close_group(group);
    free(group->threads);
    give_shared(group->shared);
    free(group->shadow);
  }
  free(machine.groups);
  free(machine.arguments);
  races_close();
  regions_close();
  machine = (Machine){.stacks = machine.stacks};
}

void machine_execute(const Run *run, Image *image, Outcome *outcome) {
  if (machine_open(run, image, outcome))
    machine_run();
}
