// What the code that executes instances and its host have to agree on: C here,
// CUDA C in engine.cu.
//
// An instance is one run of a program, in memory of its own.  Its globals, its
// heap, its stacks and what the engine knows of it lie behind each other; the
// program's addresses are the same as on the processor (runtime/threads/), and
// each access looks for its place.

#ifndef RUNTIME_INSTANCES_INSTANCE_H
#define RUNTIME_INSTANCES_INSTANCE_H

enum {
  INSTANCE_MOST_THREADS = 200,
  INSTANCE_LARGE_STACKS = 64, // of the first threads
  INSTANCE_WORDS = 4,         // of bits, one for each slot
  INSTANCE_SLOTS = 64 * INSTANCE_WORDS,
  INSTANCE_FIRST_SLOT = 24,
  INSTANCE_MOST_DEPTH = 7,
  INSTANCE_GROUP = 32, // of ACT
  INSTANCE_ALIGNMENT = 16,
  INSTANCE_LANES = 32, // whose frames lie slot by slot side by side
  INSTANCE_SLOT_BYTES = 16,
  INSTANCE_LIBRARY_BYTES = 4096, // of variables that the library has
};

typedef enum InstancePolicy {
  INSTANCE_PCT,
  INSTANCE_ACT,
  INSTANCE_RANDOM,
} InstancePolicy;

// How an instance ends.
typedef enum InstanceMishap {
  INSTANCE_PASSED,
  INSTANCE_ASSERTION,
  INSTANCE_ABORT,
  INSTANCE_CRASH,
  INSTANCE_USE_AFTER_FREE,
  INSTANCE_DOUBLE_FREE,
  INSTANCE_OUT_OF_BOUNDS,
  INSTANCE_MISUSE,
  INSTANCE_DEADLOCK,
  INSTANCE_BEYOND, // it wants what is not there: the processor has to do it
  INSTANCE_LEFT_OUT,
  INSTANCE_MISHAPS,
} InstanceMishap;

typedef unsigned int InstanceWord;
typedef unsigned long long InstanceLong;

typedef struct InstanceEnd {
  InstanceLong number;                                        // of the schedule
  InstanceWord mishap, site, thread, status, threads, blocks; // not freed
  InstanceWord has_yielded, unused;  // a thread waited that could go on
  InstanceLong steps, trace, memory; // a hash of it, of those that are checked
} InstanceEnd;

// What all instances of a launch have in common.  Addresses are those of the
// device.
typedef struct InstancePlan {
  InstanceLong first, start,
      count;            // numbers; those before `start` are left out
  InstanceLong checked; // so many from `start` on
  InstanceLong used;    // instances in which a schedule was executed before
  InstanceLong seed, limit, expected_steps;
  InstanceLong instances, frames, ends;
  InstanceLong globals, constants, locals; // as they are at the start
  // Bytes of them; of the globals so many are each instance's own.
  InstanceLong globals_bytes, own_bytes, constants_bytes, locals_bytes;
  InstanceLong heap_bytes, stack_bytes, frame_bytes;
  // Where these lie in an instance, and where the next one begins.
  InstanceLong granules_at, heap_at, threads_at, stacks_at, bytes;
  InstanceLong argv, environment; // addresses of the program
  InstanceWord argc, policy, depth, expected_threads, most_threads;
} InstancePlan;

// The layout of a program's addresses.
#define INSTANCE_GLOBALS 0x10000000ULL
#define INSTANCE_CONSTANTS 0x18000000ULL
#define INSTANCE_HEAP 0x20000000ULL
#define INSTANCE_HEAP_ROOM 0x20000000ULL
#define INSTANCE_STACKS 0x40000000ULL
#define INSTANCE_STACK_ROOM 0x00800000ULL
#define INSTANCE_SMALL_STACKS                                                  \
  (INSTANCE_STACKS + INSTANCE_LARGE_STACKS * INSTANCE_STACK_ROOM)
#define INSTANCE_SMALL_ROOM 0x00080000ULL
#define INSTANCE_END                                                           \
  (INSTANCE_SMALL_STACKS + (1024 - INSTANCE_LARGE_STACKS) * INSTANCE_SMALL_ROOM)

// What the engine keeps of an instance and of each thread of it.
typedef struct InstanceThread {
  InstanceLong steps, resumed_at, waits_since, wait_for, result, argument, kept;
  InstanceLong until; // a wait with a limit of time may last
  InstanceWord slot, body, resume, phase, wait, wait_site, site;
  unsigned char is_ended, is_detached, is_joined, is_published, is_timed;
} InstanceThread;

typedef struct InstanceWorld {
  const InstancePlan *plan;
  unsigned char *globals, *granules, *heap, *frames, *stacks;
  InstanceThread *threads;
  InstanceLong steps, event, changed, own_at, own_bytes, heap_used, number;
  InstanceLong random, trace, now, result, ticks, rand_state;
  InstanceLong ready[INSTANCE_WORDS];
  InstanceWord words, ready_count, count, ended, self, site, is_over;
  InstanceEnd end;
  InstanceWord pool_size, pool_taken, pool_bottom, pool_lowest;
  InstanceLong pool_random;
  // Steps at which a priority is lowered.
  InstanceLong points[INSTANCE_MOST_DEPTH];
  InstanceWord ranks[INSTANCE_MOST_DEPTH], point_count, next_point;
  unsigned char levels[INSTANCE_FIRST_SLOT]; // of slots below the pool
  // Slots, and those that nobody has drawn yet; all before is zero at first.
  // They are filled by words.
  __attribute__((aligned(16))) unsigned short at_slot[INSTANCE_SLOTS];
  unsigned short pool[INSTANCE_SLOTS];
} InstanceWorld;

#endif
