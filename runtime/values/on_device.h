// What a kernel that checks itself on a device, and its host, have to agree on:
// C here, CUDA C in device.cu.
//
// The host fills the head before it launches; reports lie in memory of the
// host's, so that they outlive a kernel that takes its context along.

#ifndef RUNTIME_VALUES_ON_DEVICE_H
#define RUNTIME_VALUES_ON_DEVICE_H

#ifdef __CUDA__
typedef unsigned int ValuesWord;
typedef unsigned long long ValuesLong;
#else
#include <stdint.h>
typedef uint32_t ValuesWord;
typedef uint64_t ValuesLong;
#endif

#define VALUES_HEAD "__gpuverify_values_head" // a variable, a ValuesHead
#define VALUES_END "__gpuverify_values_end"   // a kernel: see blocks.cu

enum {
  // The grid's copies begin with counts, which are zero at last, and readers,
  // which are at first.
  VALUES_COUNTS = 32,            // bytes
  VALUES_READERS = 1 << 24,      // words
  VALUES_LEAST_GRID = 128 << 20, // bytes; more than what copies begin with
  VALUES_REPORTS = 1 << 12,      // of pairs of places, each told once
  VALUES_SEEN = 1 << 14,         // words; a power of two
  VALUES_LINE_BYTES = 432,       // of what is kept for 64 bytes of memory
  VALUES_LEAST_LINES = 64,       // of a block, beside those of its own memory
  VALUES_MOST_SHARED = 32,       // variables whose place is told
};

// As what __gpuverify_values_tell gets.
typedef struct ValuesReport {
  ValuesWord is_there; // written last
  ValuesWord kind, block, place, other_block, other_place;
  ValuesWord is_shared; // `at` counts from the begin of shared memory
  ValuesWord unused;
  ValuesLong at;
} ValuesReport;

typedef struct ValuesHead {
  ValuesLong slices; // of memory for copies, one for each block at a time
  ValuesLong slice_bytes;
  ValuesLong is_taken; // a word for each slice
  ValuesLong grid, grid_bytes;
  ValuesLong log, log_bytes; // of what atomic operations have found
  ValuesLong reports, seen;  // keys of pairs that were told
  ValuesWord slice_count, slices_a_processor;
  ValuesWord shared_lines; // of a block's own memory
  ValuesWord pass;         // of the grid; 0: it has one block
  ValuesWord told, dropped;
  // Where a block's variables lie, by their order in the module.
  ValuesWord shared_at[VALUES_MOST_SHARED];
} ValuesHead;

#endif
