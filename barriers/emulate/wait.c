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
// Or the answer of an early try is kept, while other things are done, until it
// decides whether to wait:
//
//   token = try_wait(full, parity); ...; if (!token) wait(full, parity);
//
// Both answers are then followed from the branch on, in the same way: "no" has
// to lead to a blocking wait at this mbarrier, and behind it to the place and
// state to which "yes" leads.  The program gets a try and later a wait; that
// the two are about the same phase is for the check to see (phases.c).  What
// lies between must not depend on the answer (guess.c).
//
// Anything else is a program that does something while it waits, and another
// one next time.  We give up.

#include "barriers/emulate/emulate.h"

#include <assert.h>

// Lanes at a wait, and what they try.
typedef struct Trial {
  Emulation *emulation;
  Warp *warp;
  Frame *frame;
  uint32_t wait;
  uint32_t lanes;
  uint32_t at[WARP]; // where they get to
  bool is_late;      // at a branch: these early tries say `answer`
  unsigned answer;
  uint32_t try[WARP];
} Trial;

static const PtxInstruction *instruction_at(const Trial *trial, uint32_t at) {
  const PtxFunction *function = trial->frame->code->function;
  return at < function->code.count ? function->code.at[at] : NULL;
}

// ------------------------------------------------------------------ runs ---

// What the early tries say is supposed to be known.
static bool is_supposed(const Trial *trial, unsigned lane, uint32_t try) {
  return trial->is_late && trial->lanes >> lane & 1 && trial->try[lane] == try;
}

// The lanes that take a branch; false: it depends on another try.
static bool supposed_lanes(const Trial *trial, const LaneGroup *group,
                           const PtxInstruction *branch, uint32_t *taken) {
  LaneGroup others = *group;
  uint32_t guessed = guessed_lanes(group->frame, branch->guard) & group->lanes;
  *taken = 0;
  for (uint32_t rest = guessed; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    const Guess *guess = guess_at(group->frame, branch->guard, lane);
    if (!is_supposed(trial, lane, guess->try))
      return false;
    if ((guess->is[trial->answer] & 1) != branch->guard_negated)
      *taken |= rest & -rest;
  }
  others.lanes &= ~guessed;
  *taken |=
      known_guard(trial->emulation, trial->warp, &others, branch, "the branch");
  return true;
}

// To the next instruction; false: there it stays.  `other` are lanes that take
// a branch.
static bool move_on(const Trial *trial, LaneGroup *group, LaneGroup *other) {
  const CodeSlice *code = group->frame->code;
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
    uint32_t taken;
    if (!supposed_lanes(trial, group, instruction, &taken))
      return false;
    *other = *group;
    other->lanes = taken;
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

static void run_from(Trial *trial, uint32_t at) {
  LaneGroup groups[WARP + 1] = {
      {.lanes = trial->lanes, .at = at, .frame = trial->frame}};
  unsigned count = 1;
  while (count) {
    LaneGroup *group = &groups[count - 1], *other = &groups[count];
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

// From behind the wait, with this result.
static void go_on(Trial *trial, bool result) {
  WarpValue value = value_number(1, result);
  write_operand(trial->emulation, trial->warp, trial->frame,
                &instruction_at(trial, trial->wait)->operands[0], &value,
                trial->lanes);
  run_from(trial, trial->wait + 1);
}

// ---------------------------------------------------------------- states ---

// What may still be read at a place.
static Saved *save(const Trial *trial, unsigned which, uint32_t at) {
  Emulation *emulation = trial->emulation;
  Arena *arena = &emulation->task->arena;
  Saved *saved = &emulation->saved[which];
  saved->slots = live_slots(emulation->task, trial->frame->code, at);
  while (saved->values.count < saved->slots->count)
    push(arena, &saved->values, (WarpValue){0});
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

static const WarpValue *slot_at(const Trial *trial, const Saved *saved,
                                size_t i) {
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

static _Noreturn void give_up_busy(const Trial *trial, const PtxInstruction *by,
                                   uint32_t at) {
  Emulation *emulation = trial->emulation;
  Loc wait = place_loc(by);
  const PtxInstruction *what = instruction_at(trial, at);
  if (!what)
    unsupported(emulation->task, wait,
                trial->frame->caller
                    ? "a function returns what a non-blocking wait says"
                    : "the result of a non-blocking wait decides whether a "
                      "thread ends");
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

// All lanes are at one place, a blocking wait for the same; or, behind an early
// try, at the same mbarrier.
static bool is_at_second(const Trial *trial, const AwaitedPhases *awaited) {
  Trial second = *trial;
  second.wait = trial->at[__builtin_ctz(trial->lanes)];
  const PtxInstruction *wait = instruction_at(trial, second.wait);
  if (!wait || !is_of_family(wait, FAMILY_WAIT) || wait->strange ||
      wait->guard != NO_REGISTER)
    return false;
  LaneGroup group = {
      .lanes = trial->lanes, .at = second.wait, .frame = trial->frame};
  AwaitedPhases other;
  mbarrier_awaited(trial->emulation, trial->warp, &group, trial->lanes, &other);
  for (uint32_t rest = trial->lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    bool is_same = trial->is_late || !((other.odd ^ awaited->odd) >> lane & 1);
    if (trial->at[lane] != second.wait || other.at[lane] != awaited->at[lane] ||
        !is_same)
      return false;
  }
  const Saved *before = save(&second, 1, second.wait);
  go_on(&second, false);
  bool loops = looping(&second, before) == second.lanes;
  restore(&second, before);
  return loops;
}

typedef enum Sense {
  WAITS_LATER, // "no" leads to a second wait, and behind it to the same as
               // "yes"
  WAITS_NEVER, // both lead to the same
  IS_KEPT,
} Sense;

// "No" leads a lane from where it goes on, behind a second wait if there is
// one, to some place: the lanes that come there, too, if "yes" leads all of
// these to the same place and state; else 0.
static uint32_t agree(const Trial *trial, const Saved *before, bool is_second,
                      unsigned lane, uint32_t *at) {
  Trial no = *trial, yes = *trial;
  uint32_t there = 0;
  restore(trial, before);
  go_on(&no, false);
  if (is_second) {
    no.wait = no.at[lane];
    go_on(&no, true);
  }
  *at = no.at[lane];
  const Saved *then = save(&no, 2, *at);
  restore(trial, before);
  go_on(&yes, true);
  for (uint32_t rest = trial->lanes; rest; rest &= rest - 1)
    if (no.at[__builtin_ctz(rest)] == *at)
      there |= rest & -rest;
  for (uint32_t rest = there; rest; rest &= rest - 1)
    if (yes.at[__builtin_ctz(rest)] != *at)
      return 0;
  return is_as_in(&yes, then, there) ? there : 0;
}

// "No" has led to trial->at.
static Sense sense_of(Trial *trial, const Saved *before,
                      const AwaitedPhases *awaited) {
  bool is_second = is_at_second(trial, awaited);
  uint32_t same = 1, at = 0;
  for (uint32_t left = trial->lanes; left && same; left &= ~same)
    same = agree(trial, before, is_second, (unsigned)__builtin_ctz(left), &at);
  restore(trial, before);
  if (!same && !instruction_at(trial, at))
    give_up_busy(trial, instruction_at(trial, trial->wait), at);
  return !same ? IS_KEPT : is_second ? WAITS_LATER : WAITS_NEVER;
}

// They ask, and do not know what they are told.
static void ask(const Trial *trial, const LaneGroup *group) {
  uint32_t tries[WARP];
  mbarrier_try(trial->emulation, trial->warp, group, trial->lanes, tries);
  guess_begin(trial->emulation, trial->warp, group, trial->lanes, tries);
}

uint32_t wait_blocks(Emulation *emulation, Warp *warp, const LaneGroup *group,
                     uint32_t lanes) {
  if (!lanes)
    return 0;
  AwaitedPhases awaited;
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
  Sense sense = trial.lanes ? sense_of(&trial, before, &awaited) : WAITS_LATER;
  restore(&trial, before);
  if (sense == WAITS_LATER)
    return lanes;
  if (sense == IS_KEPT) {
    ask(&trial, group);
    return blocked;
  }
  WarpValue unknown = value_unknown(1, instruction_at(&trial, group->at));
  write_operand(emulation, warp, group->frame,
                &instruction_at(&trial, group->at)->operands[0], &unknown,
                lanes & ~blocked);
  return blocked;
}

// -------------------------------------------------------------- late use ---

// What a lane has if the try has said "yes"; false: that is not known.
static bool is_if_yes(const Trial *trial, const WarpValue *value, unsigned lane,
                      uint64_t *number) {
  if (value->known >> lane & 1) {
    *number = value_lane(value, lane);
    return true;
  }
  if (!(value->guessed >> lane & 1) ||
      !is_supposed(trial, lane, value->guesses[lane].try))
    return false;
  *number = value->guesses[lane].is[1];
  return true;
}

static Anchor anchor_at(const WarpValue *value, unsigned lane) {
  return value->known >> lane & 1 ? value_anchor(value, lane) : 0;
}

// What is known behind the wait is so, too, if there was none.
static bool is_as_behind(const Trial *trial, const Saved *wait) {
  for (size_t i = 0; i < wait->slots->count; i++) {
    const WarpValue *behind = &wait->values.at[i];
    const WarpValue *value = slot_at(trial, wait, i);
    uint32_t others = trial->lanes;
    for (uint32_t rest = trial->lanes; rest; rest &= rest - 1) {
      unsigned lane = (unsigned)__builtin_ctz(rest);
      uint64_t a, b;
      if (!is_if_yes(trial, behind, lane, &a))
        continue;
      if (!is_if_yes(trial, value, lane, &b) || a != b ||
          anchor_at(behind, lane) != anchor_at(value, lane))
        return false;
      others &= ~(rest & -rest);
    }
    if (!value_covers(behind, value, others))
      return false;
  }
  return true;
}

static void find_tried(const Trial *trial, AwaitedPhases *awaited) {
  const Commands *commands =
      &trial->emulation->programs->warps[trial->warp->index];
  awaited->odd = 0;
  for (uint32_t rest = trial->lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    awaited->at[lane] = commands->at[trial->try[lane]].address;
  }
}

// At a branch that depends on early tries: "no" leads to a wait and behind it
// to the same as "yes".
static void follow_both(Trial *trial, const PtxInstruction *by) {
  AwaitedPhases awaited;
  find_tried(trial, &awaited);
  const Saved *before = save(trial, 0, trial->wait);
  trial->answer = 0;
  run_from(trial, trial->wait);
  if (!is_at_second(trial, &awaited))
    give_up_busy(trial, by, trial->at[__builtin_ctz(trial->lanes)]);
  Trial no = *trial;
  no.wait = trial->at[__builtin_ctz(trial->lanes)];
  go_on(&no, true);
  uint32_t at = no.at[__builtin_ctz(no.lanes)];
  const Saved *then = save(&no, 2, at);
  restore(trial, before);
  trial->answer = 1;
  run_from(trial, trial->wait);
  for (uint32_t rest = trial->lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    if (no.at[lane] != at || trial->at[lane] != at)
      give_up_busy(trial, by, trial->at[lane]);
  }
  if (!is_as_behind(trial, then))
    give_up_busy(trial, by, at);
  restore(trial, before);
}

uint32_t branch_lanes(Emulation *emulation, Warp *warp, const LaneGroup *group,
                      const PtxInstruction *branch) {
  Frame *frame = group->frame;
  uint32_t lanes = guessed_lanes(frame, branch->guard) & group->lanes;
  if (!lanes || branch->opcode->kind != OPCODE_BRANCH)
    return known_guard(emulation, warp, group, branch, "the branch");
  Trial trial = {.emulation = emulation,
                 .warp = warp,
                 .frame = frame,
                 .wait = group->at,
                 .lanes = lanes,
                 .is_late = true};
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    trial.try[lane] = guess_at(frame, branch->guard, lane)->try;
  }
  follow_both(&trial, guess_cause(frame, branch->guard));
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    warp->tried[lane] = trial.try[lane] + 1;
  }
  trial.answer = 0;
  uint32_t taken;
  bool is_decided = supposed_lanes(&trial, group, branch, &taken);
  assert(is_decided);
  return is_decided ? taken : 0;
}
