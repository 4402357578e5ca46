// What the lanes of a warp do together: shuffles, votes, matches, reductions,
// and bar.warp.sync.
//
// With .sync, the lanes of a mask wait for each other at one place; lanes that
// have exited are not waited for, as hardware has it.  Lanes of one group may
// name different masks, as the tiles of a warp do.  A lane that is not in its
// own mask makes the behaviour undefined, so we give up.  Only bar.warp.sync
// orders memory, so only it becomes a command.
//
// elect.sync chooses always the same lane for the same mask; which one, nobody
// says.  So a kernel is executed once for each lane that it may be
// (Programs.elected), which is every choice if there is one mask.
//
// Without .sync, all lanes that happen to be there take part.  That is the
// whole warp or else not known.

#include "barriers/emulate/emulate.h"

#include <assert.h>

// Lanes that do it together, and what they bring along.
typedef struct Circle {
  Emulation *emulation;
  Warp *warp;
  const LaneGroup *group;
  const PtxInstruction *instruction;
  uint32_t lanes;
} Circle;

static WarpValue circle_operand(const Circle *circle, unsigned index,
                                unsigned bits) {
  return operand_value(circle->emulation, circle->warp, circle->group->frame,
                       &circle->instruction->operands[index], bits);
}

static void deliver(const Circle *circle, const Operand *operand,
                    const WarpValue *value) {
  write_operand(circle->emulation, circle->warp, circle->group->frame, operand,
                value, circle->lanes);
}

static WarpValue from_lanes(const Circle *circle, unsigned bits, uint32_t known,
                            uint64_t *lanes, const WarpValue *source) {
  WarpValue value = value_lanes(bits, known, lanes);
  value.cause = source->cause ? source->cause : circle->instruction;
  return value;
}

// The same for all who are there.
static WarpValue unknown_alike(const Circle *circle, const WarpValue *source) {
  WarpValue value =
      value_unknown(32, source->cause ? source->cause : circle->instruction);
  if (!(circle->lanes & ~anchor_elsewhere(circle->emulation, source)))
    value.elsewhere = UINT32_MAX;
  value.symbols = symbols_alike(circle->emulation);
  return value;
}

// -------------------------------------------------------------- shuffles ---

typedef struct Shuffle {
  Modifier mode;
  uint32_t by, clamp;
} Shuffle;

// The lane that `lane` reads from; false: it reads its own.
static bool source_lane(Shuffle shuffle, unsigned lane, unsigned *source) {
  int segment = (int)(shuffle.clamp >> 8 & 31);
  int clamp = (int)(shuffle.clamp & 31), by = (int)(shuffle.by & 31);
  int at = (int)lane;
  int highest = (at & segment) | (clamp & ~segment);
  assert(shuffle.mode >= CHOICE_UP && shuffle.mode <= CHOICE_INDEX);
  int from = shuffle.mode == CHOICE_UP     ? at - by
             : shuffle.mode == CHOICE_DOWN ? at + by
             : shuffle.mode == CHOICE_BUTTERFLY
                 ? at ^ by
                 : (at & segment) | (by & ~segment);
  bool is_inside =
      shuffle.mode == CHOICE_UP ? from >= highest : from <= highest;
  *source = is_inside ? (unsigned)from & 31 : lane;
  return is_inside;
}

static bool is_member(const Circle *circle, unsigned lane) {
  return circle->lanes >> lane & 1;
}

static void shuffle(const Circle *circle) {
  WarpValue a =
      operand_anchored(circle->emulation, circle->warp, circle->group->frame,
                       &circle->instruction->operands[1], 32);
  WarpValue by = circle_operand(circle, 2, 32);
  WarpValue clamp = circle_operand(circle, 3, 32);
  uint64_t *numbers = circle->warp->scratch[0];
  Anchor *anchors = circle->warp->anchor_scratch;
  uint32_t known = 0, can_tell = by.known & clamp.known;
  uint64_t inside = 0, symbols[WARP] = {0};
  for (uint32_t rest = circle->lanes & can_tell; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest), source;
    Shuffle how = {circle->instruction->mode, (uint32_t)value_lane(&by, lane),
                   (uint32_t)value_lane(&clamp, lane)};
    inside |= (uint64_t)source_lane(how, lane, &source) << lane;
    if (!is_member(circle, source))
      continue;
    symbols[lane] = symbol_of(&a, source);
    if (how.mode == CHOICE_BUTTERFLY)
      symbols[lane] = symbol_exchanged(symbols[lane]);
    if (!(a.known >> source & 1))
      continue;
    known |= UINT32_C(1) << lane;
    numbers[lane] = value_lane(&a, source);
    anchors[lane] = value_anchor(&a, source);
  }
  WarpValue moved = from_lanes(circle, 32, known, numbers, &a);
  if (a.is_anchored)
    anchor_lanes(&moved, anchors);
  bool is_data = !(circle->lanes & ~anchor_elsewhere(circle->emulation, &a));
  moved.elsewhere = is_data ? ~known : 0;
  if (circle->emulation->symbols)
    moved.symbols = symbols;
  WarpValue is_inside = {.kind = VALUE_BITS,
                         .bits = 1,
                         .known = can_tell,
                         .base = inside,
                         .cause = circle->instruction};
  deliver(circle, &circle->instruction->operands[0], &moved);
  deliver(circle, circle->instruction->other, &is_inside);
}

// ----------------------------------------------------------------- votes ---

static uint32_t true_lanes(const Circle *circle, const WarpValue *value) {
  uint32_t lanes = 0;
  for (uint32_t rest = circle->lanes & value->known; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    lanes |= (uint32_t)(value_lane(value, lane) & 1) << lane;
  }
  return lanes;
}

static void vote(const Circle *circle) {
  WarpValue value = circle_operand(circle, 1, 1);
  uint32_t ayes = true_lanes(circle, &value);
  uint32_t noes = circle->lanes & value.known & ~ayes;
  bool is_complete = (ayes | noes) == circle->lanes;
  WarpValue result = unknown_alike(circle, &value);
  Modifier mode = circle->instruction->mode;
  if (mode == CHOICE_ALL && (is_complete || noes))
    result = value_number(1, !noes);
  else if (mode == CHOICE_ANY && (is_complete || ayes))
    result = value_number(1, ayes != 0);
  else if (mode == CHOICE_UNI && (is_complete || (ayes && noes)))
    result = value_number(1, !ayes || !noes);
  else if (mode == CHOICE_BALLOT && is_complete)
    result = value_number(32, ayes);
  result.alike = circle->lanes & ~result.known;
  deliver(circle, &circle->instruction->operands[0], &result);
}

// --------------------------------------------------- matches, reductions ---

static uint32_t equal_lanes(const Circle *circle, const WarpValue *value,
                            unsigned lane) {
  uint32_t lanes = 0;
  for (uint32_t rest = circle->lanes; rest; rest &= rest - 1) {
    unsigned other = (unsigned)__builtin_ctz(rest);
    if (value_lane(value, other) == value_lane(value, lane))
      lanes |= UINT32_C(1) << other;
  }
  return lanes;
}

static void match(const Circle *circle) {
  WarpValue value = circle_operand(circle, 1, circle->instruction->type.bits);
  bool is_complete = !(circle->lanes & ~value.known);
  bool is_all = circle->instruction->mode == CHOICE_ALL;
  uint64_t *numbers = circle->warp->scratch[0];
  bool same = true;
  for (uint32_t rest = circle->lanes; rest && is_complete; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    uint32_t equal = equal_lanes(circle, &value, lane);
    same = equal == circle->lanes;
    numbers[lane] = is_all && !same ? 0 : equal;
  }
  WarpValue result =
      from_lanes(circle, 32, is_complete ? circle->lanes : 0, numbers, &value);
  WarpValue is_same = value_number(1, same);
  is_same.known = is_complete ? UINT32_MAX : 0;
  is_same.cause = result.cause;
  deliver(circle, &circle->instruction->operands[0], &result);
  deliver(circle, circle->instruction->other, &is_same);
}

static uint64_t reduced(Modifier combine, PtxType type, uint64_t a,
                        uint64_t b) {
  bool less = type.class == 's' ? (int64_t)sign_extend(a, type.bits) <
                                      (int64_t)sign_extend(b, type.bits)
                                : a < b;
  return combine == CHOICE_ADD   ? a + b
         : combine == CHOICE_AND ? a & b
         : combine == CHOICE_OR  ? a | b
         : combine == CHOICE_XOR ? a ^ b
         : combine == CHOICE_MIN ? (less ? a : b)
                                 : (less ? b : a);
}

static void warp_reduce(const Circle *circle) {
  const PtxInstruction *instruction = circle->instruction;
  WarpValue value = circle_operand(circle, 1, 32);
  WarpValue result = unknown_alike(circle, &value);
  bool has_meaning = instruction->type.bits == 32 &&
                     instruction->type.class != 'f' &&
                     instruction->combine != CHOICE_NONE &&
                     instruction->combine != CHOICE_POPC;
  if (has_meaning && !(circle->lanes & ~value.known)) {
    uint32_t rest = circle->lanes;
    uint64_t number = value_lane(&value, (unsigned)__builtin_ctz(rest));
    for (rest &= rest - 1; rest; rest &= rest - 1)
      number = reduced(instruction->combine, instruction->type, number,
                       value_lane(&value, (unsigned)__builtin_ctz(rest)));
    result = value_number(32, number & UINT32_MAX);
  }
  deliver(circle, &instruction->operands[0], &result);
}

// -------------------------------------------------------------- elections ---

// Which lane of several; each may be, for each of them the block is executed.
static unsigned any_of(const Circle *circle, uint32_t mask) {
  Emulation *emulation = circle->emulation;
  uint32_t *elected = &emulation->programs->elected;
  uint32_t others = mask & (UINT32_MAX << emulation->options->leader);
  if (*elected && *elected != mask)
    give_up(emulation, circle->instruction,
            "elect.sync for different masks, each of which may elect any of "
            "its lanes (see --elect-lowest)");
  *elected = mask;
  emulation->programs->leader = (unsigned)__builtin_ctz(others ? others : mask);
  return emulation->programs->leader;
}

// SOUND(elect-lowest)
static unsigned lowest_of(const Circle *circle, uint32_t mask) {
  circle->emulation->programs->elects_lowest = true;
  return (unsigned)__builtin_ctz(mask);
}

static unsigned leader_of(const Circle *circle, uint32_t mask) {
  if (!(mask & (mask - 1)))
    return (unsigned)__builtin_ctz(mask);
  return circle->emulation->options->elects_lowest ? lowest_of(circle, mask)
                                                   : any_of(circle, mask);
}

static void elect(const Circle *circle, uint32_t mask) {
  if (mask != circle->lanes)
    give_up(circle->emulation, circle->instruction,
            "elect.sync for lanes that have exited or never were");
  unsigned leader = leader_of(circle, mask);
  WarpValue lane = value_number(32, leader);
  WarpValue is_leader = {.kind = VALUE_BITS,
                         .bits = 1,
                         .known = UINT32_MAX,
                         .base = UINT64_C(1) << leader};
  deliver(circle, &circle->instruction->operands[0], &lane);
  deliver(circle, circle->instruction->other, &is_leader);
}

// ----------------------------------------------------------------- masks ---

static void perform(const Circle *circle, uint32_t mask) {
  OpcodeKind kind = circle->instruction->opcode->kind;
  Command command = {.kind = COMMAND_WARP_SYNC, .lanes = circle->lanes};
  if (kind == OPCODE_SHUFFLE)
    shuffle(circle);
  else if (kind == OPCODE_VOTE)
    vote(circle);
  else if (kind == OPCODE_MATCH)
    match(circle);
  else if (kind == OPCODE_WARP_REDUCE)
    warp_reduce(circle);
  else if (kind == OPCODE_ELECT)
    elect(circle, mask);
  else
    add_command(circle->emulation, circle->warp->index, command,
                circle->instruction);
}

static void forget_results(const Circle *circle) {
  WarpValue unknown = value_unknown(32, circle->instruction);
  deliver(circle, &circle->instruction->operands[0], &unknown);
  deliver(circle, circle->instruction->other, &unknown);
}

static WarpValue mask_value(Emulation *emulation, const Warp *warp,
                            const LaneGroup *group,
                            const PtxInstruction *instruction, uint32_t lanes) {
  WarpValue mask =
      operand_value(emulation, warp, group->frame,
                    &instruction->operands[instruction->count - 1], 32);
  if (lanes & ~mask.known)
    give_up(emulation, instruction, "the mask depends on %s",
            value_cause(emulation, &mask));
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    if (!(value_lane(&mask, lane) >> lane & 1))
      give_up(emulation, instruction, "lane %u is not in its own mask %#llx",
              lane, (unsigned long long)value_lane(&mask, lane));
  }
  return mask;
}

static uint32_t lanes_of_mask(const WarpValue *mask, uint32_t lanes,
                              uint32_t number) {
  uint32_t same = 0;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = (unsigned)__builtin_ctz(rest);
    if ((uint32_t)value_lane(mask, lane) == number)
      same |= UINT32_C(1) << lane;
  }
  return same;
}

// The masks are copied: what is delivered may overwrite their register.
static uint32_t collective_sync(Circle circle, uint32_t lanes) {
  WarpValue mask = mask_value(circle.emulation, circle.warp, circle.group,
                              circle.instruction, lanes);
  if (value_is_uniform(&mask, lanes)) {
    circle.lanes = lanes;
    uint32_t number =
        (uint32_t)value_lane(&mask, (unsigned)__builtin_ctz(lanes));
    if ((number & circle.warp->alive) != lanes)
      return 0;
    perform(&circle, number);
    return lanes;
  }
  uint64_t numbers[WARP];
  for (unsigned lane = 0; lane < WARP; lane++)
    numbers[lane] = value_lane(&mask, lane);
  WarpValue kept = value_lanes(32, mask.known, numbers);
  uint32_t done = 0;
  while (lanes) {
    uint32_t number = (uint32_t)numbers[__builtin_ctz(lanes)];
    circle.lanes = lanes_of_mask(&kept, lanes, number);
    lanes &= ~circle.lanes;
    if ((number & circle.warp->alive) != circle.lanes)
      continue; // some of them are not here
    perform(&circle, number);
    done |= circle.lanes;
  }
  return done;
}

uint32_t collective(Emulation *emulation, Warp *warp, const LaneGroup *group,
                    const PtxInstruction *instruction, uint32_t lanes) {
  Circle circle = {emulation, warp, group, instruction, lanes};
  bool has_mask =
      instruction->is_sync || instruction->opcode->kind == OPCODE_WARP_SYNC;
  if (has_mask)
    return collective_sync(circle, lanes);
  if (lanes == warp->alive)
    perform(&circle, lanes);
  else
    forget_results(&circle);
  return lanes;
}
