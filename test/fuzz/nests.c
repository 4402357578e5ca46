// Loops in loops, and values that come out of them.
//
// A nest is an outer loop that all threads of a block run equally often, and
// an inner one that they may leave in different iterations: its limit, or a
// break, a continue or a return in it, looks at the thread, at data or at what
// an earlier iteration left behind.  Counters and sums outlive their loops and
// become indices, conditions and limits of the next iteration.  Barriers stand
// at both ends of the outer body, in the inner loop if all threads run it
// alike, and behind; every now and then one is missing, most of all the last
// one, or depends on a value.  So about half of the nests are right.

#include "test/fuzz/fuzz.h"

typedef struct Nest {
  FuzzProgram *p;
  Random *random;
  Surroundings *around;
  FuzzArray *cells; // what all this is about, with a cell a thread
  FuzzArray *data;  // only read
  FuzzVariable *outer, *inner, *carried, *sum;
  bool is_inner_uniform;
} Nest;

static bool chance(Nest *n, unsigned percent) {
  return random_chance(n->random, percent);
}

static FuzzTerm *number(Nest *n, uint32_t value) {
  return term_number(n->p, value);
}

static FuzzTerm *of(Nest *n, FuzzVariable *v) { return term_variable(n->p, v); }

static FuzzTerm *thread(Nest *n) { return of(n, n->around->thread); }

static FuzzTerm *binary(Nest *n, Operator op, FuzzTerm *a, FuzzTerm *b) {
  return term_binary(n->p, op, a, b);
}

static FuzzTerm *low(Nest *n, FuzzTerm *a, uint32_t mask) {
  return binary(n, OPERATOR_AND, a, number(n, mask));
}

static FuzzTerm *load(Nest *n, FuzzArray *array, FuzzTerm *index) {
  FuzzPlace *place = place_in(n->p, array, array->type, index);
  place->is_handed = array->home == HOME_GLOBAL && chance(n, 20);
  return term_load(n->p, place);
}

static FuzzSteps *when(Nest *n, FuzzSteps *to, FuzzTerm *condition) {
  FuzzStep *step = step_new(n->p, to, STEP_IF);
  step->term = condition;
  return &step->body;
}

// ---------------------------------------------------------------- values ---

// In which threads of a block differ, or do not but it takes a proof.
static FuzzTerm *any_small(Nest *n) {
  switch (random_below(n->random, 6)) {
  case 0:
    return low(n, thread(n), 1 + 2 * random_below(n->random, 2));
  case 1:
    return low(n, load(n, n->data, thread(n)), 3);
  case 2:
    return low(n, load(n, n->data, number(n, 0)), 3);
  case 3:
    return low(n, of(n, n->carried), 3);
  case 4:
    return low(n, of(n, n->sum), 1);
  default:
    return number(n, 1 + random_below(n->random, 3));
  }
}

static FuzzTerm *uniform_small(Nest *n) {
  FuzzVariable *argument = n->around->argument;
  return chance(n, 50) ? number(n, 1 + random_below(n->random, 3))
                       : low(n, of(n, argument), 3);
}

static FuzzTerm *any_index(Nest *n) {
  switch (random_below(n->random, 7)) {
  case 0:
  case 1:
    return thread(n);
  case 2:
    return binary(n, OPERATOR_XOR, thread(n), number(n, 1));
  case 3:
    return of(n, n->inner);
  case 4:
    return binary(n, OPERATOR_ADD, of(n, n->inner), number(n, 1));
  case 5:
    return of(n, n->carried);
  default:
    return number(n, random_below(n->random, 2));
  }
}

// -------------------------------------------------------------- accesses ---

static void put_read(Nest *n, FuzzSteps *to) {
  step_set(
      n->p, to, n->sum,
      binary(n, OPERATOR_ADD, of(n, n->sum), load(n, n->cells, any_index(n))));
}

// By its own thread, or by one for all.
static void put_write(Nest *n, FuzzSteps *to) {
  FuzzTerm *index = thread(n);
  if (chance(n, 40)) {
    to = when(n, to, binary(n, OPERATOR_EQ, thread(n), number(n, 0)));
    index = any_index(n);
  }
  FuzzPlace *place = place_in(n->p, n->cells, n->cells->type, index);
  place->is_handed = n->cells->is_written_by_hand;
  step_store(n->p, to, place,
             chance(n, 50) ? of(n, n->sum) : low(n, thread(n), 1));
}

static void put_barrier(Nest *n, FuzzSteps *to, unsigned missing) {
  if (chance(n, missing))
    return;
  if (chance(n, 12))
    to = when(n, to,
              chance(n, 50) ? low(n, of(n, n->carried), 1) : uniform_small(n));
  step_barrier(n->p, to, STEP_BARRIER);
}

// ----------------------------------------------------------------- loops ---

static FuzzSteps *begin_loop(Nest *n, FuzzSteps *to, FuzzVariable *counter,
                             FuzzTerm *limit) {
  bool is_while = chance(n, 40);
  step_set(n->p, to, counter, number(n, 0));
  FuzzStep *loop = step_new(n->p, to, is_while ? STEP_WHILE : STEP_DO);
  loop->term = binary(n, OPERATOR_LT, of(n, counter), limit);
  return &loop->body;
}

static void count(Nest *n, FuzzSteps *to, FuzzVariable *counter) {
  step_set(n->p, to, counter,
           binary(n, OPERATOR_ADD, of(n, counter), number(n, 1)));
}

static void put_exit(Nest *n, FuzzSteps *to) {
  FuzzTerm *limit = n->is_inner_uniform ? uniform_small(n) : any_small(n);
  FuzzTerm *condition = binary(n, OPERATOR_EQ, of(n, n->inner), limit);
  FuzzSteps *then = when(n, to, condition);
  unsigned kind = random_below(n->random, 8);
  step_new(n->p, then,
           kind == 0   ? STEP_RETURN
           : kind <= 2 ? STEP_CONTINUE
                       : STEP_BREAK);
}

// Counts first, so that `continue` does not run for ever.
static void put_inner(Nest *n, FuzzSteps *to) {
  n->is_inner_uniform = chance(n, 40);
  FuzzTerm *limit = n->is_inner_uniform ? uniform_small(n) : any_small(n);
  FuzzSteps *body = begin_loop(n, to, n->inner, limit);
  count(n, body, n->inner);
  if (chance(n, 40))
    put_exit(n, body);
  if (chance(n, 70))
    put_read(n, body);
  if (chance(n, 60))
    count(n, body, n->carried);
  if (n->is_inner_uniform && chance(n, 30)) {
    put_barrier(n, body, 0);
    put_write(n, body);
    put_barrier(n, body, 20);
  }
}

static void put_carry(Nest *n, FuzzSteps *to) {
  if (chance(n, 50))
    return;
  FuzzVariable *from = chance(n, 60) ? n->inner : n->sum;
  step_set(n->p, to, n->carried, low(n, of(n, from), 7));
}

static void put_outer(Nest *n, FuzzSteps *to) {
  FuzzSteps *body = begin_loop(n, to, n->outer, uniform_small(n));
  count(n, body, n->outer);
  if (chance(n, 60))
    put_write(n, body);
  put_barrier(n, body, 10);
  put_inner(n, body);
  put_carry(n, body);
  put_barrier(n, body, 35);
}

static void put_behind(Nest *n, FuzzSteps *to) {
  if (chance(n, 60))
    put_write(n, to);
  else
    put_read(n, to);
  if (chance(n, 25)) {
    FuzzSteps *then = when(n, to, low(n, of(n, n->carried), 1));
    step_barrier(n->p, then, STEP_BARRIER);
  }
}

// ------------------------------------------------------------------ nest ---

static FuzzVariable *local(Nest *n) { return program_variable(n->p, TYPE_U32); }

void nest_append(Surroundings *around, FuzzSteps *to) {
  FuzzProgram *p = around->program;
  Random *random = around->random;
  Nest nest = {.p = p, .random = random, .around = around}, *n = &nest;
  Home home = random_chance(random, 70) ? HOME_SHARED : HOME_GLOBAL;
  n->cells = program_array(p, home, TYPE_U32, 64);
  n->cells->is_written_by_hand =
      home == HOME_GLOBAL && random_chance(random, 50);
  n->data = program_array(p, HOME_GLOBAL, TYPE_U32, 64);
  n->outer = local(n);
  n->inner = local(n);
  n->carried = local(n);
  n->sum = local(n);
  put_write(n, to);
  put_barrier(n, to, 5);
  put_outer(n, to);
  put_barrier(n, to, 30);
  put_behind(n, to);
  put_barrier(n, to, 5);
}
