// Executes a Valued, thread by thread, once.
//
// A thread runs until it has to wait, then another one that a random number
// chooses.  Two accesses to a byte race if none has happened before the other
// one: each thread has a clock of all threads, which barriers join (vector
// clocks).  Two writes of the same byte do not race.  Where values do not
// depend on the order of threads, which without a race they do not, one
// schedule shows all races.

#include "test/fuzz/valued.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

enum {
  MEMORY_BYTES = 16384,
  BARRIERS = 16,
  MOST_ACTS = 20000, // of a thread
};

static const uint64_t window = UINT64_C(0x7f3a) << 32; // of generic addresses

typedef struct Clock {
  uint32_t of[MOST_VALUED_THREADS];
} Clock;

typedef struct Registers {
  uint64_t of[SIZES][REGISTERS];
  bool predicates[PREDICATES];
} Registers;

typedef enum State { STATE_RUNS, STATE_WAITS, STATE_ENDED } State;

typedef struct Thread {
  State state;
  bool has_met; // at a barrier: waits for it to complete
  const Acts *code;
  size_t at, return_to;
  unsigned call;
  Registers kernel, callee;
  uint8_t cells[MOST_VALUED_CALLS][PLACES][PARAMETER_BYTES];
  Clock clock;
  unsigned acts;
} Thread;

typedef struct Record {
  unsigned thread;
  uint32_t time;
  bool is_write;
  uint8_t value;
} Record;

typedef struct Barrier {
  unsigned expected, arrived;
  bool has_arrived[MOST_VALUED_WARPS], waits[MOST_VALUED_WARPS];
  Clock clock;
} Barrier;

typedef struct Machine {
  Arena arena;
  Dice dice;
  const Valued *valued;
  unsigned threads;
  Thread thread[MOST_VALUED_THREADS];
  Barrier barriers[BARRIERS];
  uint64_t variables[VARIABLES];
  uint8_t memory[MEMORY_BYTES];
  Vec(Record) records[MEMORY_BYTES];
  uint32_t data[DATA_WORDS];
  uint64_t wide;
  uint32_t small;
  ValuedOutcome outcome;
  char *why;
} Machine;

PRINTF(3, 4)
static void fail(Machine *machine, ValuedOutcome outcome, const char *fmt,
                 ...) {
  va_list list;
  if (machine->outcome != OUTCOME_CLEAN)
    return;
  machine->outcome = outcome;
  va_start(list, fmt);
  vsnprintf(machine->why, 128, fmt, list);
  va_end(list);
}

// ----------------------------------------------------------------- values ---

static Registers *registers_of(const Machine *machine, Thread *thread) {
  return thread->code == &machine->valued->code ? &thread->kernel
                                                : &thread->callee;
}

static uint64_t read_slot(const Registers *registers, ValuedSlot slot) {
  assert(slot.number < REGISTERS);
  return registers->of[slot.size][slot.number];
}

static void write_slot(Registers *registers, ValuedSlot slot, uint64_t value) {
  assert(slot.number < REGISTERS);
  registers->of[slot.size][slot.number] =
      valued_cut(size_bits(slot.size), value);
}

static uint64_t source_value(const Registers *registers, const Source *source) {
  return source->is_literal ? source->number
                            : read_slot(registers, source->slot);
}

static void compare(Registers *registers, const Act *act) {
  bool is = valued_compare(act, source_value(registers, &act->from[0]),
                           source_value(registers, &act->from[1]));
  bool third = registers->predicates[act->number] != act->is_generic;
  bool results[] = {is, !is};
  for (unsigned i = 0; i < 2; i++)
    results[i] = act->joint == JOINT_AND   ? results[i] && third
                 : act->joint == JOINT_OR  ? results[i] || third
                 : act->joint == JOINT_XOR ? results[i] != third
                                           : results[i];
  registers->predicates[act->result] = results[0];
  if (act->other >= 0)
    registers->predicates[act->other] = results[1];
}

static void logic(Registers *registers, const Act *act) {
  bool *result = &registers->predicates[act->result];
  bool other =
      registers->predicates[act->other < 0 ? 0 : act->other] != act->is_generic;
  *result = act->joint == JOINT_NONE  ? !*result
            : act->joint == JOINT_AND ? *result && other
            : act->joint == JOINT_OR  ? *result || other
                                      : *result != other;
}

static void compute(Registers *registers, const Act *act) {
  uint64_t in[4];
  for (unsigned i = 0; i < 4; i++)
    in[i] = source_value(registers, &act->from[i]);
  write_slot(registers, act->to, valued_compute(act, in));
}

// To a register that may be wider than the result.
static void convert(Registers *registers, const Act *act) {
  uint64_t value = valued_extend(act->from_type, act->from_bits,
                                 source_value(registers, &act->from[0]));
  write_slot(registers, act->to, valued_extend(act->type, act->bits, value));
}

// --------------------------------------------------------------- accesses ---

static void record(Machine *machine, unsigned thread, uint64_t at,
                   bool is_write, uint8_t value) {
  const Clock *clock = &machine->thread[thread].clock;
  for (size_t i = 0; i < machine->records[at].count; i++) {
    const Record *old = &machine->records[at].at[i];
    bool is_ordered =
        old->thread == thread || clock->of[old->thread] >= old->time;
    bool conflicts =
        old->is_write != is_write || (is_write && old->value != value);
    if (!is_ordered && conflicts)
      fail(machine, OUTCOME_RACE,
           "threads %u and %u race at byte %u: %s and %s", old->thread, thread,
           (unsigned)at, old->is_write ? "write" : "read",
           is_write ? "write" : "read");
  }
  push(&machine->arena, &machine->records[at],
       ((Record){thread, clock->of[thread], is_write, value}));
}

static bool is_inside(const Machine *machine, uint64_t at, unsigned bytes) {
  for (unsigned i = 0; i < VARIABLES; i++)
    if (at >= machine->variables[i] &&
        at + bytes <= machine->variables[i] + VARIABLE_BYTES)
      return true;
  return false;
}

// Where the access is in shared memory; false: it is not there as it has to.
static bool locate(Machine *machine, const Registers *registers, const Act *act,
                   uint64_t *at) {
  unsigned bytes = act->width * act->bits / 8;
  *at = source_value(registers, &act->from[0]) + act->offset;
  if (act->from[0].slot.size == SIZE_32)
    *at = valued_cut(32, *at);
  if (act->is_generic)
    *at -= window;
  if (*at < MEMORY_BYTES && *at % bytes == 0 && is_inside(machine, *at, bytes))
    return true;
  fail(machine, OUTCOME_INVALID, "an access outside of shared memory");
  return false;
}

static void load(Machine *machine, unsigned thread, const Act *act) {
  Registers *registers = registers_of(machine, &machine->thread[thread]);
  uint64_t at, bytes = act->bits / 8;
  if (!locate(machine, registers, act, &at))
    return;
  for (unsigned i = 0; i < act->width; i++) {
    uint64_t value = 0;
    memcpy(&value, machine->memory + at + i * bytes, bytes);
    for (unsigned k = 0; k < bytes; k++)
      record(machine, thread, at + i * bytes + k, false, 0);
    write_slot(registers, (ValuedSlot){act->to.size, act->to.number + i},
               valued_extend(act->type, act->bits, value));
  }
}

static void store(Machine *machine, unsigned thread, const Act *act) {
  const Registers *registers = registers_of(machine, &machine->thread[thread]);
  uint64_t at, bytes = act->bits / 8;
  if (!locate(machine, registers, act, &at))
    return;
  for (unsigned i = 0; i < act->width; i++) {
    uint64_t value =
        read_slot(registers, (ValuedSlot){act->to.size, act->to.number + i});
    memcpy(machine->memory + at + i * bytes, &value, bytes);
    for (unsigned k = 0; k < bytes; k++)
      record(machine, thread, at + i * bytes + k, true,
             (uint8_t)(value >> 8 * k));
  }
}

// ------------------------------------------------------------------ calls ---

static uint8_t *cell(const Machine *machine, Thread *thread, const Act *act) {
  bool is_kernel = thread->code == &machine->valued->code;
  unsigned call = is_kernel ? act->number : thread->call;
  assert(act->offset + act->bits / 8 <= PARAMETER_BYTES);
  return thread->cells[call][act->place] + act->offset;
}

static void pass(const Machine *machine, Thread *thread, const Act *act) {
  Registers *registers = registers_of(machine, thread);
  uint8_t *at = cell(machine, thread, act);
  uint64_t value = 0;
  if (act->kind == ACT_PUT) {
    value = read_slot(registers, act->to);
    memcpy(at, &value, act->bits / 8);
    return;
  }
  memcpy(&value, at, act->bits / 8);
  write_slot(registers, act->to, valued_extend(act->type, act->bits, value));
}

static void call(const Machine *machine, Thread *thread, const Act *act) {
  thread->return_to = thread->at;
  thread->code = &machine->valued->callees[act->number];
  thread->call = act->place;
  thread->at = 0;
}

static void leave(const Machine *machine, Thread *thread) {
  if (thread->code == &machine->valued->code) {
    thread->state = STATE_ENDED;
    return;
  }
  thread->code = &machine->valued->code;
  thread->at = thread->return_to;
}

static void branch(Thread *thread, const Act *act) {
  for (size_t i = 0; i < thread->code->count; i++)
    if (thread->code->at[i].kind == ACT_LABEL &&
        thread->code->at[i].number == act->number)
      thread->at = i;
}

// ------------------------------------------------------------- one thread ---

static uint64_t special(const Machine *machine, unsigned thread,
                        unsigned which) {
  return which == 0 ? thread : which == 1 ? thread % LANES : machine->threads;
}

static bool waits_for_warp(const Act *act) {
  return act->kind == ACT_SYNC || act->kind == ACT_ARRIVE ||
         act->kind == ACT_WARP_SYNC || act->kind == ACT_SHUFFLE ||
         act->kind == ACT_VOTE;
}

static void take(Machine *machine, unsigned number, const Act *act) {
  Thread *thread = &machine->thread[number];
  Registers *registers = registers_of(machine, thread);
  switch (act->kind) {
  case ACT_COMPUTE:
    compute(registers, act);
    break;
  case ACT_CONVERT:
    convert(registers, act);
    break;
  case ACT_COMPARE:
    compare(registers, act);
    break;
  case ACT_SELECT:
    write_slot(
        registers, act->to,
        source_value(registers,
                     &act->from[registers->predicates[act->result] ? 0 : 1]));
    break;
  case ACT_LOGIC:
    logic(registers, act);
    break;
  case ACT_FLOAT:
    write_slot(registers, act->to, valued_float_bits(act->number));
    break;
  case ACT_SPECIAL:
    write_slot(registers, act->to, special(machine, number, act->number));
    break;
  case ACT_ADDRESS:
    write_slot(registers, act->to,
               machine->variables[act->number] +
                   (act->is_generic ? window : 0));
    break;
  case ACT_TO_SHARED:
    write_slot(registers, act->to,
               source_value(registers, &act->from[0]) - window);
    break;
  case ACT_ARGUMENT:
    write_slot(registers, act->to,
               act->number ? machine->small : machine->wide);
    break;
  case ACT_DATA: {
    uint64_t value = 0;
    memcpy(&value, (const uint8_t *)machine->data + act->offset, act->bits / 8);
    write_slot(registers, act->to, valued_extend(act->type, act->bits, value));
    break;
  }
  case ACT_LOAD:
    load(machine, number, act);
    break;
  case ACT_STORE:
    store(machine, number, act);
    break;
  case ACT_PUT:
  case ACT_GET:
    pass(machine, thread, act);
    break;
  case ACT_CALL:
    call(machine, thread, act);
    break;
  case ACT_BRANCH:
    branch(thread, act);
    break;
  case ACT_RETURN:
    leave(machine, thread);
    break;
  case ACT_LABEL:
    break;
  case ACT_SYNC:
  case ACT_ARRIVE:
  case ACT_WARP_SYNC:
  case ACT_SHUFFLE:
  case ACT_VOTE:
    assert(!"the warp does that together");
  }
}

// Up to where it waits.
static void run(Machine *machine, unsigned number) {
  Thread *thread = &machine->thread[number];
  while (thread->state == STATE_RUNS && machine->outcome == OUTCOME_CLEAN) {
    if (thread->at >= thread->code->count) {
      leave(machine, thread);
      continue;
    }
    const Act *act = &thread->code->at[thread->at];
    const Registers *registers = registers_of(machine, thread);
    if (++thread->acts > MOST_ACTS)
      fail(machine, OUTCOME_INVALID, "a thread does not end");
    if (waits_for_warp(act)) {
      thread->state = STATE_WAITS;
      continue;
    }
    thread->at++;
    if (act->guard < 0 ||
        registers->predicates[act->guard] != act->is_guard_negated)
      take(machine, number, act);
  }
}

// --------------------------------------------------------------- barriers ---

static void join(Clock *into, const Clock *from) {
  for (unsigned i = 0; i < MOST_VALUED_THREADS; i++)
    if (into->of[i] < from->of[i])
      into->of[i] = from->of[i];
}

static void go_on(Thread *thread) {
  thread->state = STATE_RUNS;
  thread->has_met = false;
  thread->at++;
}

// Lanes of the warp that have not ended, from `first` on.
static unsigned next_lane(const Machine *machine, unsigned warp,
                          unsigned from) {
  for (unsigned lane = from; lane < LANES; lane++)
    if (machine->thread[warp * LANES + lane].state != STATE_ENDED)
      return lane;
  return LANES;
}

#define FOR_LANES(machine, warp, thread)                                       \
  for (unsigned lane_ = next_lane(machine, warp, 0); lane_ < LANES;            \
       lane_ = next_lane(machine, warp, lane_ + 1))                            \
    for (Thread *thread = &(machine)->thread[(warp) * LANES + lane_]; thread;  \
         thread = NULL)

// What all lanes of a warp that have not ended stand at; NULL: at no one thing.
static const Act *standing_at(Machine *machine, unsigned warp) {
  const Act *act = NULL;
  FOR_LANES(machine, warp, thread) {
    if (thread->state != STATE_WAITS || thread->has_met)
      return NULL;
    const Act *own = &thread->code->at[thread->at];
    if (act && act != own)
      return NULL;
    act = own;
  }
  return act;
}

static void complete(Machine *machine, Barrier *barrier) {
  for (unsigned warp = 0; warp < machine->valued->warps; warp++) {
    if (!barrier->waits[warp])
      continue;
    FOR_LANES(machine, warp, thread) {
      join(&thread->clock, &barrier->clock);
      go_on(thread);
    }
  }
  *barrier = (Barrier){0};
}

static bool agrees(Machine *machine, unsigned warp, const Act *act,
                   unsigned which, uint64_t *value) {
  bool is_first = true, agrees = true;
  FOR_LANES(machine, warp, thread) {
    uint64_t own =
        source_value(registers_of(machine, thread), &act->from[which]);
    agrees &= is_first || own == *value;
    *value = own;
    is_first = false;
  }
  return agrees;
}

static void meet(Machine *machine, unsigned warp, const Act *act) {
  uint64_t name = 0, count = machine->threads;
  if (!agrees(machine, warp, act, 0, &name) ||
      (act->width > 1 && !agrees(machine, warp, act, 1, &count)) ||
      name >= BARRIERS || count % LANES || !count) {
    fail(machine, OUTCOME_MISUSE, "lanes at different barriers");
    return;
  }
  Barrier *barrier = &machine->barriers[name];
  if (barrier->arrived && barrier->expected != count)
    fail(machine, OUTCOME_MISUSE, "barrier %u with different counts",
         (unsigned)name);
  if (barrier->has_arrived[warp])
    fail(machine, OUTCOME_MISUSE, "a warp twice at barrier %u", (unsigned)name);
  barrier->expected = (unsigned)count;
  barrier->arrived += LANES;
  barrier->has_arrived[warp] = true;
  barrier->waits[warp] = act->kind == ACT_SYNC;
  FOR_LANES(machine, warp, thread) {
    join(&barrier->clock, &thread->clock);
    thread->clock.of[thread - machine->thread]++;
    thread->has_met = true;
    if (act->kind == ACT_ARRIVE)
      go_on(thread);
  }
  if (barrier->arrived > barrier->expected)
    fail(machine, OUTCOME_MISUSE, "too many at barrier %u", (unsigned)name);
  if (barrier->arrived == barrier->expected)
    complete(machine, barrier);
}

static void sync_lanes(Machine *machine, unsigned warp) {
  Clock all = {{0}};
  FOR_LANES(machine, warp, thread) {
    join(&all, &thread->clock);
    thread->clock.of[thread - machine->thread]++;
  }
  FOR_LANES(machine, warp, thread) {
    join(&thread->clock, &all);
    go_on(thread);
  }
}

static void vote(Machine *machine, unsigned warp, const Act *act) {
  uint64_t ballot = 0;
  FOR_LANES(machine, warp, thread) {
    const Registers *registers = registers_of(machine, thread);
    ballot |= (uint64_t)registers->predicates[act->result]
              << (thread - machine->thread) % LANES;
  }
  FOR_LANES(machine, warp, thread) {
    write_slot(registers_of(machine, thread), act->to, ballot);
    go_on(thread);
  }
}

// With a clamp of 0x1f all lanes are one segment, and each source is in it.
static void shuffle(Machine *machine, unsigned warp, const Act *act) {
  uint64_t values[LANES];
  for (unsigned lane = 0; lane < LANES; lane++)
    values[lane] = source_value(
        registers_of(machine, &machine->thread[warp * LANES + lane]),
        &act->from[0]);
  for (unsigned lane = 0; lane < LANES; lane++) {
    Thread *thread = &machine->thread[warp * LANES + lane];
    Registers *registers = registers_of(machine, thread);
    unsigned by = source_value(registers, &act->from[1]) & 31;
    write_slot(registers, act->to, values[act->is_index ? by : lane ^ by]);
    registers->predicates[act->result] = true;
    go_on(thread);
  }
}

// True: the warp moved.
static bool move_warp(Machine *machine, unsigned warp) {
  const Act *act = standing_at(machine, warp);
  if (!act)
    return false;
  bool is_whole = true;
  for (unsigned lane = 0; lane < LANES; lane++)
    is_whole &= machine->thread[warp * LANES + lane].state != STATE_ENDED;
  bool is_barrier = act->kind == ACT_SYNC || act->kind == ACT_ARRIVE;
  if (!is_whole && !is_barrier)
    fail(machine, OUTCOME_INVALID, "lanes that have ended are asked for");
  else if (is_barrier)
    meet(machine, warp, act);
  else if (act->kind == ACT_WARP_SYNC)
    sync_lanes(machine, warp);
  else if (act->kind == ACT_VOTE)
    vote(machine, warp, act);
  else
    shuffle(machine, warp, act);
  return true;
}

// --------------------------------------------------------------- a launch ---

static void lay_out(Machine *machine) {
  uint64_t at = 1024 * dice_below(&machine->dice, 3);
  unsigned first = dice_below(&machine->dice, VARIABLES);
  bool is_down = dice_chance(&machine->dice, 50);
  for (unsigned i = 0; i < VARIABLES; i++) {
    unsigned number = (first + (is_down ? VARIABLES - i : i)) % VARIABLES;
    at += 16 * dice_below(&machine->dice, 3);
    machine->variables[number] = at;
    at += VARIABLE_BYTES;
  }
}

static uint64_t random_wide(Dice *dice) {
  return (uint64_t)dice_next(dice) << 32 | dice_next(dice);
}

static void fill(Machine *machine) {
  Dice *dice = &machine->dice;
  for (unsigned i = 0; i < MEMORY_BYTES; i++)
    machine->memory[i] = (uint8_t)dice_next(dice);
  for (unsigned i = 0; i < DATA_WORDS; i++)
    machine->data[i] =
        dice_chance(dice, 50) ? dice_below(dice, 64) : dice_next(dice);
  machine->wide =
      dice_chance(dice, 75) ? 8 * dice_below(dice, 8) : random_wide(dice);
  machine->small =
      dice_chance(dice, 75) ? dice_below(dice, 8) : dice_next(dice);
}

static void set_up_thread(Machine *machine, Thread *thread, unsigned number) {
  thread->code = &machine->valued->code;
  thread->clock.of[number] = 1;
  for (unsigned size = 0; size < SIZES; size++)
    for (unsigned i = 0; i < REGISTERS; i++) {
      ValuedSlot slot = {(Size)size, i};
      write_slot(&thread->kernel, slot, random_wide(&machine->dice));
      write_slot(&thread->callee, slot, random_wide(&machine->dice));
    }
  for (unsigned i = 0; i < PREDICATES; i++)
    thread->kernel.predicates[i] = thread->callee.predicates[i] =
        dice_chance(&machine->dice, 50);
  for (unsigned call = 0; call < MOST_VALUED_CALLS; call++)
    for (unsigned i = 0; i < PLACES * PARAMETER_BYTES; i++)
      thread->cells[call][i / PARAMETER_BYTES][i % PARAMETER_BYTES] =
          (uint8_t)dice_next(&machine->dice);
}

static bool run_all(Machine *machine) {
  bool moved = false;
  unsigned first = dice_below(&machine->dice, machine->threads);
  unsigned step = dice_chance(&machine->dice, 50) ? 1 : machine->threads - 1;
  for (unsigned i = 0; i < machine->threads; i++) {
    unsigned number = (first + i * step) % machine->threads;
    moved |= machine->thread[number].state == STATE_RUNS;
    run(machine, number);
  }
  first = dice_below(&machine->dice, machine->valued->warps);
  for (unsigned i = 0; i < machine->valued->warps; i++)
    if (machine->outcome == OUTCOME_CLEAN)
      moved |= move_warp(machine, (first + i) % machine->valued->warps);
  return moved && machine->outcome == OUTCOME_CLEAN;
}

static bool have_all_ended(const Machine *machine) {
  for (unsigned i = 0; i < machine->threads; i++)
    if (machine->thread[i].state != STATE_ENDED)
      return false;
  return true;
}

ValuedOutcome valued_execute(const Valued *valued, uint64_t seed,
                             char why[128]) {
  Arena arena = {0};
  Machine *machine = NEW(&arena, Machine);
  machine->valued = valued;
  machine->threads = valued->warps * LANES;
  machine->dice.state = seed;
  machine->why = why;
  lay_out(machine);
  fill(machine);
  for (unsigned i = 0; i < machine->threads; i++)
    set_up_thread(machine, &machine->thread[i], i);
  while (run_all(machine))
    ;
  if (!have_all_ended(machine))
    fail(machine, OUTCOME_STUCK, "threads wait for ever");
  ValuedOutcome outcome = machine->outcome;
  arena_free(&machine->arena);
  arena_free(&arena);
  return outcome;
}
