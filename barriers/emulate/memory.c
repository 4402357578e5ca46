// Memory: what shared memory holds, and the commands.
//
// An access has to be at an address that counts from a shared variable, and in
// it (anchor.c).  A generic address is outside of shared memory if no
// address of a shared variable was needed to compute it: the host has no
// pointers into shared memory (SOUND(arguments-are-not-shared)); and so is any
// that is not known if the kernel makes no generic address of a shared one.
// The rest gives up.
//
// The contents of shared memory are followed byte by byte, for one schedule.
// That is enough: the check accepts a kernel only if no two accesses race in
// its programs and barriers are well synchronised, and then every read sees
// the same write in all schedules (Sharma, Bauer, Aiken, Theorem 1).  A value
// that a racy read saw may have sent us a wrong way, but up to there all is as
// it was in some schedule, so the race is in the programs and gets reported.
// Atomics return and leave what is not known, for their order is free.

#include "barriers/emulate/emulate.h"

#include <assert.h>
#include <string.h>

// -------------------------------------------------------------- contents ---

static uint64_t read_bytes(const uint8_t *from, unsigned count) {
  uint64_t number = 0;
  for (unsigned i = 0; i < count && i < 8; i++)
    number |= (uint64_t)from[i] << (8 * i);
  return number;
}

// Where the lanes of an access go, in shared memory.
typedef struct Addresses {
  uint32_t lanes;
  uint64_t at[WARP];
  bool is_line; // then at[lane] is base + stride * lane
  uint64_t base, stride;
} Addresses;

static void store_element(Emulation *emulation, const Addresses *addresses,
                          const WarpValue *value, unsigned offset,
                          unsigned bytes) {
  for (uint32_t rest = addresses->lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    bool is_known =
        value->known >> lane & 1 && bytes <= 8 && !is_perhaps(emulation);
    uint64_t number = is_known ? value_lane(value, lane) : 0;
    for (unsigned i = 0; i < bytes; i++) {
      uint64_t at = addresses->at[lane] + offset + i;
      assert(at < memory_bytes(emulation));
      emulation->shared[at] = (uint8_t)(i < 8 ? number >> (8 * i) & 0xff : 0);
      emulation->forgotten += emulation->shared_known[at] && !is_known;
      emulation->shared_known[at] = is_known;
    }
    symbols_store(emulation, addresses->at[lane] + offset,
                  symbol_of(value, lane), bytes);
  }
}

static bool are_bytes_known(const Emulation *emulation, uint64_t at,
                            unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++)
    if (!emulation->shared_known[at + i])
      return false;
  return bytes <= 8;
}

// PTX has ld.volatile as a relaxed one.  Without anything strong to read from
// it is a plain one to us, and so is st.volatile in any case: in CUDA C++ they
// race.
static bool is_strong(const Emulation *emulation,
                      const PtxInstruction *instruction) {
  bool is_volatile_load = instruction->is_volatile &&
                          instruction->opcode->kind == OPCODE_LOAD &&
                          emulation->has_strong_updates;
  return instruction->order != CHOICE_NONE || is_volatile_load;
}

uint64_t number_as_type(PtxType type, uint64_t number) {
  return type.class == 's' && type.bits ? sign_extend(number, type.bits)
                                        : number;
}

static WarpValue load_element(const Emulation *emulation, Warp *warp,
                              const Addresses *addresses,
                              const PtxInstruction *instruction,
                              unsigned offset, unsigned bits) {
  unsigned bytes = instruction->type.bits / 8;
  bool extends_sign =
      instruction->type.class == 's' && bits > instruction->type.bits;
  uint32_t known = 0;
  for (uint32_t rest = addresses->lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    uint64_t at = addresses->at[lane] + offset;
    assert(at + bytes <= memory_bytes(emulation));
    if (emulation->symbols)
      emulation->symbols->room[lane] =
          symbols_load(emulation, at, bytes, extends_sign);
    if (!are_bytes_known(emulation, at, bytes))
      continue;
    known |= UINT32_C(1) << lane;
    warp->scratch[0][lane] = number_as_type(
        instruction->type, read_bytes(&emulation->shared[at], bytes));
  }
  WarpValue value = value_lanes(64, known, warp->scratch[0]);
  value.elsewhere = memory_data(instruction).elsewhere & ~known;
  value.cause = instruction;
  if (emulation->symbols)
    value.symbols = emulation->symbols->room;
  return value;
}

static bool is_loaded(const Emulation *emulation, const Warp *warp,
                      const Frame *frame, const Operand *to) {
  const Basis *basis = frame->code->basis;
  return is_wanted(frame, to) && (!basis || !has_enough_of(emulation, warp) ||
                                  basis->is_needed[to->index]);
}

WarpValue memory_data(const PtxInstruction *instruction) {
  return access_bytes(instruction) <= 4 ? value_data(64, instruction)
                                        : value_unknown(64, instruction);
}

static unsigned register_bits(const Frame *frame, const Operand *operand) {
  return frame->code->function->registers.at[operand->index].bits;
}

static void load(Emulation *emulation, Warp *warp, const LaneGroup *group,
                 const PtxInstruction *instruction,
                 const Addresses *addresses) {
  const Operand *to = &instruction->operands[0];
  unsigned bytes = instruction->type.bits / 8;
  for (unsigned i = 0; i < operand_count(to); i++) {
    if (!is_loaded(emulation, warp, group->frame, operand_item(to, i)))
      continue;
    WarpValue value = memory_data(instruction);
    if (emulation->shared && !is_strong(emulation, instruction))
      value = load_element(emulation, warp, addresses, instruction, i * bytes,
                           register_bits(group->frame, operand_item(to, i)));
    else if (!is_strong(emulation, instruction))
      value.symbols = symbols_open(emulation);
    write_operand(emulation, warp, group->frame, operand_item(to, i), &value,
                  addresses->lanes);
  }
}

// What is stored was not followed.
static void lose_bytes(Emulation *emulation, const Addresses *addresses,
                       unsigned bytes) {
  for (uint32_t rest = addresses->lanes; rest; rest &= rest - 1) {
    uint64_t at = addresses->at[__builtin_ctz(rest)];
    assert(at + bytes <= memory_bytes(emulation));
    memset(&emulation->shared_known[at], 0, bytes);
    symbols_lose(emulation, at, bytes);
  }
}

static bool is_lost(const Emulation *emulation,
                    const PtxInstruction *instruction) {
  return emulation->slice.passes && !is_strong(emulation, instruction) &&
         !emulation->slice.passes[instruction->number];
}

static void store(Emulation *emulation, Warp *warp, const LaneGroup *group,
                  const PtxInstruction *instruction,
                  const Addresses *addresses) {
  const Operand *from = &instruction->operands[1];
  unsigned bytes = instruction->type.bits / 8;
  if (!emulation->shared)
    return;
  if (is_lost(emulation, instruction)) {
    lose_bytes(emulation, addresses, access_bytes(instruction));
    return;
  }
  for (unsigned i = 0; i < operand_count(from); i++) {
    WarpValue value =
        operand_value(emulation, warp, group->frame, operand_item(from, i),
                      instruction->type.bits);
    if (is_strong(emulation, instruction))
      value = value_unknown(64, instruction);
    store_element(emulation, addresses, &value, i * bytes, bytes);
  }
}

static void forget_bytes(Emulation *emulation, const Addresses *addresses,
                         unsigned bytes) {
  WarpValue unknown = value_unknown(64, NULL);
  if (emulation->shared)
    store_element(emulation, addresses, &unknown, 0, bytes);
  for (uint32_t rest = addresses->lanes; rest; rest &= rest - 1)
    symbols_renew(emulation, addresses->at[__builtin_ctz(rest)], bytes);
}

// -------------------------------------------------------------- commands ---

// Whoever comes to `at` has been there before: it is in the same block, or in
// the first one.
static bool is_behind(const CodeSlice *code, uint32_t writer, uint32_t at) {
  const uint32_t *block_of = code->flow->block_of;
  return block_of[writer] == block_of[at] ? writer < at : block_of[writer] == 0;
}

static bool is_constant(const CodeSlice *code, uint32_t reg, uint32_t at) {
  if (code->writer[reg] == NO_REGISTER ||
      !is_behind(code, code->writer[reg], at))
    return false;
  const PtxInstruction *writer = code->function->code.at[code->writer[reg]];
  return writer->opcode && writer->opcode->kind == OPCODE_MOVE &&
         writer->guard == NO_REGISTER &&
         writer->operands[1].kind == OPERAND_NUMBER;
}

// A number or a register that only one mov of a number writes, too: whoever
// stores a flag is not to be asked for its value in the slice.
static bool is_same(const Emulation *emulation, const Warp *warp,
                    const LaneGroup *group, const Operand *operand,
                    uint32_t lanes) {
  if (operand->kind == OPERAND_REGISTER &&
      is_constant(group->frame->code, operand->index, group->at))
    return true;
  WarpValue value =
      operand_anchored(emulation, warp, group->frame, operand, 64);
  return value_is_uniform(&value, lanes) || !(lanes & ~value_alike(&value));
}

static bool stores_same_value(const Emulation *emulation, const Warp *warp,
                              const LaneGroup *group,
                              const PtxInstruction *instruction,
                              uint32_t lanes) {
  if (instruction->opcode->kind != OPCODE_STORE)
    return false;
  const Operand *from = &instruction->operands[1];
  for (unsigned i = 0; i < operand_count(from); i++)
    if (!is_same(emulation, warp, group, operand_item(from, i), lanes))
      return false;
  return true;
}

// Lists of distances from the first lane: many accesses differ in nothing but
// where they begin.
static void list_distances(const Addresses *addresses, uint32_t list[WARP]) {
  unsigned first = (unsigned)__builtin_ctz(addresses->lanes);
  for (unsigned lane = 0; lane < WARP; lane++)
    list[lane] = addresses->lanes >> lane & 1
                     ? (uint32_t)(addresses->at[lane] - addresses->at[first])
                     : 0;
}

static size_t hash_of_list(const uint32_t list[WARP]) {
  uint64_t hash = 0;
  for (unsigned lane = 0; lane < WARP; lane++)
    hash = (hash ^ list[lane]) * 0x9E3779B97F4A7C15u;
  return (size_t)(hash ^ hash >> 32);
}

// Where this list is in programs->addresses, plus 1, or belongs.
static uint32_t *find_list(const Scatters *scatters, const uint32_t *addresses,
                           const uint32_t list[WARP]) {
  size_t mask = scatters->room - 1, i = hash_of_list(list) & mask;
  while (scatters->slots[i] && memcmp(&addresses[scatters->slots[i] - 1], list,
                                      WARP * sizeof *list) != 0)
    i = (i + 1) & mask;
  return &scatters->slots[i];
}

static void make_room(Emulation *emulation) {
  enum { FIRST_ROOM = 64 };
  Scatters *scatters = &emulation->scatters;
  const uint32_t *addresses = emulation->programs->addresses.at;
  size_t lists = emulation->programs->addresses.count / WARP;
  if (2 * lists < scatters->room)
    return;
  scatters->room = scatters->room ? 2 * scatters->room : FIRST_ROOM;
  scatters->slots =
      arena_alloc(&emulation->task->arena, scatters->room * sizeof(uint32_t));
  for (size_t i = 0; i < lists; i++)
    *find_list(scatters, addresses, &addresses[i * WARP]) =
        (uint32_t)(i * WARP) + 1;
}

static uint32_t scatter(Emulation *emulation, const Addresses *addresses,
                        const PtxInstruction *instruction) {
  Programs *programs = emulation->programs;
  uint32_t list[WARP];
  list_distances(addresses, list);
  make_room(emulation);
  uint32_t *slot =
      find_list(&emulation->scatters, programs->addresses.at, list);
  if (*slot)
    return *slot - 1;
  if (programs->addresses.count > UINT32_MAX - WARP - 1)
    give_up(emulation, instruction, "too many scattered accesses");
  *slot = (uint32_t)programs->addresses.count + 1;
  for (unsigned lane = 0; lane < WARP; lane++)
    push_moving(emulation->arena, &programs->addresses, list[lane]);
  return *slot - 1;
}

static void set_addresses(Emulation *emulation, Command *command,
                          const Addresses *addresses,
                          const PtxInstruction *instruction) {
  uint32_t first = (uint32_t)__builtin_ctz(addresses->lanes);
  if (!(addresses->lanes & (addresses->lanes - 1))) {
    command->address = (uint32_t)addresses->at[first];
  } else if (addresses->is_line &&
             (int64_t)addresses->stride == (int32_t)addresses->stride) {
    command->address = (uint32_t)addresses->base;
    command->stride = (int32_t)addresses->stride;
  } else {
    command->is_scattered = true;
    command->address = scatter(emulation, addresses, instruction);
    command->stride = (int32_t)addresses->at[first];
  }
}

static CommandKind command_kind(const Emulation *emulation,
                                const PtxInstruction *instruction) {
  bool strong = is_strong(emulation, instruction);
  OpcodeKind kind = instruction->opcode->kind;
  if (kind == OPCODE_COPY)
    return COMMAND_COPY;
  if (kind == OPCODE_LOAD)
    return strong ? COMMAND_STRONG_READ : COMMAND_READ;
  return kind == OPCODE_STORE && !strong ? COMMAND_WRITE : COMMAND_ATOMIC;
}

// Releases and acquires are not followed; neither are those of a fence and
// something strong.
static void note_order(Emulation *emulation,
                       const PtxInstruction *instruction) {
  bool is_atomic = instruction->opcode->kind == OPCODE_ATOMIC;
  if (instruction->order == CHOICE_ORDERED ||
      ((is_atomic || is_strong(emulation, instruction)) &&
       emulation->has_fences))
    emulation->programs->has_other_order = true;
}

// When a block begins and ends matters to others.
static void check_own_block(Emulation *emulation, const Warp *warp,
                            const PtxInstruction *instruction,
                            const Addresses *addresses) {
  for (uint32_t rest = addresses->lanes; rest; rest &= rest - 1)
    if (addresses->at[__builtin_ctz(rest)] / MOST_SHARED_BYTES != warp->block)
      give_up(emulation, instruction,
              "whether this accesses another block depends on data");
}

static void emit(Emulation *emulation, Warp *warp, const LaneGroup *group,
                 const PtxInstruction *instruction, const Addresses *addresses,
                 unsigned bytes) {
  note_order(emulation, instruction);
  Command command = {.kind = command_kind(emulation, instruction),
                     .bytes = (uint8_t)bytes,
                     .is_perhaps = is_perhaps(emulation),
                     .lanes = addresses->lanes};
  if (command.is_perhaps)
    check_own_block(emulation, warp, instruction, addresses);
  command.same_value =
      stores_same_value(emulation, warp, group, instruction, addresses->lanes);
  if (symbols_matter(emulation, warp, instruction) &&
      command.kind == COMMAND_WRITE)
    symbols_write(emulation, warp, group, instruction, &command);
  set_addresses(emulation, &command, addresses, instruction);
  add_command(emulation, warp->index, command, instruction);
}

// ---------------------------------------------------------------- access ---

static const Operand *address_of(const PtxInstruction *instruction) {
  for (unsigned i = 0; i < instruction->count; i++)
    if (instruction->operands[i].is_bracketed)
      return &instruction->operands[i];
  assert(!"an access without an address");
  return NULL;
}

WarpValue address_value(const Emulation *emulation, const Warp *warp,
                        const LaneGroup *group, const Operand *operand) {
  Operand base = *operand;
  base.number = operand->kind == OPERAND_REGISTER ? 0 : operand->number;
  return operand_anchored(emulation, warp, group->frame, &base, 64);
}

// Of a lane that is known: an address in shared memory as the instruction takes
// them.
static bool is_shared_address(const Emulation *emulation,
                              const WarpValue *address, unsigned lane,
                              bool is_generic) {
  Anchor anchor = value_anchor(address, lane);
  if (!anchor_is_address(emulation, anchor))
    return false;
  Anchored anchored = anchor_of(emulation, anchor);
  return anchored.variable->space == SPACE_SHARED &&
         anchored.is_generic == is_generic;
}

static void check_shared(Emulation *emulation,
                         const PtxInstruction *instruction,
                         const WarpValue *address, uint32_t lanes,
                         bool is_generic) {
  if (lanes & ~address->known)
    give_up(emulation, instruction, "the %saddress depends on %s",
            is_generic ? "" : "shared ", value_cause(emulation, address));
  for (uint32_t rest = lanes; rest; rest &= rest - 1)
    if (!is_shared_address(emulation, address, (unsigned)__builtin_ctz(rest),
                           is_generic))
      give_up(emulation, instruction,
              "the address is none of a shared variable%s",
              is_generic ? "" : " in its space");
}

// Lanes whose address is in shared memory; the others are known not to be.
static uint32_t shared_lanes(Emulation *emulation,
                             const PtxInstruction *instruction,
                             const WarpValue *address, uint32_t lanes) {
  bool is_generic = instruction->space == SPACE_GENERIC;
  if (is_generic) {
    lanes &= ~anchor_elsewhere(emulation, address);
    if (!emulation->has_shared_pointers)
      lanes &= address->known;
  }
  check_shared(emulation, instruction, address, lanes, is_generic);
  return lanes;
}

// Where the variable ends that an address counts from.
static uint64_t end_of(const Emulation *emulation,
                       const PtxVariable *variable) {
  return variable->bytes
             ? emulation->address_of[variable->number] + variable->bytes
             : emulation->shared_bytes;
}

void memory_check(Emulation *emulation, const PtxInstruction *instruction,
                  Anchor anchor, uint64_t at, uint64_t bytes) {
  const PtxVariable *variable = anchor_of(emulation, anchor).variable;
  uint64_t begin = emulation->address_of[variable->number];
  uint64_t end = end_of(emulation, variable);
  if (at < begin || at >= end || bytes > end - at)
    give_up(emulation, instruction,
            "%llu bytes at '%s'%+lld are not within its %llu bytes",
            (unsigned long long)bytes, variable->name, (long long)(at - begin),
            (unsigned long long)(end - begin));
}

static void check_address(Emulation *emulation,
                          const PtxInstruction *instruction, Anchor anchor,
                          uint64_t at, unsigned bytes) {
  memory_check(emulation, instruction, anchor, at, bytes);
  if (at % bytes)
    give_up(emulation, instruction,
            "shared address %#llx is not a multiple of %u",
            (unsigned long long)at, bytes);
}

// What is added to the value of its register.
static uint64_t distance_of(const PtxInstruction *instruction) {
  uint64_t distance = address_of(instruction)->kind == OPERAND_REGISTER
                          ? address_of(instruction)->number
                          : 0;
  return instruction->space == SPACE_GENERIC ? distance - SHARED_WINDOW
                                             : distance;
}

static uint64_t find_address(Emulation *emulation, const Warp *warp,
                             const PtxInstruction *instruction,
                             const WarpValue *address, unsigned bytes,
                             unsigned lane) {
  uint64_t at = value_lane(address, lane) + distance_of(instruction);
  if (address->bits <= 32)
    at &= UINT32_MAX;
  uint64_t block = cluster_locate(emulation, warp, instruction, &at);
  check_address(emulation, instruction, value_anchor(address, lane), at, bytes);
  return block + at;
}

// The variable that all addresses are in, if it is one.
typedef struct Range {
  bool is_one;
  uint64_t begin, end;
} Range;

static Range range_of(const Emulation *emulation, const WarpValue *address,
                      uint32_t lanes) {
  Anchor first = value_anchor(address, (unsigned)__builtin_ctz(lanes));
  const PtxVariable *variable = anchor_of(emulation, first).variable;
  Range range = {true, emulation->address_of[variable->number],
                 end_of(emulation, variable)};
  for (uint32_t rest = lanes; rest; rest &= rest - 1)
    range.is_one &=
        value_anchor(address, (unsigned)__builtin_ctz(rest)) == first;
  return range;
}

// If the first and the last lane are in range, so are those on the line between
// them, and their addresses are what they seem.
static bool are_on_line(const Emulation *emulation, const WarpValue *address,
                        unsigned bytes, const Addresses *addresses) {
  const Range range = range_of(emulation, address, addresses->lanes);
  unsigned first = (unsigned)__builtin_ctz(addresses->lanes);
  unsigned last = 31 - (unsigned)__builtin_clz(addresses->lanes);
  int64_t stride = (int64_t)sign_extend(address->stride, address->bits);
  int64_t at = (int64_t)(addresses->at[first] % MOST_SHARED_BYTES);
  if (!range.is_one || address->kind != VALUE_AFFINE ||
      stride % (int64_t)bytes || stride > MOST_SHARED_BYTES ||
      stride < -MOST_SHARED_BYTES)
    return false;
  at += stride * (int64_t)(last - first);
  return at >= (int64_t)range.begin &&
         at + (int64_t)bytes <= (int64_t)range.end;
}

static void fill_line(const WarpValue *address, unsigned first,
                      Addresses *addresses) {
  addresses->is_line = true;
  addresses->stride = sign_extend(address->stride, address->bits);
  addresses->base = addresses->at[first] - addresses->stride * first;
  for (unsigned lane = first; lane < WARP; lane++)
    addresses->at[lane] = addresses->base + addresses->stride * lane;
}

// All are as they should be, in the memory of the only block.
static bool find_plain(const Emulation *emulation, const Warp *warp,
                       const PtxInstruction *instruction,
                       const WarpValue *address, unsigned bytes,
                       Addresses *addresses) {
  uint64_t distance = distance_of(instruction);
  uint64_t mask = address->bits <= 32 ? UINT32_MAX : UINT64_MAX;
  const Range range = range_of(emulation, address, addresses->lanes);
  bool is_good = address->kind == VALUE_LANES && !warp->block && range.is_one &&
                 bytes <= range.end && !(bytes & (bytes - 1));
  for (uint32_t rest = addresses->lanes; rest && is_good; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    uint64_t at = (value_lane(address, lane) + distance) & mask;
    is_good =
        at >= range.begin && at <= range.end - bytes && !(at & (bytes - 1));
    addresses->at[lane] = at;
  }
  return is_good;
}

static void find_addresses(Emulation *emulation, const Warp *warp,
                           const PtxInstruction *instruction,
                           const WarpValue *address, unsigned bytes,
                           Addresses *addresses) {
  unsigned first = (unsigned)__builtin_ctz(addresses->lanes);
  addresses->is_line = false;
  if (find_plain(emulation, warp, instruction, address, bytes, addresses))
    return;
  addresses->at[first] =
      find_address(emulation, warp, instruction, address, bytes, first);
  if (are_on_line(emulation, address, bytes, addresses)) {
    fill_line(address, first, addresses);
    return;
  }
  for (uint32_t rest = addresses->lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    addresses->at[lane] =
        find_address(emulation, warp, instruction, address, bytes, lane);
  }
}

// Two atomics race if one is not meant for the thread of the other.
static void check_scope(Emulation *emulation,
                        const PtxInstruction *instruction) {
  if (emulation->programs->blocks > 1 && instruction->is_of_block_scope)
    give_up(emulation, instruction,
            "'%s' for the threads of its block alone, in a cluster",
            instruction->opcode->name);
}

// A load that nobody asks for.
static bool is_idle(const Emulation *emulation, const Warp *warp,
                    const LaneGroup *group, const PtxInstruction *instruction) {
  const Operand *to = &instruction->operands[0];
  if (instruction->opcode->kind != OPCODE_LOAD)
    return false;
  for (unsigned i = 0; i < operand_count(to); i++)
    if (is_loaded(emulation, warp, group->frame, operand_item(to, i)))
      return false;
  return true;
}

// It only counts, where it is followed who stores what.
static bool only_counts(const Emulation *emulation, const Warp *warp,
                        const LaneGroup *group,
                        const PtxInstruction *instruction) {
  OpcodeKind kind = instruction->opcode->kind;
  if (!emulation->options->passes_once || emulation->slice.keeps_values)
    return false;
  if (emulation->slice.passes)
    return is_idle(emulation, warp, group, instruction);
  return (kind == OPCODE_LOAD || kind == OPCODE_STORE) &&
         !symbols_matter(emulation, warp, instruction);
}

static void access_shared(Emulation *emulation, Warp *warp,
                          const LaneGroup *group,
                          const PtxInstruction *instruction,
                          const WarpValue *address, uint32_t lanes) {
  unsigned bytes = access_bytes(instruction);
  if (bytes == 0 || bytes > 32 || bytes & (bytes - 1))
    give_up(emulation, instruction, "an access of %u bytes", bytes);
  Addresses addresses = {.lanes = lanes, .is_line = true};
  check_scope(emulation, instruction);
  if (!only_counts(emulation, warp, group, instruction))
    find_addresses(emulation, warp, instruction, address, bytes, &addresses);
  emit(emulation, warp, group, instruction, &addresses, bytes);
  if (instruction->opcode->kind == OPCODE_LOAD)
    load(emulation, warp, group, instruction, &addresses);
  else if (instruction->opcode->kind == OPCODE_STORE)
    store(emulation, warp, group, instruction, &addresses);
  else
    forget_bytes(emulation, &addresses, bytes);
}

// ------------------------------------------------------------- mbarriers ---

void memory_locate(Emulation *emulation, Warp *warp, const LaneGroup *group,
                   const PtxInstruction *instruction, uint32_t lanes,
                   uint64_t at[WARP]) {
  WarpValue address =
      address_value(emulation, warp, group, address_of(instruction));
  Addresses addresses = {.lanes = lanes};
  if (shared_lanes(emulation, instruction, &address, lanes) != lanes)
    give_up(emulation, instruction, "'%s' outside of shared memory",
            instruction->opcode->name);
  find_addresses(emulation, warp, instruction, &address, MBARRIER_BYTES,
                 &addresses);
  memcpy(at, addresses.at, sizeof addresses.at);
}

void memory_forget(Emulation *emulation, uint64_t at, uint64_t bytes) {
  assert(at <= memory_bytes(emulation) &&
         bytes <= memory_bytes(emulation) - at);
  if (emulation->shared)
    memset(&emulation->shared_known[at], 0, bytes);
  symbols_renew(emulation, at, (unsigned)bytes);
}

// Bulk copies and matrices name the spaces of their operands elsewhere.
static bool is_generic(const PtxInstruction *instruction) {
  OpcodeKind kind = instruction->opcode->kind;
  return (kind == OPCODE_ASYNC_STORE || kind == OPCODE_ASYNC_REDUCE ||
          kind == OPCODE_WMMA_LOAD || kind == OPCODE_WMMA_STORE) &&
         instruction->space == SPACE_GENERIC;
}

uint64_t memory_place(Emulation *emulation, const Warp *warp,
                      const PtxInstruction *instruction,
                      const WarpValue *address, uint64_t distance,
                      unsigned lane, uint64_t bytes, unsigned align) {
  bool generic = is_generic(instruction);
  check_shared(emulation, instruction, address, UINT32_C(1) << lane, generic);
  uint64_t at = value_lane(address, lane) + distance;
  if (address->bits <= 32)
    at &= UINT32_MAX;
  else if (generic)
    at -= SHARED_WINDOW;
  uint64_t block = cluster_locate(emulation, warp, instruction, &at);
  memory_check(emulation, instruction, value_anchor(address, lane), at, bytes);
  if (at % align)
    give_up(emulation, instruction,
            "shared address %#llx is not a multiple of %u",
            (unsigned long long)at, align);
  return block + at;
}

uint64_t memory_range(Emulation *emulation, Warp *warp, const LaneGroup *group,
                      const PtxInstruction *instruction, const Operand *operand,
                      unsigned lane, uint64_t bytes, unsigned align) {
  WarpValue address = address_value(emulation, warp, group, operand);
  uint64_t distance = operand->kind == OPERAND_REGISTER ? operand->number : 0;
  return memory_place(emulation, warp, instruction, &address, distance, lane,
                      bytes, align);
}

void memory_scatter(Emulation *emulation, Warp *warp,
                    const PtxInstruction *instruction, CommandKind kind,
                    unsigned bytes, const uint64_t at[WARP]) {
  Addresses addresses = {.lanes = UINT32_MAX};
  memcpy(addresses.at, at, sizeof addresses.at);
  Command command = {
      .kind = kind, .bytes = (uint8_t)bytes, .lanes = addresses.lanes};
  set_addresses(emulation, &command, &addresses, instruction);
  add_command(emulation, warp->index, command, instruction);
}

// ----------------------------------------------------------------- entry ---

static void load_unknown(Emulation *emulation, Warp *warp,
                         const LaneGroup *group,
                         const PtxInstruction *instruction, uint32_t lanes) {
  WarpValue unknown = memory_data(instruction);
  if (instruction->opcode->kind == OPCODE_STORE ||
      instruction->operands[0].is_bracketed)
    return;
  const Operand *to = &instruction->operands[0];
  for (unsigned i = 0; i < operand_count(to); i++)
    write_operand(emulation, warp, group->frame, operand_item(to, i), &unknown,
                  lanes);
}

void memory_access(Emulation *emulation, Warp *warp, const LaneGroup *group,
                   const PtxInstruction *instruction, uint32_t lanes) {
  WarpValue address =
      address_value(emulation, warp, group, address_of(instruction));
  uint32_t shared = 0;
  if (instruction->space == SPACE_SHARED ||
      instruction->space == SPACE_GENERIC) {
    shared = shared_lanes(emulation, instruction, &address, lanes);
    if (shared)
      access_shared(emulation, warp, group, instruction, &address, shared);
  }
  bool is_load = instruction->opcode->kind == OPCODE_LOAD;
  uint32_t unknown = is_load ? lanes & ~shared : lanes;
  if (unknown && is_load && emulation->tables.count)
    table_load(emulation, warp, group, instruction, unknown);
  else if (unknown)
    load_unknown(emulation, warp, group, instruction, unknown);
}
