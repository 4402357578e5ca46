// Small kernels, all of them, and what happens when they run.
//
// grammar.c turns a number into a Skeleton: where the loops, barriers and
// accesses stand, and what is special about each.  tree.c makes it a tree of
// statements, which print_cuda.c shows to people and print_llvm.c to the
// prover, and which execute.c runs under every schedule that matters of the
// tiniest launches.  None of them knows the prover.

#ifndef TEST_SKELETONS_SKELETON_H
#define TEST_SKELETONS_SKELETON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// --------------------------------------------------------------- grammar ---

enum {
  MOST_ACCESSES = 3,
  MOST_BARRIERS = 2,
  MOST_ITEMS = MOST_ACCESSES + MOST_BARRIERS,
  LOOPS = 2,
  LEVELS = 6,
  TURNS = 28, // after so many indexes it is the same theme and level again
};

typedef enum Nest { NEST_NONE, NEST_ONE, NEST_NESTED, NEST_TWO, NESTS } Nest;

// What may be special about a skeleton.  0 is nothing; the other choices are
// in the tables of grammar.c.
typedef enum Feature {
  FEATURE_TRIP_1,
  FEATURE_TRIP_2,
  FEATURE_EXIT_1,
  FEATURE_EXIT_2,
  FEATURE_CARRY,
  FEATURE_ARRAYS,
  FEATURE_BLOCKS,
  FEATURE_BARRIER_1, // kind of the first ...
  FEATURE_BARRIER_2,
  FEATURE_WHEN_1, // ... and its condition
  FEATURE_WHEN_2,
  FEATURE_OP_1,
  FEATURE_OP_2,
  FEATURE_OP_3,
  FEATURE_INDEX_1,
  FEATURE_INDEX_2,
  FEATURE_INDEX_3,
  FEATURE_GUARD_1,
  FEATURE_GUARD_2,
  FEATURE_GUARD_3,
  FEATURE_VIA_1,
  FEATURE_VIA_2,
  FEATURE_VIA_3,
  FEATURES
} Feature;

typedef struct Item {
  bool is_barrier;
  unsigned position; // from 0, in the order of the text: see tree.c
} Item;

typedef struct Skeleton {
  uint64_t index;
  unsigned theme; // see grammar.c
  unsigned level; // how many features are special
  Nest nest;
  unsigned accesses, barriers;
  bool writes[MOST_ACCESSES]; // what each access does before FEATURE_OP
  Item items[MOST_ITEMS];     // in the order of the text
  unsigned feature[FEATURES];
} Skeleton;

// False: there is none of that index, or it says no more than a smaller one.
bool skeleton_at(uint64_t index, Skeleton *skeleton);
// How many there are of a theme with so many special features.
uint64_t skeletons_of(unsigned theme, unsigned level);
const char *theme_name(unsigned theme); // NULL: there are no more
// What a choice is called in the table; NULL: there is no such choice.
const char *feature_name(Feature feature);
const char *choice_name(Feature feature, unsigned choice);
const char *nest_name(Nest nest);

// ------------------------------------------------------------------ tree ---

typedef enum SkeletonTerm {
  TERM_ZERO,
  TERM_ONE,
  TERM_TWO,
  TERM_THREAD, // threadIdx.x
  TERM_OWN,    // its number in the grid
  TERM_OWN_NEXT,
  TERM_OWN_XOR, // ^ 1
  TERM_N,       // the scalar argument
  TERM_N_LESS,  // n - 1
  TERM_F,       // what the last read got
  TERM_X,       // what is carried from one iteration to the next
  TERM_I,       // the counters, which are still there behind their loops
  TERM_J,
  TERM_I_NEXT,
  TERM_J_NEXT,
  TERM_DATA,         // in[threadIdx.x]
  TERM_UNIFORM_DATA, // in[0]
} SkeletonTerm;

typedef enum SkeletonRelation {
  RELATION_ALWAYS,
  RELATION_EQ,
  RELATION_NE,
  RELATION_LT,
  RELATION_GT,
  RELATION_ODD, // of the left one alone
} SkeletonRelation;

typedef struct Condition {
  SkeletonRelation relation;
  SkeletonTerm left, right;
} Condition;

typedef enum SkeletonOp {
  OP_READ,        // f = a[..]
  OP_READ_ATOMIC, // f = atomicAdd(&a[..], 1)
  OP_ASSERT,      // assert(a[..] == f)
  OP_WRITE,       // a[..] = its number in the grid + 1
  OP_WRITE_ONE,   // a[..] = 1
  OP_ATOMIC,      // atomicAdd(&a[..], 1)
} SkeletonOp;

// By which way the address of an array comes to the access.
typedef enum Via {
  VIA_NOTHING,
  VIA_RETURNED, // in a struct that a function returned
  VIA_STORED,   // in a struct that was stored and loaded as a whole
  VIA_INTEGER,  // (size_t)a * 1
  VIA_VECTOR,   // of two pointers
} Via;

typedef enum BarrierScope {
  BARRIER_OF_BLOCK,
  BARRIER_OF_WARP,
  BARRIER_OF_GRID
} BarrierScope;

typedef enum Exit {
  EXIT_NONE,
  EXIT_BREAK,
  EXIT_CONTINUE,
  EXIT_RETURN,
  EXIT_BREAK_OUTER,
} Exit;

typedef enum StatementKind {
  STATEMENT_LOOP,
  STATEMENT_ACCESS,
  STATEMENT_BARRIER,
  STATEMENT_EXIT,
  STATEMENT_CARRY, // x = value, or x++
} StatementKind;

typedef struct Statement {
  StatementKind kind;
  unsigned number;
  Condition condition; // when; LOOP: while
  struct Statement *next;

  // LOOP
  unsigned counter; // 0: i, 1: j
  SkeletonTerm start;
  bool is_tested_behind; // do .. while
  bool is_halving;       // the counter, instead of counting up
  struct Statement *body;

  // ACCESS
  SkeletonOp op;
  bool is_global;
  SkeletonTerm index;
  Via via;

  BarrierScope barrier;
  Exit exit;
  SkeletonTerm value;
  bool is_counting; // CARRY: x++
} Statement;

enum { MOST_STATEMENTS = MOST_ITEMS + 3 * LOOPS + 1 };

typedef struct Tree {
  Statement statements[MOST_STATEMENTS];
  unsigned count;
  Statement *body;
  unsigned blocks;
  bool uses_f, uses_x;  // to decide anything, or as an index
  bool uses_counter[2]; // beyond its loop's own condition
} Tree;

void tree_make(const Skeleton *skeleton, Tree *tree);
// Is there a loop that does nothing, and nobody asks how often?
bool tree_has_idle_loop(const Tree *tree);

// ----------------------------------------------------------------- print ---

void print_cuda(FILE *out, const Tree *tree, const char *name);
// What all kernels of a module need, once, and one kernel.
void print_llvm_preamble(FILE *out);
void print_llvm(FILE *out, const Tree *tree, const char *name);

// --------------------------------------------------------------- execute ---

typedef enum SkeletonFindingKind {
  FINDING_NONE,
  FINDING_RACE,
  FINDING_DIVERGENCE,
  FINDING_ASSERTION,
} SkeletonFindingKind;

typedef struct SkeletonFinding {
  SkeletonFindingKind kind;
  bool is_exhausted; // NONE: all runs were tried, each to its end
  char text[160];
} SkeletonFinding;

// Blocks of so many threads, as many blocks as the tree wants.
SkeletonFinding execute(const Tree *tree, unsigned threads);

#endif
