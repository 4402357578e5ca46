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

typedef struct Plan {
  Rule rule;
  unsigned unit; // bytes that belong together
  Map map;
  unsigned a, b;
  bool forgets_blocks; // a mistake: each block thinks that it is alone
} Plan;

typedef struct Scope {
  bool is_uniform; // all threads of the block come here
  bool in_loop;
  bool has_barrier; // since this loop began
  unsigned depth;
} Scope;

typedef struct Generator {
  Program *p;
  unsigned carelessness; // per cent
  bool forgets_blocks;   // and is careful otherwise
  Random *random;
  Shape shape;     // the largest of the setting
  Vec(Plan) plans; // by number of array
  unsigned plan_number;
  Variable *thread, *global;
  Variables readable;
  Scope scope;
} Generator;

static inline unsigned below(Generator *g, unsigned limit) {
  return random_below(g->random, limit);
}

static inline bool chance(Generator *g, unsigned percent) {
  return random_chance(g->random, percent);
}

static inline Term *number(Generator *g, uint32_t n) {
  return term_number(g->p, n);
}

static inline Term *binary(Generator *g, Operator op, Term *a, Term *b) {
  return term_binary(g->p, op, a, b);
}

static inline bool slip(Generator *g) { return chance(g, g->carelessness); }

static inline Term *variable(Generator *g, Variable *v) {
  return term_variable(g->p, v);
}

static inline Term *plus(Generator *g, Term *a, unsigned n) {
  return n ? binary(g, OPERATOR_ADD, a, number(g, n)) : a;
}

// --------------------------------------------------------------- plans.c ---

unsigned plan_threads(const Generator *g);
bool plan_is_by_grid(const Generator *g, const Array *array);
void plan_renew_all(Generator *g, bool at_start);
Plan *plan_of(Generator *g, const Array *array);
Term *plan_unit(Generator *g, const Array *array);
Term *plan_block_size(Generator *g);
Array *plan_find(Generator *g, Rule rule, Rule other);

// -------------------------------------------------------------- values.c ---

Term *value_leaf(Generator *g);
Term *value_new(Generator *g, unsigned depth);
Term *value_uniform(Generator *g);
Term *condition_new(Generator *g);
Term *condition_uniform(Generator *g);
Operator any_question(Generator *g);
Type place_type(Generator *g, const Array *array, unsigned unit);
Place *place_own_as(Generator *g, Array *array, Type type);
Place *place_own(Generator *g, Array *array);
Place *place_any(Generator *g, Array *array);

#endif
