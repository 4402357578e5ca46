// Groups of asynchronous copies (PTX ISA 9.7.9.25.3).
//
// Each lane has its own groups; commit_group closes one, and wait_group waits
// for all but the youngest.  So a wait is for the copies that stand before some
// place in the program of the warp, one place for each set of lanes.

#include "barriers/emulate.h"

bool is_copy_group(const PtxInstruction *instruction) {
  return instruction->opcode &&
         (instruction->opcode->kind == OPCODE_COPY_COMMIT ||
          instruction->opcode->kind == OPCODE_COPY_WAIT ||
          instruction->opcode->kind == OPCODE_COPY_WAIT_ALL);
}

static void commit(Emulation *emulation, Warp *warp, uint32_t lanes) {
  size_t count = emulation->programs->warps[warp->index].count;
  for (; lanes; lanes &= lanes - 1)
    push(&emulation->task->arena, &warp->commits[__builtin_ctz(lanes)],
         (uint32_t)count);
}

// Behind the last copy that a lane waits for; 0: it waits for none.
static uint32_t last_copy(const Places *commits, uint64_t pending) {
  return pending < commits->count ? commits->at[commits->count - 1 - pending]
                                  : 0;
}

static void wait_for(Emulation *emulation, const Warp *warp,
                     const PtxInstruction *instruction, uint64_t pending,
                     uint32_t lanes) {
  while (lanes) {
    uint32_t place = last_copy(&warp->commits[__builtin_ctz(lanes)], pending);
    Command command = {.kind = COMMAND_COPIES_DONE, .address = place};
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
      if (last_copy(&warp->commits[__builtin_ctz(rest)], pending) == place)
        command.lanes |= rest & -rest;
    if (place)
      add_command(emulation, warp->index, command, instruction);
    lanes &= ~command.lanes;
  }
}

void copy_group(Emulation *emulation, Warp *warp,
                const PtxInstruction *instruction, uint32_t lanes) {
  OpcodeKind kind = instruction->opcode->kind;
  if (kind != OPCODE_COPY_WAIT)
    commit(emulation, warp, lanes); // wait_all: and no group stays
  if (kind == OPCODE_COPY_WAIT)
    wait_for(emulation, warp, instruction, instruction->operands[0].number,
             lanes);
  else if (kind == OPCODE_COPY_WAIT_ALL)
    wait_for(emulation, warp, instruction, 0, lanes);
}
