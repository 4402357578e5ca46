// Schedules of one kernel as plain data, and the search among them.
//
// A schedule is the canonical one - block by block, barrier interval by barrier
// interval, thread by thread - with delays: accesses before which their thread
// steps back and lets the others go on.  The search does not know who executes
// a schedule.  That is an Executor, here the fibers of one process (run.c) or
// of several (crew.c).  What passes between them are the structs of this
// header, which hold no pointers but to arrays.

#ifndef RUNTIME_SCHEDULES_SCHEDULE_H
#define RUNTIME_SCHEDULES_SCHEDULE_H

#include "runtime/runtime.h"

// ------------------------------------------------------------- schedules ---

// The ordinal-th access of a thread, counted from 0, in shared or global
// memory.  Blocks and threads are counted in the order of their ids, x first.
typedef struct Instance {
  uint32_t block, thread, ordinal;
} Instance;

enum { MOST_DELAYS = 8 };

// Delays in the order in which they are taken.
typedef struct DelayList {
  uint32_t count;
  Instance at[MOST_DELAYS];
} DelayList;

// An access after which another thread made one that conflicts with it, when
// all delays had been taken: the place for one delay more.
typedef struct SchedulePoint {
  Instance instance;
  uint32_t is_conditional; // one of the two is a conditional atomic
  uint32_t taken;          // delays before it
  uint64_t before;         // a hash of all that decides what comes after it
} SchedulePoint;

typedef enum TrialKind {
  TRIAL_FINISHED,
  TRIAL_FAILED,    // an incident that is a mistake of the kernel ended it
  TRIAL_UNDECIDED, // something else ended it: no time, no memory
} TrialKind;

// What came of one schedule.  Equal conflict orders have equal futures and
// equal final states; both are 64-bit hashes.
typedef struct Trial {
  TrialKind kind;
  IncidentKind incident; // FAILED, UNDECIDED
  uint32_t reached;      // delays that were taken
  uint64_t order;        // conflict order of all accesses
  uint64_t state;        // of what is observed; FINISHED
  uint64_t accesses;
  uint32_t point_count;
  const SchedulePoint *points; // in the order of their accesses
} Trial;

// Executes lists in batches, in the order in which they are begun.
typedef struct Executor {
  // Begins a batch of at most `most` lists; at most `ahead` are begun and not
  // finished at a time.
  void (*begin)(void *data, const DelayList *lists, uint32_t count);
  // Fills trials for the next few lists of the oldest of them, at least one,
  // whose points live until the next call.  Returns how many.
  uint32_t (*finish)(void *data, Trial *trials);
  void *data;
  uint32_t most, ahead;
} Executor;

// One list.
void executor_try(const Executor *executor, const DelayList *list,
                  Trial *trial);

// -------------------------------------------------------------- search.c ---

typedef enum Selection {
  SELECT_ALL,               // any conflict is worth a delay
  SELECT_CONDITIONAL,       // those with a conditional atomic: CAS, min, ..
  SELECT_CONDITIONAL_FIRST, // these first, then the rest of a length
} Selection;

typedef struct SearchLimits {
  unsigned bound; // delays
  Selection select;
  bool compares_states;   // a final state unlike the canonical one is a bug
  uint64_t schedules;     // 0: no limit
  double deadline;        // on clock_seconds(); 0: none
  volatile int *is_asked; // ... to stop, by somebody else; or NULL
} SearchLimits;

typedef enum SearchEnd {
  SEARCH_EXHAUSTED, // nothing found within the bound
  SEARCH_FOUND,
  SEARCH_SCHEDULES, // the limits of the same name
  SEARCH_TIME,
  SEARCH_ASKED,
  SEARCH_MEMORY, // the worklist is too long
} SearchEnd;

typedef struct SearchResult {
  SearchEnd end;
  DelayList found;  // FOUND: the first list of the worklist that fails
  Trial trial;      // ... and what came of it, without points
  Trial canonical;  // without points
  bool is_minimal;  // no list of some of the delays fails like that
  unsigned lengths; // all known lists that are shorter than this were run
  uint64_t run[MOST_DELAYS + 1]; // by length
  uint64_t skipped;              // not run: they start like one that was
  uint64_t repeated;             // had a conflict order that was known
  uint64_t unreached;            // a delay did not come
  uint64_t undecided;
  uint64_t endless; // ... for the limit of steps
  DelayList first_endless;
  uint64_t minimising; // schedules beside those
  uint64_t left;       // in the worklist at the end
} SearchResult;

void schedule_search(const SearchLimits *limits, const Executor *executor,
                     SearchResult *result);
uint64_t schedule_count(const SearchResult *result); // of those run
// The shortest list of some of the delays that fails in the same way.
void schedule_minimise(const SearchLimits *limits, const Executor *executor,
                       SearchResult *result);
uint64_t schedule_mix(uint64_t a, uint64_t b); // a hash of both

// ---------------------------------------------------------------- seen.c ---

// A table of hashes, each with a number.
typedef struct Seen {
  struct SeenEntry *entries;
  uint64_t room, count;
} Seen;

// Where the number of this hash is, `otherwise` if it is new.  NULL: no memory.
uint32_t *seen_put(Seen *seen, uint64_t hash, uint32_t otherwise);
void seen_free(Seen *seen);

#endif
