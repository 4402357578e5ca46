// Small random programs, half of them right.
//
// A program begins as a plan: a sequence of barrier generations, each with its
// warps, all of which meet it in this order, and accesses in between.  So it
// does not deadlock in one schedule, and is often well-synchronised.  Then
// half of the programs get mistakes: a command is lost, exchanged with the
// next one, or changed.

#include "test/fuzz/plan.h"

#include <assert.h>

enum { SHARED_PLACES = 5, BULK_BYTES = 8 };

static uint64_t next(Plan *plan) {
  uint64_t z = plan->random += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

unsigned plan_below(Plan *plan, unsigned limit) {
  return (unsigned)(next(plan) % limit);
}

bool plan_chance(Plan *plan, unsigned percent) {
  return plan_below(plan, 100) < percent;
}

// Mostly a place of its own; else one for the kind and some more.
static uint32_t new_place(Plan *plan, const Command *command) {
  Programs *programs = plan->programs;
  Place place = {.text = "", .ptx = {"random", 1 + plan_below(plan, 30), 1}};
  if (plan->shares_places)
    return command->kind * SHARED_PLACES + plan_below(plan, SHARED_PLACES);
  push(plan->arena, &programs->places, place);
  return (uint32_t)programs->places.count - 1;
}

void plan_append(Plan *plan, unsigned warp, Command command) {
  command.place = new_place(plan, &command);
  push(plan->arena, &plan->programs->warps[warp], command);
}

// -------------------------------------------------------------- accesses ---

static uint32_t some_lanes(Plan *plan, unsigned warp) {
  uint32_t lanes = plan->live[warp] & (1 + plan_below(plan, 3));
  return lanes ? lanes : plan->live[warp] & 3;
}

static CommandKind some_access(Plan *plan) {
  unsigned kind = plan_below(plan, 100);
  return kind < 38   ? COMMAND_READ
         : kind < 45 ? COMMAND_STRONG_READ
         : kind < 85 ? COMMAND_WRITE
                     : COMMAND_ATOMIC;
}

static uint32_t some_address(Plan *plan, unsigned warp, unsigned bytes) {
  uint32_t slot = plan_below(plan, plan->slots);
  uint32_t base =
      plan->is_tidy && !plan_chance(plan, 15) ? PLANNED_WORDS * (warp + 1) : 0;
  uint32_t shift = plan_chance(plan, 25) ? plan_below(plan, 8) : 0;
  return base + slot * 8 + (bytes < 8 ? shift : 0);
}

static void scatter(Plan *plan, unsigned warp, Command *command) {
  Programs *programs = plan->programs;
  command->is_scattered = true;
  command->stride = 0;
  command->address = (uint32_t)programs->addresses.count;
  for (unsigned lane = 0; lane < WARP; lane++)
    push(plan->arena, &programs->addresses,
         some_address(plan, warp, command->bytes));
}

static void plan_bulk(Plan *plan, unsigned warp, const Command *like) {
  Command command = {.kind = COMMAND_BULK_READ,
                     .lanes = like->lanes & -like->lanes,
                     .address = like->address,
                     .extent = BULK_BYTES};
  plan_append(plan, warp, command);
}

void plan_access(Plan *plan, unsigned warp) {
  static const uint8_t widths[] = {1, 2, 4, 4, 4, 4, 8, 16};
  static const int32_t strides[] = {0, 0, 4, 4, 4, 8, 2, 1};
  uint32_t lanes = some_lanes(plan, warp);
  unsigned used = (unsigned)__builtin_popcount(lanes);
  if (!lanes || used > plan->accesses)
    return;
  plan->accesses -= used;
  Command command = {.kind = some_access(plan),
                     .bytes = widths[plan_below(plan, 8)],
                     .lanes = lanes,
                     .same_value = plan_chance(plan, 50)};
  command.address = some_address(plan, warp, command.bytes);
  command.stride = strides[plan_below(plan, 8)];
  if (plan->copies && plan_chance(plan, 30))
    command.kind = COMMAND_COPY;
  if (plan->bulks && plan_chance(plan, 20)) {
    plan_bulk(plan, warp, &command);
    return;
  }
  if (plan->is_tidy && plan_chance(plan, 80))
    command.stride = 16;
  if (plan_chance(plan, 15))
    scatter(plan, warp, &command);
  plan_append(plan, warp, command);
}

void plan_warp_sync(Plan *plan, unsigned warp) {
  static const uint32_t masks[] = {UINT32_MAX, UINT32_MAX, 3, 1};
  Command command = {.kind = COMMAND_WARP_SYNC,
                     .lanes = masks[plan_below(plan, 4)]};
  plan_append(plan, warp, command);
}

static void add_exit(Plan *plan, unsigned warp) {
  static const uint32_t masks[] = {1, 2, 3, UINT32_MAX};
  Command command = {.kind = COMMAND_EXIT, .lanes = masks[plan_below(plan, 4)]};
  command.lanes &= plan->live[warp];
  plan->live[warp] &= ~command.lanes;
  plan_append(plan, warp, command);
}

void plan_local(Plan *plan) {
  unsigned warp = plan_below(plan, plan->warps);
  unsigned what = plan_below(plan, 100);
  if (what < 75)
    plan_access(plan, warp);
  else if (what < 94)
    plan_warp_sync(plan, warp);
  else
    add_exit(plan, warp);
}

// -------------------------------------------------------------- barriers ---

static uint32_t some_warps(Plan *plan) {
  uint32_t all = ((uint32_t)1 << plan->warps) - 1, warps = 0;
  if (plan_chance(plan, 60))
    return all;
  while (!warps)
    warps = (uint32_t)next(plan) & all;
  return warps;
}

void plan_generation(Plan *plan) {
  uint32_t warps = some_warps(plan);
  unsigned count = (unsigned)__builtin_popcount(warps);
  unsigned waits = plan_below(plan, count); // at least this one does
  bool reduces = plan_chance(plan, 10);
  Command command = {.barrier = (uint8_t)plan_below(plan, PLANNED_NAMES),
                     .threads = count * WARP,
                     .lanes = UINT32_MAX};
  for (uint32_t left = warps; left; left &= left - 1, waits--) {
    bool arrives = waits != 0 && !reduces && plan_chance(plan, 40);
    command.kind = arrives   ? COMMAND_ARRIVE
                   : reduces ? COMMAND_REDUCE
                             : COMMAND_SYNC;
    plan_append(plan, (unsigned)__builtin_ctz(left), command);
  }
}

void plan_sync(Plan *plan) {
  Command command = {
      .kind = COMMAND_SYNC, .threads = plan->warps * WARP, .lanes = UINT32_MAX};
  for (unsigned warp = 0; warp < plan->warps; warp++)
    plan_append(plan, warp, command);
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
  switch (plan_below(plan, 4)) {
  case 0:
    command->barrier = (uint8_t)plan_below(plan, PLANNED_NAMES);
    return;
  case 1:
    command->threads = WARP * (1 + plan_below(plan, plan->warps));
    return;
  case 2:
    command->threads += plan_chance(plan, 20) ? WARP / 2 : 0;
    return;
  default:
    command->kind = kinds[plan_below(plan, 3)];
  }
}

void plan_spoil(Plan *plan) {
  Commands *commands = &plan->programs->warps[plan_below(plan, plan->warps)];
  if (!commands->count)
    return;
  size_t at = plan_below(plan, (unsigned)commands->count);
  unsigned what = plan_below(plan, 3);
  if (what == 0 && commands->at[at].kind != COMMAND_EXIT)
    lose(commands, at);
  else if (what == 1)
    exchange(commands, at);
  else if (is_barrier(&commands->at[at]))
    change_barrier(plan, &commands->at[at]);
}

static void make_places(Plan *plan) {
  plan->shares_places = plan_chance(plan, 25);
  if (!plan->shares_places)
    return;
  for (unsigned i = 0; i < SHARED_PLACES * (COMMAND_PROXY_FENCE + 1); i++) {
    Place place = {.text = "", .ptx = {"random", 1 + plan_below(plan, 30), 1}};
    push(plan->arena, &plan->programs->places, place);
  }
}

Plan plan_new(Arena *arena, uint64_t seed, uint64_t index) {
  return (Plan){.arena = arena,
                .random = seed * 0xD1342543DE82EF95u + index,
                .programs = NEW(arena, Programs)};
}

// Places, lanes, and whether they run in lock step.
void plan_begin(Plan *plan, unsigned last_lanes) {
  plan->programs->kernel = "random";
  plan->programs->threads = WARP * (plan->warps - 1) + last_lanes;
  plan->programs->lock_step = plan_chance(plan, 15);
  make_places(plan);
  for (unsigned warp = 0; warp < plan->warps; warp++)
    plan->live[warp] = warp + 1 == plan->warps && last_lanes % WARP
                           ? ((uint32_t)1 << last_lanes % WARP) - 1
                           : UINT32_MAX;
}

void plan_in_blocks(Plan *plan, unsigned lanes) {
  plan->programs->blocks = plan->warps;
  plan->programs->threads = lanes;
  for (unsigned warp = 0; warp < plan->warps; warp++)
    plan->live[warp] = ((uint32_t)1 << lanes) - 1;
}

Programs *random_programs(Arena *arena, uint64_t seed, uint64_t index) {
  Plan plan = plan_new(arena, seed, index);
  plan.warps = 1 + plan_below(&plan, 4);
  plan.slots = 1 + plan_below(&plan, 6);
  plan.accesses = 1 + plan_below(&plan, 12);
  plan.is_tidy = plan_chance(&plan, 60);
  plan_begin(&plan, 2 + plan_below(&plan, 31));
  unsigned steps = 1 + plan_below(&plan, 15);
  for (unsigned i = 0; i < steps; i++)
    if (plan_chance(&plan, 40))
      plan_generation(&plan);
    else
      plan_local(&plan);
  for (unsigned i = plan_chance(&plan, 45) ? 1 + plan_below(&plan, 3) : 0; i;
       i--)
    plan_spoil(&plan);
  return plan.programs;
}

static bool may_be_unsure(CommandKind kind) {
  return kind == COMMAND_READ || kind == COMMAND_STRONG_READ ||
         kind == COMMAND_WRITE || kind == COMMAND_ATOMIC ||
         kind == COMMAND_COPY;
}

Programs *random_perhaps(Arena *arena, uint64_t seed, uint64_t index) {
  Programs *programs =
      (index % 2 ? random_phases : random_programs)(arena, seed, index);
  Plan plan = plan_new(arena, ~seed, index);
  unsigned percent = 10 + 30 * plan_below(&plan, 3);
  for (unsigned warp = 0; warp < programs_warps(programs); warp++)
    for (size_t i = 0; i < programs->warps[warp].count; i++) {
      Command *command = &programs->warps[warp].at[i];
      command->is_perhaps = programs_blocks(programs) == 1 &&
                            may_be_unsure(command->kind) &&
                            plan_chance(&plan, percent);
    }
  return programs;
}
