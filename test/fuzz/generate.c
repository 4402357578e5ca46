// A random kernel that means well.
//
// Statements thrown together at random race almost always, and a prover that
// cries wolf would look perfect.  So each barrier interval has a plan: for
// every array, who may touch what (only reads; each thread its own cells
// under some map from thread to cell; atomics; one thread alone; anything
// goes).  Steps follow the plan; where the plan changes a barrier is put.
// Careless authors slip now and then, and get mistakes on top (mutate.c).
// About half of what comes out is free of races, the rest is nearly right.
//
// Control flow is planned in the same way: barriers only where all threads of
// a block come along, which Scope.is_uniform tracks.

#include "test/fuzz/fuzz.h"

enum { TRIALS = 20 };

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
  Random *random;
  Shape shape;     // the largest of the setting
  Vec(Plan) plans; // by number of array
  unsigned plan_number;
  Variable *thread, *global;
  Variables readable;
  Scope scope;
} Generator;

static const Setting settings[] = {
    {"--blockDim=4 --gridDim=1", {{4, 1, 1}}, 1},
    {"--blockDim=4 --gridDim=1", {{4, 1, 1}}, 1},
    {"--blockDim=3 --gridDim=2", {{3, 1, 2}}, 1},
    {"--blockDim=2 --gridDim=2", {{2, 1, 2}}, 1},
    {"--blockDim=8 --gridDim=1", {{8, 1, 1}}, 1},
    {"--blockDim=[2,2] --gridDim=2", {{2, 2, 2}}, 1},
    {"--blockDim=4 --gridDim=*", {{4, 1, 3}, {4, 1, 1}, {4, 1, 2}}, 3},
    {"--blockDim=* --gridDim=1", {{6, 1, 1}, {2, 1, 1}, {4, 1, 1}}, 3},
    {"--blockDim=[*,*] --gridDim=*", {{2, 2, 2}, {3, 1, 2}, {1, 2, 3}}, 3},
};

static unsigned below(Generator *g, unsigned limit) {
  return random_below(g->random, limit);
}

static bool chance(Generator *g, unsigned percent) {
  return random_chance(g->random, percent);
}

static Term *number(Generator *g, uint32_t n) { return term_number(g->p, n); }

static Term *binary(Generator *g, Operator op, Term *a, Term *b) {
  return term_binary(g->p, op, a, b);
}

static bool slip(Generator *g) { return chance(g, g->carelessness); }

// ------------------------------------------------------------------ plans ---

static unsigned threads_of(const Generator *g) {
  return g->shape.block_x * g->shape.block_y;
}

static bool is_by_grid(const Generator *g, const Array *array) {
  return array->home == HOME_GLOBAL && g->shape.grid_x > 1;
}

static Plan new_plan(Generator *g, const Array *array) {
  static const Rule rules[] = {RULE_OWN,        RULE_OWN,       RULE_OWN,
                               RULE_OWN,        RULE_READ_ONLY, RULE_ATOMIC,
                               RULE_ONE_THREAD, RULE_READ_ONLY};
  unsigned threads =
      threads_of(g) * (is_by_grid(g, array) ? g->shape.grid_x : 1);
  Plan plan = {.rule = rules[below(g, 8)], .map = (Map)below(g, MAPS)};
  if (chance(g, 4))
    plan.rule = RULE_ANYTHING;
  if (array->home == HOME_PRIVATE)
    plan.rule = RULE_ANYTHING;
  plan.forgets_blocks = slip(g);
  plan.unit = type_bytes(array->type) << below(g, 3);
  while (plan.unit > 16 ||
         (plan.unit > 1 && plan.unit * threads > array->bytes))
    plan.unit /= 2;
  unsigned room = array->bytes / plan.unit / threads; // units a thread
  plan.a = 1 + below(g, room > 1 ? 2 + (room > 2) : 1);
  plan.b = below(g, plan.a);
  return plan;
}

static void renew_plans(Generator *g, bool at_start) {
  for (size_t i = 0; i < g->p->arrays.count; i++) {
    const Array *array = g->p->arrays.at[i];
    if (at_start || !is_by_grid(g, array))
      g->plans.at[i] = new_plan(g, array);
  }
  g->plan_number++;
}

static Plan *plan_of(Generator *g, const Array *array) {
  return &g->plans.at[array->number];
}

static Term *variable(Generator *g, Variable *v) {
  return term_variable(g->p, v);
}

static Term *block_size(Generator *g) {
  Term *x = term_builtin(g->p, BUILTIN_BLOCK_SIZE_X);
  if (g->shape.block_y == 1)
    return x;
  Term *y = term_builtin(g->p, BUILTIN_BLOCK_SIZE_Y);
  return binary(g, OPERATOR_MUL, x, y);
}

static Term *all_threads(Generator *g, bool of_grid) {
  Term *size = block_size(g);
  if (!of_grid)
    return size;
  Term *blocks = term_builtin(g->p, BUILTIN_GRID_SIZE_X);
  return binary(g, OPERATOR_MUL, size, blocks);
}

static Term *plus(Generator *g, Term *a, unsigned n) {
  return n ? binary(g, OPERATOR_ADD, a, number(g, n)) : a;
}

static Term *multiplied(Generator *g, const Plan *plan, Term *id,
                        unsigned units) {
  Term *product =
      binary(g, OPERATOR_MUL, id, number(g, 2 * (plan->a + plan->b) + 1));
  product = plus(g, product, 5 * plan->b);
  if (plan->map == MAP_BYTE)
    product = term_cast(g->p, TYPE_U8, product);
  return binary(g, OPERATOR_AND, product, number(g, units - 1));
}

static Term *swapped(Generator *g, Term *id, Term *again) {
  Term *pair = binary(g, OPERATOR_MUL,
                      binary(g, OPERATOR_DIV, id, number(g, 2)), number(g, 2));
  Term *odd = binary(g, OPERATOR_MOD, again, number(g, 2));
  return binary(g, OPERATOR_ADD, pair,
                binary(g, OPERATOR_SUB, number(g, 1), odd));
}

static Term *signed_stride(Generator *g, const Plan *plan, Term *id) {
  Term *product = binary(g, OPERATOR_SIGNED_MUL, id, number(g, plan->a));
  return binary(g, OPERATOR_SIGNED_ADD, product, number(g, plan->b));
}

// The unit that belongs to this thread.
static Term *own_unit(Generator *g, const Array *array) {
  Plan slipped = new_plan(g, array);
  const Plan *plan = slip(g) ? &slipped : plan_of(g, array);
  bool of_grid = is_by_grid(g, array) && !plan->forgets_blocks;
  Variable *id_variable = of_grid ? g->global : g->thread;
  unsigned units = array->bytes / plan_of(g, array)->unit;
  Term *id = variable(g, id_variable);
  switch (plan->map) {
  case MAP_STRIDE:
    return plus(g, binary(g, OPERATOR_MUL, id, number(g, plan->a)), plan->b);
  case MAP_COLUMN:
    return binary(
        g, OPERATOR_ADD, id,
        binary(g, OPERATOR_MUL, all_threads(g, of_grid), number(g, plan->b)));
  case MAP_XOR:
    return binary(g, OPERATOR_XOR, id, number(g, plan->a));
  case MAP_REVERSE:
    return binary(g, OPERATOR_SUB, number(g, units - 1), id);
  case MAP_ROTATE:
    return binary(g, OPERATOR_MOD, plus(g, id, plan->a),
                  all_threads(g, of_grid));
  case MAP_MULTIPLY:
  case MAP_BYTE:
    return multiplied(g, plan, id, units);
  case MAP_SWAP:
    return swapped(g, id, variable(g, id_variable));
  case MAP_SHIFT:
    return binary(g, OPERATOR_OR,
                  binary(g, OPERATOR_SHL, id, number(g, plan->a - 1)),
                  number(g, plan->b && plan->a > 1));
  case MAP_SIGNED:
    return signed_stride(g, plan, id);
  case MAP_PLAIN:
  case MAPS:
    break;
  }
  return id;
}

// ------------------------------------------------------------------ terms ---

static Term *new_value(Generator *g, unsigned depth);

static Type any_index_type(Generator *g) {
  static const Type types[] = {TYPE_S32, TYPE_S32, TYPE_U8, TYPE_U16, TYPE_U64};
  return chance(g, 40) ? types[below(g, 5)] : TYPE_U32;
}

// The array's own type, or another that fits into `unit` bytes.
static Type any_type(Generator *g, const Array *array, unsigned unit) {
  if (chance(g, 70) && type_bytes(array->type) <= unit)
    return array->type;
  Type type;
  do
    type = (Type)below(g, TYPE_QUAD + 1);
  while (type_bytes(type) > unit);
  return type;
}

static Place *own_place_as(Generator *g, Array *array, Type type) {
  unsigned parts = plan_of(g, array)->unit / type_bytes(type);
  Term *index = own_unit(g, array);
  if (parts > 1) {
    Term *part = chance(g, 60) ? number(g, below(g, parts))
                               : binary(g, OPERATOR_AND, new_value(g, 1),
                                        number(g, parts - 1));
    index = binary(g, OPERATOR_ADD,
                   binary(g, OPERATOR_MUL, index, number(g, parts)), part);
  }
  return place_in(g->p, array, type, index);
}

static Place *any_place(Generator *g, Array *array);

static Place *own_place(Generator *g, Array *array) {
  if (slip(g))
    return any_place(g, array);
  Type type = any_type(g, array, plan_of(g, array)->unit);
  Place *place = own_place_as(g, array, type);
  place->index_type = any_index_type(g);
  return place;
}

static Place *any_place(Generator *g, Array *array) {
  Type type = any_type(g, array, 16);
  Place *place = place_in(g->p, array, type, new_value(g, 2));
  place->index_type = any_index_type(g);
  place->is_masked = array->home == HOME_PRIVATE;
  return place;
}

// An array that has one of two rules now, or NULL.
static Array *find_array(Generator *g, Rule rule, Rule other) {
  size_t count = g->plans.count;
  for (size_t tries = 0; count && tries < 8; tries++) {
    Array *array = g->p->arrays.at[below(g, (unsigned)count)];
    Rule has = plan_of(g, array)->rule;
    if (has == rule || has == other)
      return array;
  }
  return NULL;
}

static Place *readable_place(Generator *g) {
  Array *array = find_array(g, RULE_READ_ONLY, RULE_OWN);
  if (!array && chance(g, 50))
    array = find_array(g, RULE_ANYTHING, RULE_ANYTHING);
  if (!array)
    return NULL;
  return plan_of(g, array)->rule == RULE_OWN ? own_place(g, array)
                                             : any_place(g, array);
}

static Term *new_leaf(Generator *g) {
  switch (below(g, 6)) {
  case 0:
    return variable(g, g->thread);
  case 1:
    return term_builtin(g->p, (Builtin)below(g, BUILTIN_GRID_SIZE_X + 1));
  case 2:
  case 3: {
    unsigned which = below(g, (unsigned)g->readable.count);
    return variable(g, g->readable.at[which]);
  }
  default:
    return chance(g, 40) ? variable(g, g->global)
                         : number(g, chance(g, 90) ? below(g, 9)
                                                   : random_next(g->random));
  }
}

static Term *new_binary(Generator *g, unsigned depth) {
  static const Operator ops[] = {OPERATOR_ADD, OPERATOR_ADD,     OPERATOR_SUB,
                                 OPERATOR_MUL, OPERATOR_AND,     OPERATOR_OR,
                                 OPERATOR_XOR, OPERATOR_HIGH_MUL};
  static const Operator small[] = {
      OPERATOR_SHL, OPERATOR_SHR,        OPERATOR_SAR,        OPERATOR_DIV,
      OPERATOR_MOD, OPERATOR_SIGNED_DIV, OPERATOR_SIGNED_MOD, OPERATOR_AND};
  Term *a = new_value(g, depth - 1);
  if (chance(g, 40))
    return binary(g, small[below(g, 8)], a, number(g, 1 + below(g, 5)));
  if (chance(g, 10)) {
    Term *mask = number(g, 255);
    return binary(g, OPERATOR_SIGNED_SUB, binary(g, OPERATOR_AND, a, mask),
                  number(g, below(g, 8)));
  }
  return binary(g, ops[below(g, 8)], a, new_value(g, depth - 1));
}

static Term *new_condition(Generator *g);

static Term *new_call(Generator *g, unsigned depth) {
  for (size_t i = 0; i < g->p->procedures.count; i++) {
    Procedure *procedure = g->p->procedures.at[i];
    if (procedure->result)
      return term_call(g->p, procedure, new_value(g, depth - 1), new_leaf(g));
  }
  return new_leaf(g);
}

static Term *new_load(Generator *g) {
  Place *place = readable_place(g);
  return place ? term_load(g->p, place) : new_leaf(g);
}

static Term *new_value(Generator *g, unsigned depth) {
  if (depth == 0)
    return new_leaf(g);
  switch (below(g, 12)) {
  case 0:
  case 1:
  case 2:
  case 3:
    return new_binary(g, depth);
  case 4:
    return term_cast(g->p, (Type)below(g, TYPE_S16 + 1),
                     new_value(g, depth - 1));
  case 5:
    return term_select(g->p, new_condition(g), new_value(g, depth - 1),
                       new_leaf(g));
  case 6:
    return new_call(g, depth);
  case 7:
  case 8:
    return depth > 1 ? new_load(g) : new_leaf(g);
  default:
    return new_leaf(g);
  }
}

static Term *uniform_value(Generator *g) {
  for (unsigned tries = 0; tries < 4; tries++) {
    unsigned which = below(g, (unsigned)g->readable.count);
    if (g->readable.at[which]->is_uniform)
      return variable(g, g->readable.at[which]);
  }
  return term_builtin(g->p,
                      chance(g, 50) ? BUILTIN_BLOCK_X : BUILTIN_GRID_SIZE_X);
}

static Operator any_question(Generator *g) {
  return (Operator)(OPERATOR_EQ + below(g, OPERATOR_BOTH - OPERATOR_EQ));
}

static Term *uniform_condition(Generator *g) {
  Term *a = uniform_value(g);
  if (chance(g, 40))
    a = binary(g, OPERATOR_AND, a, number(g, 1 + below(g, 3)));
  return binary(g, any_question(g), a, number(g, below(g, 5)));
}

static Term *thread_condition(Generator *g) {
  Term *id = variable(g, chance(g, 80) ? g->thread : g->global);
  switch (below(g, 6)) {
  case 5:
    return binary(g, any_question(g), id, uniform_value(g));
  case 0:
    return binary(g, OPERATOR_EQ, id, number(g, below(g, 3)));
  case 1:
    return binary(g, OPERATOR_NE, binary(g, OPERATOR_AND, id, number(g, 1)),
                  number(g, 0));
  default:
    return binary(g, any_question(g), id, number(g, below(g, 5)));
  }
}

static Term *new_condition(Generator *g) {
  switch (below(g, 8)) {
  case 0:
    return binary(g, any_question(g), new_value(g, 2), new_leaf(g));
  case 1:
    return binary(g, OPERATOR_BOTH, thread_condition(g), uniform_condition(g));
  case 2:
    return binary(g, OPERATOR_EITHER, thread_condition(g),
                  uniform_condition(g));
  case 3:
  case 4:
    return uniform_condition(g);
  default:
    return thread_condition(g);
  }
}

// ------------------------------------------------------------------ steps ---

static void new_steps(Generator *g, Steps *to, unsigned count);

static void new_barrier(Generator *g, Steps *to) {
  unsigned kind = below(g, 12);
  if (kind == 0 && threads_of(g) > 1) {
    step_barrier(g->p, to, STEP_WARP_BARRIER);
  } else if (kind == 1) {
    Variable *vote = program_variable(g->p, TYPE_U32);
    Step *step = step_barrier(g->p, to, STEP_VOTE);
    step->variable = vote;
    step->term = new_value(g, 2);
    vote->is_uniform = true;
    push(g->p->arena, &g->readable, vote);
  } else {
    step_barrier(g->p, to, STEP_BARRIER);
  }
  g->scope.has_barrier = true;
}

// A part of the kernel that control may skip or repeat: it leaves the plan as
// it found it.
static void new_block(Generator *g, Steps *to, unsigned count,
                      bool is_uniform) {
  Generator before = *g;
  Vec(Plan) plans = {0};
  for (size_t i = 0; i < g->plans.count; i++)
    push(g->p->arena, &plans, g->plans.at[i]);
  g->scope.depth++;
  g->scope.is_uniform &= is_uniform || slip(g) || slip(g);
  new_steps(g, to, count);
  if (g->plan_number != before.plan_number)
    step_barrier(g->p, to, STEP_BARRIER);
  for (size_t i = 0; i < g->plans.count; i++)
    g->plans.at[i] = plans.at[i];
  g->plan_number = before.plan_number;
  bool has_barrier = g->scope.has_barrier;
  g->scope = before.scope;
  g->scope.has_barrier |= has_barrier;
  g->readable.count = before.readable.count;
}

static void new_body(Generator *g, Step *loop, bool is_uniform) {
  Scope before = g->scope;
  g->scope.in_loop = true;
  g->scope.has_barrier = false;
  new_block(g, &loop->body, 1 + below(g, 3), is_uniform);
  g->scope.in_loop = before.in_loop;
  g->scope.has_barrier |= before.has_barrier;
}

static void new_vector_store(Generator *g, Step *step) {
  if (type_bytes(step->place->type) >= 8)
    step->more = new_value(g, 1);
}

static void new_store(Generator *g, Steps *to) {
  Array *array = find_array(g, RULE_OWN, RULE_OWN);
  if (!array)
    array = find_array(g, RULE_ANYTHING, RULE_ANYTHING);
  if (!array)
    return;
  Place *place = plan_of(g, array)->rule == RULE_OWN ? own_place(g, array)
                                                     : any_place(g, array);
  static const Operator ops[] = {OPERATOR_ADD, OPERATOR_XOR, OPERATOR_OR,
                                 OPERATOR_SUB};
  Step *step = step_store(g->p, to, place,
                          chance(g, 10) ? number(g, 1) : new_value(g, 3));
  new_vector_store(g, step);
  if (chance(g, 25) && type_bytes(place->type) <= 4) {
    step->kind = STEP_UPDATE;
    step->op = ops[below(g, 4)];
  }
}

static Variable *new_variable(Generator *g, bool is_uniform) {
  static const Type types[] = {TYPE_U32, TYPE_U32, TYPE_S32,
                               TYPE_U8,  TYPE_U16, TYPE_S8};
  Variable *v = program_variable(g->p, types[below(g, 6)]);
  v->is_uniform = is_uniform;
  push(g->p->arena, &g->readable, v);
  return v;
}

static bool is_settable(const Generator *g, const Variable *v) {
  return !v->is_counter && !v->is_parameter && v != g->thread && v != g->global;
}

static Variable *settable(Generator *g) {
  unsigned which = below(g, (unsigned)g->readable.count);
  Variable *v = g->readable.at[which];
  if (is_settable(g, v) && (!v->is_uniform || g->scope.is_uniform))
    return v;
  return new_variable(g, g->scope.is_uniform && chance(g, 40));
}

static void new_set(Generator *g, Steps *to) {
  Variable *v = settable(g);
  Term *value = new_value(g, 3);
  if (v->is_uniform)
    value = binary(g, OPERATOR_ADD, uniform_value(g), number(g, below(g, 4)));
  step_set(g->p, to, v, value);
}

static void new_atomic(Generator *g, Steps *to) {
  Array *array = find_array(g, RULE_ATOMIC, RULE_ATOMIC);
  if (!array)
    return;
  Place *place = place_in(g->p, array, TYPE_U32, new_value(g, 2));
  Step *step = step_new(g->p, to, STEP_ATOMIC);
  step->place = place;
  step->term = chance(g, 50) ? number(g, 1) : new_value(g, 2);
  step->atomic =
      chance(g, 60) ? ATOMIC_ADD : (AtomicKind)below(g, ATOMIC_EXCHANGE + 1);
  if (chance(g, 50))
    step->variable = new_variable(g, false);
}

static void new_if(Generator *g, Steps *to) {
  bool is_uniform = chance(g, 40);
  Term *condition = is_uniform ? uniform_condition(g) : new_condition(g);
  Step *step = step_new(g->p, to, STEP_IF);
  step->term = condition;
  new_block(g, &step->body, 1 + below(g, 3), is_uniform);
  if (chance(g, 40))
    new_block(g, &step->other, 1 + below(g, 2), is_uniform);
}

static void one_thread(Generator *g, Steps *to) {
  Array *array = find_array(g, RULE_ONE_THREAD, RULE_ONE_THREAD);
  if (!array)
    return;
  Step *step = step_new(g->p, to, STEP_IF);
  bool of_grid = is_by_grid(g, array) && !plan_of(g, array)->forgets_blocks;
  Variable *id = of_grid ? g->global : g->thread;
  unsigned chosen = chance(g, 90) ? 0 : 1;
  step->term = binary(g, OPERATOR_EQ, variable(g, id), number(g, chosen));
  Place *place = any_place(g, array);
  new_vector_store(g, step_store(g->p, &step->body, place, new_value(g, 2)));
  step_set(g->p, &step->body, new_variable(g, false),
           term_load(g->p, any_place(g, array)));
}

// How a loop counts.
static void count_up(Generator *g, Step *loop, Term *start, Term *limit) {
  Variable *i = loop->variable;
  loop->start = start;
  loop->term = binary(g, i->type == TYPE_S32 ? OPERATOR_SIGNED_LT : OPERATOR_LT,
                      variable(g, i), limit);
  Operator add = i->type == TYPE_S32 ? OPERATOR_SIGNED_ADD : OPERATOR_ADD;
  loop->next = binary(g, add, variable(g, i), number(g, 1 + below(g, 2)));
}

static void count_by_doubling(Generator *g, Step *loop) {
  Variable *i = loop->variable;
  loop->start = number(g, 1);
  loop->term = binary(g, OPERATOR_LT, variable(g, i), number(g, 5));
  loop->next = binary(g, OPERATOR_MUL, variable(g, i), number(g, 2));
}

static void count_by_halving(Generator *g, Step *loop) {
  Variable *i = loop->variable;
  loop->start = chance(g, 50) ? number(g, 4) : block_size(g);
  loop->term = binary(g, OPERATOR_GT, variable(g, i), number(g, 0));
  loop->next = binary(g, OPERATOR_SHR, variable(g, i), number(g, 1));
}

static Term *small_limit(Generator *g, bool is_uniform) {
  if (chance(g, 40))
    return number(g, 1 + below(g, 4));
  Term *from = is_uniform ? uniform_value(g) : variable(g, g->thread);
  return plus(g, binary(g, OPERATOR_AND, from, number(g, 3)), below(g, 2));
}

static void new_for(Generator *g, Steps *to) {
  static const Type types[] = {TYPE_U32, TYPE_U32, TYPE_S32, TYPE_U8};
  bool is_uniform = chance(g, 70);
  Step *loop = step_new(g->p, to, STEP_FOR);
  unsigned kind = below(g, 6);
  loop->variable =
      program_variable(g->p, kind < 2 ? TYPE_U32 : types[below(g, 4)]);
  loop->variable->is_counter = true;
  loop->variable->is_uniform = is_uniform || kind < 2;
  if (kind == 0)
    count_by_doubling(g, loop);
  else if (kind == 1)
    count_by_halving(g, loop);
  else
    count_up(g, loop, is_uniform ? number(g, below(g, 2)) : new_leaf(g),
             small_limit(g, is_uniform));
  size_t visible = g->readable.count;
  push(g->p->arena, &g->readable, loop->variable);
  new_body(g, loop, loop->variable->is_uniform);
  g->readable.count = visible;
}

// A while or do loop that counts in a variable of its own, and may have
// another condition to go on.
static void new_while(Generator *g, Steps *to) {
  bool is_uniform = chance(g, 60);
  Variable *count = program_variable(g->p, TYPE_U32);
  count->is_uniform = is_uniform;
  step_set(g->p, to, count, number(g, 0));
  Step *loop = step_new(g->p, to, chance(g, 50) ? STEP_WHILE : STEP_DO);
  loop->term =
      binary(g, OPERATOR_LT, variable(g, count), small_limit(g, is_uniform));
  if (chance(g, 30))
    loop->term = binary(g, OPERATOR_BOTH, loop->term,
                        is_uniform ? uniform_condition(g) : new_condition(g));
  step_set(g->p, &loop->body, count,
           binary(g, OPERATOR_ADD, variable(g, count), number(g, 1)));
  new_body(g, loop, is_uniform);
}

static void new_switch(Generator *g, Steps *to) {
  bool is_uniform = chance(g, 30);
  Term *value = is_uniform ? uniform_value(g) : variable(g, g->thread);
  bool in_loop = g->scope.in_loop;
  Step *step = step_new(g->p, to, STEP_SWITCH);
  step->term = binary(g, OPERATOR_AND, value, number(g, 3));
  g->scope.in_loop = false; // `break` would mean the switch
  unsigned cases = 1 + below(g, 3);
  for (unsigned i = 0; i <= cases; i++) {
    Step *label = step_new(g->p, &step->body, STEP_CASE);
    label->label = i;
    label->is_default = i == cases;
    label->falls_through = chance(g, 20);
    new_block(g, &label->body, 1, is_uniform);
  }
  g->scope.in_loop = in_loop;
}

// Leaving a loop early, where it has no barrier yet.
static void new_jump(Generator *g, Steps *to) {
  if (!g->scope.in_loop || (g->scope.has_barrier && !slip(g)))
    return;
  bool is_uniform = chance(g, 40);
  Step *step = step_new(g->p, to, STEP_IF);
  step->term = is_uniform ? uniform_condition(g) : new_condition(g);
  step_new(g->p, &step->body, chance(g, 50) ? STEP_BREAK : STEP_CONTINUE);
  g->scope.is_uniform &= is_uniform;
}

static void new_return(Generator *g, Steps *to) {
  if (g->scope.depth)
    return;
  bool is_uniform = chance(g, 50);
  Step *step = step_new(g->p, to, STEP_IF);
  step->term = is_uniform ? uniform_condition(g) : new_condition(g);
  step_new(g->p, &step->body, STEP_RETURN);
  g->scope.is_uniform &= is_uniform || slip(g);
}

static bool has_barrier(const Procedure *procedure) {
  const Steps *body = &procedure->body;
  return body->count && body->at[body->count - 1]->kind == STEP_BARRIER;
}

static void call_procedure(Generator *g, Steps *to) {
  Array *array = find_array(g, RULE_OWN, RULE_OWN);
  for (size_t i = 0; array && i < g->p->procedures.count; i++) {
    Procedure *procedure = g->p->procedures.at[i];
    if (procedure->result ||
        type_bytes(procedure->pointer->type) > plan_of(g, array)->unit ||
        (has_barrier(procedure) && !g->scope.is_uniform))
      continue;
    g->scope.has_barrier |= has_barrier(procedure);
    Step *step = step_new(g->p, to, STEP_CALL);
    step->procedure = procedure;
    step->place = own_place_as(g, array, procedure->pointer->type);
    step->args[0] = new_value(g, 2);
    step->args[1] = new_leaf(g);
    return;
  }
}

// One of two arrays, chosen at run time, both under one plan.
static void new_pointer(Generator *g, Steps *to) {
  Array *a = find_array(g, RULE_OWN, RULE_OWN);
  Array *b = find_array(g, RULE_OWN, RULE_OWN);
  if (!a || !b)
    return;
  Type type = any_type(g, a, plan_of(g, a)->unit);
  if (type_bytes(type) > plan_of(g, b)->unit)
    return;
  Step *step = step_new(g->p, to, STEP_POINT);
  step->pointer = program_pointer(g->p, type);
  step->place = own_place_as(g, a, type);
  if (a != b && chance(g, 70)) {
    step->term = new_condition(g);
    step->more_place = own_place_as(g, b, type);
  }
  Place *at = place_at(g->p, step->pointer, number(g, 0));
  new_vector_store(g, step_store(g->p, to, at, new_value(g, 2)));
}

static void new_pattern(Generator *g, Steps *to) {
  if (g->scope.depth || !g->scope.is_uniform)
    return;
  Surroundings around = {g->p, g->random, g->thread, g->global};
  pattern_append(&around, to);
  g->scope.has_barrier = true;
}

static void change_plan(Generator *g, Steps *to) {
  if (!g->scope.is_uniform)
    return;
  if (!slip(g))
    new_barrier(g, to);
  renew_plans(g, false);
}

static void new_step(Generator *g, Steps *to) {
  unsigned kind = below(g, 100);
  bool is_deep = g->scope.depth >= 3;
  if (kind < 30)
    new_store(g, to);
  else if (kind < 40)
    new_set(g, to);
  else if (kind < 45)
    new_atomic(g, to);
  else if (kind < 50)
    one_thread(g, to);
  else if (kind < 53)
    call_procedure(g, to);
  else if (kind < 57)
    new_pointer(g, to);
  else if (kind < 61)
    new_jump(g, to);
  else if (kind < 62)
    new_return(g, to);
  else if (kind < 74)
    change_plan(g, to);
  else if (kind < 79)
    new_pattern(g, to);
  else if (is_deep)
    new_store(g, to);
  else if (kind < 87)
    new_if(g, to);
  else if (kind < 94)
    new_for(g, to);
  else if (kind < 97)
    new_while(g, to);
  else
    new_switch(g, to);
}

static void new_steps(Generator *g, Steps *to, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    new_step(g, to);
}

// ----------------------------------------------------------------- kernel ---

static void new_arrays(Generator *g) {
  unsigned count = 2 + below(g, 3);
  for (unsigned i = 0; i < count; i++) {
    Home home = below(g, 8) == 0  ? HOME_PRIVATE
                : below(g, 5) < 2 ? HOME_GLOBAL
                                  : HOME_SHARED;
    Type type = chance(g, 50) ? TYPE_U32 : (Type)below(g, TYPE_QUAD + 1);
    unsigned bytes =
        home == HOME_PRIVATE ? 16u << below(g, 2) : 64u << below(g, 3);
    Array *array = program_array(g->p, home, type, bytes);
    if (home != HOME_GLOBAL && chance(g, 20))
      array->columns = bytes / type_bytes(type) / 2;
    push(g->p->arena, &g->plans, (Plan){0});
  }
}

static Variable *new_argument(Generator *g, Procedure *procedure) {
  Variable *v = program_variable(g->p, TYPE_U32);
  v->is_argument = true;
  push(g->p->arena, &procedure->parameters, v);
  return v;
}

static void new_function(Generator *g) {
  Procedure *f = program_procedure(g->p);
  Term *a = variable(g, new_argument(g, f));
  Term *b = variable(g, new_argument(g, f));
  static const Operator ops[] = {OPERATOR_ADD, OPERATOR_XOR, OPERATOR_MUL,
                                 OPERATOR_HIGH_MUL};
  f->result = binary(g, ops[below(g, 4)], a,
                     binary(g, OPERATOR_AND, b, number(g, below(g, 16))));
}

// void f(T *p, unsigned a, unsigned b) { if (a > n) return; *p = b; .. }
static void new_putter(Generator *g) {
  static const Type types[] = {TYPE_U8, TYPE_U16, TYPE_U32, TYPE_S32};
  Procedure *f = program_procedure(g->p);
  f->pointer = program_pointer(g->p, types[below(g, 4)]);
  f->pointer->is_argument = true;
  Variable *a = new_argument(g, f), *b = new_argument(g, f);
  if (chance(g, 50)) {
    Step *leave = step_new(g->p, &f->body, STEP_IF);
    leave->term =
        binary(g, any_question(g), variable(g, a), number(g, below(g, 4)));
    step_new(g->p, &leave->body, STEP_RETURN);
  }
  Place *place = place_at(g->p, f->pointer, number(g, 0));
  step_store(g->p, &f->body, place, variable(g, b));
  if (chance(g, 20))
    step_barrier(g->p, &f->body, STEP_BARRIER);
}

static void new_parameters(Generator *g) {
  unsigned count = 1 + below(g, 2);
  for (unsigned i = 0; i < count; i++) {
    Variable *n = program_variable(g->p, chance(g, 70) ? TYPE_U32 : TYPE_S32);
    n->is_parameter = true;
    n->is_uniform = true;
    push(g->p->arena, &g->readable, n);
  }
}

static void name_threads(Generator *g) {
  Program *p = g->p;
  g->thread = program_variable(p, TYPE_U32);
  g->global = program_variable(p, TYPE_U32);
  Term *id = term_builtin(p, BUILTIN_THREAD_X);
  if (g->shape.block_y > 1)
    id = binary(g, OPERATOR_ADD,
                binary(g, OPERATOR_MUL, term_builtin(p, BUILTIN_THREAD_Y),
                       term_builtin(p, BUILTIN_BLOCK_SIZE_X)),
                id);
  step_set(p, &p->body, g->thread, id);
  Term *base =
      binary(g, OPERATOR_MUL, term_builtin(p, BUILTIN_BLOCK_X), block_size(g));
  step_set(p, &p->body, g->global,
           binary(g, OPERATOR_ADD, base, variable(g, g->thread)));
}

static Program *new_program(Arena *arena, Random *random, Shape shape) {
  Program *p = NEW(arena, Program);
  p->arena = arena;
  Generator g = {.p = p, .random = random, .shape = shape};
  g.scope.is_uniform = true;
  g.carelessness = random_chance(random, 30) ? 0 : 6 + random_below(random, 24);
  new_parameters(&g);
  new_arrays(&g);
  new_function(&g);
  new_putter(&g);
  name_threads(&g);
  renew_plans(&g, true);
  new_steps(&g, &p->body, 7 + below(&g, 7));
  while (random_chance(random, 2 * g.carelessness))
    mutate(p, random);
  return p;
}

Finding setting_run(const Program *program, const Setting *setting,
                    uint64_t seed) {
  Finding finding = {0};
  for (unsigned i = 0; i < setting->count; i++) {
    finding = reference_run(program, setting->shapes[i], seed + i, TRIALS);
    if (finding.kind != FINDING_NONE)
      break;
  }
  return finding;
}

// Masks the indices that turn out to need it.
static Finding make_valid(Program *program, const Setting *setting,
                          uint64_t seed) {
  Finding finding = {0};
  for (unsigned tries = 0; tries < 40; tries++) {
    finding = setting_run(program, setting, seed);
    if (!finding.outside || finding.outside->is_masked)
      break;
    finding.outside->is_masked = true;
  }
  return finding;
}

Program *generate(Arena *arena, uint64_t seed, unsigned index,
                  const Setting **setting, Finding *finding) {
  Random random = {seed * 1000003 + index};
  for (;;) {
    unsigned which =
        random_below(&random, sizeof settings / sizeof settings[0]);
    *setting = &settings[which];
    Program *program = new_program(arena, &random, (*setting)->shapes[0]);
    program->index = index;
    *finding = make_valid(program, *setting, seed);
    if (finding->kind != FINDING_INVALID)
      return program;
  }
}
