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

// ----------------------------------------------------------- mbarrier.c ---

enum {
  MBARRIER_BYTES = 8,
  MBARRIER_MOST = (1 << 20) - 1, // arrivals, and bytes
};

typedef enum MbarrierEventKind {
  MBARRIER_INIT, // for `count` arrivals
  MBARRIER_INVAL,
  MBARRIER_EXPECT,   // `bytes` more are to come in this phase
  MBARRIER_COMPLETE, // `bytes` have come
  MBARRIER_ARRIVE,   // EXPECT, then `count` arrivals
  MBARRIER_DROP,     // ARRIVE, and later phases expect as many less
  MBARRIER_RAISE,    // one arrival more is to come in this phase
} MbarrierEventKind;

typedef struct MbarrierEvent {
  MbarrierEventKind kind;
  uint32_t count;
  int64_t bytes;
  bool never_completes; // .noComplete
} MbarrierEvent;

typedef struct Mbarrier {
  bool is_live;
  uint32_t phase;    // the one that is being filled, from 0
  uint32_t past;     // phases of earlier lives
  uint32_t pending;  // arrivals that this phase still waits for
  uint32_t expected; // by the phases behind it
  int64_t tx;        // bytes announced that have not come
} Mbarrier;

typedef enum MbarrierMistake {
  MBARRIER_RIGHT,
  MBARRIER_DEAD,      // it is not initialised
  MBARRIER_LIVE,      // it is, already
  MBARRIER_COUNT,     // of arrivals that is out of range
  MBARRIER_TX,        // the same of bytes
  MBARRIER_TOO_MANY,  // arrivals
  MBARRIER_COMPLETES, // .noComplete, and the last arrival of its phase
} MbarrierMistake;

typedef struct MbarrierEffect {
  bool completes;          // the phase; the next one has begun
  MbarrierMistake mistake; // the first one
} MbarrierEffect;

MbarrierEffect mbarrier_step(Mbarrier *mbarrier, MbarrierEvent event);
// Is the phase of this parity over, the current one or the one before?
bool mbarrier_is_over(const Mbarrier *mbarrier, unsigned parity);

#endif
