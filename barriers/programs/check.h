// What the files of the check share.  In the order of the check: the barriers
// are replayed once, which yields a trace; what is ordered in the trace is
// ordered in every schedule, provided that recycle.c has nothing to say.

#ifndef BARRIERS_PROGRAMS_CHECK_H
#define BARRIERS_PROGRAMS_CHECK_H

#include "barriers/barriers.h"

// ------------------------------------------------------------ findings.c ---

static inline uint64_t hash_mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ hash >> 29;
}

// Collects the findings: one for each kind, barrier and pair of places.
typedef struct FindingSet {
  Task *task;
  Arena *arena; // of the findings
  const Programs *programs;
  Check *check;
  uint32_t *slots; // open addressing: an index into findings, plus one
  size_t slot_count;
} FindingSet;

// The finding of this kind, barrier and places; if it is new it gets these
// ends, and no occurrences yet.  Good until the next one is asked for.
Finding *findings_get(FindingSet *findings, FindingKind kind, unsigned barrier,
                      End end, const End *other);
// Is it there?
bool findings_has(const FindingSet *findings, FindingKind kind,
                  unsigned barrier, End end, const End *other);

// Counts a finding about a barrier.
void findings_add(FindingSet *findings, FindingKind kind, unsigned barrier,
                  unsigned generation, End end, const End *other);

// The same about an mbarrier.
void findings_add_phase(FindingSet *findings, FindingKind kind,
                        uint32_t address, uint32_t phase, End end,
                        const End *other);

// A race that depends on data, of `end` and `other`: no finding, but doubt.
void findings_doubt(FindingSet *findings, End end, End other);
bool findings_are_unsure(const FindingSet *findings, End end, End other);

// Of a warp as a whole: its first lane that takes part.
End end_of(const Programs *programs, unsigned warp, uint32_t command);
End end_of_lane(const Programs *programs, unsigned warp, unsigned lane,
                uint32_t command);

// Where a command is in the source: where its function is called, if that was
// inlined.
Loc programs_loc(const Programs *programs, unsigned warp, uint32_t command);

// ------------------------------------------------------------ mbarrier.c ---

// An mbarrier, between two commands.
typedef struct ProgramMbarrier {
  uint32_t address;
  Mbarrier state;
  uint32_t count;            // arrivals that this phase expects in all
  uint32_t raised;           // by cp.async.mbarrier.arrive, in this phase
  int64_t announced, coming; // bytes of this phase
  End init;                  // where it was initialised last
  End bytes;                 // ... and told of bytes, or got some
} ProgramMbarrier;

// Those that a program uses, by address.
typedef Vec(ProgramMbarrier) Mbarriers;

// Asked for each pair of accesses, therefore inline.
enum {
  MBARRIER_KINDS = 1 << COMMAND_MBARRIER_INIT | 1 << COMMAND_MBARRIER_INVAL |
                   1 << COMMAND_MBARRIER_EXPECT | 1 << COMMAND_MBARRIER_ARRIVE |
                   1 << COMMAND_MBARRIER_DROP | 1 << COMMAND_MBARRIER_COMPLETE |
                   1 << COMMAND_MBARRIER_WAIT | 1 << COMMAND_MBARRIER_TRY |
                   1 << COMMAND_COPY_ARRIVE | 1 << COMMAND_BULK_COMPLETE,
  BULK_KINDS = 1 << COMMAND_BULK_READ | 1 << COMMAND_BULK_WRITE |
               1 << COMMAND_BULK_ATOMIC,
  ATOMIC_KINDS = 1 << COMMAND_ATOMIC | 1 << COMMAND_BULK_ATOMIC,
  STRONG_KINDS = ATOMIC_KINDS | 1 << COMMAND_STRONG_READ,
  READING_KINDS =
      1 << COMMAND_READ | 1 << COMMAND_STRONG_READ | 1 << COMMAND_BULK_READ,
  WRITING_KINDS = 1 << COMMAND_WRITE | 1 << COMMAND_COPY |
                  1 << COMMAND_BULK_WRITE | 1 << COMMAND_MBARRIER_INIT |
                  1 << COMMAND_MBARRIER_INVAL,
};

static inline bool is_mbarrier(CommandKind kind) {
  return MBARRIER_KINDS >> kind & 1;
}

// Beginning and ending an mbarrier counts as writing its bytes.
static inline bool is_writing(CommandKind kind) {
  return WRITING_KINDS >> kind & 1;
}

static inline bool is_reading(CommandKind kind) {
  return READING_KINDS >> kind & 1;
}

// Touches shared memory.
static inline bool is_touching(CommandKind kind) {
  return is_writing(kind) || is_reading(kind) || is_mbarrier(kind) ||
         ATOMIC_KINDS >> kind & 1;
}

// Of accesses to the same byte: not both reading, and not both strong.
static inline bool kinds_conflict(CommandKind a, CommandKind b) {
  return is_writing(a) || is_writing(b) ||
         !((READING_KINDS >> a & READING_KINDS >> b & 1) ||
           (STRONG_KINDS >> a & STRONG_KINDS >> b & 1));
}

// An access by the async proxy.
static inline bool is_bulk(CommandKind kind) { return BULK_KINDS >> kind & 1; }

// Goes on behind its command.
static inline bool is_copying(CommandKind kind) {
  return is_bulk(kind) || kind == COMMAND_COPY;
}

// Needs an mbarrier to be initialised, and leaves no mark on its bytes.
static inline bool is_use(CommandKind kind) {
  return (MBARRIER_KINDS & ~WRITING_KINDS) >> kind & 1;
}

// Not in memory.
static inline bool is_cluster_barrier(const Command *command) {
  return is_mbarrier(command->kind) && command->address == CLUSTER_BARRIER;
}

// Nor is a group of wgmma.
static inline bool is_apart(const Command *command) {
  return is_mbarrier(command->kind) && command->address >= CLUSTER_BARRIER;
}

bool needs_lanes(const Programs *programs); // mbarriers or copies
bool has_bulks(const Programs *programs);
bool has_init_fences(const Programs *programs);
Mbarriers mbarriers_of(Task *task, const Programs *programs);
ProgramMbarrier *mbarriers_find(const Mbarriers *mbarriers, uint32_t address);

typedef struct Effect {
  bool completes; // the phase that it counts for
  bool is_wrong;
  FindingKind wrong;
} Effect;

// One lane's part of a command; what is wrong has as little effect as can be.
Effect mbarrier_do(ProgramMbarrier *mbarrier, const Command *command);
// All have arrived, and it nevertheless waits.
bool is_unbalanced(const ProgramMbarrier *mbarrier);
bool mbarrier_passes(const ProgramMbarrier *mbarrier, const Command *wait);

// ------------------------------------------------------------- meeting.c ---

bool is_waiting(CommandKind kind); // bar.sync, bar.red
// What the warp does at the named barrier of this command.
NamedEvent meeting_event(const Programs *programs, unsigned warp,
                         const Command *command);
FindingKind meeting_finding(NamedMistake mistake);

// ------------------------------------------------------------ simulate.c ---

// A warp runs up to a command and, unless that is behind its last one, meets
// the barrier of that command, or waits there for an mbarrier and goes on with
// the same command.
typedef struct Turn {
  uint32_t command;
  uint8_t warp;
  bool completes; // the generation; those that wait go on
} Turn;

// One schedule.  All that precedes a command in any schedule is before it.
typedef struct Trace {
  Vec(Turn) turns;
  uint32_t completed[ALL_BARRIERS]; // generations
  uint64_t phases;                  // of mbarriers that were completed
  bool is_wrong; // others may be different: some finding says so
} Trace;

// Goes along the trace: each command that is executed and has no turn, and
// the turns at commands.
typedef struct Walk {
  void *data;
  void (*step)(void *data, unsigned warp, uint32_t command);
  void (*turn)(void *data, Turn turn);
} Walk;

void trace_walk(Task *task, const Programs *programs, const Trace *trace,
                Walk walk);

// Makes the trace and every Standing.
Trace *trace_simulate(Task *task, const Programs *programs,
                      FindingSet *findings);

// Where each warp gets to if nobody ever gets more registers.
void simulate_without_increase(Task *task, const Programs *programs,
                               uint32_t next[MOST_WARPS]);

static inline unsigned programs_barriers(const Programs *programs) {
  return programs_blocks(programs) * NAMED_BARRIERS;
}

// Sets of warps of one block have bits from its first one on.
static inline unsigned first_warp(const Programs *programs, unsigned barrier) {
  return barrier / NAMED_BARRIERS * programs_block_warps(programs);
}

static inline uint32_t warp_bit(const Programs *programs, unsigned warp) {
  return (uint32_t)1 << warp % programs_block_warps(programs);
}

static inline unsigned block_of_warp(const Programs *programs, unsigned warp) {
  return warp / programs_block_warps(programs);
}

// ------------------------------------------------------------ deadlock.c ---

// Needs every Standing.
void find_deadlock(FindingSet *findings);

// ----------------------------------------------------------- registers.c ---

void find_registers(FindingSet *findings);

// ------------------------------------------------------------- recycle.c ---

// The generation that each barrier is in.
typedef struct Rounds {
  FindingSet *findings;
  const Trace *trace;
  uint32_t generation[ALL_BARRIERS];
  End waits[ALL_BARRIERS]; // one who waits in this generation
  End last[ALL_BARRIERS];  // one who waited in the one before
} Rounds;

// A warp comes that knows that so many generations of this barrier are over.
void rounds_meet(Rounds *rounds, Turn turn, uint32_t known);

// Of programs without mbarriers.
void find_recycling(FindingSet *findings, const Trace *trace);

// -------------------------------------------------------------- phases.c ---

// The same, of programs with mbarriers, and their phases.
void find_phases(FindingSet *findings, const Trace *trace);

// -------------------------------------------------------------- clocks.c ---

// What somebody knows: of each thread up to which time everything that it did
// has happened before, how many generations and phases are over, and which
// copies of each thread have been made.  With bulk copies also which of these,
// and up to which time the async proxy sees the writes of each thread.
typedef struct Row Row;

// What each lane knows.
typedef struct Clocks Clocks;

Clocks *clocks_new(Task *task, const Programs *programs, size_t mbarriers);

uint32_t clocks_now(const Clocks *clocks, unsigned warp);
void clocks_tick(Clocks *clocks, unsigned warp); // after each publication

// Adds to *into what these lanes know and have done.
void clocks_publish(Clocks *clocks, Row **into, unsigned warp, uint32_t lanes);
// ... that the copies before a command have been made, and no more.
void clocks_publish_copies(Clocks *clocks, Row **into, unsigned warp,
                           uint32_t lanes, uint32_t command);
// ... what these lanes have initialised before a fence for that, and no more.
void clocks_publish_inits(Clocks *clocks, Row **into, unsigned warp,
                          uint32_t lanes);
void clocks_learn(Clocks *clocks, unsigned warp, uint32_t lanes,
                  const Row *from);
void clocks_release(Clocks *clocks, Row **row);

// A phase ends: who waits gets what was published, and how many are over.
void clocks_turn_over(Clocks *clocks, Row **coming, Row **come, size_t mbarrier,
                      uint32_t over);

void clocks_meet(Clocks *clocks, Turn turn, const Command *command);
void clocks_sync_lanes(Clocks *clocks, unsigned warp, uint32_t lanes);
void clocks_exit(Clocks *clocks, unsigned warp, uint32_t lanes);
uint32_t clocks_living(const Clocks *clocks, unsigned warp, uint32_t lanes);
// The lanes' copies before a command have been made.
void clocks_copied(Clocks *clocks, unsigned warp, uint32_t lanes,
                   uint32_t command);

// The same of bulk copies; and of what these lanes have written, a proxy fence.
void clocks_bulks_done(Clocks *clocks, unsigned warp, uint32_t lanes,
                       uint32_t command);
void clocks_fence(Clocks *clocks, unsigned warp, uint32_t lanes);
uint32_t clocks_unfinished(const Clocks *clocks, unsigned of, uint32_t lanes,
                           uint32_t command, unsigned warp, unsigned lane);
// Of `lanes` of warp `of`, those whose writes at `time` the async proxy may not
// see when the lane starts a copy: no fence of theirs is between; or nobody's.
uint32_t clocks_unfenced(const Clocks *clocks, unsigned of, uint32_t lanes,
                         uint32_t time, unsigned warp, unsigned lane);
// ... whose copy with this command had not been made before such a fence ...
uint32_t clocks_unswept(const Clocks *clocks, unsigned of, uint32_t lanes,
                        uint32_t command, unsigned warp, unsigned lane);
uint32_t clocks_never_fenced(const Clocks *clocks, unsigned of, uint32_t lanes,
                             uint32_t time, unsigned warp, unsigned lane);

// Of `lanes` of warp `of`, those whose past up to `time`, or whose copy with
// this command, is not known to the lane.
uint32_t clocks_unordered(const Clocks *clocks, unsigned of, uint32_t lanes,
                          uint32_t time, unsigned warp, unsigned lane);
uint32_t clocks_uncopied(const Clocks *clocks, unsigned of, uint32_t lanes,
                         uint32_t command, unsigned warp, unsigned lane);

// What these lanes have initialised is fenced, and those of `lanes` of warp
// `of` of which the lane does not know that at `time` they began an mbarrier.
void clocks_fence_inits(Clocks *clocks, unsigned warp, uint32_t lanes);
uint32_t clocks_uninitialised(const Clocks *clocks, unsigned of, uint32_t lanes,
                              uint32_t time, unsigned warp, unsigned lane);

// Does `row` have all that a thread did up to `time`?
bool row_has(const Row *row, unsigned thread, uint32_t time);

uint32_t row_phases(const Clocks *clocks, const Row *row, size_t mbarrier);

// How many generations a warp, and phases a lane, knows to be over.
uint32_t clocks_generations(const Clocks *clocks, unsigned warp,
                            unsigned barrier);
uint32_t clocks_phases(const Clocks *clocks, unsigned warp, unsigned lane,
                       size_t mbarrier);

// --------------------------------------------------------------- order.c ---

// What has happened before what, at one point of the trace.
typedef struct Order Order;

typedef void (*Visit)(void *data, const Order *order, unsigned warp,
                      uint32_t command);

// Walks along the trace, to each access that is executed; what is then known
// is what each thread knows at its end.
const Order *order_walk(Task *task, const Programs *programs,
                        const Trace *trace, Visit visit, void *data);

// The time of a warp's next access.
uint32_t order_now(const Order *order, unsigned warp);
// What a bulk copy has for a time: how many phases have to be over.
uint32_t order_end(const Order *order, unsigned warp, uint32_t command);

// Those of `lanes` of warp `of` whose accesses at `time` have not happened
// before the next access of lane `lane` of `warp`.
uint32_t order_unordered(const Order *order, unsigned of, uint32_t lanes,
                         uint32_t time, unsigned warp, unsigned lane);
// ... whose bulk copy with this command, to be made by the end of this phase
// (0: of a group) of the mbarrier of the command ...
uint32_t order_unfinished(const Order *order, unsigned of, uint32_t lanes,
                          uint32_t time, uint32_t command, unsigned warp,
                          unsigned lane);
// ... whose writes at `time` a bulk copy that the lane starts may not see.
uint32_t order_unfenced(const Order *order, unsigned of, uint32_t lanes,
                        uint32_t time, unsigned warp, unsigned lane);
// ... whose cp.async with this command it may not see.
uint32_t order_unswept(const Order *order, unsigned of, uint32_t lanes,
                       uint32_t command, unsigned warp, unsigned lane);
// ... though perhaps somebody else's proxy fence is between.
uint32_t order_never_fenced(const Order *order, unsigned of, uint32_t lanes,
                            uint32_t time, unsigned warp, unsigned lane);
// ... whose copy with this command has not been made before it.
uint32_t order_uncopied(const Order *order, unsigned of, uint32_t lanes,
                        uint32_t command, unsigned warp, unsigned lane);

// ... who began an mbarrier at `time`, and the lane may not know.
uint32_t order_uninitialised(const Order *order, unsigned of, uint32_t lanes,
                             uint32_t time, unsigned warp, unsigned lane);

// Does the lane know that some thread of the block runs?
bool order_has_begun(const Order *order, unsigned block, unsigned warp,
                     unsigned lane);
// A time of warp `of` up to which all its accesses, but for copies, have
// happened before the next one of `warp`; 0 if no such time is known.
uint32_t order_known(const Order *order, unsigned of, unsigned warp);

// Do all lanes of a warp know the same of other warps?
bool order_is_of_warps(const Order *order);

// -------------------------------------------------------------- shadow.c ---

// What an access did to a word of shared memory.
typedef struct AccessMark {
  struct AccessMark *next;
  uint32_t time;    // of its warp; of a bulk copy see order_end
  uint32_t lanes;   // those that touched the word ...
  uint32_t command; // ... with this command
  uint8_t warp;
  uint8_t kind;  // a CommandKind
  uint8_t bytes; // a set of four
} AccessMark;

enum {
  WORD = 4,
  SHARED_WORDS = MOST_BLOCKS * (MOST_SHARED_BYTES / WORD),
};

// Of all blocks.
static inline uint32_t programs_words(const Programs *programs) {
  return SHARED_WORDS / MOST_BLOCKS * programs_blocks(programs);
}

typedef struct WordShadow {
  Task *task;
  const Programs *programs;
  AccessMark **words; // for each a list
  AccessMark *spare;
} WordShadow;

WordShadow *shadow_new(Task *task, const Programs *programs);
void shadow_insert(WordShadow *shadow, uint32_t word, const AccessMark *mark);
void shadow_remove(WordShadow *shadow, AccessMark **link);

// The marks that a command makes, one after the other.
typedef struct Marks {
  const Programs *programs;
  const Command *command;
  uint32_t lanes;   // still to come
  uint32_t at, end; // bytes still to come of the current lanes
  uint32_t width;
  int32_t stride;
  uint32_t word; // of the mark
  AccessMark mark;
} Marks;

Marks marks_start(const Programs *programs, const Command *command);
void marks_next_lanes(Marks *marks);

// Asked for each word of each access, therefore inline.
static inline bool marks_next(Marks *marks) {
  if (marks->at == marks->end) {
    if (!marks->lanes)
      return false;
    marks_next_lanes(marks);
  }
  uint32_t from = marks->at % WORD, count = WORD - from;
  if (count > marks->end - marks->at)
    count = marks->end - marks->at;
  marks->word = marks->at / WORD;
  marks->mark.bytes = (uint8_t)(((1u << count) - 1) << from);
  marks->at += count;
  return true;
}

// What all marks of a command have in common.
AccessMark mark_of(const Programs *programs, const Order *order, unsigned warp,
                   uint32_t command);

// Two lanes that write the same value to the same bytes do not race with each
// other, but each of them may with an older access that the other one would
// make forgotten.  So such a command is compared as a whole before it leaves
// its first mark.
bool may_overlap_itself(const Command *command);

uint32_t access_address(const Programs *programs, const Command *command,
                        unsigned lane);
// Do these two write the same to the same bytes?
bool write_the_same(const Programs *programs, const Command *a, unsigned lane,
                    const Command *b, unsigned other);
unsigned access_width(const Command *command);
int32_t access_stride(const Command *command);

// Those of the mark's lanes that have not happened before the lane's part of
// the new one.
uint32_t marks_unordered(const Order *order, const AccessMark *old,
                         const AccessMark *new, unsigned lane);

// Of two that race: would it take a proxy fence alone to order them?  Gives up
// where somebody else's fence may be one.
bool marks_lack_fence(Task *task, const Programs *programs, const Order *order,
                      const AccessMark *old, const AccessMark *new,
                      unsigned lane);

// Do these two touch the same byte, not both reading and not both atomic?  The
// uses of an mbarrier need its beginning.  What else they need is the business
// of phases.c.
static inline bool marks_conflict(const AccessMark *old,
                                  const AccessMark *new) {
  if (!(old->bytes & new->bytes))
    return false;
  if (is_use(new->kind))
    return old->kind == COMMAND_MBARRIER_INIT;
  return kinds_conflict(old->kind, new->kind);
}

// The lanes of `old` that race with lane `lane` of `new`.
uint32_t marks_racing(const Programs *programs, const Order *order,
                      const AccessMark *old, const AccessMark *new,
                      unsigned lane);

// --------------------------------------------------------------- alike.c ---

// Where and by whom a word is touched.
typedef struct Touch {
  uint32_t word, lanes;
  uint8_t bytes;
} Touch;

typedef struct Touches {
  const Touch *at;
  size_t count;
  uint32_t shape; // a number for all that is touched
} Touches;

// Classes of words that are touched by the same commands in the same way.
typedef struct Alike Alike;

// counts_lanes: and by as many lanes, even if these are in lock step.
Alike *alike_new(Task *task, const Programs *programs, bool counts_lanes);
// The word that stands for the class of this one.
uint32_t alike_word(const Alike *alike, uint32_t word);
// What a command touches of those, good until the next time.
Touches alike_touches(Alike *alike, const Command *command);

// ---------------------------------------------------------------- race.c ---

void find_races(FindingSet *findings, const Trace *trace);

// ------------------------------------------------------------ lifetime.c ---

// Of accesses to the shared memory of other blocks.  Of what blocks do to each
// other's mbarriers see phases.c.
void find_lifetimes(FindingSet *findings, const Trace *trace);

// --------------------------------------------------------------- tally.c ---

// How many pairs of threads race at each pair of places.
typedef struct Tally Tally;

Tally *tally_new(FindingSet *findings);
bool tally_has_any(const Tally *tally);
// Is there a finding for these two already?
bool tally_knows(Tally *tally, const AccessMark *old, const AccessMark *new,
                 bool lacks_fence);
// These lanes of `old` race with one lane of `new`.
void tally_add(Tally *tally, const AccessMark *old, uint32_t lanes,
               const AccessMark *new, unsigned lane, bool lacks_fence);

// --------------------------------------------------------------- pairs.c ---

// A set of words of shared memory.
typedef struct Words {
  uint64_t bits[SHARED_WORDS / 64];
} Words;

// Asked for each access, therefore inline.
static inline bool words_has(const Words *words, uint32_t word) {
  return words->bits[word / 64] >> word % 64 & 1;
}

// Finds every pair of places that race on these words, and counts.
// `alike` counts lanes, or there is no lock step.
void count_races(FindingSet *findings, const Trace *trace, const Words *words,
                 Alike *alike);

#endif
