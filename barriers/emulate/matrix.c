// ldmatrix and stmatrix (PTX ISA 9.7.14.5.15): a warp moves matrices of eight
// rows of eight elements, two bytes each, between shared memory and registers.
//
// Lane 8 m + r says where row r of matrix m is.  Which lane accesses what is
// part of the instruction: of row r it is lanes 4 r to 4 r + 3, two elements
// each; transposed, lane l has elements l / 4 of rows 2 (l % 4) and the next.
// What the registers get is not known.  No lane's accesses are ordered by it.

#include "barriers/emulate/emulate.h"

#include <string.h>

enum { ROWS = 8, ROW_BYTES = 16, ELEMENT = 2, PARTS = 4 };

// A number behind `letter`; NULL: there is none.
static const char *take_size(const char *text, const char *end, char letter,
                             unsigned *size) {
  enum { MOST_SIZE = 1 << 12 };
  if (text >= end || *text++ != letter || text >= end || *text < '1' ||
      *text > '9')
    return NULL;
  for (*size = 0; text < end && *text >= '0' && *text <= '9'; text++)
    if ((*size = *size * 10 + (unsigned)(*text - '0')) > MOST_SIZE)
      return NULL;
  return text;
}

// The text of the whole file is behind that of the instruction, so nothing here
// asks for its length.
bool matrix_shape(const PtxInstruction *instruction, unsigned shape[3]) {
  const char *at = instruction->text, *end = at + instruction->text_length;
  while ((at = memchr(at, '.', (size_t)(end - at)))) {
    const char *size = take_size(++at, end, 'm', &shape[0]);
    size = size ? take_size(size, end, 'n', &shape[1]) : NULL;
    if (size && take_size(size, end, 'k', &shape[2]))
      return true;
  }
  return false;
}

// What each lane accesses of one matrix, given its rows.
static void access_one(Emulation *emulation, Warp *warp,
                       const PtxInstruction *instruction,
                       const uint64_t rows[ROWS]) {
  CommandKind kind = instruction->opcode->kind == OPCODE_MATRIX_LOAD
                         ? COMMAND_READ
                         : COMMAND_WRITE;
  uint64_t at[WARP];
  if (!instruction->is_transposed) {
    for (unsigned lane = 0; lane < WARP; lane++)
      at[lane] = rows[lane / PARTS] + lane % PARTS * 2 * ELEMENT;
    memory_scatter(emulation, warp, instruction, kind, 2 * ELEMENT, at);
    return;
  }
  for (unsigned which = 0; which < 2; which++) {
    for (unsigned lane = 0; lane < WARP; lane++)
      at[lane] = rows[lane % PARTS * 2 + which] + lane / PARTS * ELEMENT;
    memory_scatter(emulation, warp, instruction, kind, ELEMENT, at);
  }
}

void matrix_access(Emulation *emulation, Warp *warp, const LaneGroup *group,
                   const PtxInstruction *instruction) {
  bool is_store = instruction->opcode->kind == OPCODE_MATRIX_STORE;
  const Operand *address = &instruction->operands[!is_store];
  const Operand *registers = &instruction->operands[is_store];
  need_whole_warp(emulation, warp, instruction);
  for (unsigned matrix = 0; matrix < operand_count(registers); matrix++) {
    uint64_t rows[ROWS];
    for (unsigned row = 0; row < ROWS; row++) {
      rows[row] = memory_range(emulation, warp, group, instruction, address,
                               matrix * ROWS + row, ROW_BYTES, ROW_BYTES);
      if (is_store)
        memory_forget(emulation, rows[row], ROW_BYTES);
    }
    access_one(emulation, warp, instruction, rows);
  }
  WarpValue unknown = value_unknown(32, instruction);
  for (unsigned i = 0; !is_store && i < operand_count(registers); i++)
    write_operand(emulation, warp, group->frame, operand_item(registers, i),
                  &unknown, UINT32_MAX);
}
