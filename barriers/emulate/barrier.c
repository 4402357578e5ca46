// Named barriers, as PTX ISA 9.7.13.1 has them.
//
// A warp takes part as a whole: an instruction waits for all lanes that have
// not exited, then counts for 32 threads.  Lanes that come to a barrier at
// different places are one arrival only if the instructions are not .aligned;
// bar.sync is, so such a kernel is not judged.  A generation begins with the
// count of the first who comes and ends when that many threads have come.
// Without a count it ends when all warps have come that have not exited; what
// the commands then say is how many these were.
//
// One schedule is simulated, to know how far each warp gets.  What is against
// the rules is the business of the check: a warp that names another count than
// the generation has stays where it is, with that barrier as its last command.
// Each block has its own.
//
// bar.warp.sync waits for the lanes of its mask that have not exited; they
// may be at different places.

#include "barriers/emulate/emulate.h"

#include <assert.h>

// ---------------------------------------------------------- instructions ---

typedef struct Meeting {
  CommandKind kind;
  unsigned barrier;
  NamedEvent event;
} Meeting;

static unsigned uniform_operand(Emulation *emulation, const Warp *warp,
                                const LaneGroup *group,
                                const PtxInstruction *instruction,
                                const Operand *operand, const char *what) {
  WarpValue value = operand_value(emulation, warp, group->frame, operand, 32);
  if (group->lanes & ~value.known)
    give_up(emulation, instruction, "the %s of the barrier depends on %s", what,
            value_cause(emulation, &value));
  if (!value_is_uniform(&value, group->lanes))
    give_up(emulation, instruction,
            "the %s of the barrier differs between the lanes of a warp", what);
  uint64_t number = value_lane(&value, (unsigned)__builtin_ctz(group->lanes));
  return number > UINT32_MAX ? UINT32_MAX : (unsigned)number;
}

static void check_count(Emulation *emulation, const PtxInstruction *instruction,
                        unsigned threads) {
  if (threads == 0)
    give_up(emulation, instruction, "a barrier for no threads");
  if (threads % WARP)
    give_up(emulation, instruction,
            "a barrier for %u threads, which is no multiple of %d", threads,
            WARP);
}

static Meeting meeting_of(Emulation *emulation, const Warp *warp,
                          const LaneGroup *group,
                          const PtxInstruction *instruction) {
  bool is_reduction = instruction->opcode->kind == OPCODE_REDUCE;
  const Operand *id = &instruction->operands[is_reduction];
  bool has_count = instruction->count == (is_reduction ? 4 : 2);
  Meeting meeting = {.kind = is_reduction ? COMMAND_REDUCE : COMMAND_SYNC,
                     .event = {.kind = is_reduction ? NAMED_REDUCE : NAMED_SYNC,
                               .is_for_all = !has_count,
                               .threads = emulation->block_warps * WARP,
                               .warp = warp->index % emulation->block_warps}};
  if (instruction->opcode->kind == OPCODE_ARRIVE) {
    meeting.kind = COMMAND_ARRIVE;
    meeting.event.kind = NAMED_ARRIVE;
  }
  meeting.barrier =
      uniform_operand(emulation, warp, group, instruction, id, "name");
  if (meeting.barrier >= NAMED_BARRIERS)
    give_up(emulation, instruction, "barrier %u: a block has 0 to %d",
            meeting.barrier, NAMED_BARRIERS - 1);
  meeting.barrier += warp->block * NAMED_BARRIERS;
  if (has_count)
    meeting.event.threads =
        uniform_operand(emulation, warp, group, instruction, id + 1, "count");
  check_count(emulation, instruction, meeting.event.threads);
  return meeting;
}

static const PtxInstruction *instruction_of(const LaneGroup *group) {
  return group->frame->code->function->code.at[group->at];
}

// bar.X is barrier.cta.X.aligned.
static bool is_aligned(const PtxInstruction *instruction) {
  return instruction->is_aligned || instruction->opcode->name[3] == '.';
}

// ----------------------------------------------------------- generations ---

// PTX does not say what .and gives where others ask for .popc.
static void note_question(Poll *poll, Modifier combine) {
  poll->is_vote_known &= !poll->votes || poll->combine == combine;
  poll->combine = combine;
}

static void count_votes(Emulation *emulation, const Warp *warp, Poll *poll) {
  for (unsigned i = 0; i < warp->group_count; i++) {
    const LaneGroup *group = &warp->groups[i];
    const PtxInstruction *instruction = instruction_of(group);
    note_question(poll, instruction->combine);
    const Operand *vote = &instruction->operands[instruction->count - 1];
    WarpValue value = operand_value(emulation, warp, group->frame, vote, 1);
    poll->is_vote_known &= !(group->lanes & ~value.known);
    for (uint32_t rest = group->lanes; rest; rest &= rest - 1) {
      unsigned lane = (unsigned)__builtin_ctz(rest);
      poll->votes++;
      poll->ayes += (unsigned)(value_lane(&value, lane) & 1);
    }
  }
}

// Not known, but the same for all who meet and ask for the same.
static WarpValue open_result(Emulation *emulation, const Poll *poll,
                             const PtxInstruction *instruction) {
  WarpValue result = value_data(32, instruction);
  result.alike = UINT32_MAX;
  if (poll->symbol)
    result.symbols =
        symbols_all(emulation, symbol_mix(poll->symbol, instruction->combine));
  return result;
}

static WarpValue vote_result(Emulation *emulation, const Poll *poll,
                             const PtxInstruction *instruction) {
  if (!poll->is_vote_known)
    return open_result(emulation, poll, instruction);
  if (instruction->combine == CHOICE_POPC)
    return value_number(32, poll->ayes);
  if (instruction->combine == CHOICE_AND)
    return value_number(32, poll->ayes == poll->votes);
  if (instruction->combine == CHOICE_OR)
    return value_number(32, poll->ayes > 0);
  return open_result(emulation, poll, instruction);
}

static void let_go(Emulation *emulation, Warp *warp, const Poll *poll) {
  warp->is_blocked = false;
  for (unsigned i = 0; i < warp->group_count; i++) {
    LaneGroup *group = &warp->groups[i];
    const PtxInstruction *instruction = instruction_of(group);
    if (instruction->opcode->kind == OPCODE_REDUCE) {
      WarpValue result = vote_result(emulation, poll, instruction);
      write_operand(emulation, warp, group->frame, &instruction->operands[0],
                    &result, group->lanes);
    }
    group->at++;
    group->waits = false;
  }
}

static uint32_t warps_alive(const Emulation *emulation, unsigned block) {
  uint32_t alive = 0;
  for (unsigned i = 0; i < emulation->warp_count; i++)
    if (emulation->warps[i].alive && emulation->warps[i].block == block)
      alive |= UINT32_C(1) << i % emulation->block_warps;
  return alive;
}

// The barrier is the last command of those who have waited there.
static void set_count(Emulation *emulation, unsigned warp, uint32_t threads) {
  Commands *commands = &emulation->programs->warps[warp];
  commands->at[commands->count - 1].threads = threads;
}

static void complete(Emulation *emulation, unsigned barrier,
                     NamedEffect effect) {
  unsigned first = barrier / NAMED_BARRIERS * emulation->block_warps;
  for (uint32_t left = effect.released; left; left &= left - 1)
    let_go(emulation, &emulation->warps[first + (unsigned)__builtin_ctz(left)],
           &emulation->polls[barrier]);
}

// Nobody waits for warps that have exited, where no count was given.
static void look_for_end(Emulation *emulation, unsigned barrier) {
  NamedBarrier *state = &emulation->polls[barrier].barrier;
  unsigned block = barrier / NAMED_BARRIERS;
  NamedEffect effect = named_barrier_exit(state, warps_alive(emulation, block));
  for (uint32_t left = effect.released; left; left &= left - 1)
    set_count(emulation,
              block * emulation->block_warps + (unsigned)__builtin_ctz(left),
              effect.met);
  complete(emulation, barrier, effect);
}

// The warp as a whole, its groups all at instructions of this meeting.
static void join(Emulation *emulation, Warp *warp, Meeting meeting) {
  const LaneGroup *first = &warp->groups[0];
  Poll *poll = &emulation->polls[meeting.barrier];
  Command command = {.kind = meeting.kind,
                     .barrier = (uint8_t)meeting.barrier,
                     .lanes = warp->alive,
                     .threads = meeting.event.threads};
  add_command(emulation, warp->index, command, instruction_of(first));
  warp->is_blocked = true;
  if (!poll->barrier.met) {
    const uint64_t *symbols = symbols_alike(emulation);
    *poll = (Poll){.barrier = poll->barrier,
                   .is_vote_known = true,
                   .symbol = symbols ? *symbols : 0};
  }
  if (named_barrier_mistakes(&poll->barrier, meeting.event) >>
          NAMED_OTHER_COUNT &
      1)
    return; // for good
  if (meeting.kind == COMMAND_REDUCE)
    count_votes(emulation, warp, poll);
  else
    poll->is_vote_known = false;
  if (meeting.kind == COMMAND_ARRIVE)
    let_go(emulation, warp, poll);
  NamedEffect effect = named_barrier_meet(&poll->barrier, meeting.event);
  complete(emulation, meeting.barrier, effect);
  if (!effect.completes)
    look_for_end(emulation, meeting.barrier);
}

void barrier_note_exit(Emulation *emulation) {
  for (unsigned i = 0; i < ALL_BARRIERS; i++)
    if (emulation->polls[i].barrier.waiting)
      look_for_end(emulation, i);
}

bool barrier_let_all_go(Emulation *emulation) {
  const Poll poll = {0};
  bool goes = false;
  for (unsigned i = 0; i < ALL_BARRIERS; i++)
    emulation->polls[i] =
        (Poll){.barrier.generation = emulation->polls[i].barrier.generation};
  for (unsigned i = 0; i < emulation->warp_count; i++) {
    Warp *warp = &emulation->warps[i];
    if (!warp->is_blocked || warp->is_at_cluster || warp->waits_for_wgmma)
      continue;
    let_go(emulation, warp, &poll);
    goes = true;
  }
  return goes;
}

bool barrier_meet(Emulation *emulation, Warp *warp, LaneGroup *group) {
  if (group->lanes != warp->alive)
    return false;
  Meeting meeting = meeting_of(emulation, warp, group, instruction_of(group));
  join(emulation, warp, meeting);
  return !warp->is_blocked;
}

// --------------------------------------------- lanes at different places ---

static bool is_at_barrier(const LaneGroup *group) {
  OpcodeKind kind = instruction_of(group)->opcode->kind;
  return kind == OPCODE_SYNC || kind == OPCODE_ARRIVE || kind == OPCODE_REDUCE;
}

// A warp that cannot go on because its lanes are apart.
static _Noreturn void give_up_apart(Emulation *emulation, const Warp *warp) {
  const PtxInstruction *first = instruction_of(&warp->groups[0]);
  const LaneGroup *other =
      warp->group_count > 1 ? &warp->groups[1] : &warp->groups[0];
  const PtxInstruction *second = instruction_of(other);
  Loc loc = place_loc(second);
  give_up(emulation, first,
          "lanes %#x of warp %u wait at '%.*s', lanes %#x at '%.*s' (%s:%u)",
          warp->groups[0].lanes, warp->index,
          first->text_length < 40 ? (int)first->text_length : 40, first->text,
          other->lanes,
          second->text_length < 40 ? (int)second->text_length : 40,
          second->text, loc.file ? loc.file : "?", loc.line);
}

static bool is_same_meeting(Meeting a, Meeting b) {
  return a.kind == b.kind && a.barrier == b.barrier &&
         a.event.threads == b.event.threads;
}

bool barrier_is_one(const LaneGroup *a, const LaneGroup *b) {
  const Frame *x = a->frame, *y = b->frame;
  if (instruction_of(a) != instruction_of(b))
    return false;
  for (; x && y && x != y; x = x->caller, y = y->caller)
    if (x->call != y->call)
      return false;
  return true;
}

// All lanes at one barrier, if in different places: false if they are not.
static bool meet_apart(Emulation *emulation, Warp *warp) {
  for (unsigned i = 0; i < warp->group_count; i++)
    if (!is_at_barrier(&warp->groups[i]))
      return false;
  const PtxInstruction *first = instruction_of(&warp->groups[0]);
  Meeting meeting = meeting_of(emulation, warp, &warp->groups[0], first);
  for (unsigned i = 1; i < warp->group_count; i++) {
    const PtxInstruction *other = instruction_of(&warp->groups[i]);
    bool may_be_apart = !is_aligned(first) && !is_aligned(other);
    if (!(barrier_is_one(&warp->groups[0], &warp->groups[i]) || may_be_apart) ||
        !is_same_meeting(meeting,
                         meeting_of(emulation, warp, &warp->groups[i], other)))
      return false;
  }
  join(emulation, warp, meeting);
  return true;
}

// The lanes of a group whose bar.warp.sync names this mask.
static uint32_t lanes_with_mask(Emulation *emulation, const Warp *warp,
                                const LaneGroup *group, uint32_t mask) {
  const PtxInstruction *instruction = instruction_of(group);
  if (instruction->opcode->kind != OPCODE_WARP_SYNC)
    return 0;
  WarpValue value = operand_value(emulation, warp, group->frame,
                                  &instruction->operands[0], 32);
  uint32_t lanes = 0;
  for (uint32_t rest = group->lanes & value.known; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    if (value_lane(&value, lane) == mask)
      lanes |= UINT32_C(1) << lane;
  }
  return lanes;
}

static void leave_warp_sync(Warp *warp, LaneGroup *group, uint32_t lanes) {
  LaneGroup other = *group;
  other.lanes &= ~lanes;
  group->lanes = lanes;
  group->at++;
  group->waits = false;
  if (other.lanes) {
    assert(warp->group_count < WARP);
    warp->groups[warp->group_count++] = other;
  }
}

static bool sync_with_mask(Emulation *emulation, Warp *warp, uint32_t mask) {
  uint32_t lanes[WARP], all = 0;
  unsigned count = warp->group_count;
  const PtxInstruction *place = NULL;
  for (unsigned i = 0; i < count; i++) {
    lanes[i] = lanes_with_mask(emulation, warp, &warp->groups[i], mask);
    all |= lanes[i];
    if (lanes[i] && !place)
      place = instruction_of(&warp->groups[i]);
  }
  if (!place || (mask & warp->alive) != all)
    return false;
  Command command = {.kind = COMMAND_WARP_SYNC, .lanes = all};
  add_command(emulation, warp->index, command, place);
  for (unsigned i = 0; i < count; i++)
    if (lanes[i])
      leave_warp_sync(warp, &warp->groups[i], lanes[i]);
  return true;
}

static bool warp_sync_apart(Emulation *emulation, Warp *warp) {
  for (unsigned i = 0; i < warp->group_count; i++) {
    const LaneGroup *group = &warp->groups[i];
    const PtxInstruction *instruction = instruction_of(group);
    if (instruction->opcode->kind != OPCODE_WARP_SYNC)
      continue;
    WarpValue value = operand_value(emulation, warp, group->frame,
                                    &instruction->operands[0], 32);
    for (uint32_t rest = group->lanes & value.known; rest; rest &= rest - 1)
      if (sync_with_mask(
              emulation, warp,
              (uint32_t)value_lane(&value, (unsigned)__builtin_ctz(rest))))
        return true;
  }
  return false;
}

static bool waits_at_mbarrier(const Warp *warp) {
  for (unsigned i = 0; i < warp->group_count; i++)
    if (is_of_family(instruction_of(&warp->groups[i]), FAMILY_WAIT))
      return true;
  return false;
}

void barrier_meet_apart(Emulation *emulation, Warp *warp) {
  if (meet_apart(emulation, warp) || cluster_meet_apart(emulation, warp) ||
      warp_sync_apart(emulation, warp))
    return;
  warp->is_parked = waits_at_mbarrier(warp);
  if (!warp->is_parked)
    give_up_apart(emulation, warp);
}
