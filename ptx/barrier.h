// What PTX's two kinds of barriers do: a state, an event, and its effect.
//
// Named barriers are those of bar and barrier.cta (PTX ISA, 9.7.13.1),
// mbarriers the objects in shared memory (9.7.13.15).  Nothing here waits,
// allocates or reports.  Who executes, emulates, checks or replays barriers
// keeps the state, asks for each event, and knows who waits and what to say.
// After a mistake the state goes on with as little effect of it as can be.

#ifndef PTX_BARRIER_H
#define PTX_BARRIER_H

#include <stdbool.h>
#include <stdint.h>

// ------------------------------------------------------ named_barrier.c ---

enum {
  NAMED_BARRIERS = 16,  // of a block
  NAMED_UNIT = 32,      // threads that an arrival of a warp counts for
  NAMED_MOST_WARPS = 32 // of a block
};

typedef enum NamedEventKind {
  NAMED_SYNC,
  NAMED_ARRIVE,
  NAMED_REDUCE,
} NamedEventKind;

// All lanes of a warp that have not exited have come.
typedef struct NamedEvent {
  NamedEventKind kind;
  bool is_for_all;  // no count is given
  uint32_t threads; // the count, else the threads of all warps of the block
  unsigned warp;    // of the block
} NamedEvent;

// The generation that is being filled.
typedef struct NamedBarrier {
  uint32_t generation;     // from 0
  uint32_t expected;       // threads, as the first who came says
  uint32_t met;            // threads; 0: it has not begun
  uint32_t warps, waiting; // sets of those that have come
  bool is_for_all;         // nobody gave a count
  bool reduces;            // as the first who came does
} NamedBarrier;

typedef enum NamedMistake {
  NAMED_OTHER_COUNT, // than the first one of the generation
  NAMED_MIXED,       // .red with another instruction
  NAMED_TWICE,       // the warp is in this generation already
  NAMED_TOO_MANY,    // threads, by a count that is no multiple of NAMED_UNIT
  NAMED_UNAWAITED,   // the generation is over and nobody waited for it
  NAMED_MISTAKES,
} NamedMistake;

typedef struct NamedEffect {
  bool completes;    // the generation; the next one has begun
  uint32_t released; // the warps that waited for it, as a set
  uint32_t met;      // threads that came to it
} NamedEffect;

// Those that the event would be, as a set of bits.
uint32_t named_barrier_mistakes(const NamedBarrier *barrier, NamedEvent event);
NamedEffect named_barrier_meet(NamedBarrier *barrier, NamedEvent event);
// Others have exited; `left` are the warps that have not.  Without a count
// nobody waits for those that have.
NamedEffect named_barrier_exit(NamedBarrier *barrier, uint32_t left);

#endif
