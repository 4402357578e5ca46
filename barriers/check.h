// What the files of the check share.  In the order of the check: the barriers
// are replayed once, which yields a trace; what is ordered in the trace is
// ordered in every schedule, provided that recycle.c has nothing to say.

#ifndef BARRIERS_CHECK_H
#define BARRIERS_CHECK_H

#include "barriers/barriers.h"

// ------------------------------------------------------------ findings.c ---

// Collects the findings: one for each kind, barrier and pair of places.
typedef struct Findings {
  Task *task;
  const Programs *programs;
  Check *check;
  uint32_t *slots; // open addressing: an index into findings, plus one
  size_t slot_count;
} Findings;

// The finding of this kind, barrier and places; if it is new it gets these
// ends, and no occurrences yet.  Good until the next one is asked for.
Finding *findings_get(Findings *findings, FindingKind kind, unsigned barrier,
                      End end, const End *other);

// Counts a finding about a barrier.
void findings_add(Findings *findings, FindingKind kind, unsigned barrier,
                  unsigned generation, End end, const End *other);

// Of a warp as a whole: its first lane that takes part.
End end_of(const Programs *programs, unsigned warp, uint32_t command);

// ------------------------------------------------------------ simulate.c ---

// A warp runs up to a command and, unless that is behind its last one, meets
// the barrier of that command.
typedef struct Turn {
  uint32_t command;
  uint8_t warp;
  bool completes; // the generation; those that wait go on
} Turn;

// One schedule.  All that precedes a command in any schedule is before it.
typedef struct Trace {
  Vec(Turn) turns;
  uint32_t completed[NAMED_BARRIERS]; // generations
} Trace;

// Makes the trace and every Standing.
Trace *trace_simulate(Task *task, const Programs *programs, Findings *findings);

bool is_waiting(CommandKind kind); // bar.sync, bar.red
uint32_t warp_lanes(const Programs *programs, unsigned warp);

// ------------------------------------------------------------ deadlock.c ---

// Needs every Standing.
void find_deadlock(Findings *findings);

// ------------------------------------------------------------- recycle.c ---

void find_recycling(Findings *findings, const Trace *trace);

// --------------------------------------------------------------- order.c ---

// What has happened before what, at one point of the trace.
typedef struct Order Order;

typedef void (*Visit)(void *data, const Order *order, unsigned warp,
                      uint32_t command);

// Walks along the trace, to each access that is executed.
void order_walk(Task *task, const Programs *programs, const Trace *trace,
                Visit visit, void *data);

// The time of a warp's next access.
uint32_t order_now(const Order *order, unsigned warp);

// Those of `lanes` of warp `of` whose accesses at `time` have not happened
// before the next access of lane `lane` of `warp`.
uint32_t order_unordered(const Order *order, unsigned of, uint32_t lanes,
                         uint32_t time, unsigned warp, unsigned lane);

// -------------------------------------------------------------- shadow.c ---

// What an access did to a word of shared memory.
typedef struct Mark {
  struct Mark *next;
  uint32_t time;    // of its warp
  uint32_t lanes;   // those that touched the word ...
  uint32_t command; // ... with this command
  uint8_t warp;
  uint8_t kind;  // a CommandKind
  uint8_t bytes; // a set of four
} Mark;

enum {
  WORD = 4,
  SHARED_WORDS = MOST_SHARED_BYTES / WORD,
};

typedef struct Shadow {
  Task *task;
  const Programs *programs;
  Mark **words; // for each a list
  Mark *spare;
} Shadow;

Shadow *shadow_new(Task *task, const Programs *programs);
void shadow_insert(Shadow *shadow, uint32_t word, const Mark *mark);
void shadow_remove(Shadow *shadow, Mark **link);

// The marks that a command makes, one after the other.
typedef struct Marks {
  const Programs *programs;
  const Command *command;
  uint32_t lanes;   // still to come
  uint32_t at, end; // bytes still to come of the current lanes
  uint32_t word;    // of the mark
  Mark mark;
} Marks;

Marks marks_of(const Programs *programs, const Order *order, unsigned warp,
               uint32_t command);
bool marks_next(Marks *marks);

// Two lanes that write the same value to the same bytes do not race with each
// other, but each of them may with an older access that the other one would
// make forgotten.  So such a command is compared as a whole before it leaves
// its first mark.
bool may_overlap_itself(const Command *command);

uint32_t access_address(const Programs *programs, const Command *command,
                        unsigned lane);

// Do these two touch the same byte, not both reading and not both atomic?
bool marks_conflict(const Mark *a, const Mark *b);

// The lanes of `old` that race with lane `lane` of `new`.
uint32_t marks_racing(const Programs *programs, const Order *order,
                      const Mark *old, const Mark *new, unsigned lane);

// ---------------------------------------------------------------- race.c ---

void find_races(Findings *findings, const Trace *trace);

// ---------------------------------------------------------------- pairs.c ---

// A set of words of shared memory.
typedef struct Words {
  uint64_t bits[SHARED_WORDS / 64];
} Words;

bool words_has(const Words *words, uint32_t word);

// Finds every pair of places that race on these words, and counts.
void count_races(Findings *findings, const Trace *trace, const Words *words);

#endif
