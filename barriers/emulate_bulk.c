// Bulk copies, cp.async.bulk of PTX ISA 9.7.9.25, by the async proxy.
//
// Each lane that executes one starts a copy of its own, so each lane has its
// own commands: the read of shared memory, the write, and the bytes that the
// mbarrier gets when they have been made.  What goes to global memory is waited
// for by groups (emulate_copy.c).  The schedule that is executed makes them at
// once; what they bring is not known.
//
// How many bytes a tensor map stands for only the host knows.  A copy by one is
// taken to bring what its mbarrier was told of and has not got yet
// (SOUND(tensor-bytes)); where that is nothing, because a copy before has been
// taken to bring it all, the kernel is not judged.

#include "barriers/emulate.h"

enum {
  BULK_UNIT = 16,
  TENSOR_UNIT = 128,
  MOST_BULK_BYTES = (1 << 20) - BULK_UNIT,
};

bool is_bulk_copy(const PtxInstruction *instruction) {
  if (!instruction->opcode)
    return false;
  switch (instruction->opcode->kind) {
  case OPCODE_BULK_LOAD:
  case OPCODE_BULK_LOCAL:
  case OPCODE_BULK_STORE:
  case OPCODE_TENSOR_LOAD:
  case OPCODE_PROXY_FENCE:
    return true;
  default:
    return false;
  }
}

// One lane's part.
typedef struct Bulk {
  Emulation *emulation;
  Warp *warp;
  const Group *group;
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
  Value value = operand_value(bulk->emulation, bulk->warp, bulk->group->frame,
                              operand_at(bulk, 2), 32);
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

static void add_access(const Bulk *bulk, CommandKind kind, uint64_t at,
                       unsigned behind) {
  add(bulk, (Command){.kind = kind,
                      .barrier = (uint8_t)behind,
                      .address = (uint32_t)at,
                      .threads = (uint32_t)bulk->bytes});
}

static void complete(const Bulk *bulk, uint64_t mbarrier) {
  Command command = {.kind = COMMAND_BULK_COMPLETE,
                     .address = (uint32_t)mbarrier,
                     .tx = (int32_t)bulk->bytes};
  add(bulk, command);
  mbarrier_complete(bulk->emulation, &command);
}

static void load(Bulk *bulk) {
  bool is_tensor = bulk->instruction->opcode->kind == OPCODE_TENSOR_LOAD;
  uint64_t mbarrier = locate(bulk, is_tensor ? 2 : 3, MBARRIER_BYTES, 8);
  if (is_tensor) {
    int64_t missing = mbarrier_missing(bulk->emulation, mbarrier);
    if (missing <= 0)
      give_up(bulk->emulation, bulk->instruction,
              "how many bytes the tensor map stands for is not known: none are "
              "announced that no other copy brings");
    bulk->bytes = (uint64_t)missing;
    bulk->emulation->programs->has_tensors = true;
  } else {
    bulk->bytes = given_bytes(bulk);
  }
  check_bytes(bulk);
  uint64_t to =
      locate(bulk, 0, bulk->bytes, is_tensor ? TENSOR_UNIT : BULK_UNIT);
  memory_forget(bulk->emulation, to, bulk->bytes);
  add_access(bulk, COMMAND_BULK_WRITE, to, 1);
  complete(bulk, mbarrier);
}

static void copy_within(Bulk *bulk) {
  bulk->bytes = given_bytes(bulk);
  check_bytes(bulk);
  uint64_t mbarrier = locate(bulk, 3, MBARRIER_BYTES, 8);
  uint64_t to = locate(bulk, 0, bulk->bytes, BULK_UNIT);
  add_access(bulk, COMMAND_BULK_READ, locate(bulk, 1, bulk->bytes, BULK_UNIT),
             2);
  memory_forget(bulk->emulation, to, bulk->bytes);
  add_access(bulk, COMMAND_BULK_WRITE, to, 1);
  complete(bulk, mbarrier);
}

static void store(Bulk *bulk) {
  bulk->bytes = given_bytes(bulk);
  check_bytes(bulk);
  add_access(bulk, COMMAND_BULK_READ, locate(bulk, 1, bulk->bytes, BULK_UNIT),
             0);
}

void bulk_copy(Emulation *emulation, Warp *warp, const Group *group,
               const PtxInstruction *instruction, uint32_t lanes) {
  if (instruction->opcode->kind == OPCODE_PROXY_FENCE) {
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
    if (instruction->opcode->kind == OPCODE_BULK_STORE)
      store(&bulk);
    else if (instruction->opcode->kind == OPCODE_BULK_LOCAL)
      copy_within(&bulk);
    else
      load(&bulk);
  }
}
