// Tensor maps in shared memory (PTX ISA 9.7.9.28): tensormap.replace changes
// one, and tensormap.cp_fenceproxy copies it to global memory.
//
// Both count as accesses to all of its 128 bytes; the copy is made by a warp,
// and which of its lanes reads is not said.

#include "barriers/emulate/emulate.h"

enum { MAP_BYTES = 128, PIECE = 32 };

static void access_map(Emulation *emulation, const Warp *warp,
                       const PtxInstruction *instruction, Command command,
                       uint64_t at) {
  command.bytes = PIECE;
  for (uint64_t done = 0; done < MAP_BYTES; done += PIECE) {
    command.address = (uint32_t)(at + done);
    add_command(emulation, warp->index, command, instruction);
  }
}

void tensormap_access(Emulation *emulation, Warp *warp, const LaneGroup *group,
                      const PtxInstruction *instruction, uint32_t lanes) {
  bool is_copy = instruction->opcode->kind == OPCODE_TENSORMAP_COPY;
  const Operand *map = &instruction->operands[is_copy];
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    uint64_t at = memory_range(emulation, warp, group, instruction, map,
                               (unsigned)__builtin_ctz(rest), MAP_BYTES, PIECE);
    if (is_copy) {
      access_map(emulation, warp, instruction,
                 (Command){.kind = COMMAND_READ, .lanes = lanes}, at);
      return;
    }
    memory_forget(emulation, at, MAP_BYTES);
    access_map(emulation, warp, instruction,
               (Command){.kind = COMMAND_WRITE, .lanes = rest & -rest}, at);
  }
}
