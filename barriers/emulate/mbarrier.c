// Instructions at mbarriers, which do what ptx/mbarrier.c has.
//
// One schedule is simulated, to know how far each lane gets: a wait becomes a
// command when its phase is over, and the lanes of a warp each wait for
// themselves.  What is against the rules is the business of the check; here it
// only must not stop us: updates of what is no mbarrier do nothing, and waits
// for it never end.  Asynchronous copies are made at once.
//
// The state that an arrive returns is a token: it is not known, but for the
// parity of its phase, which is all that a wait needs.  A program that makes
// another use of it is not judged.  An object is no data: its bytes are not
// known.

#include "barriers/emulate/emulate.h"

#include <assert.h>
#include <string.h>

// ---------------------------------------------------------- instructions ---

// What an instruction does to an mbarrier.
typedef struct Update {
  CommandKind kind;
  unsigned arrivals;           // unless an operand says how many
  unsigned arrivals_at, tx_at; // the operands that do; 0: there is none
} Update;

static Update update_of(OpcodeKind kind) {
  static const struct {
    OpcodeKind kind;
    Update update;
  } rows[] = {
      {OPCODE_MBARRIER_INIT, {COMMAND_MBARRIER_INIT, 0, 1, 0}},
      {OPCODE_MBARRIER_INVAL, {COMMAND_MBARRIER_INVAL, 0, 0, 0}},
      {OPCODE_MBARRIER_EXPECT, {COMMAND_MBARRIER_EXPECT, 0, 0, 1}},
      {OPCODE_MBARRIER_COMPLETE, {COMMAND_MBARRIER_COMPLETE, 0, 0, 1}},
      {OPCODE_MBARRIER_ARRIVE, {COMMAND_MBARRIER_ARRIVE, 1, 2, 0}},
      {OPCODE_MBARRIER_ARRIVE_EXPECT, {COMMAND_MBARRIER_ARRIVE, 1, 0, 2}},
      {OPCODE_MBARRIER_DROP, {COMMAND_MBARRIER_DROP, 1, 2, 0}},
      {OPCODE_MBARRIER_DROP_EXPECT, {COMMAND_MBARRIER_DROP, 1, 0, 2}},
      {OPCODE_COPY_ARRIVE, {COMMAND_COPY_ARRIVE, 0, 0, 0}},
      {OPCODE_COPY_ARRIVE_NOINC, {COMMAND_COPY_ARRIVE, 1, 0, 0}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].kind == kind)
      return rows[i].update;
  assert(!"an update of an mbarrier");
  return (Update){COMMAND_EXIT, 0, 0, 0};
}

// --------------------------------------------------------------- objects ---

static EmulatedMbarrier *mbarrier_at(Emulation *emulation, uint64_t at) {
  size_t count = memory_bytes(emulation) / MBARRIER_BYTES;
  assert(at / MBARRIER_BYTES < count && at % MBARRIER_BYTES == 0);
  if (!emulation->mbarriers)
    emulation->mbarriers =
        arena_alloc(&emulation->task->arena, count * sizeof(EmulatedMbarrier));
  return &emulation->mbarriers[at / MBARRIER_BYTES];
}

static const PtxInstruction *instruction_of(const LaneGroup *group) {
  return group->frame->code->function->code.at[group->at];
}

static bool is_at_wait(const LaneGroup *group) {
  return group->waits && is_of_family(instruction_of(group), FAMILY_WAIT);
}

// Those who wait look again.
static void wake(Emulation *emulation) {
  for (unsigned i = 0; i < emulation->warp_count; i++) {
    Warp *warp = &emulation->warps[i];
    warp->is_parked = false;
    for (unsigned k = 0; k < warp->group_count; k++)
      if (is_at_wait(&warp->groups[k]))
        warp->groups[k].waits = false;
  }
}

// The current phase, as a token has it.
static uint32_t phase_of(const EmulatedMbarrier *mbarrier) {
  return mbarrier->first + mbarrier->state.phase;
}

// As one lane does it.
static void update(Emulation *emulation, const Command *command) {
  EmulatedMbarrier *mbarrier = mbarrier_at(emulation, command->address);
  MbarrierEvent event;
  memory_forget(emulation, command->address, MBARRIER_BYTES);
  if (command->kind == COMMAND_MBARRIER_INIT)
    mbarrier->first = (phase_of(mbarrier) + 3) & ~UINT32_C(1);
  if (mbarrier_event_of(command, &event) &&
      mbarrier_step(&mbarrier->state, event).completes)
    wake(emulation);
}

void mbarrier_complete(Emulation *emulation, const Command *complete) {
  update(emulation, complete);
}

int64_t mbarrier_missing(Emulation *emulation, uint64_t at) {
  const Mbarrier *mbarrier = &mbarrier_at(emulation, at)->state;
  return mbarrier->is_live ? mbarrier->tx : 0;
}

// --------------------------------------------------------------- updates ---

// An instruction for some lanes.
typedef struct Use {
  Emulation *emulation;
  Warp *warp;
  const LaneGroup *group;
  const PtxInstruction *instruction;
  uint32_t lanes;
} Use;

// The number that an operand has in each lane; `otherwise`: it is not there.
static void numbers_of(const Use *use, unsigned index, unsigned otherwise,
                       uint32_t numbers[WARP]) {
  Emulation *emulation = use->emulation;
  const PtxInstruction *instruction = use->instruction;
  WarpValue value = value_number(32, otherwise);
  if (index > 0 && index < instruction->count)
    value = operand_value(emulation, use->warp, use->group->frame,
                          &instruction->operands[index], 32);
  if (use->lanes & ~value.known)
    give_up(emulation, instruction, "the count of the mbarrier depends on %s",
            value_cause(emulation, &value));
  for (uint32_t rest = use->lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    uint64_t number = value_lane(&value, lane);
    if (number > INT32_MAX)
      give_up(emulation, instruction, "an mbarrier that counts to %llu",
              (unsigned long long)number);
    numbers[lane] = (uint32_t)number;
  }
}

static void give_token(const Use *use, uint64_t tokens[WARP]) {
  Anchor anchors[WARP];
  if (!has_destination(use->instruction))
    return;
  for (unsigned lane = 0; lane < WARP; lane++)
    anchors[lane] = TOKEN_ANCHOR;
  WarpValue token = value_lanes(64, use->lanes, tokens);
  token.cause = use->instruction;
  token.is_anchored = true;
  token.anchors = anchors;
  write_operand(use->emulation, use->warp, use->group->frame,
                &use->instruction->operands[0], &token, use->lanes);
}

bool is_memory_fence(const PtxInstruction *instruction) {
  return instruction->opcode && (!strcmp(instruction->opcode->name, "fence") ||
                                 !strcmp(instruction->opcode->name, "membar"));
}

void check_no_fences(Emulation *emulation, const PtxInstruction *instruction) {
  if (emulation->has_fences)
    give_up(emulation, instruction,
            "a relaxed '%s' in a kernel with memory fences",
            instruction->opcode->name);
}

static bool is_relaxed(const Use *use) {
  if (use->instruction->order != CHOICE_RELAXED)
    return false;
  check_no_fences(use->emulation, use->instruction);
  return true;
}

// By default in the scope of the block.
static bool is_narrow_wait(const PtxInstruction *instruction) {
  return is_of_family(instruction, FAMILY_WAIT) &&
         !instruction->is_of_wide_scope;
}

// SOUND(cluster-scope)
void mbarrier_note_scope(Emulation *emulation,
                         const PtxInstruction *instruction) {
  bool is_arrival = is_of_family(instruction, FAMILY_UPDATE);
  emulation->programs->has_narrow |=
      (is_arrival && !instruction->is_of_wide_scope) ||
      find_instruction(emulation, is_narrow_wait);
}

// For another block.
static void note_strange(const Use *use, uint64_t at, CommandKind kind) {
  const PtxInstruction *instruction = use->instruction;
  if (at / MOST_SHARED_BYTES == use->warp->block)
    return;
  if (has_destination(instruction) &&
      instruction->operands[0].kind == OPERAND_REGISTER)
    give_up(use->emulation, instruction,
            "'%s' returns the state of an mbarrier of another block",
            instruction->opcode->name);
  if (kind == COMMAND_MBARRIER_ARRIVE || kind == COMMAND_MBARRIER_DROP)
    mbarrier_note_scope(use->emulation, instruction);
}

// What each lane does.
static void find_commands(const Use *use, Command of[WARP]) {
  Update how = update_of(use->instruction->opcode->kind);
  uint64_t at[WARP];
  uint32_t arrivals[WARP], tx[WARP];
  memory_locate(use->emulation, use->warp, use->group, use->instruction,
                use->lanes, at);
  numbers_of(use, how.arrivals_at, how.arrivals, arrivals);
  numbers_of(use, how.tx_at, 0, tx);
  bool relaxed = how.kind != COMMAND_MBARRIER_EXPECT &&
                 how.kind != COMMAND_MBARRIER_COMPLETE && is_relaxed(use);
  for (uint32_t rest = use->lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    note_strange(use, at[lane], how.kind);
    of[lane] = (Command){.kind = how.kind,
                         .address = (uint32_t)at[lane],
                         .arrivals = arrivals[lane],
                         .tx = (int32_t)tx[lane],
                         .is_relaxed = relaxed,
                         .never_completes = use->instruction->never_completes};
  }
}

static uint32_t next_command(const Use *use) {
  return (uint32_t)use->emulation->programs->warps[use->warp->index].count;
}

// But for the lanes, of two commands of one instruction.
static bool do_the_same(const Command *a, const Command *b) {
  bool asks =
      a->kind == COMMAND_MBARRIER_WAIT || a->kind == COMMAND_MBARRIER_TRY;
  if (a->address != b->address || a->is_relaxed != b->is_relaxed)
    return false;
  return asks ? a->parity == b->parity && a->tried == b->tried
              : a->arrivals == b->arrivals && a->tx == b->tx;
}

// Lanes that do the same do it in one command.
static void add_commands(const Use *use, const Command of[WARP]) {
  for (uint32_t left = use->lanes; left;) {
    Command command = of[__builtin_ctz(left)];
    for (uint32_t rest = left; rest; rest &= rest - 1)
      if (do_the_same(&command, &of[__builtin_ctz(rest)]))
        command.lanes |= rest & -rest;
    if (command.kind == COMMAND_MBARRIER_WAIT && command.tried)
      command.tried = next_command(use) - (command.tried - 1);
    add_command(use->emulation, use->warp->index, command, use->instruction);
    left &= ~command.lanes;
  }
}

void mbarrier_update(Emulation *emulation, Warp *warp, const LaneGroup *group,
                     const PtxInstruction *instruction, uint32_t lanes) {
  Use use = {emulation, warp, group, instruction, lanes};
  Command of[WARP];
  uint64_t tokens[WARP] = {0};
  find_commands(&use, of);
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    tokens[lane] = (uint64_t)of[lane].address << 32 |
                   phase_of(mbarrier_at(emulation, of[lane].address));
    update(emulation, &of[lane]);
  }
  add_commands(&use, of);
  give_token(&use, tokens);
}

// ----------------------------------------------------------------- waits ---

// ptxas refuses such a number, and of a register takes the lowest bit.
// SOUND(parity-bit)
static void note_parity(const Use *use, uint64_t parity) {
  if (use->instruction->operands[2].kind == OPERAND_NUMBER)
    give_up(use->emulation, use->instruction, "a parity of %llu",
            (unsigned long long)parity);
  use->emulation->programs->has_parities = true;
}

static uint32_t parities(const Use *use) {
  WarpValue value = operand_value(use->emulation, use->warp, use->group->frame,
                                  &use->instruction->operands[2], 32);
  uint32_t odd = 0;
  if (use->lanes & ~value.known)
    give_up(use->emulation, use->instruction,
            "the parity of the wait depends on %s",
            value_cause(use->emulation, &value));
  for (uint32_t rest = use->lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    uint64_t parity = value_lane(&value, lane);
    if (parity > 1)
      note_parity(use, parity);
    odd |= (uint32_t)(parity & 1) << lane;
  }
  return odd;
}

// By the manual, of this object and of its current phase or the one before.
static void check_token(const Use *use, uint64_t token, uint64_t at) {
  uint32_t phase = phase_of(mbarrier_at(use->emulation, at));
  if (token >> 32 != at)
    give_up(use->emulation, use->instruction,
            "the state of the wait is that of another mbarrier");
  if (phase - (uint32_t)token > 1)
    give_up(use->emulation, use->instruction,
            "the state of the wait is %u phases old", phase - (uint32_t)token);
}

static uint32_t token_parities(const Use *use, const uint64_t at[WARP]) {
  WarpValue token =
      operand_anchored(use->emulation, use->warp, use->group->frame,
                       &use->instruction->operands[2], 64);
  uint32_t odd = 0;
  for (uint32_t rest = use->lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    if (!(token.known >> lane & 1) ||
        value_anchor(&token, lane) != TOKEN_ANCHOR)
      give_up(use->emulation, use->instruction,
              "the state of the wait is not what an arrive returned");
    check_token(use, value_lane(&token, lane), at[lane]);
    odd |= (uint32_t)(value_lane(&token, lane) & 1) << lane;
  }
  return odd;
}

void mbarrier_awaited(Emulation *emulation, Warp *warp, const LaneGroup *group,
                      uint32_t lanes, AwaitedPhases *awaited) {
  Use use = {emulation, warp, group, instruction_of(group), lanes};
  memory_locate(emulation, warp, group, use.instruction, lanes, awaited->at);
  awaited->odd = use.instruction->opcode->kind == OPCODE_MBARRIER_WAIT_PARITY
                     ? parities(&use)
                     : token_parities(&use, awaited->at);
}

void mbarrier_try(Emulation *emulation, Warp *warp, const LaneGroup *group,
                  uint32_t lanes, uint32_t tries[WARP]) {
  Use use = {emulation, warp, group, instruction_of(group), lanes};
  AwaitedPhases awaited;
  Command of[WARP];
  bool relaxed = is_relaxed(&use);
  mbarrier_awaited(emulation, warp, group, lanes, &awaited);
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    of[lane] = (Command){.kind = COMMAND_MBARRIER_TRY,
                         .is_relaxed = relaxed,
                         .parity = awaited.odd >> lane & 1,
                         .address = (uint32_t)awaited.at[lane]};
  }
  uint32_t first = next_command(&use);
  add_commands(&use, of);
  const Commands *commands = &emulation->programs->warps[warp->index];
  for (uint32_t i = first; i < commands->count; i++)
    for (uint32_t rest = commands->at[i].lanes; rest; rest &= rest - 1)
      tries[__builtin_ctz(rest)] = i;
}

// A wait that a relaxed try lets pass is a relaxed one.
static bool was_relaxed(const Use *use, unsigned lane) {
  uint32_t try = use->warp->tried[lane];
  const Commands *commands = &use->emulation->programs->warps[use->warp->index];
  return try && commands->at[try - 1].is_relaxed;
}

static void add_waits(Emulation *emulation, Warp *warp, const LaneGroup *group,
                      const AwaitedPhases *awaited, uint32_t lanes) {
  Use use = {emulation, warp, group, instruction_of(group), lanes};
  Command of[WARP];
  bool relaxed = is_relaxed(&use);
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    of[lane] = (Command){.kind = COMMAND_MBARRIER_WAIT,
                         .is_relaxed = relaxed || was_relaxed(&use, lane),
                         .parity = awaited->odd >> lane & 1,
                         .address = (uint32_t)awaited->at[lane],
                         .tried = warp->tried[lane]};
    warp->tried[lane] = 0;
  }
  add_commands(&use, of);
}

uint32_t mbarrier_wait(Emulation *emulation, Warp *warp,
                       const LaneGroup *group) {
  AwaitedPhases awaited;
  uint32_t done = 0;
  mbarrier_awaited(emulation, warp, group, group->lanes, &awaited);
  for (uint32_t rest = group->lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    const Mbarrier *mbarrier = &mbarrier_at(emulation, awaited.at[lane])->state;
    if (mbarrier->is_live &&
        mbarrier_is_over(mbarrier, awaited.odd >> lane & 1))
      done |= UINT32_C(1) << lane;
  }
  add_waits(emulation, warp, group, &awaited, done);
  WarpValue yes = value_number(1, 1);
  write_operand(emulation, warp, group->frame,
                &instruction_of(group)->operands[0], &yes, done);
  return done;
}

// Those of a group that wait have it as their last command.
static void note_wait(Emulation *emulation, Warp *warp,
                      const LaneGroup *group) {
  AwaitedPhases awaited;
  mbarrier_awaited(emulation, warp, group, group->lanes, &awaited);
  add_waits(emulation, warp, group, &awaited, group->lanes);
}

void mbarrier_end(Emulation *emulation) {
  for (unsigned i = 0; i < emulation->warp_count; i++) {
    Warp *warp = &emulation->warps[i];
    for (unsigned k = 0; k < warp->group_count; k++)
      if (is_at_wait(&warp->groups[k]))
        note_wait(emulation, warp, &warp->groups[k]);
  }
}

static void let_go(Emulation *emulation, Warp *warp, LaneGroup *group) {
  const WarpValue yes = value_number(1, 1);
  note_wait(emulation, warp, group);
  write_operand(emulation, warp, group->frame,
                &instruction_of(group)->operands[0], &yes, group->lanes);
  group->at++;
  group->waits = false;
  group->blocked = 0;
}

bool mbarrier_let_all_go(Emulation *emulation) {
  bool goes = false;
  for (unsigned i = 0; i < emulation->warp_count; i++) {
    Warp *warp = &emulation->warps[i];
    for (unsigned k = 0; k < warp->group_count; k++)
      if (is_at_wait(&warp->groups[k])) {
        let_go(emulation, warp, &warp->groups[k]);
        goes = true;
      }
    warp->is_parked = false;
  }
  return goes;
}
