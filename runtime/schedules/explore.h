// Exploring the schedules of a kernel: the question and the answer.
//
// Plain data again; the answer lives in memory that the process which executes
// the kernel shares with the one that asks.

#ifndef RUNTIME_SCHEDULES_EXPLORE_H
#define RUNTIME_SCHEDULES_EXPLORE_H

#include "runtime/schedules/schedule.h"

typedef enum StepKind {
  STEP_ACCESS,
  STEP_DELAY,    // its thread steps back before it
  STEP_REPEATED, // an access that does not count, of a thread that spins
} StepKind;

// What happened, in order.  Of the bytes that are accessed, at most eight.
typedef struct Step {
  StepKind kind;
  Instance instance;
  uint32_t site;
  int array; // as in Actor
  int64_t offset;
  uint64_t bytes;
  uint64_t before, after; // ACCESS: the memory, before and after it
} Step;

enum { MOST_STEPS = 1 << 16, MOST_DIFFERENCES = 8, MOST_LAYS = 64 };

typedef struct Steps {
  uint32_t count;
  bool is_cut; // there were more
  Step at[MOST_STEPS];
} Steps;

// A cell of an observed array that two schedules leave different.
typedef struct Difference {
  int array;
  int64_t offset;
  uint64_t bytes; // at most eight
  uint64_t canonical, found;
} Difference;

typedef struct Exploration {
  Run run; // with shared buffers, which are copied
  SearchLimits limits;
  uint64_t seed;
  unsigned jobs;
  Vec(int) observed;         // arrays; none: all that are in global memory
  Vec(unsigned) elements;    // bytes of an element, by array, for differences
  bool checks_races;         // ... of each schedule that is run
  const DelayList *replayed; // no search: this schedule
} Exploration;

// Where an array lay, by which a value that is an address is told: the address
// itself is another one in each process.
typedef struct Lay {
  int array;
  uint64_t at, bytes;
} Lay;

typedef struct Findings {
  bool is_executed;           // the kernel could be made into host code
  bool is_done;               // the process has come to its end
  char reason[INCIDENT_TEXT]; // not executed: why
  SearchResult search;
  Outcome incident; // FOUND: of the schedule that was found
  Steps steps;      // ... what happened in it
  Steps canonical;  // ... and in the canonical one
  unsigned difference_count;
  Difference differences[MOST_DIFFERENCES];
  unsigned lay_count;
  Lay lay[MOST_LAYS];
  double seconds;        // of the search
  volatile int is_asked; // ... to stop
} Findings;

// The cells in which two contents of an array differ, behind those that are
// listed already.
void differences_add(Difference *differences, unsigned *count, int array,
                     const char *canonical, const char *found, uint64_t bytes,
                     unsigned element);

// Bytes of an element of an array.
unsigned exploration_element(const Exploration *exploration, int array);

// NULL: no memory.
Findings *findings_new(void);
void findings_free(Findings *findings);
// In a process of its own; the findings are new ones.
void explore(const Exploration *exploration, Findings *findings);

#endif
