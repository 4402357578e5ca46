// Small programs of warps, random ones, and what can happen in any schedule.
//
// interleave.c runs a program in every order that the operational semantics of
// the paper allows (section 3); it knows nothing of vector clocks.  Lanes move
// on their own; a warp has met a barrier when all of its lanes have that live
// that far.  random_programs.c makes programs that are small enough.

#ifndef TEST_FUZZ_INTERLEAVE_H
#define TEST_FUZZ_INTERLEAVE_H

#include "barriers/barriers.h"

// Two places that race, and for how many pairs of threads.
typedef struct RacingPlaces {
  uint32_t places[2]; // the smaller first
  uint64_t pairs;
  bool is_unsure; // data may have one of the accesses not made
} RacingPlaces;

typedef struct InterleavedOutcome {
  bool is_too_large;       // nothing else is known
  const char *wrong;       // of the barriers; NULL: well-synchronised
  Vec(RacingPlaces) races; // if so
  bool is_unsure;          // some are, or an mbarrier is perhaps touched
  size_t states;
} InterleavedOutcome;

// Executes everything.
InterleavedOutcome interleave(Arena *arena, const Programs *programs);

// The same programs for the same seed and index.
Programs *random_programs(Arena *arena, uint64_t seed, uint64_t index);
// With mbarriers and copies.
Programs *random_phases(Arena *arena, uint64_t seed, uint64_t index);

// One of both, of one block, with accesses that may not be made.
Programs *random_perhaps(Arena *arena, uint64_t seed, uint64_t index);

// Large programs, to measure.
typedef enum Large {
  LARGE_RING,   // two buffers, 2 warps write and 8 read, 4 generations a round
  LARGE_HOT,    // 10 warps read the same 128 words, one writes them, each round
  LARGE_BARE,   // the same without any barrier: one pair of places races
  LARGE_RACY,   // 32 warps, `rounds` places that write and as many that read
  LARGE_PHASES, // the ring with mbarriers, at which each lane arrives
} Large;

Programs *large_programs(Arena *arena, Large shape, unsigned rounds);
uint64_t count_accesses(const Programs *programs); // of threads

// What programs_check says against what can happen.
typedef enum Agreement {
  AGREE_CLEAN,
  AGREE_FINDINGS,
  TOO_LARGE,
  DISAGREE,
} Agreement;

// Of findings.
typedef struct Replays {
  bool refutes; // asks for findings that a program does not have
  uint64_t findings, confirmed;
  uint64_t behind;   // seen, but behind another mistake
  uint64_t missed;   // in no schedule that was tried
  uint64_t invented; // seen, though no schedule shows them
} Replays;

// What they disagree about is printed to out, unless that is NULL.  What
// becomes of replays is added to *replays; one that is invented is a
// disagreement, too, and so are a race that is missed, and a program with
// mistakes none of which is seen.
Agreement compare_programs(Task *task, const Programs *programs,
                           Replays *replays, FILE *out);

const char *finding_name(FindingKind kind);

// Each finding of the check.
void compare_replays(Task *task, const Programs *programs, const Check *check,
                     Replays *replays, FILE *out);
// Of a program that is well-synchronised: findings that it does not have.
void refute_replays(Task *task, const Programs *programs,
                    const InterleavedOutcome *outcome, Replays *replays,
                    FILE *out);

#endif
