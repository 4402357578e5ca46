// Clusters of one block.
//
// mapa makes an address in the shared memory of another block of the cluster,
// and that block may do the same with ours; a multicast copies to all of them.
// Where there are other blocks, a kernel with one of these is not judged,
// whether our block executes it or not.  A cluster of one block has rank 0
// alone, and what mapa makes of an address is the address.
//
// A kernel that does not say how large its clusters are (.reqnctapercluster)
// may be launched with any.  We take it to be launched without, as <<<>>> does,
// and say so where it asks for its place in the cluster or maps an address
// (SOUND(no-clusters)).

#include "barriers/emulate.h"

#include <string.h>

// Says so if that is assumed.
static bool is_alone(const Emulation *emulation) {
  const uint32_t *size = emulation->kernel->cluster;
  if (!size[0])
    emulation->programs->is_alone = true;
  return !size[0] || (size[0] == 1 && size[1] == 1 && size[2] == 1);
}

static bool is_multicast(const PtxInstruction *instruction) {
  static const char name[] = ".multicast::cluster";
  for (size_t i = 0; i + sizeof name - 1 <= instruction->text_length; i++)
    if (!strncmp(instruction->text + i, name, sizeof name - 1))
      return true;
  return false;
}

static bool reaches_others(const PtxInstruction *instruction) {
  return (instruction->opcode && instruction->opcode->kind == OPCODE_MAP) ||
         is_multicast(instruction);
}

void cluster_check(Emulation *emulation) {
  const Ptx *ptx = emulation->kernel->ptx;
  for (size_t f = 0; f < ptx->functions.count; f++)
    for (size_t i = 0;
         emulation->slice.codes[f] && i < ptx->functions.at[f]->code.count;
         i++) {
      const PtxInstruction *at = ptx->functions.at[f]->code.at[i];
      if (reaches_others(at) && !is_alone(emulation))
        give_up(emulation, at,
                "shared memory of another block of the cluster: '%s'",
                instruction_text(emulation, at));
    }
}

Value cluster_value(const Emulation *emulation, uint32_t special) {
  const EmulationOptions *options = emulation->options;
  if (!is_alone(emulation))
    return value_unknown(32, NULL);
  if (special <= PTX_CLUSTERID_Z)
    return value_number(32, options->block[special - PTX_CLUSTERID_X]);
  if (special <= PTX_NCLUSTERID_Z) {
    uint32_t size = options->grid_size[special - PTX_NCLUSTERID_X];
    return size ? value_number(32, size) : value_unknown(32, NULL);
  }
  bool counts =
      special == PTX_CLUSTER_NCTARANK ||
      (special >= PTX_CLUSTER_NCTAID_X && special <= PTX_CLUSTER_NCTAID_Z);
  return value_number(32, counts);
}

void cluster_map(Emulation *emulation, Warp *warp, const Frame *frame,
                 const PtxInstruction *map, uint32_t lanes) {
  Value rank = operand_value(emulation, warp, frame, &map->operands[2], 32);
  Value at =
      operand_value(emulation, warp, frame, &map->operands[1], map->type.bits);
  if (lanes & ~rank.known)
    give_up(emulation, map, "the rank of the block depends on %s",
            value_cause(emulation, &rank));
  for (uint32_t rest = lanes; rest; rest &= rest - 1)
    if (value_lane(&rank, (unsigned)__builtin_ctz(rest)))
      give_up(emulation, map, "there is no other block in the cluster: '%s'",
              instruction_text(emulation, map));
  if (!at.cause)
    at.cause = map;
  write_operand(emulation, warp, frame, &map->operands[0], &at, lanes);
}
