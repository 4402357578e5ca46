// What the files share that know of mbarriers and asynchronous copies:
// mbarriers.c, copies.c, stuck.c.

#ifndef RUNTIME_MACHINE_COPIES_H
#define RUNTIME_MACHINE_COPIES_H

#include "runtime/machine/machine.h"

// ----------------------------------------------------------- mbarriers.c ---

enum { MOST_MBARRIERS = 1000 }; // of a block

// How to arrive at one, and to wait.
enum {
  ARRIVE_DROP = 1,
  ARRIVE_NO_COMPLETE = 2,
  MBARRIER_RELAXED = 4,
  WAIT_PARITY = 8,
};

struct SharedMbarrier {
  char *at; // where shared memory lies while its block runs
  Mbarrier state;
  uint64_t first; // what phase 0 of this life is in tokens: even, and behind
                  // all phases of earlier ones
  Tidings coming, over; // of this phase, of the one before
  uint32_t stamp;       // of the last copy that it waits for
  unsigned companion;   // who makes the copies that it waits for
  unsigned issuer;      // the thread that has started the last of them
  Copies late;          // what follows from copies, arrivals among it
};

// Of the running thread's block; ends the run if there is none.
SharedMbarrier *mbarriers_live(char *at);
// What follows from copies of this thread; ends the run if it is wrong.
void mbarriers_land(Group *group, SharedMbarrier *mbarrier,
                    const Thread *thread, MbarrierEvent event);

// -------------------------------------------------------------- copies.c ---

// Whose accesses those of a copy are.  These are no threads of a block: nothing
// orders them but a wait.
enum {
  FIRST_OF_COPIES = 1024, // cp.async, by thread
  FIRST_OF_BULK_READS = 2048,
  FIRST_OF_BULK_WRITES = 3072,
  FIRST_OF_INITS = 4096,     // of mbarriers, by thread
  FIRST_OF_MBARRIERS = 5120, // that bulk copies complete at
  FIRST_OF_EVENTS = 6144,    // OpenCL's, in turn
};

// The accesses of a copy, by a companion.
void copies_check(unsigned companion, const Copy *copy);
// The running thread has initialised an mbarrier, and what it wrote counts as a
// companion's, of which it knows.
void copies_check_init(char *at, uint32_t bytes);
// Ends the run if one end of it is outside; for a replay, they are accesses of
// the running thread.
void copies_look(const Copy *copy);
void copies_add(Copies *copies, const Copy *copy);
void copies_make(Copy *copy); // once
// When all copies of the running thread so far have been made, one arrival.
void copies_arrive_late(SharedMbarrier *mbarrier);
// They have been made, and so have the arrivals.
void copies_come_late(Group *group, SharedMbarrier *mbarrier);

#endif
