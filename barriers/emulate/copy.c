// Groups of asynchronous copies (PTX ISA 9.7.9.25.3).
//
// Each lane has its own groups; commit_group closes one, and wait_group waits
// for all but the youngest.  So a wait is for the copies that stand before some
// place in the program of the warp, one place for each set of lanes.

#include "barriers/emulate/emulate.h"

// Ordinary or bulk copies.
typedef struct Groups {
  Indices *commits; // by lane
  CommandKind done;
} Groups;

static Groups groups_of(Warp *warp, OpcodeKind kind) {
  if (kind == OPCODE_BULK_COMMIT || kind == OPCODE_BULK_WAIT)
    return (Groups){warp->bulk_commits, COMMAND_BULKS_DONE};
  return (Groups){warp->commits, COMMAND_COPIES_DONE};
}

static void commit(Emulation *emulation, const Warp *warp, Groups groups,
                   uint32_t lanes) {
  size_t count = emulation->programs->warps[warp->index].count;
  for (; lanes; lanes &= lanes - 1)
    push(&emulation->task->arena, &groups.commits[__builtin_ctz(lanes)],
         (uint32_t)count);
}

// Behind the last copy that a lane waits for; 0: it waits for none.
static uint32_t last_copy(const Indices *commits, uint64_t pending) {
  return pending < commits->count ? commits->at[commits->count - 1 - pending]
                                  : 0;
}

static void wait_for(Emulation *emulation, const Warp *warp, Groups groups,
                     const PtxInstruction *instruction, uint64_t pending,
                     uint32_t lanes) {
  while (lanes) {
    uint32_t place = last_copy(&groups.commits[__builtin_ctz(lanes)], pending);
    Command command = {.kind = groups.done, .before = place};
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
      if (last_copy(&groups.commits[__builtin_ctz(rest)], pending) == place)
        command.lanes |= rest & -rest;
    if (place)
      add_command(emulation, warp->index, command, instruction);
    lanes &= ~command.lanes;
  }
}

void copy_group(Emulation *emulation, Warp *warp,
                const PtxInstruction *instruction, uint32_t lanes) {
  OpcodeKind kind = instruction->opcode->kind;
  Groups groups = groups_of(warp, kind);
  bool is_wait = kind == OPCODE_COPY_WAIT || kind == OPCODE_BULK_WAIT;
  if (!is_wait)
    commit(emulation, warp, groups, lanes); // wait_all: and no group stays
  if (is_wait)
    wait_for(emulation, warp, groups, instruction,
             instruction->operands[0].number, lanes);
  else if (kind == OPCODE_COPY_WAIT_ALL)
    wait_for(emulation, warp, groups, instruction, 0, lanes);
}
