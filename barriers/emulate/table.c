// What is read from tables: variables in constant memory that are initialised,
// those in global memory that nothing in the file can write, and the arguments
// of the kernel, where an address says which and not a name.

#include "barriers/emulate/emulate.h"

bool is_table(const PtxVariable *variable) {
  return variable->is_table ||
         (variable->space == SPACE_CONST && variable->is_plain);
}

// The one that an address counts from, or NULL.
static const PtxVariable *table_at(const Emulation *emulation, Anchor anchor) {
  if (!anchor_is_address(emulation, anchor))
    return NULL;
  const PtxVariable *variable = anchor_of(emulation, anchor).variable;
  for (size_t i = 0; i < emulation->tables.count; i++)
    if (emulation->tables.at[i] == variable)
      return variable;
  return NULL;
}

// A number that was given is the first eight bytes.
static bool argument_byte(const Emulation *emulation,
                          const PtxVariable *argument, uint64_t offset,
                          uint8_t *byte) {
  const EmulationOptions *options = emulation->options;
  if (argument->parameter >= options->argument_count)
    return false;
  const PtxArgument *given = &options->arguments[argument->parameter];
  if (given->is_known && offset < 8) {
    *byte = (uint8_t)(given->value >> (8 * offset));
    return true;
  }
  for (size_t i = 0; i < given->words.count; i++) {
    const PtxWord *word = &given->words.at[i];
    if (offset >= word->offset && offset - word->offset < sizeof word->value) {
      *byte = (uint8_t)(word->value >> (8 * (offset - word->offset)));
      return true;
    }
  }
  return false;
}

// What an initialiser leaves out is zero.
static bool initial_byte(const Emulation *emulation,
                         const PtxVariable *variable, uint64_t offset,
                         uint8_t *byte) {
  if (variable->space == SPACE_PARAM)
    return argument_byte(emulation, variable, offset, byte);
  *byte = offset < variable->values.count ? variable->values.at[offset] : 0;
  return true;
}

// Nobody writes them: SOUND(constant-tables).
static bool variable_number(const Emulation *emulation,
                            const PtxVariable *variable, uint64_t offset,
                            unsigned bytes, uint64_t *number) {
  *number = 0;
  for (unsigned i = 0; i < bytes; i++) {
    uint8_t byte;
    if (bytes > 8 || !initial_byte(emulation, variable, offset + i, &byte))
      return false;
    *number |= (uint64_t)byte << (8 * i);
  }
  return true;
}

WarpValue argument_value(const Emulation *emulation,
                         const PtxVariable *argument, uint64_t offset,
                         unsigned bytes) {
  uint64_t number;
  if (variable_number(emulation, argument, offset, bytes, &number))
    return value_number(8 * bytes, number);
  WarpValue unknown = value_unknown(8 * bytes, NULL);
  unknown.elsewhere = UINT32_MAX;
  return unknown;
}

// What some lanes find.
typedef struct Found {
  uint32_t known, elsewhere;
  uint64_t *numbers;
} Found;

static void look_up(Emulation *emulation, Anchor anchor, uint64_t address,
                    unsigned bytes, unsigned lane, Found *found) {
  const PtxVariable *variable = table_at(emulation, anchor);
  if (!variable)
    return;
  uint64_t offset = address - emulation->address_of[variable->number];
  if (offset >= variable->bytes || bytes > variable->bytes - offset)
    return;
  bool is_argument = variable->space == SPACE_PARAM;
  if (variable_number(emulation, variable, offset, bytes,
                      &found->numbers[lane])) {
    found->known |= UINT32_C(1) << lane;
    emulation->programs->has_tables |= !is_argument;
  } else if (is_argument) {
    found->elsewhere |= UINT32_C(1) << lane;
  }
}

void table_load(Emulation *emulation, Warp *warp, const LaneGroup *group,
                const PtxInstruction *instruction, uint32_t lanes) {
  const Operand *to = &instruction->operands[0];
  unsigned bytes = instruction->type.bits / 8;
  WarpValue address =
      address_value(emulation, warp, group, &instruction->operands[1]);
  uint64_t distance = instruction->operands[1].kind == OPERAND_REGISTER
                          ? instruction->operands[1].number
                          : 0;
  uint64_t at[WARP];
  for (unsigned lane = 0; lane < WARP; lane++)
    at[lane] = value_lane(&address, lane) + distance;
  for (unsigned i = 0; i < operand_count(to); i++) {
    Found found = {.numbers = warp->scratch[0]};
    for (uint32_t rest = lanes & address.known; rest; rest &= rest - 1) {
      unsigned lane = (unsigned)__builtin_ctz(rest);
      look_up(emulation, value_anchor(&address, lane),
              at[lane] + (uint64_t)i * bytes, bytes, lane, &found);
      found.numbers[lane] =
          number_as_type(instruction->type, found.numbers[lane]);
    }
    WarpValue value = value_lanes(64, found.known, found.numbers);
    value.elsewhere =
        (found.elsewhere | memory_data(instruction).elsewhere) & ~found.known;
    value.cause = instruction;
    write_operand(emulation, warp, group->frame, operand_item(to, i), &value,
                  lanes);
  }
}
