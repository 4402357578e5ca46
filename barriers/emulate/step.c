// Executes an instruction for some lanes: operands, results, and what is
// neither memory nor barriers nor control flow.

#include "barriers/emulate/emulate.h"

#include <assert.h>
#include <string.h>

// -------------------------------------------------------------- operands ---

static unsigned register_bits(const Frame *frame, uint32_t reg) {
  assert(reg < frame->code->function->registers.count);
  return frame->code->function->registers.at[reg].bits;
}

static WarpValue grid_size(const Emulation *emulation, unsigned axis) {
  uint32_t size = emulation->options->grid_size[axis];
  emulation->programs->grid_axes |= 1u << axis;
  return size ? value_number(32, size) : value_data(32, NULL);
}

static WarpValue special_value(const Emulation *emulation, const Warp *warp,
                               uint32_t special) {
  const EmulationOptions *options = emulation->options;
  if (special <= PTX_TID_Z)
    return warp->thread_id[special - PTX_TID_X];
  if (special <= PTX_NTID_Z)
    return value_number(32, options->block_size[special - PTX_NTID_X]);
  if (special <= PTX_CTAID_Z && options->is_any_block)
    return value_any_block();
  if (special <= PTX_CTAID_Z)
    return value_number(32,
                        cluster_block(emulation, warp, special - PTX_CTAID_X));
  if (special <= PTX_NCTAID_Z)
    return grid_size(emulation, special - PTX_NCTAID_X);
  if (special == PTX_LANEID)
    return (WarpValue){.bits = 32, .known = UINT32_MAX, .stride = 1};
  if (special == PTX_WARP_SIZE)
    return value_number(32, WARP);
  if (special >= PTX_CLUSTERID_X && special <= PTX_CLUSTER_NCTARANK)
    return cluster_value(emulation, warp, special);
  if (special >= PTX_LANEMASK_EQ && special <= PTX_LANEMASK_GT)
    return emulation->lane_masks[special - PTX_LANEMASK_EQ];
  return value_data(64, NULL);
}

static WarpValue register_value(const Emulation *emulation, const Frame *frame,
                                const Operand *operand) {
  uint32_t slot = frame->code->slot[operand->index];
  if (slot == NO_REGISTER)
    return value_unknown(register_bits(frame, operand->index), NULL);
  return guess_seen(emulation, &frame->slots[slot]);
}

static WarpValue negated(const WarpValue *value) {
  WarpValue result = *value;
  result.symbols = NULL;
  result.kind = VALUE_BITS;
  result.base = 0;
  for (unsigned lane = 0; lane < WARP; lane++)
    result.base |= (uint64_t)!(value_lane(value, lane) & 1) << lane;
  return result;
}

static uint64_t variable_address(const Emulation *emulation, const Warp *warp,
                                 const PtxVariable *variable) {
  uint64_t window =
      variable->space == SPACE_SHARED ? cluster_own_window(warp) : 0;
  return window + emulation->address_of[variable->number];
}

static WarpValue variable_value(const Emulation *emulation, const Warp *warp,
                                const Operand *operand, unsigned bits) {
  const PtxVariable *variable = operand->variable;
  WarpValue value = value_number(
      bits, variable_address(emulation, warp, variable) + operand->number);
  value.is_anchored = true;
  value.anchors = emulation->anchors_at[variable->number];
  return value;
}

// Literals and symbols are as wide as they are asked to be.
WarpValue operand_anchored(const Emulation *emulation, const Warp *warp,
                           const Frame *frame, const Operand *operand,
                           unsigned bits) {
  WarpValue value;
  switch (operand->kind) {
  case OPERAND_REGISTER:
    value = register_value(emulation, frame, operand);
    return operand->is_negated ? negated(&value) : value;
  case OPERAND_NUMBER:
    return value_number(bits, operand->number);
  case OPERAND_VARIABLE:
    return variable_value(emulation, warp, operand, bits);
  case OPERAND_SPECIAL:
    return special_value(emulation, warp, operand->index);
  case OPERAND_NONE:
  case OPERAND_FUNCTION:
  case OPERAND_LABEL:
  case OPERAND_TARGETS:
  case OPERAND_LIST:
  case OPERAND_SINK:
  case OPERAND_OTHER:
    return value_unknown(bits, NULL);
  }
  assert(!"a kind of operand");
  return value_unknown(bits, NULL);
}

WarpValue operand_value(const Emulation *emulation, const Warp *warp,
                        const Frame *frame, const Operand *operand,
                        unsigned bits) {
  WarpValue value = operand_anchored(emulation, warp, frame, operand, bits);
  return value.is_anchored ? value_plain(&value) : value;
}

bool is_wanted(const Frame *frame, const Operand *operand) {
  return operand->kind == OPERAND_REGISTER &&
         frame->code->slot[operand->index] != NO_REGISTER;
}

void write_operand(Emulation *emulation, const Warp *warp, const Frame *frame,
                   const Operand *operand, const WarpValue *value,
                   uint32_t lanes) {
  if (!is_wanted(frame, operand) || !lanes)
    return;
  WarpValue *slot = &frame->slots[frame->code->slot[operand->index]];
  WarpValue fitting = *value;
  fitting.bits = register_bits(frame, operand->index);
  if (guess_catches(emulation, warp, slot, &fitting))
    return;
  value_write(&emulation->task->arena, slot, &fitting, lanes, warp->alive);
}

// ----------------------------------------------------------------- moves ---

static void extend_anchors(const Emulation *emulation, Warp *warp,
                           const WarpValue *value, PtxType type,
                           WarpValue *result) {
  Anchor *anchors = warp->anchor_scratch;
  for (unsigned lane = 0; lane < WARP; lane++) {
    anchors[lane] = value->known >> lane & 1 ? value_anchor(value, lane) : 0;
    if (anchors[lane] && !anchor_extends(emulation, anchors[lane],
                                         value_lane(value, lane), type))
      anchors[lane] = NO_ANCHOR;
  }
  anchor_lanes(result, anchors);
}

// A value of a type on its way to a register that may be wider.
static WarpValue extended(const Emulation *emulation, Warp *warp,
                          const Frame *frame, const Operand *to,
                          const WarpValue *value, PtxType type) {
  if (!is_wanted(frame, to))
    return *value;
  unsigned bits = register_bits(frame, to->index);
  if (type.bits >= bits || type.bits == 0)
    return *value;
  uint64_t *lanes = warp->scratch[0];
  for (unsigned lane = 0; lane < WARP; lane++) {
    uint64_t number = value_lane(value, lane) & bits_mask(type.bits);
    lanes[lane] = type.class == 's' ? sign_extend(number, type.bits) : number;
  }
  WarpValue result = value_lanes(bits, value->known, lanes);
  result.elsewhere = value->elsewhere;
  result.alike = value->alike;
  result.cause = value->cause;
  if (value->is_anchored)
    extend_anchors(emulation, warp, value, type, &result);
  return result;
}

// {a, b} := x: the parts of x from the lowest bits on.
static void unpack(Emulation *emulation, Warp *warp, const Frame *frame,
                   const PtxInstruction *instruction, uint32_t lanes) {
  const Operand *list = &instruction->operands[0];
  unsigned width = instruction->type.bits / list->count;
  const WarpValue whole =
      operand_anchored(emulation, warp, frame, &instruction->operands[1],
                       instruction->type.bits);
  uint64_t numbers[WARP];
  Anchor from[WARP];
  for (unsigned lane = 0; lane < WARP; lane++) {
    numbers[lane] = value_lane(&whole, lane);
    from[lane] = whole.known >> lane & 1 ? value_anchor(&whole, lane) : 0;
  }
  for (unsigned i = 0; i < list->count; i++) {
    for (unsigned lane = 0; lane < WARP; lane++) {
      warp->scratch[0][lane] =
          width * i < 64 ? numbers[lane] >> (width * i) & bits_mask(width) : 0;
      warp->anchor_scratch[lane] = anchor_of_part(
          emulation, from[lane], numbers[lane], width * i, width);
    }
    WarpValue part = value_lanes(width, whole.known, warp->scratch[0]);
    if (whole.is_anchored)
      anchor_lanes(&part, warp->anchor_scratch);
    part.elsewhere = anchor_elsewhere(emulation, &whole);
    part.cause = whole.cause ? whole.cause : instruction;
    write_operand(emulation, warp, frame, &list->items[i], &part, lanes);
  }
}

// The lowest part may be an address, if there is nothing of it in the others.
static Anchor anchor_of_parts(const Emulation *emulation, const WarpValue *part,
                              unsigned index, unsigned lane, unsigned width) {
  Anchor from = part->known >> lane & 1 ? value_anchor(part, lane) : 0;
  PtxType type = {'b', (uint8_t)width};
  if (!from)
    return 0;
  return index == 0 &&
                 anchor_extends(emulation, from, value_lane(part, lane), type)
             ? from
             : NO_ANCHOR;
}

static void pack(Emulation *emulation, Warp *warp, const Frame *frame,
                 const PtxInstruction *instruction, uint32_t lanes) {
  const Operand *list = &instruction->operands[1];
  unsigned width = instruction->type.bits / list->count;
  uint32_t known = UINT32_MAX, elsewhere = UINT32_MAX;
  uint64_t *numbers = warp->scratch[0];
  Anchor *anchors = warp->anchor_scratch;
  memset(numbers, 0, sizeof warp->scratch[0]);
  memset(anchors, 0, sizeof warp->anchor_scratch);
  const PtxInstruction *cause = instruction;
  for (unsigned i = 0; i < list->count; i++) {
    WarpValue part =
        operand_anchored(emulation, warp, frame, &list->items[i], width);
    known &= part.known;
    elsewhere &= anchor_elsewhere(emulation, &part);
    if (part.known != UINT32_MAX && part.cause)
      cause = part.cause;
    for (unsigned lane = 0; lane < WARP; lane++) {
      numbers[lane] |= (value_lane(&part, lane) & bits_mask(width))
                       << (width * i);
      anchors[lane] |= anchor_of_parts(emulation, &part, i, lane, width);
    }
  }
  WarpValue whole = value_lanes(instruction->type.bits, known, numbers);
  anchor_lanes(&whole, anchors);
  whole.elsewhere = elsewhere & ~whole.known;
  whole.cause = cause;
  write_operand(emulation, warp, frame, &instruction->operands[0], &whole,
                lanes);
}

static void step_move(Emulation *emulation, Warp *warp, const Frame *frame,
                      const PtxInstruction *instruction, uint32_t lanes) {
  const Operand *to = &instruction->operands[0];
  const Operand *from = &instruction->operands[1];
  if (instruction->type.bits > 64 ||
      (to->kind == OPERAND_LIST && from->kind == OPERAND_LIST)) {
    give_up(emulation, instruction, "a move of more than 64 bits");
  } else if (to->kind == OPERAND_LIST) {
    unpack(emulation, warp, frame, instruction, lanes);
  } else if (from->kind == OPERAND_LIST) {
    pack(emulation, warp, frame, instruction, lanes);
  } else {
    WarpValue value =
        operand_anchored(emulation, warp, frame, from, instruction->type.bits);
    if (!value.cause && from->kind != OPERAND_REGISTER)
      value.cause = instruction;
    value = extended(emulation, warp, frame, to, &value, instruction->type);
    write_operand(emulation, warp, frame, to, &value, lanes);
  }
}

static WarpValue unknown_result(const PtxInstruction *instruction) {
  return value_unknown(64, instruction);
}

static void forget(Emulation *emulation, Warp *warp, const Frame *frame,
                   const PtxInstruction *instruction, uint32_t reg,
                   bool is_elsewhere, uint32_t lanes) {
  Operand operand = {.kind = OPERAND_REGISTER, .index = reg};
  WarpValue unknown = unknown_result(instruction);
  unknown.elsewhere = is_elsewhere ? UINT32_MAX : 0;
  write_operand(emulation, warp, frame, &operand, &unknown, lanes);
}

static void forget_results(Emulation *emulation, Warp *warp, const Frame *frame,
                           const PtxInstruction *instruction, uint32_t lanes) {
  for (unsigned i = 0; i < instruction->write_count; i++)
    forget(emulation, warp, frame, instruction, instruction->writes[i], false,
           lanes);
}

// Cells that have bytes in common with those that are stored to.
static void forget_overlapping(Emulation *emulation, Warp *warp,
                               const Frame *frame, const PtxInstruction *store,
                               uint32_t lanes) {
  for (unsigned i = 0; i < store->write_count; i++) {
    bool is_stored = false;
    for (unsigned k = 0; k < operand_count(&store->operands[1]); k++)
      is_stored |= store->cells[k] == store->writes[i];
    if (!is_stored)
      forget(emulation, warp, frame, store, store->writes[i], false, lanes);
  }
}

// What ld.param finds where the cells do not say it: another function may have
// written there.
static bool is_lost(const Frame *frame, uint32_t cell) {
  return frame->code->function->registers.at[cell].cell->of->is_shown;
}

// ld.param and st.param: between registers and cells.
static void step_cells(Emulation *emulation, Warp *warp, const Frame *frame,
                       const PtxInstruction *instruction, uint32_t lanes) {
  bool is_load = instruction->opcode->kind == OPCODE_LOAD;
  const Operand *values = &instruction->operands[!is_load];
  if (!is_load)
    forget_overlapping(emulation, warp, frame, instruction, lanes);
  for (unsigned i = 0; i < operand_count(values); i++) {
    Operand cell = {.kind = OPERAND_REGISTER, .index = instruction->cells[i]};
    const Operand *item = operand_item(values, i);
    WarpValue value = operand_anchored(
        emulation, warp, frame, is_load ? &cell : item, instruction->type.bits);
    if (is_lost(frame, cell.index))
      value = value_unknown(instruction->type.bits, instruction);
    if (!value.cause)
      value.cause = instruction;
    const Operand *to = is_load ? item : &cell;
    value = extended(emulation, warp, frame, to, &value, instruction->type);
    write_operand(emulation, warp, frame, to, &value, lanes);
  }
}

// -------------------------------------------------------------- integers ---

static unsigned operand_values(const Emulation *emulation, const Warp *warp,
                               const Frame *frame,
                               const PtxInstruction *instruction,
                               WarpValue in[4]) {
  unsigned count = instruction->count - 1;
  assert(count <= 4);
  for (unsigned i = 0; i < count; i++)
    in[i] = operand_anchored(emulation, warp, frame,
                             &instruction->operands[i + 1], 64);
  return count;
}

static void step_integer(Emulation *emulation, Warp *warp, const Frame *frame,
                         const PtxInstruction *instruction, uint32_t lanes) {
  const Operand *to = &instruction->operands[0];
  if (!is_wanted(frame, to))
    return;
  WarpValue in[4], result = unknown_result(instruction);
  if (is_integer(instruction)) {
    unsigned count = operand_values(emulation, warp, frame, instruction, in);
    result = integer_evaluate(emulation, instruction, in, count,
                              register_bits(frame, to->index), warp);
  }
  write_operand(emulation, warp, frame, to, &result, lanes);
}

static bool combined(Modifier combine, bool is_true, uint64_t with) {
  return combine == CHOICE_AND   ? is_true && with
         : combine == CHOICE_OR  ? is_true || with
         : combine == CHOICE_XOR ? is_true != (with != 0)
                                 : is_true;
}

static bool has_comparison(const PtxInstruction *instruction) {
  PtxType type = instruction->type;
  bool is_float = type.class == 'f' && type.bits >= 32;
  return is_float || (strchr("subp", type.class) && type.class && type.bits &&
                      type.bits <= 64 && instruction->compare < CHOICE_EQU);
}

static bool compare(const PtxInstruction *instruction, uint64_t a, uint64_t b,
                    bool *is_true) {
  if (instruction->type.class == 'f')
    return float_compare(instruction, a, b, is_true);
  *is_true = integer_compare(instruction, instruction->type, a, b);
  return true;
}

static bool is_constant(const WarpValue *value) {
  return value->kind == VALUE_AFFINE && value->stride == 0 &&
         !value->is_anchored;
}

// What p and q of p|q are in these lanes, as bits; the lanes of which it is
// known.
static uint32_t compare_lanes(const Emulation *emulation,
                              const PtxInstruction *instruction,
                              const WarpValue in[3], uint32_t lanes,
                              uint64_t bits[2]) {
  uint32_t known = 0;
  bool is_one =
      is_constant(&in[0]) && is_constant(&in[1]) && is_constant(&in[2]);
  for (uint32_t rest = lanes; rest; rest = is_one ? 0 : rest & (rest - 1)) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    uint32_t which = is_one ? lanes : (uint32_t)1 << lane;
    uint64_t with = value_lane(&in[2], lane);
    bool is_true;
    if (!anchor_compares(emulation, instruction, instruction->type, in, lane) ||
        !compare(instruction, value_lane(&in[0], lane),
                 value_lane(&in[1], lane), &is_true))
      continue;
    known |= which;
    if (combined(instruction->combine, is_true, with))
      bits[0] |= which;
    if (combined(instruction->combine, !is_true, with))
      bits[1] |= which;
  }
  return known;
}

// p|q = (a compare b) with c, and not (a compare b) with c.
static void step_compare(Emulation *emulation, Warp *warp, const Frame *frame,
                         const PtxInstruction *instruction, uint32_t lanes) {
  WarpValue in[4] = {0};
  unsigned count = operand_values(emulation, warp, frame, instruction, in);
  if (count < 3)
    in[2] = value_number(1, 1);
  uint32_t known = has_comparison(instruction) ? UINT32_MAX : 0;
  uint32_t alike = known;
  const PtxInstruction *cause = instruction;
  for (unsigned i = 0; i < 3; i++) {
    known &= in[i].known;
    alike &= value_alike(&in[i]);
    if ((in[i].known != UINT32_MAX || in[i].is_anchored) && in[i].cause)
      cause = in[i].cause;
  }
  uint64_t bits[2] = {0};
  known &=
      ~lanes | compare_lanes(emulation, instruction, in, known & lanes, bits);
  for (unsigned i = 0; i < 2; i++) {
    WarpValue result = {.kind = VALUE_BITS,
                        .bits = 1,
                        .known = known,
                        .alike = alike & ~known,
                        .base = bits[i],
                        .cause = known == UINT32_MAX ? NULL : cause};
    write_operand(emulation, warp, frame,
                  i ? instruction->other : &instruction->operands[0], &result,
                  lanes);
  }
}

// ------------------------------------------------------------- addresses ---

// Of the lanes that are known, those that are addresses, on their way to or
// from generic ones.
static void turn_anchors(const Emulation *emulation, Warp *warp,
                         const PtxInstruction *instruction,
                         const WarpValue *value, WarpValue *moved) {
  Anchor *anchors = warp->anchor_scratch;
  for (unsigned lane = 0; lane < WARP; lane++) {
    Anchor from = value->known >> lane & 1 ? value_anchor(value, lane) : 0;
    anchors[lane] = instruction->space == SPACE_SHARED ? NO_ANCHOR : 0;
    if (from)
      anchors[lane] = anchor_turned(emulation, from, instruction->space,
                                    !instruction->is_to);
  }
  anchor_lanes(moved, anchors);
}

// Only shared memory has addresses of its own: see layout.c.
static void step_address(Emulation *emulation, Warp *warp, const Frame *frame,
                         const PtxInstruction *instruction, uint32_t lanes) {
  bool is_shared = instruction->space == SPACE_SHARED;
  uint64_t distance = !is_shared           ? 0
                      : instruction->is_to ? -SHARED_WINDOW
                                           : SHARED_WINDOW;
  WarpValue value =
      operand_anchored(emulation, warp, frame, &instruction->operands[1],
                       instruction->type.bits);
  for (unsigned lane = 0; lane < WARP; lane++)
    warp->scratch[0][lane] = value_lane(&value, lane) + distance;
  WarpValue moved = value_lanes(64, value.known, warp->scratch[0]);
  turn_anchors(emulation, warp, instruction, &value, &moved);
  // What is no address of such memory makes this undefined.
  if (!is_shared && instruction->space != SPACE_GENERIC)
    moved.elsewhere = ~moved.known;
  else
    moved.elsewhere = 0;
  moved.cause = value.cause ? value.cause : instruction;
  write_operand(emulation, warp, frame, &instruction->operands[0], &moved,
                lanes);
}

// Known for shared memory alone.
static void step_is_space(Emulation *emulation, Warp *warp, const Frame *frame,
                          const PtxInstruction *instruction, uint32_t lanes) {
  WarpValue value =
      operand_anchored(emulation, warp, frame, &instruction->operands[1], 64);
  uint32_t outside = anchor_elsewhere(emulation, &value);
  uint32_t inside = value.known & ~outside, unsure = 0;
  for (uint32_t rest = inside; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    uint64_t at = value_lane(&value, lane) - SHARED_WINDOW;
    bool is_own = !((at - cluster_own_window(warp)) >> BLOCK_WINDOW_BITS);
    if (!anchor_is_address(emulation, value_anchor(&value, lane)))
      unsure |= rest & -rest;
    else if (!is_own && !instruction->is_of_cluster)
      inside &= ~(rest & -rest);
  }
  bool is_shared = instruction->space == SPACE_SHARED;
  WarpValue result = {.kind = VALUE_BITS, .bits = 1, .cause = instruction};
  result.known = (is_shared ? value.known | outside : inside) & ~unsure;
  result.base = is_shared ? inside : 0;
  if (value.cause)
    result.cause = value.cause;
  write_operand(emulation, warp, frame, &instruction->operands[0], &result,
                lanes);
}

// ------------------------------------------------------------------ step ---

// Lanes in lock step that are here run together.
static void step_active_mask(Emulation *emulation, Warp *warp,
                             const Frame *frame,
                             const PtxInstruction *instruction,
                             uint32_t lanes) {
  WarpValue mask = emulation->options->lock_step && !is_perhaps(emulation)
                       ? value_number(32, lanes)
                       : unknown_result(instruction);
  write_operand(emulation, warp, frame, &instruction->operands[0], &mask,
                lanes);
}

// Something of 32 bits that is computed, or comes from memory, is no address.
static bool makes_no_address(const PtxInstruction *instruction) {
  static const char *const halves[] = {"addc", "subc", "madc"};
  for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
    if (!strcmp(instruction->opcode->name, halves[i]))
      return false;
  return true;
}

static void step_unknown(Emulation *emulation, Warp *warp, const Frame *frame,
                         const PtxInstruction *instruction, uint32_t lanes) {
  for (unsigned i = 0; i < instruction->write_count; i++) {
    uint32_t reg = instruction->writes[i];
    bool is_narrow = register_bits(frame, reg) <= 32;
    forget(emulation, warp, frame, instruction, reg,
           is_narrow && makes_no_address(instruction), lanes);
  }
}

// A function of the library: what malloc returns is an address of global
// memory.
static void step_library(Emulation *emulation, Warp *warp, const Frame *frame,
                         const PtxInstruction *instruction, uint32_t lanes) {
  const PtxFunction *function = call_parts(instruction).function;
  bool is_malloc = !strcmp(function->name, "malloc");
  for (unsigned i = 0; i < instruction->write_count; i++)
    forget(emulation, warp, frame, instruction, instruction->writes[i],
           is_malloc || register_bits(frame, instruction->writes[i]) <= 32,
           lanes);
}

static void step_memory(Emulation *emulation, Warp *warp,
                        const LaneGroup *group,
                        const PtxInstruction *instruction, uint32_t lanes) {
  if (instruction->cells)
    step_cells(emulation, warp, group->frame, instruction, lanes);
  else
    memory_access(emulation, warp, group, instruction, lanes);
}

typedef void StepFunction(Emulation *, Warp *, const Frame *,
                          const PtxInstruction *, uint32_t lanes);

static StepFunction *const steps[] = {
    [OPCODE_INTEGER] = step_integer,
    [OPCODE_MOVE] = step_move,
    [OPCODE_SET_PREDICATE] = step_compare,
    [OPCODE_ADDRESS] = step_address,
    [OPCODE_MAP] = cluster_map,
    [OPCODE_BLOCK_RANK] = cluster_rank,
    [OPCODE_ACTIVE_MASK] = step_active_mask,
    [OPCODE_IS_SPACE] = step_is_space,
    [OPCODE_CALL] = step_library,
    [OPCODE_UNKNOWN] = step_unknown,
};

void step_lanes(Emulation *emulation, Warp *warp, const LaneGroup *group,
                const PtxInstruction *instruction, uint32_t lanes) {
  OpcodeKind kind = instruction->opcode->kind;
  if (is_of_family(instruction, FAMILY_ACCESS)) {
    step_memory(emulation, warp, group, instruction, lanes);
    return;
  }
  assert(kind < sizeof steps / sizeof *steps && steps[kind]);
  steps[kind](emulation, warp, group->frame, instruction, lanes);
}

static bool is_access(const PtxInstruction *instruction) {
  return is_shared_access(instruction) && !instruction->cells;
}

// An access that these lanes make or not.
static void step_unsure(Emulation *emulation, Warp *warp,
                        const LaneGroup *group,
                        const PtxInstruction *instruction, uint32_t lanes) {
  bool is_nested = emulation->is_unsure;
  emulation->is_unsure = true;
  step_lanes(emulation, warp, group, instruction, lanes);
  emulation->is_unsure = is_nested;
}

// Lanes in lock step make their access together, in one command.
void step(Emulation *emulation, Warp *warp, const LaneGroup *group,
          const PtxInstruction *instruction, uint32_t lanes, uint32_t unknown) {
  uint32_t unsure = is_access(instruction) ? unknown : 0;
  if (unsure && emulation->symbols)
    give_up(emulation, instruction,
            "symbols are not followed where data decides about an access");
  if (unsure && emulation->options->lock_step)
    unsure |= lanes;
  lanes &= ~unsure;
  uint32_t guessed = guess_sources(emulation, group, instruction, lanes);
  if (emulation->symbols)
    symbols_compute(emulation, warp, group, instruction, lanes & ~guessed,
                    unknown);
  if (lanes & ~guessed)
    step_lanes(emulation, warp, group, instruction, lanes & ~guessed);
  if (guessed)
    guess_step(emulation, warp, group, instruction);
  if (unsure)
    step_unsure(emulation, warp, group, instruction, unsure);
  if (unknown)
    forget_results(emulation, warp, group->frame, instruction, unknown);
  if (emulation->symbols)
    symbols_assign(emulation, group->frame, (lanes & ~guessed) | unknown);
}
