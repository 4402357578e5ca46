// Both sides of a branch on what is not known.
//
// Where a thread goes from such a branch nobody can say; but if there is
// nothing on its ways that others wait for, we need not know.  The lanes
// concerned go both ways, one after the other, up to where these meet, the
// post-dominator. Their accesses there are such as may happen,
// Command.is_perhaps; what they write to shared memory is not known afterwards,
// nor is a register that is another one on the other way.
//
// A branch in a loop is met again on a way that begins behind it.  It is
// followed once more, as long as there is something new: if all that was known
// when it was met before is so again, then another round makes the same
// accesses.  After some rounds what is different in them counts as not known,
// which ends it.
//
// All of this is repeated until it makes nothing more unknown, so no access in
// there finds a value that another round, or the other side, may have changed
// before.  That matters for lanes in lock step, too, which do not race: there
// all of a warp go both ways, or we give up.

#include "barriers/emulate/emulate.h"

#include <assert.h>
#include <string.h>

enum { MOST_ROUNDS = 8 }; // of a loop, before it is said to be like all others

// A branch that is being followed.
struct BothRegion {
  BothRegion *outer; // or the next spare one
  Frame *frame;
  uint32_t branch;
  uint32_t lanes;
  bool is_wider; // what is known in `entry` is less than it was
  Vec(WarpValue) entry, met;
  uint32_t met_lanes;
};

// ------------------------------------------------------- what is in there ---

// Who may go both ways.
typedef enum Fitness { NOT_LOOKED, ANY_LANES, WHOLE_WARP, NOBODY } Fitness;

static Fitness fitness_of_call(Emulation *emulation, const PtxInstruction *call,
                               unsigned depth);

static Fitness fitness_at(Emulation *emulation, const CodeSlice *code,
                          uint32_t at, unsigned depth) {
  const PtxInstruction *instruction = code->function->code.at[at];
  if (!code->is_relevant[at])
    return ANY_LANES;
  if (!instruction->opcode || instruction->strange)
    return NOBODY;
  switch (opcode_facts(instruction->opcode->kind)->both) {
  case BOTH_NOBODY:
    return NOBODY;
  case BOTH_ANY_LANES:
    return ANY_LANES;
  case BOTH_WHOLE_WARP:
    return WHOLE_WARP;
  case BOTH_CALLED:
    return depth ? ANY_LANES : NOBODY;
  case BOTH_BY_CALLEE:
    return fitness_of_call(emulation, instruction, depth);
  }
  return NOBODY;
}

static Fitness worse(Fitness a, Fitness b) { return a > b ? a : b; }

static Fitness fitness_of_call(Emulation *emulation, const PtxInstruction *call,
                               unsigned depth) {
  const PtxFunction *function = call_parts(call).function;
  if (!function || depth >= MOST_CALLS)
    return NOBODY;
  if (!function->has_body)
    return library_function(function) == OPCODE_CALL ? NOBODY : ANY_LANES;
  const CodeSlice *code = emulation->slice.codes[function->number];
  Fitness fitness = ANY_LANES;
  for (uint32_t i = 0; i < function->code.count && fitness != NOBODY; i++)
    fitness = worse(fitness, fitness_at(emulation, code, i, depth + 1));
  return fitness;
}

// Of all ways from a block to the join, if there is one.
static Fitness fitness_behind(Emulation *emulation, const CodeSlice *code,
                              const FlowNode *from) {
  const Flow *flow = code->flow;
  uint32_t join = from->post_dominator;
  Arena *arena = &emulation->task->arena;
  bool *seen = arena_alloc(arena, flow->count + 1);
  Indices work = {0};
  Fitness fitness = join == flow->count ? NOBODY : ANY_LANES;
  for (size_t i = 0; i < from->out.count; i++)
    push(arena, &work, from->out.at[i]);
  while (work.count && fitness != NOBODY) {
    uint32_t at = work.at[--work.count];
    const FlowNode *block = &flow->blocks[at];
    if (at == join || seen[at])
      continue;
    seen[at] = true;
    for (uint32_t i = block->first; i < block->end; i++)
      fitness = worse(fitness, fitness_at(emulation, code, i, 0));
    for (size_t i = 0; i < block->out.count; i++)
      push(arena, &work, block->out.at[i]);
  }
  return fitness;
}

static Fitness fitness_of_branch(Emulation *emulation, CodeSlice *code,
                                 uint32_t branch) {
  uint32_t block = code->flow->block_of[branch];
  if (!code->fitness)
    code->fitness = arena_alloc(&emulation->task->arena, code->flow->count + 1);
  if (code->fitness[block] == NOT_LOOKED)
    code->fitness[block] =
        (uint8_t)fitness_behind(emulation, code, &code->flow->blocks[block]);
  return code->fitness[block];
}

// ---------------------------------------------------------------- regions ---

static BothRegion *open_region(Emulation *emulation, const LaneGroup *group,
                               uint32_t lanes) {
  BothRegion *region = emulation->spare_regions;
  if (region)
    emulation->spare_regions = region->outer;
  else
    region = NEW(&emulation->task->arena, BothRegion);
  region->outer = emulation->regions;
  region->frame = group->frame;
  region->branch = group->at;
  region->lanes = lanes;
  emulation->regions = region;
  return region;
}

static void close_region(Emulation *emulation, BothRegion *region) {
  assert(emulation->regions == region);
  emulation->regions = region->outer;
  region->outer = emulation->spare_regions;
  emulation->spare_regions = region;
}

// Its rooms for values are one for each slot of its frame.
static void make_room(Emulation *emulation, BothRegion *region) {
  Arena *arena = &emulation->task->arena;
  while (region->entry.count < region->frame->code->slot_count) {
    push(arena, &region->entry, (WarpValue){0});
    push(arena, &region->met, (WarpValue){0});
  }
}

static void copy_slots(Emulation *emulation, const BothRegion *region,
                       WarpValue *to, const WarpValue *from) {
  for (unsigned i = 0; i < region->frame->code->slot_count; i++)
    value_copy(&emulation->task->arena, &to[i], &from[i]);
}

// What has come to the join now, to what came there before.
static void meet(Emulation *emulation, Warp *warp, BothRegion *region,
                 uint32_t lanes) {
  const Frame *frame = region->frame;
  const PtxInstruction *branch = frame->code->function->code.at[region->branch];
  for (unsigned i = 0; i < frame->code->slot_count; i++) {
    value_join(emulation, &region->met.at[i], &frame->slots[i],
               lanes & region->met_lanes, branch);
    value_write(&emulation->task->arena, &region->met.at[i], &frame->slots[i],
                lanes & ~region->met_lanes, warp->alive);
  }
  region->met_lanes |= lanes;
}

// ------------------------------------------------------------------- ways ---

// From `at` to the join; false: somebody there waits for other lanes.
static bool run_way(Emulation *emulation, Warp *warp, const BothRegion *region,
                    uint32_t at, uint32_t join, uint32_t *lanes) {
  LaneGroup others[WARP];
  unsigned count = warp->group_count;
  memcpy(others, warp->groups, sizeof others);
  warp->groups[0] =
      (LaneGroup){.lanes = region->lanes, .at = at, .frame = region->frame};
  warp->group_count = 1;
  bool are_there = warp_run_to(emulation, warp, region->frame, join);
  *lanes = 0;
  for (unsigned i = 0; i < warp->group_count; i++)
    *lanes |= warp->groups[i].lanes;
  memcpy(warp->groups, others, sizeof others);
  warp->group_count = count;
  return are_there;
}

static bool run_ways(Emulation *emulation, Warp *warp, BothRegion *region,
                     uint32_t join) {
  const PtxFunction *function = region->frame->code->function;
  uint32_t lanes,
      sides[] = {region->branch + 1,
                 function->code.at[region->branch]->operands[0].index};
  region->met_lanes = 0;
  region->is_wider = false;
  for (unsigned side = 0; side < 2; side++) {
    copy_slots(emulation, region, region->frame->slots, region->entry.at);
    if (!run_way(emulation, warp, region, sides[side], join, &lanes))
      return false;
    meet(emulation, warp, region, lanes);
  }
  return true;
}

static bool follow(Emulation *emulation, Warp *warp, const LaneGroup *group,
                   uint32_t lanes, uint32_t join) {
  BothRegion *region = open_region(emulation, group, lanes);
  Commands *commands = &emulation->programs->warps[warp->index];
  size_t before = commands->count;
  uint64_t forgotten;
  bool are_there;
  make_room(emulation, region);
  copy_slots(emulation, region, region->entry.at, region->frame->slots);
  copy_slots(emulation, region, region->met.at, region->frame->slots);
  do {
    commands->count = before;
    forgotten = emulation->forgotten;
    are_there = run_ways(emulation, warp, region, join);
  } while (are_there &&
           (region->is_wider || emulation->forgotten != forgotten));
  copy_slots(emulation, region, region->frame->slots, region->met.at);
  close_region(emulation, region);
  return are_there;
}

// ------------------------------------------------------------------ loops ---

static bool is_known_round(const BothRegion *region, uint32_t lanes) {
  const Frame *frame = region->frame;
  for (unsigned i = 0; i < frame->code->slot_count; i++)
    if (!value_covers(&region->entry.at[i], &frame->slots[i], lanes))
      return false;
  return true;
}

static void widen(const Emulation *emulation, BothRegion *region,
                  uint32_t lanes) {
  const Frame *frame = region->frame;
  for (unsigned i = 0; i < frame->code->slot_count; i++)
    value_join(emulation, &region->entry.at[i], &frame->slots[i], lanes,
               frame->code->function->code.at[region->branch]);
  region->is_wider = true;
}

static uint32_t alike_lanes(const Frame *frame, uint32_t guard) {
  uint32_t slot = frame->code->slot[guard];
  return slot == NO_REGISTER ? 0 : value_alike(&frame->slots[slot]);
}

// Whether another round of some loop need not be followed.
static bool ends_loop(Emulation *emulation, const LaneGroup *group,
                      uint32_t lanes) {
  unsigned rounds = 0;
  BothRegion *last = NULL;
  for (BothRegion *region = emulation->regions; region;
       region = region->outer) {
    if (region->frame != group->frame || region->branch != group->at)
      continue;
    if (is_known_round(region, lanes))
      return true;
    last = last ? last : region;
    rounds++;
  }
  if (rounds < MOST_ROUNDS)
    return false;
  widen(emulation, last, lanes);
  return true;
}

// ------------------------------------------------------------------ entry ---

bool is_perhaps(const Emulation *emulation) {
  return emulation->regions || emulation->is_unsure;
}

// Lanes in lock step are all concerned, and where they have to be together they
// all have to go the same way.
static bool can_follow(Emulation *emulation, const Warp *warp,
                       const LaneGroup *group, uint32_t lanes) {
  const PtxInstruction *branch =
      group->frame->code->function->code.at[group->at];
  if (branch->opcode->kind != OPCODE_BRANCH ||
      guessed_lanes(group->frame, branch->guard) & lanes)
    return false;
  if (emulation->options->lock_step && !emulation->regions &&
      lanes != warp->alive)
    return false;
  switch (fitness_of_branch(emulation, group->frame->code, group->at)) {
  case ANY_LANES:
    return true;
  case WHOLE_WARP:
    return lanes == warp->alive &&
           !(lanes & ~alike_lanes(group->frame, branch->guard));
  case NOT_LOOKED:
  case NOBODY:
    break;
  }
  return false;
}

// Where the ways meet; nobody stops at what is not relevant.
static uint32_t join_of(const CodeSlice *code, uint32_t branch) {
  const Flow *flow = code->flow;
  const FlowNode *block = &flow->blocks[flow->block_of[branch]];
  uint32_t at = flow->blocks[block->post_dominator].first;
  uint32_t end = (uint32_t)code->function->code.count;
  for (uint32_t i = 0; i < end && at < end && !code->is_relevant[at]; i++)
    at = code->next[at];
  return at;
}

bool branch_both(Emulation *emulation, Warp *warp, LaneGroup *group,
                 uint32_t unknown) {
  uint32_t lanes = emulation->options->lock_step ? group->lanes : unknown;
  if (!can_follow(emulation, warp, group, lanes))
    return false;
  uint32_t join = join_of(group->frame->code, group->at);
  if (ends_loop(emulation, group, lanes)) {
    group_drop(warp, group, lanes);
    return true;
  }
  if (!follow(emulation, warp, group, lanes, join))
    return false;
  group_part(warp, group, lanes, join);
  return true;
}
