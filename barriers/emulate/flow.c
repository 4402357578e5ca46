// Which lanes of a warp are where: groups.
//
// Lanes that are at the same place of the same call run together.  They part
// at a branch that they take differently and meet again where one group gets
// to the place of another; to make that happen soon, the group in the deepest
// call and there at the lowest address runs first.  None of this matters for
// the verdict: threads run independently of each other (compute capability
// 7.0 and later), so we record what each lane does and assume nothing about
// lanes that run together - the check orders lanes of a warp by barriers and
// bar.warp.sync alone.  Under --warp-sync, where it does matter, this is the
// order that hardware with one program counter a warp has.
//
// At a barrier or a collective a group waits until all lanes have come that
// have to; when all groups wait, barrier.c looks whether they may meet
// although they are at different places.  At an mbarrier each lane waits for
// itself; a warp of which lanes do is parked when the others wait, too.

#include "barriers/emulate/emulate.h"

#include <assert.h>
#include <string.h>

// ---------------------------------------------------------------- groups ---

static void remove_group(Warp *warp, unsigned index) {
  assert(index < warp->group_count);
  warp->groups[index] = warp->groups[--warp->group_count];
}

static void add_group(Warp *warp, LaneGroup group) {
  assert(warp->group_count < WARP && group.lanes);
  warp->groups[warp->group_count++] = group;
}

// Joins groups at the same place; what waited there tries again.
static void merge_groups(Warp *warp) {
  for (unsigned i = 0; i < warp->group_count; i++)
    for (unsigned k = warp->group_count - 1; k > i; k--) {
      LaneGroup *a = &warp->groups[i], *b = &warp->groups[k];
      if (a->frame != b->frame || a->at != b->at)
        continue;
      a->lanes |= b->lanes;
      a->blocked |= b->blocked;
      a->waits = false;
      remove_group(warp, k);
    }
}

static bool goes_first(const LaneGroup *a, const LaneGroup *b) {
  if (a->frame->depth != b->frame->depth)
    return a->frame->depth > b->frame->depth;
  return a->at < b->at;
}

static bool is_at(const LaneGroup *group, const Frame *frame, uint32_t at) {
  return group->frame == frame && group->at == at;
}

// One that does not wait, and is not at a place behind which nobody goes.
static LaneGroup *pick_group(Warp *warp, const Frame *frame, uint32_t stop) {
  if (warp->group_count > 1)
    merge_groups(warp);
  LaneGroup *best = NULL;
  for (unsigned i = 0; i < warp->group_count; i++) {
    LaneGroup *group = &warp->groups[i];
    if (!group->waits && !is_at(group, frame, stop) &&
        (!best || goes_first(group, best)))
      best = group;
  }
  return best;
}

void group_part(Warp *warp, LaneGroup *group, uint32_t leaving, uint32_t at) {
  if (!leaving)
    return;
  if (leaving == group->lanes) {
    group->at = at;
    return;
  }
  LaneGroup other = *group;
  other.lanes = leaving;
  other.at = at;
  other.waits = false;
  other.blocked = 0;
  group->lanes &= ~leaving;
  add_group(warp, other);
}

void group_drop(Warp *warp, LaneGroup *group, uint32_t leaving) {
  group->lanes &= ~leaving;
  if (!group->lanes)
    remove_group(warp, (unsigned)(group - warp->groups));
}

// ----------------------------------------------------------------- calls ---

Frame *new_frame(Emulation *emulation, CodeSlice *code) {
  Frame *frame = code->spare;
  if (frame) {
    code->spare = frame->caller;
  } else {
    frame = NEW(&emulation->task->arena, Frame);
    frame->code = code;
    frame->slots = arena_alloc(&emulation->task->arena,
                               code->slot_count * sizeof(WarpValue));
  }
  for (uint32_t r = 0; r < code->function->registers.count; r++) {
    if (code->slot[r] == NO_REGISTER)
      continue;
    WarpValue *slot = &frame->slots[code->slot[r]];
    WarpValue unknown =
        value_unknown(code->function->registers.at[r].bits, NULL);
    value_copy(&emulation->task->arena, slot, &unknown);
  }
  return frame;
}

static Operand cell_operand(uint32_t reg) {
  return (Operand){.kind = OPERAND_REGISTER, .index = reg};
}

typedef struct Passing {
  const Warp *warp;
  const Frame *from, *to;
  const PtxInstruction *call;
  uint32_t lanes;
} Passing;

// Cells of an argument become cells of the parameter.
static void pass(Emulation *emulation, const Passing *way,
                 const Operand *argument, const PtxVariable *parameter) {
  for (const PtxCell *cell = parameter->cells; cell; cell = cell->next) {
    Operand target = cell_operand(cell->reg);
    if (!is_wanted(way->to, &target))
      continue;
    unsigned bits = 8 * cell->bytes;
    Operand source = *argument;
    if (argument->kind == OPERAND_VARIABLE)
      source = cell_operand(cell_at(argument->variable, cell->offset, bits));
    WarpValue value = value_unknown(bits, way->call);
    bool is_there =
        source.kind == OPERAND_NUMBER ||
        (source.kind == OPERAND_REGISTER && source.index != NO_REGISTER);
    if (is_there && (argument->kind == OPERAND_VARIABLE || !cell->offset))
      value = operand_anchored(emulation, way->warp, way->from, &source, bits);
    value.bits = bits;
    write_operand(emulation, way->warp, way->to, &target, &value, way->lanes);
  }
}

static void check_depth(Emulation *emulation, const Frame *frame,
                        const PtxInstruction *call) {
  for (const Frame *at = frame->caller; at; at = at->caller)
    if (at->code == frame->code)
      give_up(emulation, call, "'%s' calls itself",
              frame->code->function->name);
  if (frame->depth >= MOST_CALLS)
    give_up(emulation, call, "calls %d deep", MOST_CALLS);
}

static void enter(Emulation *emulation, Warp *warp, LaneGroup *group,
                  const PtxInstruction *call, const CallParts *parts) {
  CodeSlice *code = emulation->slice.codes[parts->function->number];
  assert(code);
  Frame *frame = new_frame(emulation, code);
  frame->caller = group->frame;
  frame->depth = group->frame->depth + 1;
  frame->return_to = group->at + 1;
  frame->call = call;
  check_depth(emulation, frame, call);
  const PtxVariables *params = &parts->function->params;
  Passing way = {warp, group->frame, frame, call, group->lanes};
  for (size_t i = 0;
       i < params->count && parts->arguments && i < parts->arguments->count;
       i++)
    pass(emulation, &way, &parts->arguments->items[i], params->at[i]);
  group->frame = frame;
  group->at = 0;
}

static void take_result(Emulation *emulation, const Warp *warp,
                        const Frame *from, const PtxVariable *result,
                        const Operand *target, const LaneGroup *group) {
  const Frame *to = from->caller;
  if (target->kind == OPERAND_VARIABLE) {
    Operand source = {.kind = OPERAND_VARIABLE, .variable = result};
    Passing way = {warp, from, to, from->call, group->lanes};
    pass(emulation, &way, &source, target->variable);
    return;
  }
  if (target->kind != OPERAND_REGISTER || !is_wanted(to, target))
    return;
  unsigned bits = to->code->function->registers.at[target->index].bits;
  uint32_t cell = cell_at(result, 0, bits);
  WarpValue value = value_unknown(bits, from->call);
  if (cell != NO_REGISTER) {
    Operand source = cell_operand(cell);
    value = operand_anchored(emulation, warp, from, &source, bits);
  }
  write_operand(emulation, warp, to, target, &value, group->lanes);
}

static bool is_frame_used(const Warp *warp, const Frame *frame) {
  for (unsigned i = 0; i < warp->group_count; i++)
    for (const Frame *at = warp->groups[i].frame; at; at = at->caller)
      if (at == frame)
        return true;
  return false;
}

// Once no lane is inside any more.
static void release(const Warp *warp, Frame *frame) {
  if (is_frame_used(warp, frame))
    return;
  frame->caller = frame->code->spare;
  frame->code->spare = frame;
}

static void leave(Emulation *emulation, Warp *warp, LaneGroup *group) {
  Frame *frame = group->frame;
  CallParts parts = call_parts(frame->call);
  const PtxVariables *results = &frame->code->function->results;
  for (size_t i = 0;
       i < results->count && parts.results && i < parts.results->count; i++)
    take_result(emulation, warp, frame, results->at[i],
                &parts.results->items[i], group);
  group->at = frame->return_to;
  group->frame = frame->caller;
  release(warp, frame);
}

// ------------------------------------------------------------------ exit ---

static void exit_lanes(Emulation *emulation, Warp *warp, LaneGroup *group,
                       uint32_t lanes, const PtxInstruction *instruction) {
  Command command = {.kind = COMMAND_EXIT, .lanes = lanes};
  cluster_exit(emulation, warp, lanes, instruction);
  add_command(emulation, warp->index, command, instruction);
  warp->alive &= ~lanes;
  group_drop(warp, group, lanes);
  for (unsigned i = 0; i < warp->group_count; i++)
    warp->groups[i].waits = false; // they may have waited for these lanes
  if (!warp->alive)
    barrier_note_exit(emulation);
}

// Where to say that a function ends: at its last return.
static const PtxInstruction *last_return(const PtxFunction *function) {
  for (size_t i = function->code.count; i-- > 0;) {
    const PtxOpcode *opcode = function->code.at[i]->opcode;
    if (opcode &&
        (opcode->kind == OPCODE_RETURN || opcode->kind == OPCODE_EXIT))
      return function->code.at[i];
  }
  return function->code.at[function->code.count - 1];
}

static void end_function(Emulation *emulation, Warp *warp, LaneGroup *group) {
  const PtxFunction *function = group->frame->code->function;
  if (group->frame->caller)
    leave(emulation, warp, group);
  else if (function->code.count)
    exit_lanes(emulation, warp, group, group->lanes, last_return(function));
  else
    unsupported(emulation->task, function->loc, "'%s' is empty",
                function->name);
}

// -------------------------------------------------------------- branches ---

uint32_t guard_lanes(Emulation *emulation, Warp *warp, const LaneGroup *group,
                     const PtxInstruction *instruction, uint32_t *unknown) {
  *unknown = 0;
  if (instruction->guard == NO_REGISTER)
    return group->lanes;
  Operand operand = cell_operand(instruction->guard);
  operand.is_negated = instruction->guard_negated;
  WarpValue guard = operand_value(emulation, warp, group->frame, &operand, 1);
  *unknown = group->lanes & ~guard.known;
  uint32_t lanes = group->lanes & guard.known;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    if (!value_lane(&guard, lane))
      lanes &= ~(UINT32_C(1) << lane);
  }
  return lanes;
}

uint32_t known_guard(Emulation *emulation, Warp *warp, const LaneGroup *group,
                     const PtxInstruction *instruction, const char *what) {
  uint32_t unknown;
  uint32_t lanes = guard_lanes(emulation, warp, group, instruction, &unknown);
  if (!unknown)
    return lanes;
  Operand operand = cell_operand(instruction->guard);
  WarpValue guard = operand_value(emulation, warp, group->frame, &operand, 1);
  const PtxFunction *function = group->frame->code->function;
  const PtxRegister *reg = &function->registers.at[instruction->guard];
  assert(!reg->is_cell);
  give_up(emulation, instruction, "%s depends on %s (%s)", what,
          value_cause(emulation, &guard),
          reg->name ? reg->name : "no predicate");
}

static uint32_t target_of(Emulation *emulation,
                          const PtxInstruction *instruction,
                          const Operand *targets, uint64_t index) {
  if (targets->kind != OPERAND_TARGETS)
    give_up(emulation, instruction, "brx.idx without .branchtargets");
  if (index >= targets->targets->targets.count)
    give_up(emulation, instruction, "brx.idx beyond its targets");
  return targets->targets->targets.at[index];
}

static void branch_indexed(Emulation *emulation, Warp *warp, LaneGroup *group,
                           const PtxInstruction *instruction, uint32_t lanes) {
  WarpValue index = operand_value(emulation, warp, group->frame,
                                  &instruction->operands[0], 32);
  if (lanes & ~index.known)
    give_up(emulation, instruction, "the branch depends on %s",
            value_cause(emulation, &index));
  group_part(warp, group, group->lanes & ~lanes, group->at + 1);
  while (lanes) {
    uint64_t number = value_lane(&index, (unsigned)__builtin_ctz(lanes));
    uint32_t same = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
      unsigned lane = (unsigned)__builtin_ctz(rest);
      if (value_lane(&index, lane) == number)
        same |= UINT32_C(1) << lane;
    }
    uint32_t at =
        target_of(emulation, instruction, &instruction->operands[1], number);
    group_part(warp, group, same, at);
    lanes &= ~same;
  }
}

// Where the branch is not known.
static bool is_unknown(Emulation *emulation, Warp *warp, const LaneGroup *group,
                       const PtxInstruction *instruction) {
  uint32_t unknown;
  guard_lanes(emulation, warp, group, instruction, &unknown);
  if (instruction->opcode->kind == OPCODE_BRANCH_INDEXED) {
    WarpValue index = operand_value(emulation, warp, group->frame,
                                    &instruction->operands[0], 32);
    unknown |= group->lanes & ~index.known;
  }
  return unknown;
}

// Without symbols: what is the same on both sides is not followed.
static bool goes_both_ways(Emulation *emulation, Warp *warp, LaneGroup *group,
                           const PtxInstruction *instruction) {
  uint32_t unknown;
  guard_lanes(emulation, warp, group, instruction, &unknown);
  return unknown && !emulation->symbols &&
         branch_both(emulation, warp, group, unknown);
}

static void branch(Emulation *emulation, Warp *warp, LaneGroup *group,
                   const PtxInstruction *instruction) {
  if (skips_branch(emulation, group) &&
      is_unknown(emulation, warp, group, instruction)) {
    group->at = skip_branch(emulation, group);
    return;
  }
  if (goes_both_ways(emulation, warp, group, instruction))
    return;
  uint32_t lanes = branch_lanes(emulation, warp, group, instruction);
  if (instruction->opcode->kind == OPCODE_BRANCH_INDEXED) {
    branch_indexed(emulation, warp, group, instruction, lanes);
    return;
  }
  assert(instruction->operands[0].kind == OPERAND_LABEL);
  group_part(warp, group, group->lanes & ~lanes, group->at + 1);
  if (lanes)
    group->at = instruction->operands[0].index;
}

static void call(Emulation *emulation, Warp *warp, LaneGroup *group,
                 const PtxInstruction *instruction) {
  uint32_t lanes = known_guard(emulation, warp, group, instruction, "the call");
  CallParts parts = call_parts(instruction);
  uint32_t next = group->at + 1;
  if (!parts.function)
    give_up(emulation, instruction, "call of a function that is not named");
  if (!parts.function->has_body) {
    if (library_function(parts.function) == OPCODE_CALL)
      give_up(emulation, instruction, "'%s' has no body", parts.function->name);
    step(emulation, warp, group, instruction, lanes, 0);
    group->at = next;
    return;
  }
  group_part(warp, group, group->lanes & ~lanes, next);
  if (lanes)
    enter(emulation, warp, group, instruction, &parts);
}

static void end_lanes(Emulation *emulation, Warp *warp, LaneGroup *group,
                      const PtxInstruction *instruction) {
  uint32_t lanes = known_guard(emulation, warp, group, instruction,
                               "whether a thread goes on here");
  group_part(warp, group, group->lanes & ~lanes, group->at + 1);
  if (!lanes)
    return;
  if (instruction->opcode->kind == OPCODE_RETURN && group->frame->caller)
    leave(emulation, warp, group);
  else
    exit_lanes(emulation, warp, group, lanes, instruction);
}

// --------------------------------------------------------- one warp runs ---

void need_whole_warp(Emulation *emulation, const Warp *warp,
                     const PtxInstruction *instruction) {
  if (warp->alive != UINT32_MAX)
    give_up(emulation, instruction, "'%s' of a warp with lanes missing",
            instruction->opcode->name);
}

// All lanes of the warp together; whether there are as many registers is the
// business of the check.
static void ask_for_registers(Emulation *emulation, const Warp *warp,
                              LaneGroup *group,
                              const PtxInstruction *instruction) {
  enum { LEAST = 24, MOST = 256, UNIT = 8 };
  uint64_t count = instruction->operands[0].number;
  if (count < LEAST || count > MOST || count % UNIT)
    give_up(emulation, instruction, "setmaxnreg to %llu registers",
            (unsigned long long)count);
  group->waits = group->lanes != warp->alive;
  if (group->waits)
    return;
  need_whole_warp(emulation, warp, instruction);
  Command command = {.kind = COMMAND_REGISTERS,
                     .increases =
                         strstr(instruction->opcode->name, "inc") != NULL,
                     .lanes = group->lanes,
                     .registers = (uint32_t)count};
  add_command(emulation, warp->index, command, instruction);
  group->at++;
}

// Lanes whose guard is false go on; the others stay to be waited for.
static void run_warp_wide(Emulation *emulation, Warp *warp, LaneGroup *group,
                          const PtxInstruction *instruction) {
  uint32_t lanes =
      known_guard(emulation, warp, group, instruction, "the barrier");
  if (lanes != group->lanes) {
    group_part(warp, group, group->lanes & ~lanes, group->at + 1);
    return; // to be run again by those who stay
  }
  OpcodeKind kind = instruction->opcode->kind;
  if (kind == OPCODE_CLUSTER_ARRIVE || kind == OPCODE_CLUSTER_WAIT) {
    group->waits = !cluster_meet(emulation, warp, group);
    return;
  }
  if (kind == OPCODE_SYNC || kind == OPCODE_ARRIVE || kind == OPCODE_REDUCE) {
    group->waits = !barrier_meet(emulation, warp, group);
    return;
  }
  if (kind == OPCODE_REGISTERS) {
    ask_for_registers(emulation, warp, group, instruction);
    return;
  }
  if (is_of_family(instruction, FAMILY_MATRIX) ||
      is_of_family(instruction, FAMILY_WMMA) ||
      is_of_family(instruction, FAMILY_WGMMA)) {
    group->waits = lanes != warp->alive;
    if (group->waits)
      return;
    bool goes_on = true;
    if (is_of_family(instruction, FAMILY_WGMMA))
      goes_on = wgmma_step(emulation, warp, group, instruction);
    else if (is_of_family(instruction, FAMILY_WMMA))
      wmma_access(emulation, warp, group, instruction);
    else
      matrix_access(emulation, warp, group, instruction);
    group->at += goes_on;
    return;
  }
  lanes = collective(emulation, warp, group, instruction, lanes);
  if (!lanes) {
    group->waits = true;
    return;
  }
  group->waits = lanes != group->lanes;
  group_part(warp, group, lanes, group->at + 1);
}

// Lanes for which it is no wait go on; the others stay until it is over.
static void run_wait(Emulation *emulation, Warp *warp, LaneGroup *group,
                     const PtxInstruction *instruction) {
  uint32_t lanes = known_guard(emulation, warp, group, instruction, "the wait");
  if (lanes == group->lanes) {
    uint32_t fresh = lanes & ~group->blocked;
    group->blocked |= wait_blocks(emulation, warp, group, fresh);
    lanes = group->blocked;
  }
  if (lanes != group->lanes) {
    group_part(warp, group, group->lanes & ~lanes, group->at + 1);
    return; // to be run again by those who stay
  }
  uint32_t done = mbarrier_wait(emulation, warp, group);
  group->waits = done != lanes;
  group->blocked &= ~done;
  group_part(warp, group, done, group->at + 1);
}

static void refuse(Emulation *emulation, const PtxInstruction *instruction) {
  int length =
      instruction->text_length < 80 ? (int)instruction->text_length : 80;
  if (!instruction->opcode)
    give_up(emulation, instruction, "unknown instruction '%.*s'", length,
            instruction->text);
  if (instruction->opcode->kind == OPCODE_UNMODELLED)
    give_up(emulation, instruction, "'%.*s' is not modelled yet", length,
            instruction->text);
  if (instruction->opcode->kind == OPCODE_ARRIVE && instruction->count == 1)
    give_up(emulation, instruction,
            "'%.*s' does not say how many threads the barrier is for", length,
            instruction->text);
  if (instruction->strange)
    give_up(emulation, instruction, "'%s' of '%.*s' is not modelled",
            instruction->strange, length, instruction->text);
}

// What control goes on behind.
static void run_step(Emulation *emulation, Warp *warp, const LaneGroup *group,
                     const PtxInstruction *instruction) {
  uint32_t unknown;
  if (!is_of_family(instruction, FAMILY_UPDATE) &&
      !is_of_family(instruction, FAMILY_GROUP) &&
      !is_of_family(instruction, FAMILY_BULK)) {
    uint32_t lanes = guard_lanes(emulation, warp, group, instruction, &unknown);
    step(emulation, warp, group, instruction, lanes, unknown);
    return;
  }
  uint32_t lanes = known_guard(emulation, warp, group, instruction,
                               "whether this is executed");
  if (lanes && is_of_family(instruction, FAMILY_GROUP))
    copy_group(emulation, warp, instruction, lanes);
  else if (lanes && is_of_family(instruction, FAMILY_BULK))
    bulk_copy(emulation, warp, group, instruction, lanes);
  else if (lanes)
    mbarrier_update(emulation, warp, group, instruction, lanes);
}

static void run_relevant(Emulation *emulation, Warp *warp, LaneGroup *group,
                         const PtxInstruction *instruction) {
  refuse(emulation, instruction);
  OpcodeKind kind = instruction->opcode->kind;
  if (kind == OPCODE_BRANCH || kind == OPCODE_BRANCH_INDEXED) {
    branch(emulation, warp, group, instruction);
  } else if (kind == OPCODE_CALL) {
    call(emulation, warp, group, instruction);
  } else if (kind == OPCODE_RETURN || kind == OPCODE_EXIT) {
    end_lanes(emulation, warp, group, instruction);
  } else if (opcode_facts(kind)->lanes == LANES_WARP) {
    run_warp_wide(emulation, warp, group, instruction);
  } else if (is_of_family(instruction, FAMILY_WAIT)) {
    run_wait(emulation, warp, group, instruction);
  } else {
    run_step(emulation, warp, group, instruction);
    group->at++;
  }
}

void count_step(Emulation *emulation, Warp *warp, const LaneGroup *group) {
  const PtxFunction *function = group->frame->code->function;
  if (++warp->steps <= emulation->most_steps)
    return;
  Loc loc = group->at < function->code.count
                ? place_loc(function->code.at[group->at])
                : function->loc;
  unsupported(emulation->task, loc,
              "a warp is still running after %llu instructions",
              (unsigned long long)emulation->most_steps);
}

static void run_group(Emulation *emulation, Warp *warp, LaneGroup *group) {
  const CodeSlice *code = group->frame->code;
  count_step(emulation, warp, group);
  const Basis *basis =
      code->basis && has_enough_of(emulation, warp) ? code->basis : NULL;
  if (group->at >= code->function->code.count)
    end_function(emulation, warp, group);
  else if (!code->is_relevant[group->at])
    group->at = code->next[group->at];
  else if (basis && !basis->is_relevant[group->at])
    group->at = basis->next[group->at];
  else
    run_relevant(emulation, warp, group, code->function->code.at[group->at]);
}

void warp_run(Emulation *emulation, Warp *warp, unsigned steps) {
  for (unsigned i = 0;
       i < steps && warp->group_count && !warp->is_blocked && !warp->is_parked;
       i++) {
    LaneGroup *group = pick_group(warp, NULL, 0);
    if (group)
      run_group(emulation, warp, group);
    else
      barrier_meet_apart(emulation, warp);
  }
}

bool warp_run_to(Emulation *emulation, Warp *warp, const Frame *frame,
                 uint32_t at) {
  LaneGroup *group;
  while ((group = pick_group(warp, frame, at)))
    run_group(emulation, warp, group);
  for (unsigned i = 0; i < warp->group_count; i++)
    if (!is_at(&warp->groups[i], frame, at))
      return false;
  return true;
}
