// Named barriers and mbarriers: thread programs, what orders them, and what
// goes wrong.
//
// A kernel's PTX is executed once for one block, with the values that are
// known, into one program for each warp: the accesses to shared memory and the
// barriers that its lanes meet, in order.  From these programs alone follows
// for all schedules whether the block can deadlock, whether a barrier is
// recycled too early and whether two accesses race (Sharma, Bauer, Aiken:
// "Verification of producer-consumer synchronization in GPU programs", PLDI
// 2015, Theorem 1).  What is not known in time is `unknown`, never a guess.

#ifndef BARRIERS_BARRIERS_H
#define BARRIERS_BARRIERS_H

#include "ptx/barrier.h"
#include "ptx/ptx.h"

enum {
  WARP = 32,
  BLOCK_WARPS = 32, // at most
  MOST_WARPS = 256, // of all blocks
  MOST_BLOCKS = 16, // of a cluster
  ALL_BARRIERS = MOST_BLOCKS * NAMED_BARRIERS,
  MOST_SHARED_BYTES = 1 << 18,                       // of a block
  CLUSTER_BARRIER = MOST_BLOCKS * MOST_SHARED_BYTES, // see Programs
  WGMMA_GROUPS = CLUSTER_BARRIER + 8,
  WGMMA_RING = 8,
};

enum { WARPGROUP = 4 }; // warps

// ---------------------------------------------------------- the programs ---

typedef enum CommandKind {
  COMMAND_READ,
  COMMAND_STRONG_READ, // ld.relaxed: it does not race with an atomic
  COMMAND_WRITE,
  COMMAND_ATOMIC,    // two of them do not race with each other
  COMMAND_SYNC,      // bar.sync
  COMMAND_REDUCE,    // bar.red: as sync, but not to be mixed with it
  COMMAND_ARRIVE,    // bar.arrive
  COMMAND_WARP_SYNC, // bar.warp.sync: orders the lanes of `lanes`
  COMMAND_REGISTERS, // setmaxnreg to `registers` a thread
  COMMAND_EXIT,
  // mbarriers, at `address`, each lane of `lanes` for itself:
  COMMAND_MBARRIER_INIT,     // a phase expects `arrivals`
  COMMAND_MBARRIER_INVAL,    // the object ends
  COMMAND_MBARRIER_EXPECT,   // `tx` bytes more are to come in this phase
  COMMAND_MBARRIER_ARRIVE,   // EXPECT if tx is not 0, then `arrivals`
  COMMAND_MBARRIER_DROP,     // as ARRIVE, and later phases expect as many less
  COMMAND_MBARRIER_COMPLETE, // `tx` bytes have come
  COMMAND_MBARRIER_WAIT,     // until the phase of `parity` is over
  COMMAND_MBARRIER_TRY,      // asks whether it is, and goes on in any case
  // Asynchronous copies:
  COMMAND_COPY,        // cp.async: starts a write that each lane waits for
  COMMAND_COPIES_DONE, // cp.async.wait_group: the copies of these lanes that
                       // stand before warps[w].at[before] have been made
  COMMAND_COPY_ARRIVE, // cp.async.mbarrier.arrive: ARRIVE once the copies of
                       // the lane that stand before it have been made;
                       // no `arrivals`: without .noinc, the phase waits for it
  COMMAND_INIT_FENCE,  // fence.mbarrier_init: what these lanes initialised, a
                       // relaxed arrival at the cluster's barrier publishes
  // Bulk copies, by the async proxy, of one lane: they read and write `extent`
  // bytes from address on.  They have been made when the phase is over for
  // which the command `completes_in` places further on counts, a BULK_COMPLETE;
  // if that is 0, when BULKS_DONE says so.
  COMMAND_BULK_READ,
  COMMAND_BULK_WRITE,
  COMMAND_BULK_ATOMIC,   // as BULK_WRITE, but an atomic: red.async
  COMMAND_BULK_COMPLETE, // MBARRIER_COMPLETE, once they have been made
  COMMAND_BULKS_DONE,    // cp.async.bulk.wait_group, as COPIES_DONE
  COMMAND_PROXY_FENCE,   // fence.proxy.async: the async proxy sees what these
                         // lanes have written
} CommandKind;

// What some lanes of a warp do in one step.  An access of lane l is to `bytes`
// bytes at address + l * stride, or, if is_scattered, at stride +
// programs->addresses.at[address + l]; lanes that are not in `lanes` do
// nothing and their addresses mean nothing.  Two commands of a warp are
// ordered for a lane that is in both; different lanes of a warp are ordered by
// barriers and COMMAND_WARP_SYNC alone, unless programs->lock_step.
// A named barrier is met by a warp as a whole, all lanes that have not exited.
// A wait at an mbarrier stands where its phase was over in the schedule that
// was executed; lanes that wait for ever have it as their last command.  Those
// of its lanes do not wait to whom the TRY that stands `tried` places before
// said that the phase is over (0: there is none); it is one of all these lanes
// and of the same mbarrier. Lanes that have exited access nothing, and no
// access goes beyond MOST_SHARED_BYTES of its block.
typedef struct Command {
  CommandKind kind : 8;
  uint8_t bytes; // of an access, 1..32
  union {
    uint8_t barrier;      // SYNC, REDUCE, ARRIVE: below ALL_BARRIERS
    uint8_t parity;       // MBARRIER_WAIT, _TRY
    uint8_t completes_in; // BULK_READ, _WRITE, _ATOMIC
    bool increases;       // REGISTERS: .inc
  };
  bool is_scattered : 1;
  bool same_value : 1;      // all lanes write the same value, known or not
  bool is_relaxed : 1;      // of mbarriers: it counts, but orders no accesses
  bool is_generic : 1;      // of a bulk copy: by the generic proxy, as st.async
  bool never_completes : 1; // of ARRIVE and DROP: .noComplete
  bool is_perhaps : 1;      // an access that data may decide against
  bool is_exchanged : 1;    // of WRITE: what shfl.bfly had a part in
  uint32_t lanes;
  union {
    uint32_t address; // or an index, if is_scattered
    uint32_t before;  // COPIES_DONE, BULKS_DONE
  };
  union {
    int32_t stride; // of an access: bytes from lane to lane
    int32_t tx;     // of mbarriers: bytes
  };
  union {
    uint32_t threads;   // SYNC, REDUCE, ARRIVE: that it expects
    uint32_t arrivals;  // MBARRIER_INIT, _ARRIVE, _DROP, COPY_ARRIVE
    uint32_t tried;     // MBARRIER_WAIT
    uint32_t extent;    // BULK_READ, _WRITE, _ATOMIC: bytes
    uint32_t registers; // REGISTERS: of a thread
    uint32_t value;     // WRITE: where programs->values has what each lane
                        // writes, plus 1
  };
  uint32_t place; // in programs->places
} Command;

// An instruction.
typedef struct Place {
  Loc ptx;          // where in the PTX text
  Loc source;       // from .loc; line 0: not known
  Loc caller;       // if that was inlined, where in the function; else line 0
  const char *text; // "bar.sync 1, 64", without the guard
  uint32_t number;  // in the file
} Place;

// A variable in shared memory; `bytes` 0: an array of unknown size.
typedef struct SharedVariable {
  const char *name;
  uint32_t address, bytes;
} SharedVariable;

typedef Vec(Command) Commands;

// The blocks of a cluster are one behind the other: block b has its shared
// memory from b * MOST_SHARED_BYTES on, its barriers from b * NAMED_BARRIERS
// on, and as many warps as each.  barrier.cluster is an mbarrier at
// CLUSTER_BARRIER that nobody initialises: it expects an arrival of each
// thread, and whoever exits drops out.  Behind it are WGMMA_RING of the same
// kind for each four warps: they expect an arrival of each of their lanes.
enum { VALUE_OPEN = 2, VALUE_OPEN_BITS = 24 };

typedef struct Programs {
  const char *kernel;
  bool is_stuck; // nothing moves, and some warps have not exited
  const struct Programs *beyond; // of such: the same programs, continued as if
                                 // each wait were over, as far as that is
                                 // known; NULL: nobody looked
  unsigned blocks;               // 0: one
  unsigned threads;              // of a block; the last warp may be partial
  bool lock_step;                // lanes of a warp do not race (--warp-sync)
  uint32_t elected;        // lanes of which elect.sync has chosen one, or 0
  unsigned leader;         // ... this one
  unsigned registers;      // of a thread at launch, 0: not known
  bool has_tensors;        // copies of as many bytes as were announced
  bool has_shared_tensors; // ... for several, of sizes that are not known
  bool has_tensor_stores;  // of some bytes, as few or many as there can be
  bool needs_one_race;     // to know that there is one; not all of them
  bool has_tables;         // initialised ones, that nothing here writes
  bool skips_traps;        // no branch to nothing but a trap is taken
  bool is_alone;           // a cluster was taken to be of one block, unasked
  bool has_other_order;    // release and acquire through shared memory
  bool has_narrow;         // an mbarrier orders blocks, in the scope of one
  bool has_parities;       // of a wait, of which the lowest bit was taken
  bool elects_lowest;      // as EmulationOptions says, of several lanes
  unsigned block_axes;     // by bits: where the block is in the grid was asked,
  unsigned grid_axes; // ... and how large the grid is: to others of another
                      // place or size this need not apply
  Commands warps[MOST_WARPS];
  Vec(uint32_t) addresses;
  Vec(uint64_t) values; // equal numbers are equal values; 0: not known,
                        // VALUE_OPEN among the bits: some of it was not
                        // followed; those from VALUE_OPEN_BITS on say what
  Vec(Place) places;
  Vec(SharedVariable) symbols;
} Programs;

// The one that has this byte, or NULL.
const SharedVariable *programs_symbol(const Programs *programs,
                                      uint32_t address);

unsigned programs_blocks(const Programs *programs);
unsigned programs_warps(const Programs *programs);       // of all blocks
unsigned programs_block_warps(const Programs *programs); // of each
uint32_t warp_lanes(const Programs *programs, unsigned warp);

// What a command does to its mbarrier; false: it changes nothing.
bool mbarrier_event_of(const Command *command, MbarrierEvent *event);

// ------------------------------------------------------------- the check ---

typedef enum FindingKind {
  FINDING_DEADLOCK,   // nothing moves: the state of each warp
  FINDING_COUNT,      // different counts for one generation of a barrier
  FINDING_TOO_MANY,   // more warps than the count
  FINDING_ALL_ARRIVE, // a generation that nobody waits for
  FINDING_TWICE,      // a warp arrives twice in one generation
  FINDING_MIXED,      // bar.red with bar.sync or bar.arrive
  FINDING_RECYCLED,   // generation g + 1 may begin before g has ended
  // Of an mbarrier:
  FINDING_DEAD,        // used where it is not, or perhaps not yet, initialised
  FINDING_LIVE,        // initialised while it is in use
  FINDING_IN_USE,      // invalidated while somebody may still come
  FINDING_ARRIVALS,    // more of them than the phase expects
  FINDING_EARLY,       // an arrival that may count for the phase before
  FINDING_PASSES,      // a wait that may pass before its phase is over
  FINDING_MISSES,      // a wait that may come when the next phase is over, too
  FINDING_UNANNOUNCED, // a phase that may be over before it is told of bytes
  FINDING_UNBALANCED,  // all have arrived, but not as many bytes as announced
  FINDING_COMPLETES,   // a phase may be over by what must not complete it
  FINDING_RANGE,       // a count or a number of bytes that is out of range
  FINDING_OVERLAP,     // an ordinary access to its bytes
  // Of clusters:
  FINDING_NOT_STARTED, // an access to the memory of a block that may not run
                       // yet
  FINDING_GONE,        // ... or may have ended
  // Of bulk copies:
  FINDING_UNFENCED,   // a race for want of a proxy fence alone
  FINDING_UNFINISHED, // a thread ends while its copy may still read, or the
                      // block while one may still write
  // Of registers:
  FINDING_WARPGROUP, // warps of a group of four ask for different numbers
  FINDING_DIRECTION, // .inc to fewer than there are, or .dec to more
  FINDING_POOL,      // more are asked for than the block has
  FINDING_RACE,
} FindingKind;

// One end of a finding.
typedef struct End {
  unsigned warp, lane;
  uint32_t command; // in warps[warp]
  uint32_t place;
} End;

const Command *programs_command(const Programs *programs, End end);

// A part of a schedule: these lanes go through the commands from `from` up to
// `to`, each through those in which it takes part.
typedef struct Leg {
  unsigned warp;
  uint32_t lanes, from, to;
} Leg;

typedef Vec(Leg) Legs;

typedef struct Finding {
  FindingKind kind;
  bool is_mbarrier;     // else of a barrier, unless it is a race or overlap
  unsigned barrier;     // its number
  unsigned generation;  // from 0; of an mbarrier the phase
  End ends[2];          // a race: the earlier command in program text second
  unsigned end_count;   // 0, 1 or 2
  uint32_t address;     // of the mbarrier; a race: first byte that both touch
  unsigned bytes;       // ... and how many
  uint64_t occurrences; // a race: pairs of threads at these two places; a
                        // deadlock: 1; else how often it was met
  // Filled by programs_replay:
  bool is_confirmed;
  const char *replay; // what happened, or why nothing did; NULL: not replayed
  Legs schedule;      // that shows it; empty if it is too long
} Finding;

enum { NO_WARP = MOST_WARPS };

typedef struct WarpSet {
  uint64_t bits[MOST_WARPS / 64];
} WarpSet;

bool warp_set_has(const WarpSet *set, unsigned warp);

// Where a warp stands when nothing moves.
typedef struct Standing {
  bool has_exited;
  bool is_in_cycle; // each waits for the next
  uint32_t command; // the one that it waits at
  bool is_mbarrier; // at `address`; then it waits for the phase `generation`
  uint32_t address;
  unsigned barrier, generation;
  unsigned met;       // threads, or arrivals, of this generation, of ...
  unsigned expected;  // ... so many
  int64_t tx;         // bytes that an mbarrier was told of and has not got
  unsigned waits_for; // a warp that waits too, and would come here later;
                      // NO_WARP: nobody ever would
  const Place *comes; // ... by this instruction; NULL: there is none
  WarpSet could_come; // all warps of which that can be said
} Standing;

// Every pair of places that races is found, and its pairs of threads are
// counted exactly, within a budget: after 2^28 tests the search stops
// (stopped_counting; some pairs of places may be missing, never all), and
// where 32 MB are not enough to tell pairs of threads apart, `occurrences` is
// a lower bound.
typedef struct Check {
  Vec(Finding) findings;          // races: one for each pair of places
  Standing standing[MOST_WARPS];  // with a FINDING_DEADLOCK
  uint64_t commands, generations; // for the statistics; phases count, too
  uint64_t pair_tests;
  bool stopped_counting;
  Finding doubt; // the first that is one if data has an access made that may
                 // not be; no ends: there is none
  bool needs_no_schedules; // for programs_replay
  bool assumes_fences;     // of another thread than wrote: SOUND(proxy-fences)
  bool assumes_inits;      // a bulk copy counts for an mbarrier without a proxy
                      // fence behind its initialisation: SOUND(mbarrier-init)
} Check;

// Makes the check.  Of PTX it needs what barriers do.  If it gives up, what is
// in `check` has been found all the same.
void programs_check(Task *task, const Programs *programs, Check *check);

// Do the two writes that a race is told of write the same, as an execution
// tells that follows symbols?  Open: it did not follow enough of them.
typedef enum ValueMatch { MATCH_NEVER, MATCH_PERHAPS, MATCH_OPEN } ValueMatch;

ValueMatch programs_match(const Programs *programs, const Programs *closely,
                          const Finding *finding);

// Looks for a schedule that shows each finding, by executing the programs.
// Needs only the programs and the findings; what it may take is counted in
// steps, so the answer is always the same.
void programs_replay(Task *task, const Programs *programs, Check *check);

// A line for each command, for --dump=programs.
void programs_print(Task *task, const Programs *programs, FILE *out);
// What orders what in one schedule, for Graphviz and --dump=graph.
void programs_print_graph(Task *task, const Programs *programs, FILE *out);

// ----------------------------------------------------------- emulation ---

typedef struct EmulationOptions {
  uint32_t block_size[3], grid_size[3], block[3];
  bool is_any_block;   // not this one: where it is in the grid is not known
  uint32_t cluster[3]; // blocks; 0: as the PTX says, if it does
  bool lock_step;
  bool has_large_tensors; // where a tensor map does not say how many bytes,
                          // they are as many as there can be, else as few
  bool follows_symbols; // of what is not known, too, what is the same is known
  unsigned registers;   // of a thread at launch; 0: as the PTX says, if it does
  unsigned leader; // elect.sync takes the first lane of its mask from here on
  bool elects_lowest;           // ... or in any case the lowest of all
  uint64_t most_steps;          // of a warp; 0: a default
  const PtxArgument *arguments; // by position; those behind are not known
  size_t argument_count;
  const uint32_t *enough; // by warp: commands that suffice; NULL: all of them
  const uint32_t *stores; // instructions: with symbols, only what these store
  size_t store_count;     // matters; 0: what all store
  bool passes_once;       // ... and what of that comes from shared memory is
                          // followed to there, or once through it
} EmulationOptions;

// Executes one block into programs.  What could matter and is not known gives
// up (unsupported).
Programs *ptx_emulate(Task *task, const PtxKernel *kernel,
                      const EmulationOptions *options);

// Of programs that got stuck: executes them once more, into programs->beyond,
// and there goes on as if each wait were over, to know who would still come to
// what.  It never gives up, but may know less.
void ptx_look_beyond(Task *task, const PtxKernel *kernel,
                     const EmulationOptions *options, Programs *programs);

#endif
