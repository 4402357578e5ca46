// wmma.load and wmma.store (PTX ISA 9.7.14.4): a warp moves a matrix between
// memory and registers.
//
// Which lane accesses which element is not said, so each may access any: all
// lanes read, or write, all rows.  What several lanes write to one place is one
// element, so they do not race with each other.  The rows are of numbers that
// lie side by side, columns if the matrix is .col; from one to the next it is
// the stride, in elements.

#include "barriers/emulate/emulate.h"

#include <string.h>

// A matrix in memory.
typedef struct Layout {
  unsigned rows, row_bytes;
  uint64_t stride; // bytes
} Layout;

static bool is_store(const PtxInstruction *instruction) {
  return instruction->opcode->kind == OPCODE_WMMA_STORE;
}

static const Operand *address_of(const PtxInstruction *instruction) {
  return &instruction->operands[!is_store(instruction)];
}

static bool has_word(const PtxInstruction *instruction, const char *word) {
  size_t length = strlen(word);
  for (unsigned i = 0; i + length <= instruction->text_length; i++)
    if (!strncmp(&instruction->text[i], word, length))
      return true;
  return false;
}

// From one row to the next, the same in all lanes; 0: they lie one after the
// other.
static uint64_t stride_of(Emulation *emulation, const Warp *warp,
                          const LaneGroup *group,
                          const PtxInstruction *instruction) {
  if (instruction->count < 3)
    return 0;
  WarpValue stride = operand_value(emulation, warp, group->frame,
                                   &instruction->operands[2], 32);
  if (stride.known != UINT32_MAX)
    give_up(emulation, instruction, "the stride depends on %s",
            value_cause(emulation, &stride));
  if (!value_is_uniform(&stride, UINT32_MAX))
    give_up(emulation, instruction, "a stride that differs from lane to lane");
  return value_lane(&stride, 0);
}

static Layout layout_of(Emulation *emulation, const Warp *warp,
                        const LaneGroup *group,
                        const PtxInstruction *instruction) {
  unsigned shape[3], bytes = instruction->type.bits / 8;
  if (!matrix_shape(instruction, shape) || !bytes)
    give_up(emulation, instruction, "a matrix of this shape");
  bool is_a = has_word(instruction, ".load.a"),
       is_b = has_word(instruction, ".load.b");
  unsigned rows = is_b ? shape[2] : shape[0];
  unsigned columns = is_a ? shape[2] : shape[1];
  if (has_word(instruction, ".col")) {
    unsigned other = rows;
    rows = columns;
    columns = other;
  }
  uint64_t stride = stride_of(emulation, warp, group, instruction);
  return (Layout){.rows = rows,
                  .row_bytes = columns * bytes,
                  .stride = (stride ? stride : columns) * bytes};
}

// In pieces that accesses can be.
static void access_row(Emulation *emulation, Warp *warp,
                       const PtxInstruction *instruction, uint64_t at,
                       unsigned bytes) {
  while (bytes) {
    unsigned piece = WARP;
    while (at % piece || piece > bytes)
      piece /= 2;
    Command command = {.kind =
                           is_store(instruction) ? COMMAND_WRITE : COMMAND_READ,
                       .bytes = (uint8_t)piece,
                       .lanes = UINT32_MAX,
                       .address = (uint32_t)at,
                       .same_value = is_store(instruction)};
    add_command(emulation, warp->index, command, instruction);
    at += piece;
    bytes -= piece;
  }
}

static void access_shared(Emulation *emulation, Warp *warp,
                          const LaneGroup *group,
                          const PtxInstruction *instruction,
                          const WarpValue *address, uint64_t distance) {
  Layout layout = layout_of(emulation, warp, group, instruction);
  for (unsigned row = 0; row < layout.rows; row++) {
    uint64_t from =
        memory_place(emulation, warp, instruction, address,
                     distance + row * layout.stride, 0, layout.row_bytes, 1);
    if (is_store(instruction))
      memory_forget(emulation, from, layout.row_bytes);
    access_row(emulation, warp, instruction, from, layout.row_bytes);
  }
}

void wmma_access(Emulation *emulation, Warp *warp, const LaneGroup *group,
                 const PtxInstruction *instruction) {
  const Operand *operand = address_of(instruction);
  uint64_t distance = operand->kind == OPERAND_REGISTER ? operand->number : 0;
  WarpValue address = address_value(emulation, warp, group, operand);
  need_whole_warp(emulation, warp, instruction);
  bool is_outside = instruction->space == SPACE_GLOBAL ||
                    (instruction->space == SPACE_GENERIC &&
                     anchor_elsewhere(emulation, &address) == UINT32_MAX);
  if (!is_outside && address.known != UINT32_MAX)
    give_up(emulation, instruction, "the address depends on %s",
            value_cause(emulation, &address));
  if (!is_outside && !value_is_uniform(&address, UINT32_MAX))
    give_up(emulation, instruction,
            "an address that differs from lane to lane");
  if (!is_outside)
    access_shared(emulation, warp, group, instruction, &address, distance);
  if (is_store(instruction))
    return;
  const Operand *to = &instruction->operands[0];
  WarpValue unknown = value_unknown(32, instruction);
  for (unsigned i = 0; i < operand_count(to); i++)
    write_operand(emulation, warp, group->frame, operand_item(to, i), &unknown,
                  UINT32_MAX);
}
