// What the code that checks itself and its compiler have to agree on: C here,
// CUDA C in values.cu.

#ifndef RUNTIME_MACHINE_COPIED_H
#define RUNTIME_MACHINE_COPIED_H

enum {
  VALUES_LINE = 64,
  VALUES_SHARED_LINES = 4096, // of a block's memory, at most
  VALUES_THREAD_BYTES = 384,  // of what a thread keeps for itself
  VALUES_SITE_SHIFT = 10,     // above them the site, below the thread's number
  VALUES_UNIT_BITS = 20,
  VALUES_MOST_BLOCKS = (1 << VALUES_UNIT_BITS) - 1, // that are compared
  VALUES_FLIGHTS_BYTES = 2064, // of a thread's asynchronous copies
  VALUES_CHUNK_BYTES = 128,    // of what atomic operations have found
  VALUES_LOG_BYTES = 16 + 4 * (VALUES_MOST_BLOCKS + 1), // before the chunks
};

// Of the grid's copies, words that the host reads.
enum {
  VALUES_WHOLES = 4,     // bytes before it: how many lines were written
  VALUES_IS_NEEDED = 16, // ... is the second execution of the grid needed?
};

// Of a kernel: units are threads, and it has something to record.
enum { VALUES_ALONE = 1, VALUES_RECORDED = 2 };

// Of an atomic operation: it has written, it is one for its block only, and it
// is a load.
enum { VALUES_WRITES = 1, VALUES_NARROW = 2, VALUES_READS = 4 };

// Where a thread goes on.
enum {
  VALUES_DONE = -1, // all threads of the block have ended
  VALUES_IDLE = -2, // this one has
};

// What the results of a barrier are.
enum { VALUES_NO_VOTE, VALUES_AND, VALUES_OR, VALUES_COUNT };

// What is told while it runs.
enum {
  VALUES_WRITE_WRITE,
  VALUES_SAME_VALUE, // the same, but both have written the same
  VALUES_READ_WRITE, // the first thread reads
  VALUES_DIVERGES,   // threads are at different barriers
  VALUES_LEFT,       // ... or have left
  VALUES_UNSTABLE,
  VALUES_FULL,      // memory for copies of a block's units
  VALUES_GRID_FULL, // ... and of blocks
  VALUES_BLOCKS,    // there are too many
  VALUES_RECORDS,
  VALUES_CROSSES, // the end of a line
  VALUES_FLIGHTS, // asynchronous copies
};

#ifndef __cplusplus
#include "runtime/runtime.h"

// -------------------------------------------------------------- copied.c ---

// What such a kernel asks for, by way of values.cu, which is compiled for this
// machine, too.
// Room for a block's copies, all zero; *lines: of how many lines.
void *__gpuverify_values_take(uint64_t bytes, uint64_t bytes_a_line,
                              uint32_t *lines);
void __gpuverify_values_give(void *copies); // ... and as good as new
// For what atomic operations have found.
void *__gpuverify_values_log(uint32_t *chunks);
// The same for the grid's.  NULL: there is one block.
void *__gpuverify_values_grid(uint64_t bytes, uint64_t bytes_a_line,
                              uint32_t *lines, int32_t *pass);
// Where the shared memory of a block begins, and how many lines of it there may
// be.
uint64_t __gpuverify_values_shared(uint32_t *lines);
// The group of a block, and how many there are.  0: each block is by itself.
uint32_t __gpuverify_values_group(uint32_t block, uint32_t *groups);
void __gpuverify_values_tell(uint32_t kind, const void *at, uint32_t block,
                             uint32_t place, uint32_t other_block,
                             uint32_t other_place);
void __gpuverify_values_wait(void); // for all threads of the block
// How many there are, of a block and of the grid, and the running one's number.
uint32_t __gpuverify_values_threads(void);
uint32_t __gpuverify_values_thread(void);
uint64_t __gpuverify_values_blocks(void);
uint32_t __gpuverify_values_block(void);

// Of values.cu: ends an execution of the grid; see blocks.cu.
void __gpuverify_values_end_part(void *grid, uint32_t part, uint32_t number,
                                 uint32_t all);
// What kernels call of values.cu.  Nobody else does, so the types are its own.
#define CALLED(name, how) void __gpuverify_values_##name(void);
#include "runtime/machine/copied.def"
#undef CALLED

// An array, as in Actor, and a byte of it.
typedef struct Where {
  int array;
  int64_t offset;
} Where;

// What a report is about, wherever it comes from: two accesses, or a sentence
// and what is wrong (NULL: it is a race).
Incident copied_race(const Run *run, Where at, uint32_t block, uint32_t place,
                     uint32_t other_block, uint32_t other_place);
const char *copied_trouble(const Run *run, uint32_t kind,
                           IncidentKind *incident);

// Memory that comes into being as it is touched.
void *copied_reserve(uint64_t bytes);
// What is left when all executions are over.
void copied_forget(void);

// For who executes it: opens the machine and runs, twice where there are
// several blocks to be compared.
void copied_run(const Run *run, struct Image *image, Outcome *outcome);

#endif

#endif
