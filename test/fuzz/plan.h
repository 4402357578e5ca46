// A random program in the making.

#ifndef TEST_FUZZ_PLAN_H
#define TEST_FUZZ_PLAN_H

#include "test/fuzz/interleave.h"

enum {
  PLANNED_NAMES = 3,
  PLANNED_WORDS = 256, // bytes: first the words of all, then of each warp
};

typedef struct Plan {
  Arena *arena;
  uint64_t random;
  Programs *programs;
  unsigned warps;
  unsigned slots;    // words that all use
  unsigned accesses; // still allowed: states multiply
  bool copies;       // some accesses are copies
  bool bulks;        // ... or bulk copies from shared memory
  bool shares_places;
  bool is_tidy; // warps mostly keep to words of their own
  uint32_t live[MOST_WARPS];
} Plan;

Plan plan_new(Arena *arena, uint64_t seed, uint64_t index);
// Needs the fields.  The last warp has so many lanes.
void plan_begin(Plan *plan, unsigned last_lanes);

// ... or each is a block of a cluster with so many.
void plan_in_blocks(Plan *plan, unsigned lanes);

unsigned plan_below(Plan *plan, unsigned limit);
bool plan_chance(Plan *plan, unsigned percent);
void plan_append(Plan *plan, unsigned warp, Command command);

void plan_access(Plan *plan, unsigned warp); // or a copy, or nothing
void plan_warp_sync(Plan *plan, unsigned warp);
void plan_local(Plan *plan);      // an access, a mask, an exit
void plan_generation(Plan *plan); // of a barrier, with some warps
void plan_sync(Plan *plan);       // with all
void plan_spoil(Plan *plan);      // one mistake

#endif
