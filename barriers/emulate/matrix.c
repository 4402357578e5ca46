// ldmatrix and stmatrix (PTX ISA 9.7.14.5.15): a warp moves matrices of eight
// rows of eight elements, two bytes each, between shared memory and registers.
//
// Lane 8 m + r says where row r of matrix m is.  Which lane accesses what is
// part of the instruction: of row r it is lanes 4 r to 4 r + 3, two elements
// each; transposed, lane l has elements l / 4 of rows 2 (l % 4) and the next.
// What the registers get is not known, but of which bytes it is, so threads
// that load the same have the same (symbol.c).  No lane's accesses are ordered
// by it.

#include "barriers/emulate/emulate.h"

#include <assert.h>
#include <string.h>

enum { ROWS = 8, ROW_BYTES = 16, ELEMENT = 2, PARTS = 4, MOST_MATRICES = 4 };

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

// Where an element is that a lane accesses, given the rows; with it comes the
// next one of its row, or, transposed, of its column.
static uint64_t element_at(const PtxInstruction *instruction,
                           const uint64_t rows[ROWS], unsigned lane,
                           unsigned which) {
  return instruction->is_transposed
             ? rows[lane % PARTS * 2 + which] + lane / PARTS * ELEMENT
             : rows[lane / PARTS] + (lane % PARTS * 2 + which) * ELEMENT;
}

// What each lane accesses of one matrix.
static void access_one(Emulation *emulation, Warp *warp,
                       const PtxInstruction *instruction,
                       const uint64_t rows[ROWS]) {
  CommandKind kind = instruction->opcode->kind == OPCODE_MATRIX_LOAD
                         ? COMMAND_READ
                         : COMMAND_WRITE;
  unsigned count = instruction->is_transposed ? 2 : 1;
  uint64_t at[WARP];
  for (unsigned which = 0; which < count; which++) {
    for (unsigned lane = 0; lane < WARP; lane++)
      at[lane] = element_at(instruction, rows, lane, which);
    memory_scatter(emulation, warp, instruction, kind, 2 / count * ELEMENT, at);
  }
}

// A register of each lane: two elements of one matrix.
static WarpValue load_one(Emulation *emulation,
                          const PtxInstruction *instruction,
                          const uint64_t rows[ROWS]) {
  WarpValue value = value_unknown(32, instruction);
  value.symbols = symbols_open(emulation);
  for (unsigned lane = 0; value.symbols && emulation->shared && lane < WARP;
       lane++) {
    uint64_t first = element_at(instruction, rows, lane, 0);
    uint64_t second = element_at(instruction, rows, lane, 1);
    value.symbols[lane] =
        symbol_join(symbols_load(emulation, first, ELEMENT, false),
                    symbols_load(emulation, second, ELEMENT, false));
  }
  return value;
}

void matrix_access(Emulation *emulation, Warp *warp, const LaneGroup *group,
                   const PtxInstruction *instruction) {
  bool is_store = instruction->opcode->kind == OPCODE_MATRIX_STORE;
  const Operand *address = &instruction->operands[!is_store];
  const Operand *registers = &instruction->operands[is_store];
  uint64_t rows[MOST_MATRICES][ROWS];
  need_whole_warp(emulation, warp, instruction);
  assert(operand_count(registers) <= MOST_MATRICES);
  for (unsigned matrix = 0; matrix < operand_count(registers); matrix++) {
    for (unsigned row = 0; row < ROWS; row++) {
      rows[matrix][row] =
          memory_range(emulation, warp, group, instruction, address,
                       matrix * ROWS + row, ROW_BYTES, ROW_BYTES);
      if (is_store)
        memory_forget(emulation, rows[matrix][row], ROW_BYTES);
    }
    access_one(emulation, warp, instruction, rows[matrix]);
  }
  // Only now, for one of the registers may have had the addresses.
  for (unsigned i = 0; !is_store && i < operand_count(registers); i++) {
    WarpValue value = load_one(emulation, instruction, rows[i]);
    write_operand(emulation, warp, group->frame, operand_item(registers, i),
                  &value, UINT32_MAX);
  }
}
