// What is read from tables: variables in constant memory that are initialised,
// and those in global memory that nothing in the file can write.

#include "barriers/emulate.h"

bool is_table(const PtxVariable *variable) {
  return variable->is_table ||
         (variable->space == SPACE_CONST && variable->is_plain);
}

static const PtxVariable *table_at(const Emulation *emulation,
                                   uint64_t address) {
  for (size_t i = 0; i < emulation->tables.count; i++) {
    const PtxVariable *variable = emulation->tables.at[i];
    uint64_t begin = emulation->address_of[variable->number];
    if (address >= begin && address - begin < variable->bytes)
      return variable;
  }
  return NULL;
}

// What an initialiser leaves out is zero.
static uint8_t initial_byte(const PtxVariable *variable, uint64_t offset) {
  return offset < variable->values.count ? variable->values.at[offset] : 0;
}

// Nobody writes them: SOUND(constant-tables).
static bool table_number(const Emulation *emulation, uint64_t address,
                         unsigned bytes, uint64_t *number) {
  const PtxVariable *variable = table_at(emulation, address);
  if (!variable || bytes > 8)
    return false;
  uint64_t offset = address - emulation->address_of[variable->number];
  if (bytes > variable->bytes - offset)
    return false;
  *number = 0;
  for (unsigned i = 0; i < bytes; i++)
    *number |= (uint64_t)initial_byte(variable, offset + i) << (8 * i);
  return true;
}

void table_load(Emulation *emulation, Warp *warp, const Group *group,
                const PtxInstruction *instruction, uint32_t lanes) {
  const Operand *to = &instruction->operands[0];
  unsigned bytes = instruction->type.bits / 8;
  Value address =
      address_value(emulation, warp, group, &instruction->operands[1]);
  uint64_t distance = instruction->operands[1].kind == OPERAND_REGISTER
                          ? instruction->operands[1].number
                          : 0;
  uint64_t at[WARP];
  for (unsigned lane = 0; lane < WARP; lane++)
    at[lane] = value_lane(&address, lane) + distance;
  for (unsigned i = 0; i < operand_count(to); i++) {
    uint32_t known = 0;
    for (uint32_t rest = lanes & address.known; rest; rest &= rest - 1) {
      unsigned lane = (unsigned)__builtin_ctz(rest);
      uint64_t number;
      if (!table_number(emulation, at[lane] + (uint64_t)i * bytes, bytes,
                        &number))
        continue;
      known |= UINT32_C(1) << lane;
      warp->scratch[0][lane] = number_as_type(instruction->type, number);
      emulation->programs->has_tables = true;
    }
    Value value = value_lanes(64, known, warp->scratch[0]);
    value.cause = instruction;
    write_operand(emulation, warp, group->frame, operand_item(to, i), &value,
                  lanes);
  }
}
