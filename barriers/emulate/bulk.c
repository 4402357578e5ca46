// Bulk copies, cp.async.bulk of PTX ISA 9.7.9.25, by the async proxy; and
// st.async and red.async, small ones by the generic proxy.
//
// Each lane that executes one starts a copy of its own, so each lane has its
// own commands: the read of shared memory, the write, and the bytes that the
// mbarrier gets when they have been made.  What goes to global memory is waited
// for by groups (copy.c).  The schedule that is executed makes them at
// once; what they bring is not known.
//
// How many bytes a tensor map stands for only the host knows; tensor.c
// has the loads.  A store by a tensor map reads as little as there can be,
// which is to be executed for races that there are in any case, or all that
// lies in its variable from its address on, to know that there is none
// (EmulationOptions).

#include "barriers/emulate/emulate.h"

enum {
  BULK_UNIT = 16,
  TENSOR_UNIT = 128,
  MOST_BULK_BYTES = (1 << 20) - BULK_UNIT,
};

// One lane's part.
typedef struct Bulk {
  Emulation *emulation;
  Warp *warp;
  const LaneGroup *group;
  const PtxInstruction *instruction;
  unsigned lane;
  uint64_t bytes;
} Bulk;

static const Operand *operand_at(const Bulk *bulk, unsigned index) {
  return &bulk->instruction->operands[index];
}

static uint64_t locate(const Bulk *bulk, unsigned operand, uint64_t bytes,
                       unsigned align) {
  return memory_range(bulk->emulation, bulk->warp, bulk->group,
                      bulk->instruction, operand_at(bulk, operand), bulk->lane,
                      bytes, align);
}

static uint64_t given_bytes(const Bulk *bulk) {
  WarpValue value = operand_value(bulk->emulation, bulk->warp,
                                  bulk->group->frame, operand_at(bulk, 2), 32);
  if (!(value.known >> bulk->lane & 1))
    give_up(bulk->emulation, bulk->instruction,
            "the size of the bulk copy depends on %s",
            value_cause(bulk->emulation, &value));
  return value_lane(&value, bulk->lane);
}

static void check_bytes(const Bulk *bulk) {
  if (!bulk->bytes || bulk->bytes % BULK_UNIT || bulk->bytes > MOST_BULK_BYTES)
    give_up(bulk->emulation, bulk->instruction,
            "a bulk copy of %llu bytes, which is no multiple of %d from %d to "
            "%d",
            (unsigned long long)bulk->bytes, BULK_UNIT, BULK_UNIT,
            MOST_BULK_BYTES);
}

static void add(const Bulk *bulk, Command command) {
  command.lanes = UINT32_C(1) << bulk->lane;
  add_command(bulk->emulation, bulk->warp->index, command, bulk->instruction);
}

static bool is_generic(const Bulk *bulk) {
  return bulk->instruction->opcode->kind == OPCODE_ASYNC_STORE ||
         bulk->instruction->opcode->kind == OPCODE_ASYNC_REDUCE;
}

static void add_access(const Bulk *bulk, CommandKind kind, uint64_t at,
                       unsigned behind) {
  add(bulk, (Command){.kind = kind,
                      .completes_in = (uint8_t)behind,
                      .is_generic = is_generic(bulk),
                      .address = (uint32_t)at,
                      .extent = (uint32_t)bulk->bytes});
}

// The write, and what its mbarrier gets.
static void bring(const Bulk *bulk, uint64_t to, uint64_t mbarrier) {
  Command command = {.kind = COMMAND_BULK_COMPLETE,
                     .is_generic = is_generic(bulk),
                     .address = (uint32_t)mbarrier,
                     .tx = (int32_t)bulk->bytes};
  if (to / MOST_SHARED_BYTES != mbarrier / MOST_SHARED_BYTES)
    give_up(bulk->emulation, bulk->instruction,
            "the mbarrier is not in the block that the copy is for");
  if (to / MOST_SHARED_BYTES != bulk->warp->block)
    mbarrier_note_scope(bulk->emulation, bulk->instruction);
  memory_forget(bulk->emulation, to, bulk->bytes);
  add_access(bulk,
             bulk->instruction->opcode->kind == OPCODE_ASYNC_REDUCE
                 ? COMMAND_BULK_ATOMIC
                 : COMMAND_BULK_WRITE,
             to, 1);
  add(bulk, command);
  if (bulk->instruction->opcode->kind == OPCODE_TENSOR_LOAD)
    tensor_start(bulk->emulation, bulk->warp, bulk->group->frame->code,
                 bulk->instruction, to, mbarrier);
  else
    mbarrier_complete(bulk->emulation, &command);
}

// ------------------------------------------------------------- multicasts ---

// The blocks that a copy is for; 0: the one of its address.
static uint64_t blocks_of(const Bulk *bulk) {
  const PtxInstruction *instruction = bulk->instruction;
  unsigned blocks = bulk->emulation->programs->blocks;
  if (!instruction->is_multicast)
    return 0;
  WarpValue mask = operand_value(
      bulk->emulation, bulk->warp, bulk->group->frame,
      operand_at(bulk, instruction->count - 1 - instruction->has_policy), 16);
  if (!(mask.known >> bulk->lane & 1))
    give_up(bulk->emulation, instruction,
            "the mask of the multicast depends on %s",
            value_cause(bulk->emulation, &mask));
  uint64_t bits = value_lane(&mask, bulk->lane);
  if (!bits || bits >> blocks)
    give_up(bulk->emulation, instruction,
            "a multicast to the blocks %#llx of a cluster of %u",
            (unsigned long long)bits, blocks);
  return bits;
}

// To the same place in each block, for the mbarrier at the same place there.
static void bring_all(const Bulk *bulk, uint64_t to, uint64_t mbarrier) {
  uint64_t blocks = blocks_of(bulk);
  if (!blocks)
    bring(bulk, to, mbarrier);
  for (; blocks; blocks &= blocks - 1) {
    uint64_t block = (uint64_t)__builtin_ctzll(blocks) * MOST_SHARED_BYTES;
    bring(bulk, block + to % MOST_SHARED_BYTES,
          block + mbarrier % MOST_SHARED_BYTES);
  }
}

// ----------------------------------------------------------------- copies ---

static void load(Bulk *bulk) {
  bool is_tensor = bulk->instruction->opcode->kind == OPCODE_TENSOR_LOAD;
  uint64_t mbarrier = locate(bulk, is_tensor ? 2 : 3, MBARRIER_BYTES, 8);
  bulk->bytes = is_tensor ? BULK_UNIT : given_bytes(bulk);
  check_bytes(bulk);
  uint64_t to =
      locate(bulk, 0, bulk->bytes, is_tensor ? TENSOR_UNIT : BULK_UNIT);
  bring_all(bulk, to, mbarrier);
}

static void copy_within(Bulk *bulk) {
  bulk->bytes = given_bytes(bulk);
  check_bytes(bulk);
  uint64_t mbarrier = locate(bulk, 3, MBARRIER_BYTES, 8);
  uint64_t to = locate(bulk, 0, bulk->bytes, BULK_UNIT);
  uint64_t from = locate(bulk, 1, bulk->bytes, BULK_UNIT);
  if (from / MOST_SHARED_BYTES != bulk->warp->block)
    give_up(bulk->emulation, bulk->instruction,
            "a bulk copy from shared memory of another block");
  add_access(bulk, COMMAND_BULK_READ, from, 2);
  bring(bulk, to, mbarrier);
}

static void store_async(Bulk *bulk) {
  const PtxInstruction *instruction = bulk->instruction;
  bulk->bytes =
      operand_count(&instruction->operands[1]) * (instruction->type.bits / 8);
  if (!bulk->bytes || bulk->emulation->programs->blocks == 1)
    give_up(bulk->emulation, instruction, "'%s' %s", instruction->opcode->name,
            bulk->bytes ? "in a cluster of one block" : "of no bytes");
  uint64_t mbarrier = locate(bulk, 2, MBARRIER_BYTES, 8);
  bring(bulk, locate(bulk, 0, bulk->bytes, (unsigned)bulk->bytes), mbarrier);
}

static void store(Bulk *bulk) {
  bulk->bytes = given_bytes(bulk);
  check_bytes(bulk);
  add_access(bulk, COMMAND_BULK_READ, locate(bulk, 1, bulk->bytes, BULK_UNIT),
             0);
}

// From `from` on to the end of the variable, or of shared memory.
static uint64_t most_bytes(const Bulk *bulk, uint64_t from) {
  uint32_t at = (uint32_t)(from % MOST_SHARED_BYTES);
  const SharedVariable *symbol = programs_symbol(bulk->emulation->programs, at);
  uint32_t end = symbol && symbol->bytes ? symbol->address + symbol->bytes
                                         : bulk->emulation->shared_bytes;
  return end - at;
}

static void store_tensor(Bulk *bulk) {
  uint64_t from = locate(bulk, 1, BULK_UNIT, TENSOR_UNIT);
  bulk->emulation->programs->has_tensor_stores = true;
  bulk->bytes = bulk->emulation->options->has_large_tensors
                    ? most_bytes(bulk, from)
                    : BULK_UNIT;
  add_access(bulk, COMMAND_BULK_READ, from, 0);
}

static void copy(Bulk *bulk) {
  OpcodeKind kind = bulk->instruction->opcode->kind;
  if (kind == OPCODE_BULK_STORE)
    store(bulk);
  else if (kind == OPCODE_TENSOR_STORE)
    store_tensor(bulk);
  else if (kind == OPCODE_BULK_LOCAL)
    copy_within(bulk);
  else if (kind == OPCODE_ASYNC_STORE || kind == OPCODE_ASYNC_REDUCE)
    store_async(bulk);
  else
    load(bulk);
}

void bulk_copy(Emulation *emulation, Warp *warp, const LaneGroup *group,
               const PtxInstruction *instruction, uint32_t lanes) {
  OpcodeKind kind = instruction->opcode->kind;
  if (kind == OPCODE_TENSORMAP_REPLACE || kind == OPCODE_TENSORMAP_COPY) {
    tensormap_access(emulation, warp, group, instruction, lanes);
    return;
  }
  if (kind == OPCODE_INIT_FENCE) {
    cluster_fence_inits(emulation, warp, instruction, lanes);
    return;
  }
  if (kind == OPCODE_PROXY_FENCE) {
    Command fence = {.kind = COMMAND_PROXY_FENCE, .lanes = lanes};
    add_command(emulation, warp->index, fence, instruction);
    return;
  }
  for (; lanes; lanes &= lanes - 1) {
    Bulk bulk = {.emulation = emulation,
                 .warp = warp,
                 .group = group,
                 .instruction = instruction,
                 .lane = (unsigned)__builtin_ctz(lanes)};
    copy(&bulk);
  }
}
