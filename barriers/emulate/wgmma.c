// wgmma (PTX ISA 9.7.15): four warps multiply matrices that the async proxy
// reads in shared memory, while they go on.
//
// A descriptor says where a matrix is: pieces of 16 bytes, of which eight make
// a core matrix, with strides between those, and bits of the address that are
// exchanged for others (swizzling).  Nobody says which of the four warps reads
// what, so each reads all of it, once it has come there.  What is read between
// two other commands of a warp is put together, as a bulk copy that this warp
// starts.
//
// commit_group closes a group of each warp, and the product is made once all
// four have come to it, with all of their lanes; whoever waits for the group
// knows that and that its reads are over, and nothing else of the other warps:
// it orders none of their accesses.  So the groups
// of four warps are the phases of mbarriers of their own, which nobody
// initialises (Programs), each for some groups in turn.
//
// wgmma.fence is about registers, which we do not follow.

#include "barriers/emulate/emulate.h"

#include <string.h>

enum { GRANULE = 16, CORE_ROWS = 8, ROWS = 64, MOST_READS = 200 };

// ------------------------------------------------------------ descriptors ---

// A matrix in shared memory, in bytes.
typedef struct Matrix {
  Anchor anchor;
  uint64_t start, leading, stride;
  unsigned width; // of a swizzled row; 16: it is not swizzled
} Matrix;

// The field of a descriptor is the address, divided by 16.
static Anchor address_of(Emulation *emulation,
                         const PtxInstruction *instruction, Anchor anchor) {
  enum { GRANULE_BITS = 4 };
  Anchored from = {0};
  bool is_anchored = anchor && anchor != TOKEN_ANCHOR;
  if (is_anchored)
    from = anchor_of(emulation, anchor);
  if (!is_anchored || from.variable->space != SPACE_SHARED || from.is_generic ||
      from.shift != -GRANULE_BITS)
    give_up(emulation, instruction,
            "the descriptor has no address of a shared variable");
  from.shift = 0;
  return anchor_make(from);
}

static Matrix matrix_of(Emulation *emulation, const Warp *warp,
                        const LaneGroup *group,
                        const PtxInstruction *instruction, unsigned index) {
  enum { FIELD = 0x3fff };
  const uint64_t other = ~(UINT64_C(0xc000000000000000) | FIELD |
                           (uint64_t)FIELD << 16 | (uint64_t)FIELD << 32);
  static const unsigned widths[] = {GRANULE, 128, 64, 32};
  WarpValue value = operand_anchored(emulation, warp, group->frame,
                                     &instruction->operands[index], 64);
  if (value.known != UINT32_MAX)
    give_up(emulation, instruction, "the descriptor of a matrix depends on %s",
            value_cause(emulation, &value));
  uint64_t bits = value_lane(&value, 0);
  if (bits & other || !value_is_uniform(&value, UINT32_MAX))
    give_up(emulation, instruction, "the descriptor %#llx of a matrix",
            (unsigned long long)bits);
  return (Matrix){
      .anchor = address_of(emulation, instruction, value_anchor(&value, 0)),
      .start = (bits & FIELD) * GRANULE,
      .leading = (bits >> 16 & FIELD) * GRANULE,
      .stride = (bits >> 32 & FIELD) * GRANULE,
      .width = widths[bits >> 62]};
}

// ------------------------------------------------------------------ reads ---

static void read_granule(Emulation *emulation, Warp *warp,
                         const PtxInstruction *instruction,
                         const Matrix *matrix, uint64_t offset) {
  uint64_t at = matrix->start + offset;
  at ^= at >> 3 & (matrix->width - GRANULE);
  memory_check(emulation, instruction, matrix->anchor, at, GRANULE);
  warp->reading[at / GRANULE / 64] |= UINT64_C(1) << at / GRANULE % 64;
}

// 32 bytes of each row.
static void read_rows(Emulation *emulation, Warp *warp,
                      const PtxInstruction *instruction, const Matrix *matrix,
                      unsigned rows) {
  uint64_t next = matrix->width == GRANULE ? matrix->leading : GRANULE;
  for (unsigned row = 0; row < rows; row++)
    for (unsigned half = 0; half < 2; half++)
      read_granule(emulation, warp, instruction, matrix,
                   row % CORE_ROWS * matrix->width +
                       row / CORE_ROWS * matrix->stride + half * next);
}

// Of two bytes each, and the other way: 16 columns.
static void read_columns(Emulation *emulation, Warp *warp,
                         const PtxInstruction *instruction,
                         const Matrix *matrix, unsigned rows) {
  unsigned side = matrix->width / GRANULE; // pieces that lie side by side
  bool is_plain = matrix->width == GRANULE;
  uint64_t far = is_plain ? matrix->stride : matrix->leading;
  uint64_t next = is_plain ? matrix->leading : matrix->stride;
  for (unsigned piece = 0; piece < rows / CORE_ROWS; piece++)
    for (unsigned column = 0; column < 2 * CORE_ROWS; column++)
      read_granule(emulation, warp, instruction, matrix,
                   piece % side * GRANULE + piece / side * far +
                       column % CORE_ROWS * matrix->width +
                       column / CORE_ROWS * next);
}

static bool is_set(const PtxInstruction *instruction, unsigned index) {
  return index < instruction->count &&
         instruction->operands[index].kind == OPERAND_NUMBER &&
         instruction->operands[index].number;
}

// Bits of the address itself are exchanged.
static void check_swizzling(Emulation *emulation,
                            const PtxInstruction *instruction,
                            const Matrix *matrix) {
  const PtxVariable *variable = anchor_of(emulation, matrix->anchor).variable;
  uint64_t period = CORE_ROWS * matrix->width;
  if (matrix->width > GRANULE && variable->align % period)
    give_up(emulation, instruction,
            "swizzling of '%s', which need not begin at a multiple of %llu",
            variable->name, (unsigned long long)period);
}

static void read_matrix(Emulation *emulation, Warp *warp,
                        const LaneGroup *group,
                        const PtxInstruction *instruction, unsigned index,
                        unsigned rows, bool is_transposed) {
  Matrix matrix = matrix_of(emulation, warp, group, instruction, index);
  check_swizzling(emulation, instruction, &matrix);
  if (is_transposed)
    read_columns(emulation, warp, instruction, &matrix, rows);
  else
    read_rows(emulation, warp, instruction, &matrix, rows);
}

// The rows of the second matrix.
static unsigned columns_of(Emulation *emulation,
                           const PtxInstruction *instruction) {
  unsigned shape[3];
  if (matrix_shape(instruction, shape) && shape[0] == ROWS &&
      shape[1] % CORE_ROWS == 0 && shape[1] <= 256)
    return shape[1];
  give_up(emulation, instruction, "a matrix of this shape");
}

static void multiply(Emulation *emulation, Warp *warp, const LaneGroup *group,
                     const PtxInstruction *instruction) {
  bool has_first = instruction->operands[1].kind != OPERAND_LIST;
  unsigned columns = columns_of(emulation, instruction);
  if (!warp->reading)
    warp->reading =
        arena_alloc(&emulation->task->arena, MOST_SHARED_BYTES / GRANULE / 8);
  if (has_first)
    read_matrix(emulation, warp, group, instruction, 1, ROWS,
                is_set(instruction, 6));
  read_matrix(emulation, warp, group, instruction, 2, columns,
              is_set(instruction, has_first ? 7 : 6));
  if (!warp->reader)
    warp->reader = instruction;
}

static bool is_read(const Warp *warp, uint32_t granule) {
  return warp->reading[granule / 64] >> granule % 64 & 1;
}

// ----------------------------------------------------------------- groups ---

static uint32_t object_of(const Emulation *emulation, const Warp *warp,
                          uint32_t group) {
  unsigned first = warp->block * emulation->block_warps;
  unsigned number = (warp->block * ((emulation->block_warps + 3) / WARPGROUP) +
                     (warp->index - first) / WARPGROUP);
  return WGMMA_GROUPS +
         (number * WGMMA_RING + group % WGMMA_RING) * MBARRIER_BYTES;
}

static void add(Emulation *emulation, const Warp *warp, Command command,
                const PtxInstruction *instruction) {
  if (!command.address)
    command.address = object_of(emulation, warp, warp->wgmma_groups);
  if (!command.lanes)
    command.lanes = 1;
  add_command(emulation, warp->index, command, instruction);
}

// Some of what is read, and then one byte more has come.
static void add_reads(Emulation *emulation, const Warp *warp,
                      const PtxInstruction *instruction, const Command *reads,
                      unsigned count) {
  add(emulation, warp, (Command){.kind = COMMAND_MBARRIER_EXPECT, .tx = 1},
      instruction);
  for (unsigned i = 0; i < count; i++) {
    Command read = reads[i];
    read.completes_in = (uint8_t)(count - i);
    add_command(emulation, warp->index, read, instruction);
  }
  add(emulation, warp, (Command){.kind = COMMAND_BULK_COMPLETE, .tx = 1},
      instruction);
}

void wgmma_flush(Emulation *emulation, Warp *warp) {
  const PtxInstruction *instruction = warp->reader;
  Command reads[MOST_READS];
  unsigned count = 0;
  uint32_t granules = MOST_SHARED_BYTES / GRANULE;
  warp->reader = NULL;
  for (uint32_t i = 0; i < granules; i++) {
    uint32_t end = i;
    while (end < granules && is_read(warp, end))
      end++;
    if (end == i)
      continue;
    reads[count++] =
        (Command){.kind = COMMAND_BULK_READ,
                  .lanes = 1,
                  .address = warp->block * MOST_SHARED_BYTES + i * GRANULE,
                  .extent = (end - i) * GRANULE};
    if (count == MOST_READS) {
      add_reads(emulation, warp, instruction, reads, count);
      count = 0;
    }
    i = end;
  }
  if (count)
    add_reads(emulation, warp, instruction, reads, count);
  memset(warp->reading, 0, MOST_SHARED_BYTES / GRANULE / 8);
}

// The first of the four warps that this one multiplies with.
static Warp *first_of(Emulation *emulation, const Warp *warp) {
  unsigned number = warp->index - warp->block * emulation->block_warps;
  return &emulation->warps[warp->index - number % WARPGROUP];
}

static bool has_come(Emulation *emulation, const Warp *warp, uint32_t group) {
  const Warp *warps = first_of(emulation, warp);
  for (unsigned i = 0; i < WARPGROUP; i++)
    if (warps[i].wgmma_groups <= group)
      return false;
  return true;
}

static void commit(Emulation *emulation, Warp *warp,
                   const PtxInstruction *instruction) {
  if (warp->reader)
    wgmma_flush(emulation, warp);
  if (warp->wgmma_groups - warp->wgmma_waited == WGMMA_RING)
    give_up(emulation, instruction, "more than %d groups of wgmma on their way",
            WGMMA_RING);
  add(emulation, warp,
      (Command){.kind = COMMAND_MBARRIER_ARRIVE,
                .lanes = UINT32_MAX,
                .is_relaxed = true,
                .arrivals = 1},
      instruction);
  warp->wgmma_groups++;
  Warp *warps = first_of(emulation, warp);
  for (unsigned i = 0; i < WARPGROUP; i++)
    if (warps[i].waits_for_wgmma)
      warps[i].is_blocked = warps[i].waits_for_wgmma = false;
}

static void add_wait(Emulation *emulation, Warp *warp,
                     const PtxInstruction *instruction) {
  add(emulation, warp,
      (Command){.kind = COMMAND_MBARRIER_WAIT,
                .lanes = UINT32_MAX,
                .address = object_of(emulation, warp, warp->wgmma_waited),
                .parity = warp->wgmma_waited / WGMMA_RING & 1},
      instruction);
}

// False: one that has not come is among them.
static bool wait_for(Emulation *emulation, Warp *warp,
                     const PtxInstruction *instruction, uint64_t pending) {
  for (; warp->wgmma_groups - warp->wgmma_waited > pending;
       warp->wgmma_waited++) {
    if (!has_come(emulation, warp, warp->wgmma_waited)) {
      warp->is_blocked = warp->waits_for_wgmma = true;
      return false;
    }
    add_wait(emulation, warp, instruction);
  }
  return true;
}

void wgmma_end(Emulation *emulation) {
  for (unsigned i = 0; i < emulation->warp_count; i++) {
    Warp *warp = &emulation->warps[i];
    const LaneGroup *group = &warp->groups[0];
    if (warp->waits_for_wgmma)
      add_wait(emulation, warp,
               group->frame->code->function->code.at[group->at]);
  }
}

// --------------------------------------------------------------- execution ---

static void forget_product(Emulation *emulation, const Warp *warp,
                           const LaneGroup *group,
                           const PtxInstruction *instruction) {
  const Operand *to = &instruction->operands[0];
  WarpValue unknown = value_unknown(32, instruction);
  for (unsigned i = 0; i < operand_count(to); i++)
    write_operand(emulation, warp, group->frame, operand_item(to, i), &unknown,
                  UINT32_MAX);
}

bool wgmma_step(Emulation *emulation, Warp *warp, const LaneGroup *group,
                const PtxInstruction *instruction) {
  need_whole_warp(emulation, warp, instruction);
  unsigned number = warp->index - warp->block * emulation->block_warps;
  if (number / WARPGROUP >= emulation->block_warps / WARPGROUP)
    give_up(emulation, instruction, "wgmma of less than four warps");
  OpcodeKind kind = instruction->opcode->kind;
  if (kind == OPCODE_WGMMA_WAIT)
    return wait_for(emulation, warp, instruction,
                    instruction->operands[0].number);
  if (kind == OPCODE_WGMMA_COMMIT) {
    commit(emulation, warp, instruction);
  } else {
    multiply(emulation, warp, group, instruction);
    forget_product(emulation, warp, group, instruction);
  }
  return true;
}
