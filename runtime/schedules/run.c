// One schedule, executed by the fibers of this process.
//
// The canonical schedule: the first block, its first thread until it waits at a
// barrier or leaves, the next thread; when all have come, the next barrier
// interval; then the next block.  A delay does not hold a thread for a given
// time; it only lets another one go on: the next thread of its block that can
// run and is not delayed itself, or, if there is none, the first such thread of
// the next block, cyclically.  The delayed thread has its turn again when those
// are done, or are delayed themselves.  (In the paper a thread of the block
// that is delayed itself goes before the next block, so two threads of a block
// cannot both step back.)
//
// A thread that spins steps back like one that is delayed.  It is passed over
// until memory changes; when all threads that could run spin, none of them
// will ever change anything, which is a deadlock (we look a few thousand times,
// as loops may count).
//
// A seed other than 0 shuffles the order of blocks and of threads, which makes
// another canonical schedule to start from.

#define _GNU_SOURCE

#include "runtime/schedules/cpu.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_STALLS = 4096, // turns in which nobody changes memory
  QUIET_TURNS = 64,   // of one thread, before it counts as spinning
};

typedef struct Place {
  unsigned block, thread; // positions in the orders below
} Place;

static struct {
  unsigned *blocks, *threads; // index by position
  uint64_t *spun; // by thread of the grid: changes of memory when it spun, + 1
  bool *delayed;  // ... it has not gone on since its delay
  unsigned stalls, quiet;
} order;

// ------------------------------------------------------------------ order ---

static unsigned *shuffled(unsigned count, uint64_t seed) {
  unsigned *numbers = calloc(count, sizeof *numbers);
  for (unsigned i = 0; numbers && i < count; i++) {
    unsigned other =
        seed ? (unsigned)(schedule_mix(seed, i) % ((uint64_t)i + 1)) : i;
    numbers[i] = numbers[other];
    numbers[other] = i;
  }
  return numbers;
}

bool schedule_open(uint64_t seed) {
  uint64_t threads = machine.total * machine.threads;
  order.blocks = shuffled((unsigned)machine.total, seed);
  order.threads = shuffled(machine.threads, seed);
  order.spun = calloc(threads, sizeof *order.spun);
  order.delayed = calloc(threads, sizeof *order.delayed);
  return order.blocks && order.threads && order.spun && order.delayed;
}

void schedule_close(void) {
  free(order.blocks);
  free(order.threads);
  free(order.spun);
  free(order.delayed);
  memset(&order, 0, sizeof order);
}

static Group *group_at(Place place) {
  return &machine.groups[order.blocks[place.block]];
}

static Thread *thread_at(Place place) {
  return &group_at(place)->threads[order.threads[place.thread]];
}

static uint64_t number_of(const Thread *thread) {
  return thread->group->index * machine.threads + thread->index;
}

static uint64_t *spun(Place place) {
  return &order.spun[number_of(thread_at(place))];
}

static void set_delayed(const Thread *thread, bool is_delayed) {
  bool *delayed = &order.delayed[number_of(thread)];
  if (*delayed != is_delayed)
    watch_delayed(thread, is_delayed);
  *delayed = is_delayed;
}

// ------------------------------------------------------------------- next ---

typedef enum Wanted { ANY_READY, NOT_SPINNING, NOT_DELAYED } Wanted;

static bool is_wanted(Place place, Wanted wanted) {
  const Thread *thread = thread_at(place);
  return thread->state == THREAD_READY &&
         (wanted == ANY_READY || *spun(place) != watcher.changes + 1) &&
         (wanted != NOT_DELAYED || !order.delayed[number_of(thread)]);
}

// The next of `count` threads of the block, from `first` on, cyclically.
static bool next_thread(Place *place, unsigned first, unsigned count,
                        Wanted wanted) {
  for (unsigned i = 0; i < count; i++) {
    Place there = {place->block, (first + i) % machine.threads};
    if (is_wanted(there, wanted)) {
      *place = there;
      return true;
    }
  }
  return false;
}

// The first thread of one of `count` blocks, from `first` on, cyclically.
static bool next_block(Place *place, unsigned first, unsigned count,
                       Wanted wanted) {
  for (unsigned i = 0; i < count; i++) {
    Place there = {(first + i) % machine.group_count, 0};
    if (next_thread(&there, 0, machine.threads, wanted)) {
      *place = there;
      return true;
    }
  }
  return false;
}

static bool next_in_block(Place *place, Wanted wanted) {
  return next_thread(place, place->thread + 1, machine.threads - 1, wanted);
}

// Another thread of the block, else one of another block.
static bool next_other(Place *place, Wanted wanted) {
  return (wanted == NOT_SPINNING && next_in_block(place, NOT_DELAYED)) ||
         next_block(place, place->block + 1, machine.group_count - 1, wanted) ||
         next_in_block(place, wanted);
}

static void tell_stall(Place place) {
  Incident incident = {.kind = INCIDENT_DEADLOCK, .count = 1};
  incident.actors[0] = machine_actor(thread_at(place));
  snprintf(incident.text, sizeof incident.text,
           "all threads that are left wait in loops for a change that none of "
           "them makes");
  machine_stop(&incident);
}

// The thread stepped back, because of a delay or as it spins.
static void next_after_pause(Place *place, Pause pause) {
  bool spins = pause == PAUSE_SPIN;
  if (!spins)
    set_delayed(thread_at(*place), true);
  if (spins && *spun(*place) != watcher.changes + 1) {
    watch_spinning(thread_at(*place));
    *spun(*place) = watcher.changes + 1;
  }
  if (next_other(place, NOT_SPINNING) || !spins)
    return;
  if (++order.stalls > MOST_STALLS)
    tell_stall(*place);
  else
    next_other(place, ANY_READY);
}

// Who waits for some threads only can go on before those that are delayed.
static bool next_before_delayed(Place *place) {
  if (!machine.run->code->has_arrivals)
    return false;
  do
    if (next_thread(place, place->thread + 1, machine.threads - 1, NOT_DELAYED))
      return true;
  while (machine_release(group_at(*place)));
  return false;
}

// The thread waits or has left.  False: nobody can go on.
static bool next_after_wait(Place *place) {
  if (next_before_delayed(place))
    return true;
  if (next_thread(place, place->thread + 1, machine.threads - 1, ANY_READY))
    return true;
  while (machine_release(group_at(*place)))
    if (next_thread(place, 0, machine.threads, ANY_READY))
      return true;
  if (machine.is_over)
    return false;
  return next_block(place, 0, machine.group_count, ANY_READY) ||
         ((machine_release_grid() || mbarriers_time_out()) &&
          next_block(place, 0, machine.group_count, ANY_READY));
}

// A loop without end may have no access that repeats itself.
static Pause pause_of(const Thread *thread) {
  Pause pause = watcher.pause;
  if (pause != PAUSE_NONE)
    return pause;
  order.quiet = watch_has_changed(thread) ? 0 : order.quiet + 1;
  return order.quiet > QUIET_TURNS ? PAUSE_SPIN : PAUSE_NONE;
}

static bool is_finished(void) {
  for (unsigned i = 0; i < machine.group_count; i++)
    if (machine.groups[i].in[THREAD_DONE] < machine.groups[i].count)
      return false;
  return true;
}

static void run_threads(void) {
  Place place = {0, 0};
  uint64_t changes = 0;
  while (!machine.is_over) {
    Thread *thread = thread_at(place);
    watcher.pause = PAUSE_NONE;
    set_delayed(thread, false);
    machine_run_thread(thread);
    watch_finish();
    if (machine.is_over)
      return;
    if (watcher.changes != changes)
      order.stalls = 0;
    changes = watcher.changes;
    if (thread->state == THREAD_READY) {
      Pause pause = pause_of(thread);
      if (pause != PAUSE_NONE)
        next_after_pause(&place, pause);
      continue;
    }
    order.quiet = 0;
    watch_arrival(thread);
    if (!next_after_wait(&place)) {
      if (!machine.is_over && !is_finished())
        machine_stuck();
      return;
    }
  }
}

// ----------------------------------------------------------- canonicaliser ---

static void run_alone(Thread *thread) {
  while (!machine.is_over && thread->state != THREAD_DONE) {
    machine_run_thread(thread);
    bool waits = thread->state != THREAD_READY && thread->state != THREAD_DONE;
    if (waits && !machine.is_over && !machine_release(thread->group))
      machine_stuck();
  }
}

// One thread executes it on what the kernel has left.
static void run_also(void) {
  Machine kept = machine;
  Run alone = *machine.run;
  Image image = *machine.image;
  memcpy(alone.grid, (uint32_t[]){1, 1, 1}, sizeof alone.grid);
  memcpy(alone.block, (uint32_t[]){1, 1, 1}, sizeof alone.block);
  image.entry = image.also;
  machine.run = &alone;
  machine.image = &image;
  machine.threads = 1;
  machine.total = 1;
  watcher.is_silent = true;
  if (machine_restart())
    run_alone(&machine.groups[0].threads[0]);
  machine.run = kept.run;
  machine.image = kept.image;
  machine.threads = kept.threads;
  machine.total = kept.total;
}

// ---------------------------------------------------------------- execute ---

static bool is_mistake(IncidentKind kind) {
  return incident_is_bug(kind) &&
         !(kind == INCIDENT_ENDLESS && watcher.limits_steps_itself);
}

// A race ends no execution, but it is a mistake whatever ends it.
static void judge(Trial *trial) {
  const Outcome *outcome = machine.outcome;
  trial->kind = TRIAL_FINISHED;
  if (!outcome->count)
    return;
  trial->incident = outcome->incidents[outcome->count - 1].kind;
  if (!is_mistake(trial->incident))
    trial->incident = outcome->incidents[0].kind;
  trial->kind = is_mistake(trial->incident) ? TRIAL_FAILED : TRIAL_UNDECIDED;
}

void schedule_execute(const DelayList *delays, Trial *trial) {
  uint64_t threads = machine.total * machine.threads;
  memset(order.spun, 0, threads * sizeof *order.spun);
  memset(order.delayed, 0, threads * sizeof *order.delayed);
  order.stalls = order.quiet = 0;
  machine.outcome->count = 0;
  watch_restart(delays);
  machine_restart();
  run_threads();
  *trial = (Trial){.reached = watcher.next,
                   .order = watcher.order,
                   .accesses = watch_accesses()};
  trial->points = watch_points(&trial->point_count);
  if (!machine.is_over && machine.image->also) {
    run_also();
    watch_finish();
  }
  judge(trial);
  if (trial->kind == TRIAL_FINISHED)
    trial->state = watch_state();
}

static DelayList begun;

static void begin_one(void *data, const DelayList *lists, uint32_t count) {
  (void)data, (void)count;
  begun = *lists;
}

static uint32_t finish_one(void *data, Trial *trials) {
  (void)data;
  schedule_execute(&begun, trials);
  watch_undo();
  return 1;
}

Executor schedule_executor(void) {
  return (Executor){begin_one, finish_one, NULL, 1, 1};
}
