// What the files share that execute schedules with the fibers of machine.h.

#ifndef RUNTIME_SCHEDULES_CPU_H
#define RUNTIME_SCHEDULES_CPU_H

#include "runtime/machine/machine.h"
#include "runtime/schedules/explore.h"

// --------------------------------------------------------------- watch.c ---

// Why a thread that could go on gave control back.
typedef enum Pause {
  PAUSE_NONE, // it has gone round a loop often
  PAUSE_DELAY,
  PAUSE_SPIN, // it reads again and again what nobody changes
} Pause;

// What is kept of the accesses of one execution; everything grows to what the
// longest one needs, and stays.
typedef struct Watcher {
  DelayList delays; // to come, from `next` on
  unsigned next;
  Pause pause;
  uint64_t changes;  // of memory, by anybody
  uint64_t memory;   // a hash of its contents, 0 at the start
  uint64_t order;    // conflict order of the accesses so far
  uint64_t arrivals; // hash of who has arrived at a barrier or left
  uint64_t spinning; // ... of who spins, since `spun_at` changes
  uint64_t spun_at;
  uint64_t delayed; // ... of who stands before a delayed access
  double deadline;  // on clock_seconds(); 0: none
  bool is_silent;   // the canonicaliser runs: only what it writes is kept
  bool limits_steps_itself; // nobody said how many are too many
  Steps *steps;             // told in full, or NULL
} Watcher;

extern Watcher watcher;
// Of a run that is watched.
extern const AccessHooks schedule_hooks;

bool watch_open(const bool *observed); // by region
void watch_close(void);
// Memory is as it was at the start, nothing has happened.
void watch_restart(const DelayList *delays);
// All accesses are made; before a thread of another block has a turn, where
// shared memory is another one.
void watch_finish(void);
void watch_undo(void); // gives memory its contents of the start
// A hash of what was observed, which is that of the start where nothing was
// written.
uint64_t watch_state(void);
// The places for one delay more.  They live until the next start.
const SchedulePoint *watch_points(uint32_t *count);
uint64_t watch_accesses(void);
// It waits at a barrier or has left.
void watch_arrival(const Thread *thread);
// It stands before an access that is delayed, or goes on.
void watch_delayed(const Thread *thread, bool is_delayed);
// It has stepped back because it spins, for the first time since a change.
void watch_spinning(const Thread *thread);
// Has this thread made changes since the last time it was asked?
bool watch_has_changed(const Thread *thread);

// ----------------------------------------------------------------- run.c ---

// Where the order of blocks and threads starts from; 0: that of their ids.
bool schedule_open(uint64_t seed);
void schedule_close(void);
// Executes one schedule and, if it is there, the canonicaliser; memory stays
// as it is then, until watch_undo.
void schedule_execute(const DelayList *delays, Trial *trial);

// ---------------------------------------------------------------- crew.c ---

// An executor of so many processes, made of this one as it is.  NULL: there is
// no memory, or no more processes.
typedef struct WorkerPool WorkerPool;
WorkerPool *crew_open(unsigned workers);
void crew_close(WorkerPool *pool);
Executor crew_executor(WorkerPool *pool);
// The executor of this process alone.
Executor schedule_executor(void);

#endif
