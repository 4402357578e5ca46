// Loads before which their own thread may have written to global memory, or
// learnt there that others have.
//
// Threads that load from the same place between two barriers of the whole block
// get the same (SOUND(same-loads)), for somebody who writes there meanwhile
// would race with them; but nobody races with himself.  So what a thread finds
// behind a write of its own, before the next barrier, need not be what another
// one finds; nor is what somebody finds who has waited, by strong loads or
// atomics, until another thread has written.  Forward over the flow graph:
// whether there is a way from one of these to a place with no barrier on it.  A
// call may be any of them, and so may have been what calls a function.

#include "barriers/emulate/emulate.h"

bool looks_outside(const PtxInstruction *instruction) {
  if (!instruction->opcode || (instruction->space != SPACE_GLOBAL &&
                               instruction->space != SPACE_GENERIC))
    return false;
  OpcodeKind kind = instruction->opcode->kind;
  return (kind == OPCODE_LOAD &&
          (instruction->is_volatile || instruction->order != CHOICE_NONE)) ||
         (kind == OPCODE_ATOMIC && has_destination(instruction));
}

static bool is_barrier(const PtxInstruction *instruction) {
  return instruction->opcode && instruction->opcode->kind == OPCODE_SYNC &&
         instruction->guard == NO_REGISTER;
}

// What is so behind a block if it is so before it; and of each instruction.
static bool walk(const Flow *flow, uint32_t block, bool is_written,
                 bool *is_rewritten) {
  for (uint32_t i = flow->blocks[block].first; i < flow->blocks[block].end;
       i++) {
    const PtxInstruction *instruction = flow->function->code.at[i];
    is_rewritten[i] = is_written;
    is_written |= ptx_writes_global(instruction) || looks_outside(instruction);
    is_written &= !is_barrier(instruction);
  }
  return is_written;
}

bool *find_rewritten(Task *task, const Flow *flow) {
  bool *is_rewritten =
      arena_alloc(&task->arena, flow->function->code.count + 1);
  bool *behind = arena_alloc(&task->arena, flow->count + 1);
  for (bool has_news = true; has_news;) {
    has_news = false;
    task_check_time(task, flow->function->loc);
    for (uint32_t block = 0; block < flow->count; block++) {
      const Indices *in = &flow->blocks[block].in;
      bool is_written = block == 0 && !flow->function->is_entry;
      for (size_t i = 0; i < in->count; i++)
        is_written |= behind[in->at[i]];
      is_written = walk(flow, block, is_written, is_rewritten);
      has_news |= is_written != behind[block];
      behind[block] = is_written;
    }
  }
  return is_rewritten;
}
