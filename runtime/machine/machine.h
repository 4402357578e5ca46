// What the files of this folder share: fibers, threads, blocks, memory.
//
// All of it lives in the child process that executes one run.

#ifndef RUNTIME_MACHINE_MACHINE_H
#define RUNTIME_MACHINE_MACHINE_H

#include "ptx/barrier.h"
#include "runtime/runtime.h"

typedef struct Group Group;
typedef struct Machine Machine;
typedef struct Shadow Shadow;
typedef struct Spot Spot;
typedef struct Thread Thread;
typedef struct Known Known;
typedef struct SharedMbarrier SharedMbarrier;
typedef struct Region Region;

enum {
  LANES = 32,
  RESERVED_SHARED = 1024, // of each block of a program, for cooperative groups
};

// --------------------------------------------------------------- fiber.c ---

typedef struct Fiber {
  void *sp; // of a fiber that does not run
#ifdef __SANITIZE_ADDRESS__
  const void *bottom; // of its stack, which has so many bytes
  size_t bytes;
  void (*body)(void *); // until it is first switched to
  void *data;
#endif
} Fiber;

// One stack a fiber, with a guard page below each.
typedef struct Stacks {
  char *at;
  uint64_t stride;
  unsigned count;
} Stacks;

bool stacks_open(Stacks *stacks, unsigned count, uint64_t bytes);
bool stacks_suffice(const Stacks *stacks, unsigned count, uint64_t bytes);
void stacks_close(Stacks *stacks);
bool stacks_is_guard(const Stacks *stacks, const void *address);
bool stacks_contain(const Stacks *stacks, const void *address);
// Both are in one of them.
bool stacks_share(const Stacks *stacks, const void *a, const void *b);
// The first switch to it calls body(data), which must not return.
void fiber_start(Fiber *fiber, const Stacks *stacks, unsigned index,
                 void (*body)(void *), void *data);
void fiber_switch(Fiber *from, Fiber *to);

// ---------------------------------------------------------------- image ---

// Where host code finds things, fixed before it is made.
typedef struct Image {
  void (*entry)(void **arguments);
  bool is_block;                  // the entry executes all threads of a block
  uint64_t kept_bytes;            // ... and needs of the stack, for each
  bool has_single;                // ... with atomics that became plain accesses
  void (*also)(void **arguments); // of Code.also
  bool is_plain;                  // not optimised: it is large, or quick
  char *shared;                   // static variables, then the dynamic one
  uint64_t shared_bytes;          // of both
  Vec(char *) variables;          // by index; where each one is
  Spot *spots;                    // by site; NULL: to be made
} Image;

// Bytes of an array that a PARAMETER_SHARED points to.
uint64_t run_local_bytes(const Run *run, const Variable *variable);

// ------------------------------------------------------------- machine.c ---

typedef enum ThreadState {
  THREAD_READY,
  THREAD_AT_BARRIER,
  THREAD_AT_WARP,
  THREAD_AT_GRID,
  THREAD_AT_CLUSTER,
  THREAD_AT_NAMED,    // a named barrier
  THREAD_AT_MBARRIER, // until a phase of it is over, or for some time
  THREAD_HELD,        // by a stop
  THREAD_LOST,        // in a replay: it has gone wrong and goes no further
  THREAD_DONE,
  THREAD_STATES,
} ThreadState;

// What some threads know, on its way to others.  The rest spares work where
// many know the same.
typedef struct Tidings {
  Known *base, *own, *heard; // what they knew; what they did themselves
  Known *whole;              // both, once somebody asks
  Known *last;               // that came to the base
  Known *from, *to;          // what the last one knew who learnt, and knows now
} Tidings;

// Those of a warp are one if they are the same here.
typedef enum WarpOperation {
  WARP_ASK, // which lanes are active
  WARP_SYNC,
  WARP_MATRIX,  // tensor.c
  WARP_COLLECT, // collect.c
  WARP_IDX,     // shuffles
  WARP_UP,
  WARP_DOWN,
  WARP_BFLY,
  WARP_ALL, // votes
  WARP_ANY,
  WARP_UNI,
  WARP_BALLOT,
  WARP_MATCH_ANY,
  WARP_MATCH_ANY_LONG,
  WARP_MATCH_ALL,
  WARP_MATCH_ALL_LONG,
  WARP_ADD, // reductions
  WARP_MIN,
  WARP_MAX,
  WARP_UMIN,
  WARP_UMAX,
  WARP_AND,
  WARP_OR,
  WARP_XOR,
  WARP_OPERATIONS,
} WarpOperation;

// What a thread does at a named barrier.
typedef struct NamedMeeting {
  NamedEventKind kind;
  bool is_aligned, has_come; // with its warp
  bool is_for_all;           // no count was given
  uint32_t number, count;
  uint32_t vote, voters; // then, of all
} NamedMeeting;

// A named barrier, with what those know and vote who have come.
typedef struct GroupBarrier {
  NamedBarrier state;
  uint32_t votes, voters;
  const Thread *first; // that has come
  Tidings tidings;
} GroupBarrier;

// The mbarriers of a block.
typedef struct SharedMbarriers {
  SharedMbarrier *at;
  size_t count, capacity;
} SharedMbarriers;

// Where a block is in its cluster, and the cluster in the grid.
typedef struct Seat {
  uint32_t at[3], rank;
  uint32_t size[3], blocks; // of the cluster
  uint32_t cluster[3], clusters[3];
} Seat;

// The barrier of a cluster.
typedef struct ClusterBarrier {
  uint32_t phase;
  Tidings coming, over; // of this phase, and of the one before
} ClusterBarrier;

// A phase of an mbarrier that a thread waits for.
typedef struct Awaited {
  const char *mbarrier;
  bool is_over, is_relaxed;
} Awaited;

typedef enum CopyKind { COPY_PLAIN, COPY_BULK, COPY_KINDS } CopyKind;

// An asynchronous copy, or an arrival at an mbarrier behind all those of its
// thread.
typedef struct Copy {
  char *to;
  const char *from;
  uint32_t bytes, taken; // written; of these, from there: the rest is zero
  uint32_t site, thread;
  uint32_t group;     // of its thread, from 1 on
  uint32_t stamp;     // the tick of the companion that makes it
  uint32_t companion; // of events: which of them
  bool is_arrival;
  bool is_published; // others may know that it is over before its thread does
  bool is_made, is_read; // its thread has waited for its reads
} Copy;

// Of a thread that has not waited for them, or of an mbarrier.
typedef struct Copies {
  Copy *at;
  size_t count, capacity;
  uint32_t groups, stamp; // committed; of the last one
} Copies;

struct Thread {
  Group *group;
  uint32_t id[3];
  unsigned index; // in the block
  bool is_copy;   // none, but makes the accesses of one
  Copies copies[COPY_KINDS];
  // What follows begins anew with each block.
  Fiber fiber; // with sp while it waits; begun on the fiber of another or not
  ThreadState state;
  uint32_t site;           // the last one that it told
  uint32_t quiet;          // depth of annotations: accesses are none
  WarpOperation operation; // it waits at
  uint32_t mask, given;
  uint32_t came;               // with it, as a mask
  const struct TensorJob *job; // of a matrix, to be done; or NULL
  bool carry, has_carry;       // of assembly, for other assembly
  NamedMeeting meeting;        // at a named barrier
  Awaited awaited;             // at an mbarrier
  bool has_arrived;            // at the barrier of the cluster, in this phase
  uint32_t phase;
  uint32_t inits, fenced_inits; // of mbarriers, before the last fence for them
  uint32_t met;                 // blocks that have begun, by rank, as bits
  bool collects;                // at a barrier that orders nothing
  uint32_t collected[2];        // times, with its block and with its warp
  uint64_t left[2][2];          // ... for the others, the last two times
  uint32_t events;              // asynchronous copies of its group, started
  uint64_t executed[2];         // how often the places of the stops
  struct Order *order;          // causality.c; NULL: nothing yet
  const struct Stance *stance;  // writers.c; the same
  const void *misses;    // where its next compare-and-swap changes nothing
  uint32_t lanes[LANES]; // what the others gave
  uint32_t clock[LANES]; // WATCH_RACES: what it has seen of each lane, too
};

// A block of the grid while it is executed.
struct Group {
  uint32_t id[3];
  uint64_t index; // in the grid
  Thread *threads;
  unsigned count;
  bool has_threads;           // they have been begun for a block before
  unsigned in[THREAD_STATES]; // so many of them are in each state
  uint32_t interval;          // barriers passed
  uint64_t moment;            // the same as a number that no other has
  char *shared;    // its shared memory while another block has the place
  Shadow **shadow; // of its shared variables, by index
  uint32_t votes, result;
  SharedMbarriers mbarriers;
  Seat seat;
  ClusterBarrier cluster_barrier;     // of the first block of a cluster
  struct Visit *visits;               // of others to its shared memory, or NULL
  Copies events;                      // asynchronous copies of the group
  uint32_t event_calls;               // that have started some
  GroupBarrier named[NAMED_BARRIERS]; // last: many kernels have none
};

// In which order so many of them have their turns: every `step`-th from the
// first on, and each of them once.
typedef struct Turns {
  uint64_t count, first, step;
} Turns;

struct Machine {
  const Run *run;
  Image *image;
  Outcome *outcome;
  Stacks stacks;
  Fiber scheduler;
  Group *groups; // those at work, or done with no other in their place
  unsigned group_count;
  unsigned together; // at most so many of them
  unsigned threads;  // of a block
  unsigned cluster;  // so many of them begin and end together
  Turns of_threads;  // of a block
  Turns of_clusters;
  Group *inside; // whose shared memory is in place
  Group *owner;  // of the shared memory of an access; NULL: its own
  Thread *self;  // who runs
  uint64_t steps, pages;
  uint32_t grid_epoch;
  uint64_t era;                      // the same as a number that no moment has
  uint64_t moments;                  // and eras so far
  uint64_t started, finished, total; // blocks
  struct Memory *memory;
  void **arguments; // of the kernel, by address
  Thread *held[2];
  bool needs_actors;  // accesses are told to Run.hooks
  bool watches_races; // and to races.c
  bool one_a_turn;    // after each thread the scheduler chooses again
  uint64_t moves;     // threads that have come to wait, or left
  bool is_met;        // both threads of the stops are held
  bool is_over;       // an incident has ended the run
  bool is_blind;      // which thread of a block runs is not known
  uint32_t turn_mask; // bits of a thread's number: if zero, a turn begins
  uint32_t rounds;    // of a loop with barriers, by a block
  unsigned fruitless; // times that waits at mbarriers were cut short
};

extern Machine machine; // of this process
// The time of a launch is over, told at the next turn.  A signal says so, also
// between two executions, where nothing else of the machine outlives.
extern volatile bool machine_is_late;

// Memory for a run, once; false if there is not enough, which the outcome says.
// Executions of it; incidents go to the outcome.  Then it is given back.
bool machine_open(const Run *run, Image *image, Outcome *outcome);
void machine_run(void);
void machine_close(void);
// Opens and runs, in a process that is for nothing else.
void machine_execute(const Run *run, Image *image, Outcome *outcome);

// For a scheduler of another file.  All blocks are there again and have not
// begun; false if they are too many to run together.
bool machine_restart(void);
// It has a turn, if it can run, and those behind it in its block, unless
// one_a_turn.
void machine_run_thread(Thread *thread);
// Lets go whoever waits for a barrier or a warp that is complete.
bool machine_release(Group *group);
bool machine_release_grid(void);

void machine_set_state(Thread *thread, ThreadState state);
void machine_enter(Group *group); // its shared memory is in place
// The running thread waits; returns when the scheduler chose it again.
void machine_wait(ThreadState state);
// The running thread is done; does not return.
void machine_leave(void);
void machine_step(uint32_t site); // at back edges
// The same for STEPS_A_TURN of them.
enum { STEPS_A_TURN = 256 };
void machine_turn(uint32_t site);
// The same for a loop that all threads of a block go round together.
void machine_round(uint32_t site);
// This thread of a block runs from here on: called where its turn differs from
// that of the thread before it.
void machine_take_turn(Thread *thread);

// ------------------------------------------------------ machine_memory.c ---

// For the blocks of a run, and its arguments; false: there is not enough.
bool machine_allocate(void);
void machine_give_back(void);
// An array that has room for one more than `count`, in place of `at`, with its
// new capacity; NULL: there is no memory, and `at` is as it was.
void *machine_grown(void *at, size_t count, size_t *capacity, size_t bytes);

// ----------------------------------------------------- machine_barrier.c ---

// All threads of the block wait at one barrier: they can run.
bool machine_open_barrier(Group *group);
// Those of the block that are in this state can run.
void machine_release_all(Group *group, ThreadState state);
// Threads of a block that should be at one barrier are not: says so.
void machine_diverge(Group *group);
// All threads of a block have come to a barrier, where races are watched.
void machine_pass(void);
// All threads of a block have come to these barriers, or to NO_SITE, the end;
// returns where, if it is the same place.
uint32_t machine_meet(const uint32_t *sites);

// --------------------------------------------------- machine_incidents.c ---

// Adds it to the outcome, or counts it if it is there already.
void machine_note(const Incident *incident);
// The same, and it ends the run; told by the scheduler.
void machine_stop(const Incident *incident);
// The same, of the running thread; does not return.
void machine_end(const Incident *incident) __attribute__((noreturn));
// The running thread ends the run, of which nothing is wrong.
void machine_abandon(void) __attribute__((noreturn));
void machine_fail(IncidentKind kind, const char *fmt, ...)
    __attribute__((noreturn)) PRINTF(2, 3);
Actor machine_actor(const Thread *thread);
bool machine_same_place(uint32_t a, uint32_t b); // of two sites, or NO_SITE

// --------------------------------------------------------------- stuck.c ---

// Nobody can run, and somebody waits: says so.
void machine_stuck(void);

// ------------------------------------------------------------ clusters.c ---

// The block of the grid that is the n-th if one cluster follows another.
uint64_t clusters_block(const Run *run, uint64_t position);
// The n-th of so many in three dimensions.
void grid_place(uint64_t index, const uint32_t size[3], uint32_t at[3]);
void clusters_seat(Group *group);
bool clusters_have_both(uint64_t block, uint64_t other); // one cluster
Group *clusters_first(Group *group); // of its cluster; the others lie behind it
bool clusters_are_done(Group *group); // all blocks of its cluster
// As PTX has them; a wait without an arrival, or two arrivals, end the run.
void clusters_arrive(void);
void clusters_arrive_relaxed(void);
void clusters_wait(void);
// Lets go those of a cluster whose phase is over.
bool clusters_resolve(Group *group);
void clusters_forget(Group *group); // before a block begins anew
// The same address in the shared memory of another block, or what is outside
// of its array; which block an address is of.
void *clusters_map(char *at, uint32_t rank);
uint32_t clusters_rank(const char *at);
// Where the running thread would find it if it were of its own block, of which
// machine.owner tells; and the way back.
char *clusters_local(char *at);
char *clusters_place(char *local);
// Where an address of this block's own shared memory lies at the moment.
char *clusters_now(const Group *group, char *local);

// ----------------------------------------------------- clusters_visits.c ---

// Of an access of the running thread to memory of machine.owner.
void visits_add(const Region *region, const char *at, uint64_t bytes);
void visits_end(Group *owner); // all its threads have left: tells of mistakes
void visits_forget(Group *owner);

// ------------------------------------------------------ named_barriers.c ---

// The running thread comes to a barrier for all threads of the block; returns
// the votes for yes.
uint32_t named_meet_all(NamedEventKind kind, bool is_aligned, uint32_t number,
                        uint32_t vote);
// As PTX has them, with a count.
void named_sync(uint32_t number, uint32_t count);
void named_sync_aligned(uint32_t number, uint32_t count);
void named_arrive(uint32_t number, uint32_t count);
void named_arrive_aligned(uint32_t number, uint32_t count);
uint32_t named_count(uint32_t number, uint32_t count, uint32_t vote);
uint32_t named_count_aligned(uint32_t number, uint32_t count, uint32_t vote);
uint8_t named_and(uint32_t number, uint32_t count, uint32_t vote);
uint8_t named_and_aligned(uint32_t number, uint32_t count, uint32_t vote);
uint8_t named_or(uint32_t number, uint32_t count, uint32_t vote);
uint8_t named_or_aligned(uint32_t number, uint32_t count, uint32_t vote);
// Takes the warps of a block that have come, and lets go whose generation is
// over.
bool named_resolve(Group *group);
void named_forget(Group *group); // before a block begins anew, or is given back

// ----------------------------------------------------------- mbarriers.c ---

// What PTX has; `how` are bits of copies.h.
void mbarriers_init(char *at, uint32_t count);
// Fences those that the running thread has initialised.
void mbarriers_publish(void);
void mbarriers_inval(char *at);
uint64_t mbarriers_arrive(char *at, uint32_t count, uint32_t how);
uint64_t mbarriers_arrive_expect(char *at, uint32_t bytes, uint32_t how);
void mbarriers_expect(char *at, uint32_t bytes);
void mbarriers_complete(char *at, uint32_t bytes);
uint32_t mbarriers_pending(uint64_t token);
uint8_t mbarriers_wait(char *at, uint64_t token, uint32_t how);
void mbarriers_arrive_after_copies(char *at, bool is_expected);
// Lets come what waiting threads wait for.
bool mbarriers_resolve(Group *group);
// Those that wait are told that nothing has come.  False: nobody waits, or that
// has been of no use often enough.
bool mbarriers_time_out(void);
void mbarriers_forget(Group *group); // before a block begins anew

// -------------------------------------------------------------- copies.c ---

// At a site of which the next one is what is read.
void copy_start(char *to, const char *from, uint32_t bytes, uint32_t taken);
void copy_start_bulk(char *to, const char *from, uint32_t bytes);
void copy_start_for(char *to, const char *from, uint32_t bytes, char *mbarrier);
void copies_commit(uint32_t kind);
// For all groups but the last few.
void copies_wait(uint32_t kind, uint32_t most, uint32_t only_reads);
void copies_wait_all(void);
void copies_leave(Thread *thread); // it waits no more: they are made
void copies_drop(Thread *thread);  // they are not
void copies_clear(Copies *copies);

// ------------------------------------------------------------- regions.c ---

// An array of the run: a buffer, or a variable.
struct Region {
  char *at;
  uint64_t bytes, before;
  bool is_gone;
  const Heap *heap; // as in Buffer
  int array;        // as in Actor
  Space space;
  Content content;
  unsigned floats;        // as in Buffer
  unsigned char *touched; // a bit a page, of buffers that are filled lazily
  unsigned char *known;   // a bit a word that was accessed; with hints
  Shadow *shadow;         // WATCH_RACES; of shared variables: in the group
};

typedef struct Memory {
  Region *regions;
  unsigned count, last;
} Memory;

bool regions_open(void);
void regions_close(void);
// What the run says that buffers hold.
void regions_put_given(void);
// Before an access; ends the run if it is outside of all arrays.  A site has
// the same number of bytes each time, if it is not one of many bytes.
void region_access(void *at, uint64_t bytes, uint32_t site);
void region_check(char *at, uint64_t bytes, uint32_t site, SiteKind kind);
void region_fill(void *at, uint64_t bytes, uint32_t site);
// What is known of accesses to these bytes is forgotten.
void region_renew(const char *at, uint64_t bytes);
void region_fetch(void *at, uint64_t bytes, uint32_t site);

// Who is told of accesses.
typedef struct AccessHooks {
  void (*access)(void *at, uint64_t bytes, uint32_t site);
  void (*fill)(void *at, uint64_t bytes, uint32_t site);
  void (*fetch)(void *at, uint64_t bytes, uint32_t site);
  void (*expect)(const void *at, uint64_t bytes, uint64_t expected);
  // Beside these, where there are stops or hints, with who makes the access.
  void (*actor)(Region *region, const Actor *actor, SiteKind kind);
} AccessHooks;

// Those of the run where it watches schedules, else the machine's own.
const AccessHooks *access_hooks(const Run *run);
// Ends the run, or in a replay the thread: this is outside of all arrays.
void region_outside(const void *at, uint64_t bytes);
// The same where no thread can be asked to wait, after a fault.
void region_fault(const void *at) __attribute__((noreturn));
// The region that a byte lies in, or NULL.
Region *region_find(const char *at);
// The same of an access of the running thread, which it ends if it is outside
// of all; NULL: it is on a stack.
Region *region_of_access(const char *at, uint64_t bytes);
// An access of an array of the thread's own that is not in it.
void region_leave_own(int64_t offset, uint64_t bytes, uint64_t size,
                      uint32_t site);

// ----------------------------------------------------------- causality.c ---

void causality_open(void); // before the first access of a run
// Threads of a warp may be at different ticks.
bool causality_has_ticks(void);
void causality_fence(uint32_t site);
// All threads of a block, lanes of a warp, threads of the grid have met; before
// the block's next interval and the grid's next epoch.
void causality_barrier(Group *group);
void causality_warp(Thread *threads, uint32_t together);
void causality_grid(void);
void causality_forget(Thread *thread);
// Adds what the thread knows, itself included; it goes on at a new tick.
void tidings_add(Tidings *tidings, Thread *thread);
// Adds what the running thread knew at its last fence for the cluster or more,
// and the mbarriers that it has fenced.
void tidings_add_fenced(Tidings *tidings);
void tidings_learn(Tidings *tidings, Thread *thread);
// By one that has added what it knew, and nothing since.
void tidings_learn_back(Tidings *tidings, Thread *thread);
void tidings_drop(Tidings *tidings);
// That the accesses of a companion (copies.h) up to a tick have been made.
void tidings_put(Tidings *tidings, uint64_t block, unsigned companion,
                 uint32_t tick);
void causality_know(Thread *thread, uint64_t block, unsigned companion,
                    uint32_t tick);

// -------------------------------------------------------------- prints.c ---

// Text that the running thread prints.
void prints_put(const char *text, size_t length);
void prints_end(void); // the launch is over: what was kept goes out
// Of a launch that is executed several times: text of the first execution comes
// out; of the next one what is new; of the next one nothing.
void prints_begin(void);
void prints_again(void);
void prints_hush(void);

// ---------------------------------------------------------------- heap.c ---

// What malloc has given, or the rest of the heap.
typedef struct HeapPiece {
  const char *at;
  uint64_t bytes;
  bool is_gone; // given back
} HeapPiece;

bool heap_open(Heap *heap, char *at, uint64_t bytes); // false: no memory
void heap_close(Heap *heap);
void *heap_take(Heap *heap, uint64_t bytes); // NULL: there is none
// NULL, or what is wrong with giving that back.
const char *heap_give(Heap *heap, void *at);
// Do these bytes of it all lie in one piece that is in use?
bool heap_has(const Heap *heap, const char *at, uint64_t bytes);
// Of the piece that begins there and is in use; else 0.
uint64_t heap_piece_bytes(const Heap *heap, const void *at);
uint64_t heap_map_bytes(const Heap *heap);
// The piece that an address in the heap lies in, or the one before it.
HeapPiece heap_piece(const Heap *heap, const char *at);

// ------------------------------------------------------------ children.c ---

// Memory for the parameters of a launch by the running thread, or NULL.
void *children_parameters(uint64_t alignment, uint64_t bytes);
// An error of CUDA's.
uint32_t children_launch(const char *kernel, const char *parameters,
                         const uint32_t grid[3], const uint32_t block[3],
                         uint32_t shared, const void *stream);
uint32_t children_copy(void *to, const void *from, uint64_t bytes,
                       uint32_t kind, const void *stream);
uint32_t children_fill(void *to, uint32_t value, uint64_t bytes,
                       const void *stream);
void children_close(Children *children);

// ---------------------------------------------------------------- half.c ---

uint16_t half_atomic_add(uint16_t *at, uint16_t value);
uint16_t brain_atomic_add(uint16_t *at, uint16_t value);
// To the nearest with halves away from zero, to even; towards zero.
uint32_t tf32_away(float value);
uint32_t tf32_even(float value);
uint32_t tf32_down(float value);
// The upper half of a product; a sum and how far two numbers are apart.
int32_t bits_high_product_s32(int32_t a, int32_t b);
uint32_t bits_high_product_u32(uint32_t a, uint32_t b);
int64_t bits_high_product_s64(int64_t a, int64_t b);
uint64_t bits_high_product_u64(uint64_t a, uint64_t b);
uint32_t bits_distance_s32(int32_t a, int32_t b, uint32_t sum);
uint32_t bits_distance_u32(uint32_t a, uint32_t b, uint32_t sum);
// A double and its two words.
uint32_t bits_low_word(double x);
uint32_t bits_high_word(double x);
double bits_double(uint32_t high, uint32_t low);

// ------------------------------------------------------------- texture.c ---

typedef enum TextureKind {
  TEXTURE_SIGNED,
  TEXTURE_UNSIGNED,
  TEXTURE_FLOAT,
} TextureKind;

typedef enum TextureAddress {
  TEXTURE_WRAP,
  TEXTURE_CLAMP,
  TEXTURE_MIRROR,
  TEXTURE_BORDER,
} TextureAddress;

enum { TEXTURE_CUBE = 4 }; // as a number of axes

// A texture or surface object; the numbers of the enumerations are CUDA's.
typedef struct Texture {
  char *at; // NULL: given back
  uint64_t bytes;
  uint64_t width, height, depth; // in elements; depth: or layers
  uint64_t pitch, slice;         // bytes from row to row, and from layer
  unsigned bits[4], element;     // of each component; bytes of all
  TextureKind kind;
  TextureAddress address[3];
  bool is_linear; // filtered
  bool is_read_normalized, is_normalized;
  bool is_line; // plain memory, fetched by number
  bool is_surface;
  float border[4];
} Texture;

// Their handles are their numbers, from 1 on.
typedef struct Textures {
  Texture *at;
  size_t count;
} Textures;

extern Textures textures;

Texture *texture_find(uint64_t handle); // NULL: it is none
// Writes four words: integers, or the bits of floats.
void texture_fetch(uint32_t *out, uint64_t handle, uint32_t axes,
                   uint32_t is_layered, int32_t layer, double x, double y,
                   double z);
// Where so many bytes of a surface lie; x in bytes.  `nowhere`: outside, where
// reads give zero and writes are lost.
void *surface_at(void *nowhere, uint64_t handle, uint32_t axes,
                 uint32_t is_layered, uint32_t bytes, uint32_t boundary,
                 int32_t layer, int32_t x, int32_t y, int32_t z);

// --------------------------------------------------------------- races.c ---

// Checks an access against all before it, then remembers it.
void races_check(Region *region, int64_t offset, uint64_t bytes, uint32_t site,
                 SiteKind kind);
// What the compare-and-swap that comes next expects.
void races_expect(const void *at, uint64_t bytes, uint64_t expected);
// The running thread has gone on: what it wrote is there.
void races_settle(void);
// Before another run: these bytes of global memory begin anew.
void races_forget_bytes(const char *at, uint64_t bytes);
// This thread runs from here on, or something that matters has changed in it.
void races_turn(const Thread *thread);
// The shared memory of a block begins anew; or is given back.
void races_forget(Group *group);
void races_close_group(Group *group);
// All that is known of global memory goes; before regions_close.
void races_close(void);

// --------------------------------------------------------------- spots.c ---

Spot *spots_make(const Code *code); // NULL: no memory
Spot *spot_at(Spot *spots, uint32_t site);
void spots_close(void);
// What code calls in place of region_access, before an access at this site, in
// a run that watches races.
typedef void Hook(void *at, uint64_t bytes, uint32_t site);
Hook *spot_hook(const Site *site);
// From here on accesses of this site to the region can be quick.  False: they
// cannot.
bool spot_learn(const Region *region, uint64_t bytes, uint32_t site);
// The same where races are watched.  True: this one was, and it is done.
bool spot_learn_races(Region *region, void *at, uint64_t bytes, uint32_t site);

// --------------------------------------------------------------- marks.c ---

// Nothing in this code orders threads of a block but its barriers.
bool marks_suffice(const Code *code);

// --------------------------------------------------------------- child.c ---

// Ends the run for what a signal says about the running thread.
void machine_fault(int number, const void *at) __attribute__((noreturn));
// From here on code is made of a kernel, and if the time is used up before it
// is there this outcome says so; NULL: it is there.
void child_await(Outcome *outcome);
// Calls work(data) in a process of its own, which may take so many seconds of
// processor time.  False: it was killed.
bool child_run(void (*work)(void *), void *data, double seconds);
// The same; a signal that is to end us ends that process, and we go on.
bool child_run_interruptibly(void (*work)(void *), void *data, double seconds);
bool child_was_interrupted(void);

// ------------------------------------------------------------ builtins.c ---

typedef enum How {
  HOW_PLAIN,   // the host's back end knows it
  HOW_CALL,    // a function of ours takes its place
  HOW_PURE,    // ... of which a thread always gets the same for the same
  HOW_OWN,     // ... and others get something else
  HOW_AT,      // as CALL, and it wants to know where it was called
  HOW_CHECK,   // as AT, and no thread waits in it
  HOW_FREE,    // the same, and a write to all that malloc has given
  HOW_BARRIER, // as AT, where all threads of the block wait for each other
  HOW_VOTE,    // ... and are told how many of them said yes
  HOW_NOTHING, // the call goes
  HOW_FENCE,   // the same, and races.c may hear of it
  HOW_ATOMIC,  // as CALL, and an access by its first operand
  HOW_WORD,    // as AT, and an atomic access to eight bytes by the same
  HOW_PEEK,    // ... which only reads
  HOW_MAKE,    // ... or an ordinary write
  HOW_COPY,    // as AT, and the next site is that of what is read
  HOW_GATHER,  // as AT, and reads of its own
  HOW_SCATTER, // ... or writes
  HOW_LOAD,    // a plain load
  HOW_VLOAD,   // OpenCL's vloadn (index, pointer)
  HOW_VSTORE,  // ... vstoren (vector, index, pointer)
  HOW_FIELD,   // the call becomes a load from the machine
  HOW_UNKNOWN, // we know nothing of it
} How;

typedef void (*HostFunction)(void);

typedef enum Origin {
  ORIGIN_SELF, // the running thread
  ORIGIN_GROUP,
  ORIGIN_RUN,
} Origin;

// What a function without a body is on this machine.
typedef struct Builtin {
  const char *name; // LLVM's, or the plain one; a * stands for any rest
  How how;
  HostFunction function;
  Origin origin; // FIELD
  size_t offset; // ... in bytes
} Builtin;

// NULL: we know nothing of it.
const Builtin *builtin_find(Task *task, const char *name);
// builtins_float.c: of the intrinsics for numbers, or NULL.
const Builtin *builtin_of_numbers(const char *name);
void builtin_at(uint32_t site); // where the running thread is
int builtin_print(const char *format, const char *arguments);

// ------------------------------------------------------- builtins_math.c ---

const Builtin *builtin_of_library(const char *name); // NULL: none of it

// ------------------------------------------------------- builtins_warp.c ---

void warp_sync(uint32_t mask);
uint32_t warp_shuffle_idx(uint32_t, uint32_t, uint32_t, uint32_t);
uint32_t warp_shuffle_up(uint32_t, uint32_t, uint32_t, uint32_t);
uint32_t warp_shuffle_down(uint32_t, uint32_t, uint32_t, uint32_t);
uint32_t warp_shuffle_bfly(uint32_t, uint32_t, uint32_t, uint32_t);
float warp_shuffle_idx_float(uint32_t, float, uint32_t, uint32_t);
float warp_shuffle_up_float(uint32_t, float, uint32_t, uint32_t);
float warp_shuffle_down_float(uint32_t, float, uint32_t, uint32_t);
float warp_shuffle_bfly_float(uint32_t, float, uint32_t, uint32_t);
uint32_t warp_reaches_up(uint32_t by, uint32_t clamp);
uint32_t warp_reaches_down(uint32_t by, uint32_t clamp);
uint32_t warp_reaches_bfly(uint32_t by, uint32_t clamp);
uint32_t warp_reaches_idx(uint32_t lane, uint32_t clamp);
uint8_t warp_vote_all(uint32_t mask, uint32_t vote);
uint8_t warp_vote_any(uint32_t mask, uint32_t vote);
uint8_t warp_vote_uni(uint32_t mask, uint32_t vote);
uint32_t warp_active(void);
uint32_t warp_vote_ballot(uint32_t mask, uint32_t vote);
uint32_t warp_match_any(uint32_t mask, uint32_t value);
uint32_t warp_match_any_long(uint32_t mask, uint64_t value);
uint32_t warp_match_all(uint32_t mask, uint32_t value); // who came, or 0
uint32_t warp_match_all_long(uint32_t mask, uint64_t value);
uint32_t warp_reduce_add(uint32_t value, uint32_t mask);
uint32_t warp_reduce_min(uint32_t value, uint32_t mask);
uint32_t warp_reduce_max(uint32_t value, uint32_t mask);
uint32_t warp_reduce_umin(uint32_t value, uint32_t mask);
uint32_t warp_reduce_umax(uint32_t value, uint32_t mask);
uint32_t warp_reduce_and(uint32_t value, uint32_t mask);
uint32_t warp_reduce_or(uint32_t value, uint32_t mask);
uint32_t warp_reduce_xor(uint32_t value, uint32_t mask);
// All lanes of the warp come with their jobs, which are done together; or with
// none.
void warp_work(const struct TensorJob *job);
// All lanes that are left come, which orders nothing; returns who has come.
uint32_t warp_meet(void);
// Lets go the lanes of a block whose operation is complete.
bool warp_resolve(Group *group);
const char *warp_operation_name(WarpOperation operation);

#endif
