// Values that depend on what a try at an mbarrier says.
//
// Whether the phase is over that a wait asks about is decided by the schedule.
// Where the answer is kept for later, as a token, we do not choose one: a value
// is then known twice, for "no" and for "yes", and an instruction that computes
// with it is executed for both.  What is the same in both is known; what
// depends on several tries is not known at all.
//
// A branch on such a value is the business of wait.c.  Whoever else
// reads it, as the address of an access, finds a value that is not known.

#include "barriers/emulate/emulate.h"

#include <assert.h>

static const WarpValue *slot_of(const Frame *frame, uint32_t reg) {
  uint32_t slot = frame->code->slot[reg];
  return slot == NO_REGISTER ? NULL : &frame->slots[slot];
}

uint32_t guessed_lanes(const Frame *frame, uint32_t reg) {
  const WarpValue *value = reg == NO_REGISTER ? NULL : slot_of(frame, reg);
  return value ? value->guessed : 0;
}

const Guess *guess_at(const Frame *frame, uint32_t reg, unsigned lane) {
  assert(guessed_lanes(frame, reg) >> lane & 1);
  return &slot_of(frame, reg)->guesses[lane];
}

const PtxInstruction *guess_cause(const Frame *frame, uint32_t reg) {
  return slot_of(frame, reg)->cause;
}

// --------------------------------------------------------------- sources ---

// Adds what a register depends on; the lanes where it is another try are lost.
static void add_register(Guessing *guessing, const Frame *frame, uint32_t reg,
                         uint32_t *lost) {
  uint32_t lanes = guessed_lanes(frame, reg);
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    uint32_t try = guess_at(frame, reg, lane)->try;
    if (guessing->lanes >> lane & 1 && guessing->try[lane] != try)
      *lost |= rest & -rest;
    guessing->try[lane] = try;
  }
  guessing->lanes |= lanes;
  if (lanes)
    guessing->cause = slot_of(frame, reg)->cause;
}

uint32_t guess_sources(Emulation *emulation, const LaneGroup *group,
                       const PtxInstruction *instruction, uint32_t lanes) {
  Guessing *guessing = emulation->guessing;
  uint32_t lost = 0;
  guessing->lanes = 0;
  if (!guessing->has_any || !is_silent(instruction))
    return 0;
  for (unsigned i = has_destination(instruction); i < instruction->count; i++)
    for (unsigned k = 0; k < operand_count(&instruction->operands[i]); k++) {
      const Operand *item = operand_item(&instruction->operands[i], k);
      if (item->kind == OPERAND_REGISTER)
        add_register(guessing, group->frame, item->index, &lost);
    }
  if (instruction->cells && instruction->opcode->kind == OPCODE_LOAD)
    for (unsigned k = 0; k < operand_count(&instruction->operands[0]); k++)
      add_register(guessing, group->frame, instruction->cells[k], &lost);
  return guessing->lanes &= lanes & ~lost;
}

WarpValue guess_seen(const Emulation *emulation, const WarpValue *value) {
  if (!value->guessed)
    return *value;
  Guessing *guessing = emulation->guessing;
  WarpValue seen = *value;
  seen.guessed = 0;
  seen.guesses = NULL;
  uint32_t lanes = value->guessed & guessing->lanes;
  if (!guessing->is_on || !lanes || value->is_anchored)
    return seen;
  uint64_t *room = guessing->room[guessing->next++ % MOST_GUESSED_OPERANDS];
  for (unsigned lane = 0; lane < WARP; lane++)
    room[lane] = lanes >> lane & 1 ? value->guesses[lane].is[guessing->answer]
                                   : value_lane(value, lane);
  seen = value_lanes(value->bits, value->known | lanes, room);
  seen.elsewhere = value->elsewhere;
  seen.cause = value->cause;
  return seen;
}

// --------------------------------------------------------------- results ---

// What is the same for both answers is known.
static WarpValue combined(const Guessing *guessing, const WarpValue *no,
                          const WarpValue *yes, Guess guesses[WARP],
                          uint64_t numbers[WARP]) {
  WarpValue numbers_no = value_plain(no), numbers_yes = value_plain(yes);
  uint32_t known = numbers_no.known & numbers_yes.known & guessing->lanes;
  uint32_t guessed = 0;
  for (uint32_t rest = known; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    uint64_t a = value_lane(&numbers_no, lane),
             b = value_lane(&numbers_yes, lane);
    numbers[lane] = a;
    guesses[lane] = (Guess){guessing->try[lane], {a, b}};
    guessed |= (uint32_t)(a != b) << lane;
  }
  WarpValue both = value_lanes(yes->bits, known & ~guessed, numbers);
  both.guessed = guessed;
  both.guesses = guesses;
  both.cause = guessing->cause;
  return both;
}

bool guess_catches(Emulation *emulation, const Warp *warp, WarpValue *slot,
                   const WarpValue *value) {
  Guessing *guessing = emulation->guessing;
  if (!guessing->is_on)
    return false;
  assert(guessing->count < MOST_GUESSED_OPERANDS);
  WarpValue *no = &guessing->results[guessing->count++];
  if (!guessing->answer) {
    value_copy(&emulation->task->arena, no, value);
    return true;
  }
  Guess guesses[WARP];
  uint64_t numbers[WARP];
  WarpValue both = combined(guessing, no, value, guesses, numbers);
  value_write(&emulation->task->arena, slot, &both, guessing->lanes,
              warp->alive);
  return true;
}

void guess_step(Emulation *emulation, Warp *warp, const LaneGroup *group,
                const PtxInstruction *instruction) {
  Guessing *guessing = emulation->guessing;
  guessing->is_on = true;
  for (unsigned answer = 0; answer < 2; answer++) {
    guessing->answer = answer;
    guessing->count = guessing->next = 0;
    step_lanes(emulation, warp, group, instruction, guessing->lanes);
  }
  guessing->is_on = false;
}

void guess_begin(Emulation *emulation, const Warp *warp, const LaneGroup *group,
                 uint32_t lanes, const uint32_t tries[WARP]) {
  const PtxInstruction *wait = group->frame->code->function->code.at[group->at];
  Guess guesses[WARP];
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    guesses[lane] = (Guess){tries[lane], {0, 1}};
  }
  WarpValue answer = value_unknown(1, wait);
  answer.guessed = lanes;
  answer.guesses = guesses;
  emulation->guessing->has_any = true;
  write_operand(emulation, warp, group->frame, &wait->operands[0], &answer,
                lanes);
}
