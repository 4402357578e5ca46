// Clusters: which blocks are executed, and whose shared memory an address is
// in.
//
// A kernel for clusters of several blocks, in which one block can tell or touch
// another one, is executed for all blocks of the cluster of --block.  The
// shared memory of the block with rank r lies at r << 24, both in the window of
// shared::cluster and in its own of shared::cta, which is a part of that; as
// the hardware has it, and mapa only changes the rank.  In the commands the
// windows are MOST_SHARED_BYTES apart.
//
// A kernel that does not say how large its clusters are (.reqnctapercluster,
// --clusterDim) may be launched with any.  We take it to be launched without,
// as <<<>>> does, and say so where it asks for its place in the cluster or maps
// an address (SOUND(no-clusters)).
//
// Where the blocks of a cluster are too many for us, and all that they have
// together is barrier.cluster, one of them is executed alone: that the others
// come to it as well is a part of SOUND(one-block) then.

#include "barriers/emulate/emulate.h"

#include <assert.h>
#include <string.h>

// ---------------------------------------------------------- instructions ---

static bool is_async(OpcodeKind kind) {
  return kind == OPCODE_ASYNC_STORE || kind == OPCODE_ASYNC_REDUCE;
}

static bool reaches_others(const PtxInstruction *instruction) {
  return instruction->opcode &&
         (instruction->opcode->kind == OPCODE_MAP ||
          is_async(instruction->opcode->kind) || instruction->is_multicast);
}

static bool is_cluster_barrier(const PtxInstruction *instruction) {
  return instruction->opcode &&
         (instruction->opcode->kind == OPCODE_CLUSTER_ARRIVE ||
          instruction->opcode->kind == OPCODE_CLUSTER_WAIT);
}

const PtxInstruction *find_instruction(const Emulation *emulation,
                                       bool (*is)(const PtxInstruction *)) {
  const Ptx *ptx = emulation->kernel->ptx;
  for (size_t f = 0; f < ptx->functions.count; f++)
    for (size_t i = 0;
         emulation->slice.codes[f] && i < ptx->functions.at[f]->code.count; i++)
      if (is(ptx->functions.at[f]->code.at[i]))
        return ptx->functions.at[f]->code.at[i];
  return NULL;
}

// ----------------------------------------------------------------- shape ---

static uint32_t blocks_of(const uint32_t size[3]) {
  return size[0] * size[1] * size[2];
}

// The rank of the block that was asked for.
static uint32_t own_rank(const Emulation *emulation) {
  const uint32_t *size = emulation->cluster_size;
  const uint32_t *block = emulation->options->block;
  return block[0] % size[0] +
         size[0] * (block[1] % size[1] + size[1] * (block[2] % size[2]));
}

static bool is_within(const uint32_t size[3]) {
  enum { MOST = 1024 };
  for (unsigned axis = 0; axis < 3; axis++)
    if (!size[axis] || size[axis] > MOST)
      return false;
  return blocks_of(size) <= MOST;
}

static void find_size(Emulation *emulation) {
  const uint32_t *given = emulation->options->cluster;
  const uint32_t *size = given[0] ? given : emulation->kernel->cluster;
  static const uint32_t one[3] = {1, 1, 1};
  emulation->is_cluster_said = size[0];
  memcpy(emulation->cluster_size, size[0] ? size : one, sizeof one);
  if (!is_within(emulation->cluster_size))
    unsupported(emulation->task, emulation->kernel->loc,
                "a cluster of %u x %u x %u blocks", size[0], size[1], size[2]);
}

// Gives up where others are needed and there is no room for them.
static bool has_room(Emulation *emulation) {
  uint32_t blocks = blocks_of(emulation->cluster_size);
  unsigned warps = blocks * emulation->block_warps;
  const PtxInstruction *reaching = find_instruction(emulation, reaches_others);
  if (blocks <= MOST_BLOCKS && warps <= MOST_WARPS)
    return true;
  if (reaching)
    give_up(emulation, reaching,
            "a cluster of %u blocks and %u warps in all, and %d blocks and %d "
            "warps are the most",
            blocks, warps, MOST_BLOCKS, MOST_WARPS);
  return false;
}

void cluster_set_up(Emulation *emulation) {
  find_size(emulation);
  bool is_one = blocks_of(emulation->cluster_size) == 1;
  bool has_others = find_instruction(emulation, reaches_others) ||
                    find_instruction(emulation, is_cluster_barrier);
  bool is_alone = is_one || !has_others || !has_room(emulation);
  emulation->first_rank = is_alone ? own_rank(emulation) : 0;
  emulation->programs->blocks =
      is_alone ? 1 : blocks_of(emulation->cluster_size);
  emulation->programs->is_alone = !emulation->is_cluster_said &&
                                  find_instruction(emulation, reaches_others);
}

// -------------------------------------------------------------- registers ---

// Where the warp's block is in the cluster.
static uint32_t place_in_cluster(const Emulation *emulation, const Warp *warp,
                                 unsigned axis) {
  const uint32_t *size = emulation->cluster_size;
  uint32_t rank = emulation->first_rank + warp->block;
  return axis == 0   ? rank % size[0]
         : axis == 1 ? rank / size[0] % size[1]
                     : rank / size[0] / size[1];
}

static uint32_t cluster_in_grid(const Emulation *emulation, unsigned axis) {
  emulation->programs->block_axes |= 1u << axis;
  return emulation->options->block[axis] / emulation->cluster_size[axis];
}

// Where the cluster is executed as a whole that says nothing of its place.
static void note_rank(const Emulation *emulation) {
  if (emulation->programs->blocks < blocks_of(emulation->cluster_size))
    emulation->programs->block_axes |= 7;
}

uint32_t cluster_block(const Emulation *emulation, const Warp *warp,
                       unsigned axis) {
  return cluster_in_grid(emulation, axis) * emulation->cluster_size[axis] +
         place_in_cluster(emulation, warp, axis);
}

WarpValue cluster_value(const Emulation *emulation, const Warp *warp,
                        uint32_t special) {
  const uint32_t *size = emulation->cluster_size;
  emulation->programs->is_alone |= !emulation->is_cluster_said;
  if (special <= PTX_CLUSTERID_Z && emulation->options->is_any_block)
    return value_any_block();
  if (special <= PTX_CLUSTERID_Z)
    return value_number(32,
                        cluster_in_grid(emulation, special - PTX_CLUSTERID_X));
  if (special <= PTX_NCLUSTERID_Z) {
    unsigned axis = special - PTX_NCLUSTERID_X;
    uint32_t grid = emulation->options->grid_size[axis];
    emulation->programs->grid_axes |= 1u << axis;
    return grid ? value_number(32, grid / size[axis]) : value_unknown(32, NULL);
  }
  if (special <= PTX_CLUSTER_CTAID_Z) {
    note_rank(emulation);
    return value_number(
        32, place_in_cluster(emulation, warp, special - PTX_CLUSTER_CTAID_X));
  }
  if (special <= PTX_CLUSTER_NCTAID_Z)
    return value_number(32, size[special - PTX_CLUSTER_NCTAID_X]);
  if (special == PTX_CLUSTER_CTARANK) {
    note_rank(emulation);
    return value_number(32, emulation->first_rank + warp->block);
  }
  return value_number(32, blocks_of(size));
}

// -------------------------------------------------------------- addresses ---

uint64_t cluster_own_window(const Warp *warp) {
  return (uint64_t)warp->block << BLOCK_WINDOW_BITS;
}

static bool is_of_own_mbarrier(OpcodeKind kind) {
  return kind == OPCODE_MBARRIER_INIT || kind == OPCODE_MBARRIER_INVAL ||
         kind == OPCODE_COPY_ARRIVE || kind == OPCODE_COPY_ARRIVE_NOINC;
}

// It may name shared memory of another block.
static bool is_for_cluster(const PtxInstruction *instruction) {
  OpcodeKind kind = instruction->opcode->kind;
  if (is_of_family(instruction, FAMILY_BULK))
    return is_async(kind) ||
           strstr(instruction->opcode->name, "shared::cluster");
  bool may_be = is_of_family(instruction, FAMILY_ACCESS)
                    ? kind != OPCODE_COPY
                    : is_of_family(instruction, FAMILY_UPDATE) &&
                          !is_of_own_mbarrier(kind);
  return may_be &&
         (instruction->is_of_cluster || instruction->space == SPACE_GENERIC);
}

uint64_t cluster_locate(Emulation *emulation, const Warp *warp,
                        const PtxInstruction *instruction, uint64_t *at) {
  uint64_t block = *at >> BLOCK_WINDOW_BITS;
  *at &= bits_mask(BLOCK_WINDOW_BITS);
  if (block >= emulation->programs->blocks)
    give_up(emulation, instruction,
            "address %#llx is outside of the %u bytes of shared memory",
            (unsigned long long)(block << BLOCK_WINDOW_BITS | *at),
            emulation->shared_bytes);
  if (block != warp->block && !is_for_cluster(instruction))
    give_up(emulation, instruction,
            "'%s' at an address in shared memory of another block",
            instruction->opcode->name);
  return block * MOST_SHARED_BYTES;
}

static void check_rank(Emulation *emulation, const PtxInstruction *map,
                       uint64_t rank) {
  if (emulation->programs->blocks == 1 && rank)
    give_up(emulation, map, "there is no other block in the cluster: '%s'%s",
            instruction_text(emulation, map),
            emulation->is_cluster_said
                ? ""
                : "; give --clusterDim if it is launched in clusters");
  if (rank >= emulation->programs->blocks)
    give_up(emulation, map, "the cluster has %u blocks, and none of rank %llu",
            emulation->programs->blocks, (unsigned long long)rank);
}

// Lanes with an address of shared memory, as this instruction takes it.
static uint32_t mapped_lanes(const Emulation *emulation,
                             const PtxInstruction *instruction,
                             const WarpValue *at) {
  uint32_t lanes = 0;
  for (uint32_t rest = at->known; rest; rest &= rest - 1) {
    Anchor anchor = value_anchor(at, (unsigned)__builtin_ctz(rest));
    if (!anchor_is_address(emulation, anchor))
      continue;
    Anchored anchored = anchor_of(emulation, anchor);
    if (anchored.variable->space == SPACE_SHARED &&
        anchored.is_generic == (instruction->space != SPACE_SHARED))
      lanes |= rest & -rest;
  }
  return lanes;
}

static uint64_t window_of(const PtxInstruction *instruction) {
  return instruction->space == SPACE_SHARED ? 0 : SHARED_WINDOW;
}

void cluster_map(Emulation *emulation, Warp *warp, const Frame *frame,
                 const PtxInstruction *map, uint32_t lanes) {
  WarpValue rank = operand_value(emulation, warp, frame, &map->operands[2], 32);
  WarpValue at = operand_anchored(emulation, warp, frame, &map->operands[1],
                                  map->type.bits);
  uint64_t window = window_of(map);
  if (lanes & ~rank.known)
    give_up(emulation, map, "the rank of the block depends on %s",
            value_cause(emulation, &rank));
  uint32_t known = mapped_lanes(emulation, map, &at) & lanes;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    uint64_t number = value_lane(&rank, lane);
    check_rank(emulation, map, number);
    warp->scratch[0][lane] = window + (number << BLOCK_WINDOW_BITS |
                                       ((value_lane(&at, lane) - window) &
                                        bits_mask(BLOCK_WINDOW_BITS)));
  }
  WarpValue mapped = value_lanes(map->type.bits, known, warp->scratch[0]);
  mapped.is_anchored = known && at.is_anchored;
  mapped.anchors = at.anchors;
  mapped.cause = at.cause ? at.cause : map;
  write_operand(emulation, warp, frame, &map->operands[0], &mapped, lanes);
}

void cluster_rank(Emulation *emulation, Warp *warp, const Frame *frame,
                  const PtxInstruction *ask, uint32_t lanes) {
  WarpValue at =
      operand_anchored(emulation, warp, frame, &ask->operands[1], 64);
  uint64_t window = window_of(ask);
  uint32_t known = mapped_lanes(emulation, ask, &at) & lanes;
  for (uint32_t rest = known; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    warp->scratch[0][lane] =
        (value_lane(&at, lane) - window) >> BLOCK_WINDOW_BITS;
  }
  WarpValue rank = value_lanes(32, known, warp->scratch[0]);
  rank.cause = at.cause ? at.cause : ask;
  write_operand(emulation, warp, frame, &ask->operands[0], &rank, lanes);
}
