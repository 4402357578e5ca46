// Is a wait at an mbarrier a blocking one?
//
// mbarrier.test_wait and try_wait may say "no" as often as they like.  So when
// a thread gets to one, we try what it would do then: it goes on with the
// result "no", through instructions that touch nothing but registers, to the
// next that does more.  If this is the same wait again, and what the thread may
// still read is as it was, then by induction any number of answers "no" lead
// here, and to the rest of the program it is as if the first answer were "yes":
// the wait blocks.  What a loop computes for itself, as how long to sleep, is
// not in the slice and does not matter.
//
// A first wait may ask whether a loop of waits can be left out:
//
//   if (!try_wait(full, parity)) while (!try_wait(full, parity));
//
// Here "no" leads to a blocking wait for the same phase, and "yes" to the same
// place and state as that: the first one may as well block.  And if both
// answers lead to the same, nobody looks at the result, and nothing waits.
//
// Anything else is a program that does something while it waits, and another
// one next time.  We give up.

#include "barriers/emulate.h"

#include <string.h>

// Lanes at a wait, and what they try.
typedef struct Trial {
  Emulation *emulation;
  Warp *warp;
  Frame *frame;
  uint32_t wait;
  uint32_t lanes;
  uint32_t at[WARP]; // where they get to
} Trial;

static const PtxInstruction *instruction_at(const Trial *trial, uint32_t at) {
  const PtxFunction *function = trial->frame->code->function;
  return at < function->code.count ? function->code.at[at] : NULL;
}

// ------------------------------------------------------------------ runs ---

// To the next instruction; false: there it stays.  `other` are lanes that take
// a branch.
static bool move_on(const Trial *trial, Group *group, Group *other) {
  const Code *code = group->frame->code;
  const PtxInstruction *instruction = instruction_at(trial, group->at);
  count_step(trial->emulation, trial->warp, group);
  other->lanes = 0;
  if (!instruction)
    return false;
  if (!code->is_relevant[group->at]) {
    group->at = code->next[group->at];
    return true;
  }
  if (!is_silent(instruction))
    return false;
  if (instruction->opcode->kind == OPCODE_BRANCH) {
    *other = *group;
    other->lanes = known_guard(trial->emulation, trial->warp, group,
                               instruction, "the branch");
    other->at = instruction->operands[0].index;
    group->lanes &= ~other->lanes;
  } else {
    uint32_t unknown, lanes = guard_lanes(trial->emulation, trial->warp, group,
                                          instruction, &unknown);
    step(trial->emulation, trial->warp, group, instruction, lanes, unknown);
  }
  group->at++;
  return true;
}

// From behind the wait, with this result.
static void go_on(Trial *trial, bool result) {
  Value value = value_number(1, result);
  write_operand(trial->emulation, trial->warp, trial->frame,
                &instruction_at(trial, trial->wait)->operands[0], &value,
                trial->lanes);
  Group groups[WARP + 1] = {
      {.lanes = trial->lanes, .at = trial->wait + 1, .frame = trial->frame}};
  unsigned count = 1;
  while (count) {
    Group *group = &groups[count - 1], *other = &groups[count];
    bool moves = move_on(trial, group, other);
    if (!group->lanes)
      *group = *other;
    else if (other->lanes)
      count++;
    if (moves)
      continue;
    for (uint32_t rest = group->lanes; rest; rest &= rest - 1)
      trial->at[__builtin_ctz(rest)] = group->at;
    count--;
  }
}

// ---------------------------------------------------------------- states ---

// What may still be read at a place.
static Saved *save(const Trial *trial, unsigned which, uint32_t at) {
  Emulation *emulation = trial->emulation;
  Arena *arena = &emulation->task->arena;
  Saved *saved = &emulation->saved[which];
  saved->slots = live_slots(emulation->task, trial->frame->code, at);
  while (saved->values.count < saved->slots->count)
    push(arena, &saved->values, (Value){0});
  for (size_t i = 0; i < saved->slots->count; i++)
    value_copy(arena, &saved->values.at[i],
               &trial->frame->slots[saved->slots->at[i]]);
  return saved;
}

static void restore(const Trial *trial, const Saved *saved) {
  for (size_t i = 0; i < saved->slots->count; i++)
    value_copy(&trial->emulation->task->arena,
               &trial->frame->slots[saved->slots->at[i]], &saved->values.at[i]);
}

static const Value *slot_at(const Trial *trial, const Saved *saved, size_t i) {
  return &trial->frame->slots[saved->slots->at[i]];
}

// What was known before is still so.
static bool is_as_before(const Trial *trial, const Saved *before,
                         uint32_t lanes) {
  for (size_t i = 0; i < before->slots->count; i++)
    if (!value_covers(&before->values.at[i], slot_at(trial, before, i), lanes))
      return false;
  return true;
}

// What is known now also was in the other case.
static bool is_as_in(const Trial *trial, const Saved *other, uint32_t lanes) {
  for (size_t i = 0; i < other->slots->count; i++)
    if (!value_covers(slot_at(trial, other, i), &other->values.at[i], lanes))
      return false;
  return true;
}

// ---------------------------------------------------------------- answer ---

static _Noreturn void give_up_busy(const Trial *trial, uint32_t at) {
  Emulation *emulation = trial->emulation;
  Loc wait = place_loc(instruction_at(trial, trial->wait));
  const PtxInstruction *what = instruction_at(trial, at);
  if (!what)
    unsupported(emulation->task, wait,
                "a function returns what a non-blocking wait says");
  unsupported(emulation->task, wait,
              "the result of a non-blocking wait decides about '%s' (%s)",
              instruction_text(emulation, what),
              loc_text(emulation, place_loc(what)));
}

// The lanes that come back to the wait with nothing changed.
static uint32_t looping(const Trial *trial, const Saved *before) {
  uint32_t lanes = 0;
  for (uint32_t rest = trial->lanes; rest; rest &= rest - 1) {
    uint32_t lane = rest & -rest;
    if (trial->at[__builtin_ctz(rest)] == trial->wait &&
        is_as_before(trial, before, lane))
      lanes |= lane;
  }
  return lanes;
}

// All lanes are at one place, a blocking wait for the same.
static bool is_at_second(const Trial *trial, const Awaited *awaited) {
  Trial second = *trial;
  second.wait = trial->at[__builtin_ctz(trial->lanes)];
  const PtxInstruction *wait = instruction_at(trial, second.wait);
  if (!wait || !is_mbarrier_wait(wait) || wait->strange ||
      wait->guard != NO_REGISTER)
    return false;
  Group group = {
      .lanes = trial->lanes, .at = second.wait, .frame = trial->frame};
  Awaited other;
  mbarrier_awaited(trial->emulation, trial->warp, &group, trial->lanes, &other);
  for (uint32_t rest = trial->lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    if (trial->at[lane] != second.wait || other.at[lane] != awaited->at[lane] ||
        (other.odd ^ awaited->odd) >> lane & 1)
      return false;
  }
  const Saved *before = save(&second, 1, second.wait);
  go_on(&second, false);
  bool loops = looping(&second, before) == second.lanes;
  restore(&second, before);
  return loops;
}

// "No" has led to trial->at, from where it goes on behind a second wait if
// there is one, to the place to which "yes" leads.
static bool leads_to_same(Trial *trial, const Saved *before,
                          const Awaited *awaited) {
  bool is_second = is_at_second(trial, awaited);
  Trial no = *trial;
  if (is_second) {
    no.wait = trial->at[__builtin_ctz(trial->lanes)];
    go_on(&no, true);
  }
  uint32_t at = no.at[__builtin_ctz(no.lanes)];
  const Saved *then = save(&no, 2, at);
  restore(trial, before);
  go_on(trial, true);
  for (uint32_t rest = trial->lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    if (no.at[lane] != at || trial->at[lane] != at)
      give_up_busy(trial, no.at[lane]);
  }
  if (!is_as_in(trial, then, trial->lanes))
    give_up_busy(trial, at);
  restore(trial, before);
  return is_second;
}

uint32_t wait_blocks(Emulation *emulation, Warp *warp, const Group *group,
                     uint32_t lanes) {
  if (!lanes)
    return 0;
  Awaited awaited;
  mbarrier_awaited(emulation, warp, group, lanes, &awaited);
  Trial trial = {.emulation = emulation,
                 .warp = warp,
                 .frame = group->frame,
                 .wait = group->at,
                 .lanes = lanes};
  const Saved *before = save(&trial, 0, group->at);
  go_on(&trial, false);
  uint32_t blocked = looping(&trial, before);
  trial.lanes &= ~blocked;
  if (trial.lanes && leads_to_same(&trial, before, &awaited))
    blocked = lanes;
  restore(&trial, before);
  Value unknown = value_unknown(1, instruction_at(&trial, group->at));
  write_operand(emulation, warp, group->frame,
                &instruction_at(&trial, group->at)->operands[0], &unknown,
                lanes & ~blocked);
  return blocked;
}
