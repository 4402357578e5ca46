// Small random programs, half of them right.
//
// A program begins as a plan: a sequence of barrier generations, each with its
// warps, all of which meet it in this order, and accesses in between.  So it
// does not deadlock in one schedule, and is often well-synchronised.  Then
// half of the programs get mistakes: a command is lost, exchanged with the
// next one, or changed.

#include "test/fuzz/interleave.h"

#include <assert.h>

enum { MOST_NAMES = 3, SHARED_PLACES = 5 };

typedef struct Random {
  uint64_t state;
} Random;

typedef struct Plan {
  Arena *arena;
  Random random;
  Programs *programs;
  unsigned warps;
  unsigned slots;    // words that all use
  unsigned accesses; // still allowed: states multiply
  bool shares_places;
  bool is_tidy; // warps mostly keep to words of their own
  uint32_t live[MOST_WARPS];
} Plan;

static uint64_t next(Random *random) {
  uint64_t z = random->state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

static unsigned below(Plan *plan, unsigned limit) {
  return (unsigned)(next(&plan->random) % limit);
}

static bool chance(Plan *plan, unsigned percent) {
  return below(plan, 100) < percent;
}

// Mostly a place of its own; else one for the kind and some more.
static uint32_t new_place(Plan *plan, const Command *command) {
  Programs *programs = plan->programs;
  Place place = {.text = "", .ptx = {"random", 1 + below(plan, 30), 1}};
  if (plan->shares_places)
    return command->kind * SHARED_PLACES + below(plan, SHARED_PLACES);
  push(plan->arena, &programs->places, place);
  return (uint32_t)programs->places.count - 1;
}

static void append(Plan *plan, unsigned warp, Command command) {
  command.place = new_place(plan, &command);
  push(plan->arena, &plan->programs->warps[warp], command);
}

// -------------------------------------------------------------- accesses ---

static uint32_t some_lanes(Plan *plan, unsigned warp) {
  uint32_t lanes = plan->live[warp] & (1 + below(plan, 3));
  return lanes ? lanes : plan->live[warp] & 3;
}

static CommandKind some_access(Plan *plan) {
  unsigned kind = below(plan, 100);
  return kind < 45 ? COMMAND_READ : kind < 85 ? COMMAND_WRITE : COMMAND_ATOMIC;
}

static uint32_t some_address(Plan *plan, unsigned warp, unsigned bytes) {
  uint32_t slot = below(plan, plan->slots);
  uint32_t base = plan->is_tidy && !chance(plan, 15) ? 256 * (warp + 1) : 0;
  uint32_t shift = chance(plan, 25) ? below(plan, 8) : 0;
  return base + slot * 8 + (bytes < 8 ? shift : 0);
}

static void scatter(Plan *plan, unsigned warp, Command *command) {
  Programs *programs = plan->programs;
  command->is_scattered = true;
  command->address = (uint32_t)programs->addresses.count;
  for (unsigned lane = 0; lane < WARP; lane++)
    push(plan->arena, &programs->addresses,
         some_address(plan, warp, command->bytes));
}

static void add_access(Plan *plan, unsigned warp) {
  static const uint8_t widths[] = {1, 2, 4, 4, 4, 4, 8, 16};
  static const int32_t strides[] = {0, 0, 4, 4, 4, 8, 2, 1};
  uint32_t lanes = some_lanes(plan, warp);
  unsigned used = (unsigned)__builtin_popcount(lanes);
  if (!lanes || used > plan->accesses)
    return;
  plan->accesses -= used;
  Command command = {.kind = some_access(plan),
                     .bytes = widths[below(plan, 8)],
                     .lanes = lanes,
                     .same_value = chance(plan, 50)};
  command.address = some_address(plan, warp, command.bytes);
  command.stride = strides[below(plan, 8)];
  if (plan->is_tidy && chance(plan, 80))
    command.stride = 16;
  if (chance(plan, 15))
    scatter(plan, warp, &command);
  append(plan, warp, command);
}

static void add_warp_sync(Plan *plan, unsigned warp) {
  static const uint32_t masks[] = {UINT32_MAX, UINT32_MAX, 3, 1};
  Command command = {.kind = COMMAND_WARP_SYNC, .lanes = masks[below(plan, 4)]};
  append(plan, warp, command);
}

static void add_exit(Plan *plan, unsigned warp) {
  static const uint32_t masks[] = {1, 2, 3, UINT32_MAX};
  Command command = {.kind = COMMAND_EXIT, .lanes = masks[below(plan, 4)]};
  command.lanes &= plan->live[warp];
  plan->live[warp] &= ~command.lanes;
  append(plan, warp, command);
}

static void add_local(Plan *plan) {
  unsigned warp = below(plan, plan->warps);
  unsigned what = below(plan, 100);
  if (what < 75)
    add_access(plan, warp);
  else if (what < 94)
    add_warp_sync(plan, warp);
  else
    add_exit(plan, warp);
}

// -------------------------------------------------------------- barriers ---

static uint32_t some_warps(Plan *plan) {
  uint32_t all = ((uint32_t)1 << plan->warps) - 1, warps = 0;
  if (chance(plan, 60))
    return all;
  while (!warps)
    warps = (uint32_t)next(&plan->random) & all;
  return warps;
}

static void add_generation(Plan *plan) {
  uint32_t warps = some_warps(plan);
  unsigned count = (unsigned)__builtin_popcount(warps);
  unsigned waits = below(plan, count); // at least this one does
  bool reduces = chance(plan, 10);
  Command command = {.barrier = (uint8_t)below(plan, MOST_NAMES),
                     .threads = count * WARP,
                     .lanes = UINT32_MAX};
  for (uint32_t left = warps; left; left &= left - 1, waits--) {
    bool arrives = waits != 0 && !reduces && chance(plan, 40);
    command.kind = arrives   ? COMMAND_ARRIVE
                   : reduces ? COMMAND_REDUCE
                             : COMMAND_SYNC;
    append(plan, (unsigned)__builtin_ctz(left), command);
  }
}

// -------------------------------------------------------------- mistakes ---

static bool is_barrier(const Command *command) {
  return command->kind == COMMAND_SYNC || command->kind == COMMAND_REDUCE ||
         command->kind == COMMAND_ARRIVE;
}

static void lose(Commands *commands, size_t at) {
  for (; at + 1 < commands->count; at++)
    commands->at[at] = commands->at[at + 1];
  commands->count--;
}

static void exchange(Commands *commands, size_t at) {
  if (at + 1 == commands->count)
    return;
  Command first = commands->at[at];
  if (first.kind == COMMAND_EXIT || commands->at[at + 1].kind == COMMAND_EXIT)
    return; // the dead do nothing
  commands->at[at] = commands->at[at + 1];
  commands->at[at + 1] = first;
}

static void change_barrier(Plan *plan, Command *command) {
  static const CommandKind kinds[] = {COMMAND_SYNC, COMMAND_ARRIVE,
                                      COMMAND_REDUCE};
  switch (below(plan, 4)) {
  case 0:
    command->barrier = (uint8_t)below(plan, MOST_NAMES);
    return;
  case 1:
    command->threads = WARP * (1 + below(plan, plan->warps));
    return;
  case 2:
    command->threads += chance(plan, 20) ? WARP / 2 : 0;
    return;
  default:
    command->kind = kinds[below(plan, 3)];
  }
}

static void spoil(Plan *plan) {
  Commands *commands = &plan->programs->warps[below(plan, plan->warps)];
  if (!commands->count)
    return;
  size_t at = below(plan, (unsigned)commands->count);
  unsigned what = below(plan, 3);
  if (what == 0 && commands->at[at].kind != COMMAND_EXIT)
    lose(commands, at);
  else if (what == 1)
    exchange(commands, at);
  else if (is_barrier(&commands->at[at]))
    change_barrier(plan, &commands->at[at]);
}

static void make_places(Plan *plan) {
  plan->shares_places = chance(plan, 25);
  if (!plan->shares_places)
    return;
  for (unsigned i = 0; i < SHARED_PLACES * (COMMAND_EXIT + 1); i++) {
    Place place = {.text = "", .ptx = {"random", 1 + below(plan, 30), 1}};
    push(plan->arena, &plan->programs->places, place);
  }
}

Programs *random_programs(Arena *arena, uint64_t seed, uint64_t index) {
  Plan plan = {.arena = arena,
               .random = {seed * 0xD1342543DE82EF95u + index},
               .programs = NEW(arena, Programs)};
  plan.warps = 1 + below(&plan, 4);
  plan.slots = 1 + below(&plan, 6);
  plan.accesses = 1 + below(&plan, 12);
  plan.is_tidy = chance(&plan, 60);
  plan.programs->kernel = "random";
  plan.programs->threads = WARP * (plan.warps - 1) + 2 + below(&plan, 31);
  plan.programs->lock_step = chance(&plan, 15);
  make_places(&plan);
  for (unsigned warp = 0; warp < plan.warps; warp++)
    plan.live[warp] = warp + 1 == plan.warps && plan.programs->threads % WARP
                          ? ((uint32_t)1 << plan.programs->threads % WARP) - 1
                          : UINT32_MAX;
  unsigned steps = 1 + below(&plan, 15);
  for (unsigned i = 0; i < steps; i++)
    if (chance(&plan, 40))
      add_generation(&plan);
    else
      add_local(&plan);
  for (unsigned i = chance(&plan, 45) ? 1 + below(&plan, 3) : 0; i > 0; i--)
    spoil(&plan);
  return plan.programs;
}
