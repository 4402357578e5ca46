// barrier.cluster (PTX ISA 9.7.13.4), of all threads of the blocks that are
// executed.
//
// It counts as an mbarrier does that nobody has to initialise: each thread
// arrives, may do other things, and waits for the phase that it has arrived
// for; whoever exits drops out.  So the check has no rules of its own for it
// (Programs has the convention).  Both halves wait for all lanes of the warp
// that have not exited; that orders no accesses.  A thread that exits between
// the two halves drops out by its arrival, if all of its warp do that.
//
// .relaxed arrives without publishing anything but the mbarriers that were
// initialised before a fence.mbarrier_init of the same thread; what drops out
// publishes not even these.

#include "barriers/emulate/emulate.h"

static bool is_of_cluster_barrier(const PtxInstruction *instruction) {
  return instruction->opcode &&
         (instruction->opcode->kind == OPCODE_CLUSTER_ARRIVE ||
          instruction->opcode->kind == OPCODE_CLUSTER_WAIT);
}

static bool is_relaxed_arrival(const PtxInstruction *instruction) {
  return is_of_cluster_barrier(instruction) &&
         instruction->order == CHOICE_RELAXED;
}

void cluster_barrier_set_up(Emulation *emulation) {
  unsigned threads = emulation->programs->blocks * emulation->programs->threads;
  emulation->has_cluster_barrier =
      find_instruction(emulation, is_of_cluster_barrier);
  emulation->has_relaxed_arrivals =
      find_instruction(emulation, is_relaxed_arrival);
  mbarrier_step(&emulation->cluster_barrier,
                (MbarrierEvent){.kind = MBARRIER_INIT, .count = threads});
}

// -------------------------------------------------------------- commands ---

static const PtxInstruction *instruction_of(const LaneGroup *group) {
  return group->frame->code->function->code.at[group->at];
}

static void add(Emulation *emulation, const Warp *warp, CommandKind kind,
                uint32_t lanes, const PtxInstruction *instruction) {
  Command command = {.kind = kind,
                     .address = CLUSTER_BARRIER,
                     .lanes = lanes,
                     .arrivals = kind != COMMAND_MBARRIER_WAIT};
  if (kind == COMMAND_MBARRIER_WAIT)
    command.parity = warp->cluster_arrivals % 2 == 0;
  else
    command.is_relaxed =
        instruction->order == CHOICE_RELAXED || kind == COMMAND_MBARRIER_DROP;
  add_command(emulation, warp->index, command, instruction);
}

// The groups of a warp have all that is left of it.
static void step_over(Warp *warp) {
  for (unsigned i = 0; i < warp->group_count; i++) {
    warp->groups[i].at++;
    warp->groups[i].waits = false;
  }
}

// ----------------------------------------------------------------- phases ---

static bool is_over(const Emulation *emulation, const Warp *warp) {
  return mbarrier_is_over(&emulation->cluster_barrier,
                          warp->cluster_arrivals % 2 == 0);
}

static void pass(Emulation *emulation, Warp *warp) {
  for (unsigned i = 0; i < warp->group_count; i++)
    add(emulation, warp, COMMAND_MBARRIER_WAIT, warp->groups[i].lanes,
        instruction_of(&warp->groups[i]));
  step_over(warp);
  warp->has_arrived = warp->is_at_cluster = warp->is_blocked = false;
}

static void count(Emulation *emulation, MbarrierEventKind kind,
                  unsigned arrivals) {
  MbarrierEvent event = {.kind = kind, .count = arrivals};
  if (!mbarrier_step(&emulation->cluster_barrier, event).completes)
    return;
  for (unsigned i = 0; i < emulation->warp_count; i++) {
    Warp *warp = &emulation->warps[i];
    if (warp->is_at_cluster && is_over(emulation, warp))
      pass(emulation, warp);
  }
}

static void arrive(Emulation *emulation, Warp *warp) {
  const PtxInstruction *first = instruction_of(&warp->groups[0]);
  if (is_relaxed_arrival(first))
    check_no_fences(emulation, first);
  warp->cluster_command =
      (uint32_t)emulation->programs->warps[warp->index].count;
  for (unsigned i = 0; i < warp->group_count; i++)
    add(emulation, warp, COMMAND_MBARRIER_ARRIVE, warp->groups[i].lanes,
        instruction_of(&warp->groups[i]));
  step_over(warp);
  warp->has_arrived = true;
  warp->cluster_lanes = warp->alive;
  warp->cluster_arrivals++;
  count(emulation, MBARRIER_ARRIVE, (unsigned)__builtin_popcount(warp->alive));
}

static void wait(Emulation *emulation, Warp *warp) {
  const PtxInstruction *first = instruction_of(&warp->groups[0]);
  if (!warp->has_arrived)
    give_up(emulation, first,
            "a barrier.cluster.wait without an arrive before it");
  if (warp->cluster_gone)
    give_up(emulation, first,
            "some threads of a warp end between barrier.cluster.arrive and its "
            "wait");
  if (is_over(emulation, warp))
    pass(emulation, warp);
  else
    warp->is_at_cluster = warp->is_blocked = true;
}

bool cluster_meet(Emulation *emulation, Warp *warp, const LaneGroup *group) {
  if (group->lanes != warp->alive)
    return false;
  if (instruction_of(group)->opcode->kind == OPCODE_CLUSTER_ARRIVE)
    arrive(emulation, warp);
  else
    wait(emulation, warp);
  return !warp->is_blocked;
}

bool cluster_meet_apart(Emulation *emulation, Warp *warp) {
  const PtxInstruction *first = instruction_of(&warp->groups[0]);
  if (!is_of_cluster_barrier(first))
    return false;
  for (unsigned i = 1; i < warp->group_count; i++) {
    const PtxInstruction *other = instruction_of(&warp->groups[i]);
    bool may_be_apart = !first->is_aligned && !other->is_aligned;
    if (!is_of_cluster_barrier(other) ||
        !(barrier_is_one(&warp->groups[0], &warp->groups[i]) || may_be_apart) ||
        first->opcode->kind != other->opcode->kind ||
        first->order != other->order)
      return false;
  }
  if (first->opcode->kind == OPCODE_CLUSTER_ARRIVE)
    arrive(emulation, warp);
  else
    wait(emulation, warp);
  return true;
}

// ------------------------------------------------------------------- ends ---

// Once nobody of the warp is left to wait, its last arrival was also its end.
static void drop_by_arrival(Emulation *emulation, Warp *warp, uint32_t lanes) {
  Commands *commands = &emulation->programs->warps[warp->index];
  warp->cluster_gone |= lanes;
  for (size_t i = warp->cluster_command;
       warp->cluster_gone == warp->cluster_lanes && i < commands->count; i++) {
    Command *command = &commands->at[i];
    if (command->kind == COMMAND_MBARRIER_ARRIVE &&
        command->address == CLUSTER_BARRIER)
      command->kind = COMMAND_MBARRIER_DROP;
  }
}

void cluster_exit(Emulation *emulation, Warp *warp, uint32_t lanes,
                  const PtxInstruction *instruction) {
  Mbarrier *barrier = &emulation->cluster_barrier;
  unsigned leaving = (unsigned)__builtin_popcount(lanes);
  if (!emulation->has_cluster_barrier)
    return;
  if (warp->has_arrived)
    drop_by_arrival(emulation, warp, lanes);
  else
    add(emulation, warp, COMMAND_MBARRIER_DROP, lanes, instruction);
  if (!warp->has_arrived || is_over(emulation, warp)) {
    count(emulation, MBARRIER_DROP, leaving);
    return;
  }
  assert(leaving <= barrier->expected);
  barrier->expected -= leaving; // this phase has the arrivals already
}

bool cluster_end(Emulation *emulation) {
  bool passes = false;
  for (unsigned i = 0; i < emulation->warp_count; i++)
    if (emulation->warps[i].is_at_cluster) {
      pass(emulation, &emulation->warps[i]);
      passes = true;
    }
  return passes;
}

void cluster_fence_inits(Emulation *emulation, const Warp *warp,
                         const PtxInstruction *instruction, uint32_t lanes) {
  Command fence = {.kind = COMMAND_INIT_FENCE, .lanes = lanes};
  if (lanes && emulation->has_relaxed_arrivals)
    add_command(emulation, warp->index, fence, instruction);
}
