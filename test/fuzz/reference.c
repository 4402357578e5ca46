// What really happens: every thread of a small launch, every byte it touches.
//
// Slow and simple on purpose.  Threads are fibers (ucontext) that run one
// after the other until their next barrier; blocks run one after the other.
// That is one of the schedules a GPU may choose, so whatever is found here is
// real.  Every access leaves a mark at each of its bytes and is compared with
// the marks that are there already:
//
//   two accesses race if they touch the same byte, come from different
//   threads, one at least writes, not both are atomic, and no barrier orders
//   them: they are in the same barrier interval of one block, or in different
//   blocks.  Two plain writes of the same value to the same bytes are benign.
//
//   barriers diverge if a thread has ended while others of its block wait, or
//   if they wait at different barriers, where a barrier in a procedure is
//   another one for each call.
//
// A warp barrier orders the threads of a warp, and here a block is never
// larger than a warp, so it ends the interval as a block's does; but it does
// not wait for who has ended, and threads may meet at different ones.
//
// Contents of memory and scalar arguments are random, another set each trial.

#define _XOPEN_SOURCE 700

#include "test/fuzz/fuzz.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { MAX_THREADS = 32, STACK_BYTES = 1 << 17, FUEL = 4000 };

typedef enum AccessKind { ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC } AccessKind;

// One access of at most eight bytes; vectors are made of several.
typedef struct Mark {
  AccessKind kind;
  unsigned block, thread, interval;
  unsigned offset, bytes;
  uint64_t value; // WRITE
} Mark;

typedef struct Link {
  const Mark *mark;
  struct Link *next;
} Link;

typedef struct Address {
  const FuzzArray *array;
  int64_t offset; // bytes
} Address;

typedef enum State { STATE_RUNS, STATE_WAITS, STATE_ENDED } State;

typedef struct Thread {
  ucontext_t context;
  unsigned number; // in its block
  State state;
  const FuzzStep *barrier; // where it waits ...
  const FuzzStep *call;    // ... in which call of a procedure, or NULL
  bool vote;
  unsigned fuel;
  uint32_t *variables;
  Address *pointers;
  uint8_t **privates; // by number of array
} Thread;

typedef struct Machine {
  Arena arena;
  const FuzzProgram *program;
  Shape shape;
  Random random;
  FuzzFinding finding;
  unsigned block, interval;
  uint8_t **memory; // by number of array
  Link ***links;    // by number of array, then by byte
  uint32_t *arguments;
  Thread threads[MAX_THREADS];
  Thread *now;
  ucontext_t scheduler;
} Machine;

typedef enum Flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN } Flow;

static _Alignas(16) char stacks[MAX_THREADS][STACK_BYTES];
static Machine *running; // a fiber is started without arguments

// ---------------------------------------------------------------- finding ---

static void leave_fiber(Machine *m) {
  swapcontext(&m->now->context, &m->scheduler);
}

static void find(Machine *m, FuzzFindingKind kind, const char *fmt, ...)
    PRINTF(3, 4);

static void find(Machine *m, FuzzFindingKind kind, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  vsnprintf(m->finding.text, sizeof m->finding.text, fmt, args);
  va_end(args);
  m->finding.kind = kind;
}

// Ends the run from within a fiber; nobody returns to it.
static void invalid(Machine *m, const char *why) {
  find(m, FINDING_INVALID, "%s", why);
  leave_fiber(m);
}

static void burn(Machine *m) {
  if (m->now->fuel-- == 0)
    invalid(m, "runs for too long");
}

// --------------------------------------------------------------- accesses ---

static bool is_same_thread(const Mark *a, const Mark *b) {
  return a->block == b->block && a->thread == b->thread;
}

static bool is_ordered(const Mark *a, const Mark *b) {
  return a->block == b->block && a->interval != b->interval;
}

static bool is_same_write(const Mark *a, const Mark *b) {
  return a->kind == ACCESS_WRITE && b->kind == ACCESS_WRITE &&
         a->offset == b->offset && a->bytes == b->bytes && a->value == b->value;
}

static bool is_race(const Mark *a, const Mark *b) {
  if (is_same_thread(a, b) || is_ordered(a, b))
    return false;
  if (a->kind == b->kind && a->kind != ACCESS_WRITE)
    return false;
  return !is_same_write(a, b);
}

static bool is_repeated(const Mark *a, const Mark *b) {
  return is_same_thread(a, b) && a->interval == b->interval &&
         a->kind == b->kind && a->offset == b->offset && a->bytes == b->bytes &&
         a->value == b->value;
}

static const char *kind_text(AccessKind kind) {
  static const char *const texts[] = {[ACCESS_READ] = "reads",
                                      [ACCESS_WRITE] = "writes",
                                      [ACCESS_ATOMIC] = "updates"};
  return texts[kind];
}

static void find_race(Machine *m, const FuzzArray *array, const Mark *a,
                      const Mark *b) {
  find(m, FINDING_RACE,
       "array %u: block %u thread %u %s %u..%u, block %u thread %u %s %u..%u",
       array->number, a->block, a->thread, kind_text(a->kind), a->offset,
       a->offset + a->bytes - 1, b->block, b->thread, kind_text(b->kind),
       b->offset, b->offset + b->bytes - 1);
  leave_fiber(m);
}

static void compare_and_link(Machine *m, const FuzzArray *array,
                             const Mark *mark) {
  for (unsigned i = 0; i < mark->bytes; i++) {
    Link **head = &m->links[array->number][mark->offset + i];
    for (const Link *link = *head; link; link = link->next)
      if (is_race(link->mark, mark))
        find_race(m, array, link->mark, mark);
    Link *link = NEW(&m->arena, Link);
    *link = (Link){mark, *head};
    *head = link;
  }
}

static void record(Machine *m, AccessKind kind, Address at, unsigned bytes,
                   uint64_t value) {
  if (at.array->home == HOME_PRIVATE)
    return;
  unsigned offset = (unsigned)at.offset;
  Mark mark = {kind,   m->block, m->now->number, m->interval,
               offset, bytes,    value};
  for (Link *l = m->links[at.array->number][offset]; l; l = l->next)
    if (is_repeated(l->mark, &mark))
      return;
  Mark *kept = NEW(&m->arena, Mark);
  *kept = mark;
  compare_and_link(m, at.array, kept);
}

static uint8_t *cell(Machine *m, Address at) {
  unsigned number = at.array->number;
  uint8_t *base = at.array->home == HOME_PRIVATE ? m->now->privates[number]
                                                 : m->memory[number];
  return base + at.offset;
}

// Components of a vector are accesses of their own.
static unsigned piece_bytes(FuzzType type) {
  return type == TYPE_PAIR || type == TYPE_QUAD ? 4 : type_bytes(type);
}

static uint64_t read_piece(Machine *m, Address at, unsigned bytes) {
  record(m, ACCESS_READ, at, bytes, 0);
  uint64_t value = 0;
  memcpy(&value, cell(m, at), bytes);
  return value;
}

static void write_piece(Machine *m, Address at, unsigned bytes,
                        uint64_t value) {
  value &= bytes == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * bytes) - 1;
  record(m, ACCESS_WRITE, at, bytes, value);
  memcpy(cell(m, at), &value, bytes);
}

static uint32_t load(Machine *m, Address at, FuzzType type) {
  uint32_t sum = 0;
  unsigned bytes = piece_bytes(type);
  for (unsigned done = 0; done < type_bytes(type); done += bytes) {
    sum += type_wrap(type, (uint32_t)read_piece(m, at, bytes));
    at.offset += bytes;
  }
  return sum;
}

// ------------------------------------------------------------------ terms ---

static bool is_int(int64_t value) {
  return value >= INT32_MIN && value <= INT32_MAX;
}

static uint32_t evaluate(Machine *m, const FuzzTerm *term);

static uint32_t apply(Machine *m, Operator op, uint32_t a, uint32_t b) {
  switch (op) {
#define OPERATOR(name, before, between, behind, question, undefined, value)    \
  case OPERATOR_##name:                                                        \
    if (undefined)                                                             \
      invalid(m, "undefined: " #name);                                         \
    return value;
#include "test/fuzz/operators.def"
#undef OPERATOR
  case OPERATORS:
    break;
  }
  assert(false);
  return 0;
}

static uint32_t evaluate_binary(Machine *m, const FuzzTerm *term) {
  uint32_t a = evaluate(m, term->args[0]);
  if (term->op == OPERATOR_BOTH && !a)
    return 0;
  if (term->op == OPERATOR_EITHER && a)
    return 1;
  return apply(m, term->op, a, evaluate(m, term->args[1]));
}

static uint32_t evaluate_builtin(Machine *m, FuzzBuiltin builtin) {
  switch (builtin) {
  case BUILTIN_THREAD_X:
    return m->now->number % m->shape.block_x;
  case BUILTIN_THREAD_Y:
    return m->now->number / m->shape.block_x;
  case BUILTIN_BLOCK_X:
    return m->block;
  case BUILTIN_BLOCK_SIZE_X:
    return m->shape.block_x;
  case BUILTIN_BLOCK_SIZE_Y:
    return m->shape.block_y;
  case BUILTIN_GRID_SIZE_X:
    return m->shape.grid_x;
  }
  return 0;
}

static void set_variable(Machine *m, const FuzzVariable *variable,
                         uint32_t value) {
  m->now->variables[variable->number] = type_wrap(variable->type, value);
}

static void bind(Machine *m, const FuzzProcedure *procedure,
                 FuzzTerm *const *args) {
  uint32_t values[2] = {0};
  for (size_t i = 0; i < procedure->parameters.count; i++)
    values[i] = evaluate(m, args[i]);
  for (size_t i = 0; i < procedure->parameters.count; i++)
    set_variable(m, procedure->parameters.at[i], values[i]);
}

static int64_t cast_index(FuzzType type, uint32_t index) {
  return type == TYPE_S32 ? (int32_t)index : (int64_t)type_wrap(type, index);
}

static int64_t mask_index(const FuzzPlace *place, int64_t index) {
  unsigned count =
      place->array ? place->array->bytes / type_bytes(place->type) : 2;
  return index & (count - 1);
}

// Where a place is; whether it may be accessed is asked later.
static Address locate(Machine *m, const FuzzPlace *place) {
  int64_t index = evaluate(m, place->index);
  if (place->is_masked)
    index = mask_index(place, index);
  else
    index = cast_index(place->index_type, (uint32_t)index);
  Address at = {place->array, 0};
  if (place->pointer)
    at = m->now->pointers[place->pointer->number];
  at.offset += index * type_bytes(place->type);
  return at;
}

static void check(Machine *m, const FuzzPlace *place, Address at) {
  unsigned bytes = type_bytes(place->type);
  if (!at.array)
    invalid(m, "null pointer");
  if (at.offset % bytes)
    invalid(m, "not aligned");
  if (at.offset >= 0 && at.offset + bytes <= at.array->bytes)
    return;
  m->finding.outside = (FuzzPlace *)place;
  invalid(m, "out of bounds");
}

static Address accessible(Machine *m, const FuzzPlace *place) {
  Address at = locate(m, place);
  check(m, place, at);
  return at;
}

static uint32_t evaluate(Machine *m, const FuzzTerm *term) {
  switch (term->kind) {
  case TERM_NUMBER:
    return term->number;
  case TERM_BUILTIN:
    return evaluate_builtin(m, term->builtin);
  case TERM_VARIABLE:
    return m->now->variables[term->variable->number];
  case TERM_CAST:
    return type_wrap(term->type, evaluate(m, term->args[0]));
  case TERM_BINARY:
    return evaluate_binary(m, term);
  case TERM_SELECT:
    return evaluate(m, term->args[evaluate(m, term->args[0]) ? 1 : 2]);
  case TERM_LOAD:
    return load(m, accessible(m, term->place), term->place->type);
  case TERM_CALL:
    bind(m, term->procedure, term->args);
    return evaluate(m, term->procedure->result);
  }
  return 0;
}

// ------------------------------------------------------------------ steps ---

static Flow run_steps(Machine *m, const FuzzSteps *steps);

static void run_store(Machine *m, const FuzzStep *step) {
  Address at = accessible(m, step->place);
  FuzzType type = step->place->type;
  bool is_vector = type == TYPE_PAIR || type == TYPE_QUAD;
  uint32_t values[2] = {evaluate(m, step->term),
                        is_vector ? evaluate(m, step->more) : 0};
  unsigned bytes = piece_bytes(type);
  for (unsigned piece = 0; piece * bytes < type_bytes(type); piece++) {
    write_piece(m, at, bytes, values[piece % 2]);
    at.offset += bytes;
  }
}

static void run_update(Machine *m, const FuzzStep *step) {
  uint32_t value = evaluate(m, step->term);
  Address at = accessible(m, step->place);
  uint32_t old = load(m, at, step->place->type);
  write_piece(m, at, type_bytes(step->place->type),
              apply(m, step->op, old, value));
}

static uint32_t combine(AtomicKind kind, uint32_t old, uint32_t value) {
  switch (kind) {
  case ATOMIC_ADD:
    return old + value;
  case ATOMIC_MAX:
    return old > value ? old : value;
  case ATOMIC_EXCHANGE:
    return value;
  }
  return 0;
}

static void run_atomic(Machine *m, const FuzzStep *step) {
  uint32_t value = evaluate(m, step->term);
  Address at = accessible(m, step->place);
  assert(type_bytes(step->place->type) == 4);
  record(m, ACCESS_ATOMIC, at, 4, 0);
  uint32_t old;
  memcpy(&old, cell(m, at), 4);
  value = combine(step->atomic, old, value);
  memcpy(cell(m, at), &value, 4);
  if (step->variable)
    set_variable(m, step->variable, old);
}

static void run_point(Machine *m, const FuzzStep *step) {
  const FuzzPlace *place = step->place;
  if (step->more_place && !evaluate(m, step->term))
    place = step->more_place;
  m->now->pointers[step->pointer->number] = locate(m, place);
}

static Flow run_for(Machine *m, const FuzzStep *step) {
  set_variable(m, step->variable, evaluate(m, step->start));
  while (evaluate(m, step->term)) {
    burn(m);
    Flow flow = run_steps(m, &step->body);
    if (flow == FLOW_BREAK)
      break;
    if (flow == FLOW_RETURN)
      return flow;
    set_variable(m, step->variable, evaluate(m, step->next));
  }
  return FLOW_NEXT;
}

static Flow run_while(Machine *m, const FuzzStep *step) {
  bool is_first = step->kind == STEP_DO;
  while (is_first || evaluate(m, step->term)) {
    is_first = false;
    burn(m);
    Flow flow = run_steps(m, &step->body);
    if (flow == FLOW_BREAK)
      break;
    if (flow == FLOW_RETURN)
      return flow;
  }
  return FLOW_NEXT;
}

static size_t find_case(const FuzzSteps *cases, uint32_t label) {
  size_t found = cases->count;
  for (size_t i = 0; i < cases->count; i++) {
    if (!cases->at[i]->is_default && cases->at[i]->label == label)
      return i;
    if (cases->at[i]->is_default)
      found = i;
  }
  return found;
}

static Flow run_switch(Machine *m, const FuzzStep *step) {
  size_t i = find_case(&step->body, evaluate(m, step->term));
  for (; i < step->body.count; i++) {
    Flow flow = run_steps(m, &step->body.at[i]->body);
    if (flow == FLOW_BREAK)
      break;
    if (flow != FLOW_NEXT)
      return flow;
    if (!step->body.at[i]->falls_through)
      break;
  }
  return FLOW_NEXT;
}

static void run_barrier(Machine *m, const FuzzStep *step) {
  m->now->vote = step->kind == STEP_VOTE && evaluate(m, step->term);
  m->now->barrier = step;
  m->now->state = STATE_WAITS;
  leave_fiber(m);
}

static void run_call(Machine *m, const FuzzStep *step) {
  bind(m, step->procedure, step->args);
  if (step->place)
    m->now->pointers[step->procedure->pointer->number] = locate(m, step->place);
  m->now->call = step;
  run_steps(m, &step->procedure->body);
  m->now->call = NULL;
}

static Flow run_step(Machine *m, const FuzzStep *step) {
  burn(m);
  switch (step->kind) {
  case STEP_SET:
    set_variable(m, step->variable, evaluate(m, step->term));
    return FLOW_NEXT;
  case STEP_STORE:
    run_store(m, step);
    return FLOW_NEXT;
  case STEP_UPDATE:
    run_update(m, step);
    return FLOW_NEXT;
  case STEP_ATOMIC:
    run_atomic(m, step);
    return FLOW_NEXT;
  case STEP_POINT:
    run_point(m, step);
    return FLOW_NEXT;
  case STEP_ADVANCE:
    m->now->pointers[step->pointer->number].offset +=
        (int64_t)evaluate(m, step->term) * type_bytes(step->pointer->type);
    return FLOW_NEXT;
  case STEP_IF:
    return run_steps(m, evaluate(m, step->term) ? &step->body : &step->other);
  case STEP_FOR:
    return run_for(m, step);
  case STEP_WHILE:
  case STEP_DO:
    return run_while(m, step);
  case STEP_SWITCH:
    return run_switch(m, step);
  case STEP_CASE:
    break; // run_switch alone runs them
  case STEP_BREAK:
    return FLOW_BREAK;
  case STEP_CONTINUE:
    return FLOW_CONTINUE;
  case STEP_RETURN:
    return FLOW_RETURN;
  case STEP_BARRIER:
  case STEP_VOTE:
  case STEP_WARP_BARRIER:
    run_barrier(m, step);
    return FLOW_NEXT;
  case STEP_CALL:
    run_call(m, step);
    return FLOW_NEXT;
  }
  assert(false);
  return FLOW_NEXT;
}

static Flow run_steps(Machine *m, const FuzzSteps *steps) {
  for (size_t i = 0; i < steps->count; i++) {
    Flow flow = run_step(m, steps->at[i]);
    if (flow != FLOW_NEXT)
      return flow;
  }
  return FLOW_NEXT;
}

// -------------------------------------------------------------- schedules ---

static void fiber(void) {
  Machine *m = running;
  run_steps(m, &m->program->body);
  m->now->state = STATE_ENDED;
  leave_fiber(m);
}

static void start_thread(Machine *m, unsigned number) {
  Thread *t = &m->threads[number];
  const FuzzProgram *p = m->program;
  *t = (Thread){.number = number, .fuel = FUEL};
  t->variables = arena_alloc(&m->arena, p->variables.count * sizeof(uint32_t));
  memcpy(t->variables, m->arguments, p->variables.count * sizeof(uint32_t));
  t->pointers = arena_alloc(&m->arena, p->pointers.count * sizeof(Address));
  t->privates = arena_alloc(&m->arena, p->arrays.count * sizeof(uint8_t *));
  for (size_t i = 0; i < p->arrays.count; i++)
    if (p->arrays.at[i]->home == HOME_PRIVATE)
      t->privates[i] = arena_alloc(&m->arena, p->arrays.at[i]->bytes);
  getcontext(&t->context);
  t->context.uc_stack.ss_sp = stacks[number];
  t->context.uc_stack.ss_size = STACK_BYTES;
  makecontext(&t->context, fiber, 0);
}

static void resume(Machine *m, Thread *thread) {
  running = m;
  m->now = thread;
  swapcontext(&m->scheduler, &thread->context);
}

static unsigned threads_of(const Machine *m) {
  return m->shape.block_x * m->shape.block_y;
}

static void shuffle(Random *random, unsigned *order, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    order[i] = i;
  for (unsigned i = count; i > 1; i--) {
    unsigned j = random_below(random, i), kept = order[i - 1];
    order[i - 1] = order[j];
    order[j] = kept;
  }
}

// Everyone runs until the next barrier.  False: there is a finding.
static bool run_interval(Machine *m) {
  unsigned order[MAX_THREADS], count = threads_of(m);
  shuffle(&m->random, order, count);
  for (unsigned i = 0; i < count; i++) {
    if (m->threads[order[i]].state == STATE_RUNS)
      resume(m, &m->threads[order[i]]);
    if (m->finding.kind != FINDING_NONE)
      return false;
  }
  return true;
}

static bool is_warp_barrier(const Thread *thread) {
  return thread->barrier->kind == STEP_WARP_BARRIER;
}

// May two threads of a block be where they are, both having stopped?
static bool can_meet(const Thread *a, const Thread *b) {
  if (a->state == STATE_ENDED && b->state == STATE_ENDED)
    return true;
  if (a->state == STATE_ENDED)
    return is_warp_barrier(b);
  if (b->state == STATE_ENDED || (is_warp_barrier(a) && is_warp_barrier(b)))
    return is_warp_barrier(a);
  return a->barrier == b->barrier && a->call == b->call;
}

static void find_divergence(Machine *m) {
  for (unsigned i = 1; i < threads_of(m); i++)
    if (!can_meet(&m->threads[0], &m->threads[i])) {
      const Thread *a = &m->threads[0], *b = &m->threads[i];
      find(m, FINDING_DIVERGENCE,
           "block %u: thread 0 at barrier %u, thread %u at barrier %u (0: "
           "ended)",
           m->block, a->state == STATE_WAITS ? a->barrier->number : 0, i,
           b->state == STATE_WAITS ? b->barrier->number : 0);
    }
}

// Lets everyone pass.  False: all have ended.
static bool open_barrier(Machine *m) {
  bool any = false, vote = false;
  for (unsigned i = 0; i < threads_of(m); i++)
    vote |= m->threads[i].vote;
  for (unsigned i = 0; i < threads_of(m); i++) {
    Thread *thread = &m->threads[i];
    if (thread->state != STATE_WAITS)
      continue;
    any = true;
    thread->state = STATE_RUNS;
    if (thread->barrier->kind == STEP_VOTE)
      thread->variables[thread->barrier->variable->number] = vote;
  }
  m->interval++;
  return any;
}

static uint8_t random_byte(Random *random, unsigned style) {
  switch (style) {
  case 0:
    return 0;
  case 1:
    return (uint8_t)random_below(random, 3);
  default:
    return (uint8_t)random_next(random);
  }
}

// Zeros, small numbers and anything: races hide behind each of them.
static void fill(Machine *m, const FuzzArray *array) {
  unsigned style = random_below(&m->random, 4);
  for (unsigned i = 0; i < array->bytes; i++) {
    uint8_t byte = random_byte(&m->random, style == 3 && i % 4 ? 0 : style);
    m->memory[array->number][i] = byte;
  }
}

static void new_memory(Machine *m, Home home) {
  for (size_t i = 0; i < m->program->arrays.count; i++) {
    const FuzzArray *array = m->program->arrays.at[i];
    if (array->home != home)
      continue;
    m->memory[i] = arena_alloc(&m->arena, array->bytes);
    m->links[i] = arena_alloc(&m->arena, array->bytes * sizeof(Link *));
    fill(m, array);
  }
}

static uint32_t random_argument(Random *random) {
  switch (random_below(random, 4)) {
  case 0:
    return random_below(random, 4);
  case 1:
    return random_below(random, 20);
  case 2:
    return UINT32_MAX - random_below(random, 4);
  default:
    return random_next(random);
  }
}

static void new_arguments(Machine *m) {
  const Variables *all = &m->program->variables;
  m->arguments = arena_alloc(&m->arena, all->count * sizeof(uint32_t));
  for (size_t i = 0; i < all->count; i++)
    if (all->at[i]->is_parameter)
      m->arguments[i] =
          type_wrap(all->at[i]->type, random_argument(&m->random));
}

static void run_block(Machine *m) {
  new_memory(m, HOME_SHARED);
  for (unsigned i = 0; i < threads_of(m); i++)
    start_thread(m, i);
  do {
    if (!run_interval(m))
      return;
    find_divergence(m);
  } while (m->finding.kind == FINDING_NONE && open_barrier(m));
}

static void run_grid(Machine *m) {
  size_t count = m->program->arrays.count;
  m->memory = arena_alloc(&m->arena, count * sizeof *m->memory);
  m->links = arena_alloc(&m->arena, count * sizeof *m->links);
  new_memory(m, HOME_GLOBAL);
  new_arguments(m);
  unsigned order[MAX_THREADS];
  shuffle(&m->random, order, m->shape.grid_x);
  for (unsigned i = 0; i < m->shape.grid_x; i++) {
    m->block = order[i];
    if (m->finding.kind == FINDING_NONE)
      run_block(m);
  }
}

FuzzFinding reference_run(const FuzzProgram *program, Shape shape,
                          uint64_t seed, unsigned trials) {
  Machine m = {.program = program, .shape = shape, .random = {seed}};
  assert(threads_of(&m) <= MAX_THREADS && shape.grid_x <= MAX_THREADS);
  for (unsigned i = 0; i < trials && m.finding.kind == FINDING_NONE; i++) {
    run_grid(&m);
    arena_free(&m.arena);
    m.arena = (Arena){0};
  }
  return m.finding;
}
