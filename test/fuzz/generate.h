// What generate.c, plans.c and values.c share: the author of a kernel, at work.

#ifndef TEST_FUZZ_GENERATE_H
#define TEST_FUZZ_GENERATE_H

#include "test/fuzz/fuzz.h"

typedef enum Rule {
  RULE_READ_ONLY,
  RULE_OWN,
  RULE_ATOMIC,
  RULE_ONE_THREAD,
  RULE_ANYTHING,
} Rule;

// From thread to its units of an array; each is one-to-one if a and b fit.
typedef enum Map {
  MAP_PLAIN,    // id
  MAP_STRIDE,   // id * a + b
  MAP_COLUMN,   // id + all * b
  MAP_XOR,      // id ^ a
  MAP_REVERSE,  // last - id
  MAP_ROTATE,   // (id + a) % all
  MAP_MULTIPLY, // (id * odd + b) mod units
  MAP_BYTE,     // the same in an unsigned char
  MAP_SWAP,     // neighbours exchange
  MAP_SHIFT,    // (id << a) | b
  MAP_SIGNED,   // id * a + b in int
  MAPS
} Map;

typedef struct KernelPlan {
  Rule rule;
  unsigned unit; // bytes that belong together
  Map map;
  unsigned a, b;
  bool forgets_blocks; // a mistake: each block thinks that it is alone
} KernelPlan;

typedef struct GeneratedScope {
  bool is_uniform; // all threads of the block come here
  bool in_loop;
  bool has_barrier; // since this loop began
  unsigned depth;
} GeneratedScope;

typedef struct Generator {
  FuzzProgram *p;
  unsigned carelessness; // per cent
  bool forgets_blocks;   // and is careful otherwise
  Random *random;
  Shape shape;           // the largest of the setting
  Vec(KernelPlan) plans; // by number of array
  unsigned plan_number;
  FuzzVariable *thread, *global;
  Variables readable;
  GeneratedScope scope;
} Generator;

static inline unsigned below(Generator *g, unsigned limit) {
  return random_below(g->random, limit);
}

static inline bool chance(Generator *g, unsigned percent) {
  return random_chance(g->random, percent);
}

static inline FuzzTerm *number(Generator *g, uint32_t n) {
  return term_number(g->p, n);
}

static inline FuzzTerm *binary(Generator *g, Operator op, FuzzTerm *a,
                               FuzzTerm *b) {
  return term_binary(g->p, op, a, b);
}

static inline bool slip(Generator *g) { return chance(g, g->carelessness); }

static inline FuzzTerm *variable(Generator *g, FuzzVariable *v) {
  return term_variable(g->p, v);
}

static inline FuzzTerm *plus(Generator *g, FuzzTerm *a, unsigned n) {
  return n ? binary(g, OPERATOR_ADD, a, number(g, n)) : a;
}

// --------------------------------------------------------------- plans.c ---

unsigned plan_threads(const Generator *g);
bool plan_is_by_grid(const Generator *g, const FuzzArray *array);
void plan_renew_all(Generator *g, bool at_start);
KernelPlan *plan_of(Generator *g, const FuzzArray *array);
FuzzTerm *plan_unit(Generator *g, const FuzzArray *array);
FuzzTerm *plan_block_size(Generator *g);
FuzzArray *plan_find(Generator *g, Rule rule, Rule other);

// -------------------------------------------------------------- values.c ---

FuzzTerm *value_leaf(Generator *g);
FuzzTerm *value_new(Generator *g, unsigned depth);
FuzzTerm *value_uniform(Generator *g);
FuzzTerm *condition_new(Generator *g);
FuzzTerm *condition_uniform(Generator *g);
Operator any_question(Generator *g);
FuzzType place_type(Generator *g, const FuzzArray *array, unsigned unit);
FuzzPlace *place_own_as(Generator *g, FuzzArray *array, FuzzType type);
FuzzPlace *place_own(Generator *g, FuzzArray *array);
FuzzPlace *place_any(Generator *g, FuzzArray *array);

#endif
