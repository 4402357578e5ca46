// Makes a random Valued.
//
// Phases of accesses with barriers between them.  In most phases a variable is
// either read, or each thread writes to a place of its own; which place, is
// computed in a roundabout way that is nevertheless one to one.  Now and then
// anything goes.  Between them, and under branches, there is arithmetic on all
// registers, loads of data, calls: whoever loses track of a value is wrong
// about the next address.

#include "test/fuzz/valued.h"

#include <string.h>

// Registers with a purpose; the others are for anything.
enum {
  THREAD = 0,   // %r0: %tid.x
  VALUES = 7,   // from 1 up to here: for anything
  INDEX = 8,    // %r8, %d8: what becomes an address
  COUNTER = 10, // %r10: of a loop
  WARP_OF = 11, // %r11: which warp
};

typedef enum Usage { USAGE_NONE, USAGE_READ, USAGE_WRITTEN, USAGE_WILD } Usage;

typedef struct Maker {
  Arena *arena;
  Dice dice;
  Valued *valued;
  Acts *code;
  bool is_callee;
  unsigned depth; // of branches
  Usage usage[VARIABLES];
  bool is_filled[VARIABLES]; // threads have written to all of it that is read
} Maker;

static unsigned below(Maker *maker, unsigned limit) {
  return dice_below(&maker->dice, limit);
}

static bool chance(Maker *maker, unsigned percent) {
  return dice_chance(&maker->dice, percent);
}

// --------------------------------------------------------------- operands ---

static ValuedSlot slot(Size size, unsigned number) {
  return (ValuedSlot){size, number};
}

static ValuedSlot any_slot(Maker *maker, Size size) {
  return slot(size, 1 + below(maker, VALUES));
}

static Source of_slot(ValuedSlot from) { return (Source){.slot = from}; }

static Source literal(Maker *maker, uint64_t number) {
  unsigned spelling = chance(maker, 50) ? 0 : below(maker, 4);
  return (Source){.is_literal = true,
                  .number = number,
                  .spelling = (int64_t)number < 0 ? 0 : spelling};
}

static Source small(Maker *maker, unsigned limit) {
  return literal(maker, below(maker, limit));
}

// Literals are such that each type has them.
static Source any_source(Maker *maker, Size size) {
  if (size == SIZE_32 && chance(maker, 25))
    return of_slot(slot(SIZE_32, THREAD));
  if (chance(maker, 60))
    return of_slot(any_slot(maker, size));
  uint64_t number = below(maker, chance(maker, 70) ? 64 : 32768);
  return literal(maker, number);
}

static Act *add(Maker *maker, Act act) {
  if (!act.width)
    act.width = 1;
  push(maker->arena, maker->code, act);
  return &maker->code->at[maker->code->count - 1];
}

static Act plain(ActKind kind) {
  return (Act){.kind = kind, .guard = -1, .result = -1, .other = -1};
}

static void maybe_guard(Maker *maker, Act *act) {
  if (chance(maker, 75))
    return;
  act->guard = (int)below(maker, PREDICATES);
  act->is_guard_negated = chance(maker, 50);
}

// ------------------------------------------------------------- arithmetic ---

static const struct {
  const char *types;
} rows[] = {
#define ARITHMETIC(name, text, count, types) {types},
#include "test/fuzz/valued.def"
};

static bool has(const char *types, char letter) {
  return strchr(types, letter) != NULL;
}

static Act *compute(Maker *maker, Arithmetic arithmetic, char type,
                    ValuedSlot to, Source a, Source b, Source c) {
  Act act = plain(ACT_COMPUTE);
  act.arithmetic = arithmetic;
  act.type = type;
  act.bits = size_bits(to.size);
  act.to = to;
  act.from[0] = a;
  act.from[1] = b;
  act.from[2] = c;
  return add(maker, act);
}

static void any_arithmetic(Maker *maker) {
  Arithmetic arithmetic = (Arithmetic)below(maker, ARITHMETICS);
  const char *types = rows[arithmetic].types;
  Size size = has(types, 'n')   ? SIZE_32 + below(maker, 2)
              : has(types, 'w') ? below(maker, 2)
                                : below(maker, SIZES);
  char type = has(types, 'b')                        ? 'b'
              : has(types, 'u') && chance(maker, 50) ? 'u'
                                                     : 's';
  Source in[3];
  for (unsigned i = 0; i < 3; i++)
    in[i] = any_source(maker, size);
  if (has(types, 'd'))
    in[1] = literal(maker, 1 + below(maker, 9));
  if (has(types, 'h') && arithmetic != ARITHMETIC_BFE)
    in[1] = chance(maker, 70) ? small(maker, 70) : any_source(maker, SIZE_32);
  if (arithmetic == ARITHMETIC_BFE) {
    in[1] = chance(maker, 70) ? small(maker, 40) : any_source(maker, SIZE_32);
    in[2] = chance(maker, 70) ? small(maker, 40) : any_source(maker, SIZE_32);
  }
  if (rows[arithmetic].types[0] == 's' && in[0].is_literal)
    in[0] = of_slot(any_slot(maker, size));
  Size to = has(types, 'i') ? SIZE_32 : has(types, 'w') ? size + 1 : size;
  if (to > SIZE_64)
    return;
  Act *act = compute(maker, arithmetic, type, any_slot(maker, to), in[0], in[1],
                     in[2]);
  act->bits = size_bits(size);
  maybe_guard(maker, act);
}

static void any_convert(Maker *maker) {
  Act act = plain(ACT_CONVERT);
  Size to = below(maker, SIZES), from = below(maker, SIZES);
  act.to = any_slot(maker, to);
  act.from[0] = of_slot(any_slot(maker, from));
  act.type = chance(maker, 50) ? 'u' : 's';
  act.from_type = chance(maker, 50) ? 'u' : 's';
  act.bits = chance(maker, 25) ? 8 : size_bits(to);
  act.from_bits = chance(maker, 30) ? 8 : size_bits(from);
  maybe_guard(maker, add(maker, act));
}

static void any_compare(Maker *maker) {
  Act act = plain(ACT_COMPARE);
  Size size = below(maker, SIZES);
  act.type = chance(maker, 50) ? 'u' : 's';
  act.bits = size_bits(size);
  act.from[0] = chance(maker, 30) && size == SIZE_32
                    ? of_slot(slot(SIZE_32, THREAD))
                    : of_slot(any_slot(maker, size));
  act.from[1] = any_source(maker, size);
  act.comparison = (Comparison)below(maker, COMPARISON_GE + 1);
  act.joint = chance(maker, 70) ? JOINT_NONE : (Joint)(1 + below(maker, 3));
  act.number = below(maker, PREDICATES);
  act.is_generic = act.joint != JOINT_NONE && chance(maker, 30); // negated
  act.is_index = chance(maker, 50) && act.comparison > COMPARISON_NE;
  act.result = (int)below(maker, PREDICATES);
  if (chance(maker, 40))
    act.other =
        (act.result + 1 + (int)below(maker, PREDICATES - 1)) % PREDICATES;
  maybe_guard(maker, add(maker, act));
}

static void any_select(Maker *maker) {
  Act act = plain(ACT_SELECT);
  Size size = below(maker, SIZES);
  act.type = chance(maker, 50) ? 'b' : chance(maker, 50) ? 'u' : 's';
  act.bits = size_bits(size);
  act.to = any_slot(maker, size);
  act.from[0] = any_source(maker, size);
  act.from[1] = any_source(maker, size);
  act.result = (int)below(maker, PREDICATES);
  maybe_guard(maker, add(maker, act));
}

static void any_logic(Maker *maker) {
  Act act = plain(ACT_LOGIC);
  act.joint = (Joint)below(maker, 4);
  act.result = (int)below(maker, PREDICATES);
  act.other = act.joint == JOINT_NONE ? -1 : (int)below(maker, PREDICATES);
  add(maker, act);
}

static void any_float(Maker *maker) {
  Act act = plain(ACT_FLOAT);
  act.to = any_slot(maker, SIZE_32);
  act.number = below(maker, FLOATS);
  maybe_guard(maker, add(maker, act));
}

// Of the kernel.
static void any_argument(Maker *maker) {
  if (maker->is_callee)
    return;
  Act act = plain(ACT_ARGUMENT);
  act.number = below(maker, 2);
  act.type = 'u';
  act.bits = act.number ? 32 : 64;
  act.to = any_slot(maker, act.number ? SIZE_32 : SIZE_64);
  add(maker, act);
}

// Loads go to registers as wide, or wider.
static void choose_width(Maker *maker, Act *act) {
  act->bits = 8u << below(maker, 4);
  act->type = "usb"[below(maker, 3)];
  Size least = act->bits <= 16 ? SIZE_16 : act->bits == 32 ? SIZE_32 : SIZE_64;
  act->to = any_slot(maker, least + below(maker, SIZES - least));
}

static void any_data(Maker *maker) {
  if (maker->is_callee)
    return;
  Act act = plain(ACT_DATA);
  choose_width(maker, &act);
  act.offset = 8 * below(maker, DATA_WORDS / 2);
  maybe_guard(maker, add(maker, act));
}

// ------------------------------------------------------------------ calls ---

static void pass(Maker *maker, ActKind kind, unsigned place, unsigned number) {
  Act act = plain(kind);
  choose_width(maker, &act);
  if (chance(maker, 60)) {
    act.bits = 64;
    act.to = any_slot(maker, SIZE_64);
  }
  act.type = act.type == 's' && kind == ACT_PUT ? 'u' : act.type;
  act.place = place;
  act.number = number;
  unsigned cells = PARAMETER_BYTES / (act.bits / 8);
  act.offset = chance(maker, 60) ? 0 : act.bits / 8 * below(maker, cells);
  add(maker, act);
}

static void any_call(Maker *maker) {
  Valued *valued = maker->valued;
  if (maker->is_callee || !valued->callee_count ||
      valued->call_count == MOST_VALUED_CALLS)
    return;
  unsigned number = valued->call_count++;
  for (unsigned place = PLACE_FIRST; place <= PLACE_SECOND; place++)
    for (unsigned i = 1 + below(maker, 2); i; i--)
      pass(maker, ACT_PUT, place, number);
  Act act = plain(ACT_CALL);
  act.number = below(maker, valued->callee_count);
  act.place = number;
  add(maker, act);
  for (unsigned i = 1 + below(maker, 2); i; i--)
    pass(maker, ACT_GET, PLACE_RESULT, number);
}

// --------------------------------------------------------------- branches ---

static void anything(Maker *maker, unsigned count);

static void label(Maker *maker, unsigned number) {
  Act act = plain(ACT_LABEL);
  act.number = number;
  add(maker, act);
}

static void branch(Maker *maker, unsigned to, int guard, bool is_negated) {
  Act act = plain(ACT_BRANCH);
  act.number = to;
  act.guard = guard;
  act.is_guard_negated = is_negated;
  add(maker, act);
}

static unsigned new_label(Maker *maker) { return maker->valued->label_count++; }

static void any_branch(Maker *maker) {
  if (maker->depth > 1 || maker->valued->label_count + 2 > MOST_LABELS)
    return;
  unsigned behind = new_label(maker), other = new_label(maker);
  int guard = (int)below(maker, PREDICATES);
  bool is_negated = chance(maker, 50), has_other = chance(maker, 40);
  maker->depth++;
  branch(maker, has_other ? other : behind, guard, is_negated);
  anything(maker, 1 + below(maker, 3));
  if (has_other) {
    branch(maker, behind, -1, false);
    label(maker, other);
    anything(maker, 1 + below(maker, 3));
  }
  label(maker, behind);
  maker->depth--;
}

// ------------------------------------------------------------- collectives ---

static void any_collective(Maker *maker) {
  if (maker->depth || maker->is_callee)
    return;
  Act act = plain(chance(maker, 60) ? ACT_SHUFFLE : ACT_VOTE);
  act.to = any_slot(maker, SIZE_32);
  act.from[0] = of_slot(any_slot(maker, SIZE_32));
  act.from[1] =
      chance(maker, 50) ? small(maker, 32) : any_source(maker, SIZE_32);
  act.is_index = chance(maker, 50);
  act.result = (int)below(maker, PREDICATES);
  add(maker, act);
}

// A number that the manual does not say.
static void any_address(Maker *maker) {
  Act act = plain(ACT_ADDRESS);
  act.is_generic = chance(maker, 40);
  act.to =
      any_slot(maker, act.is_generic || chance(maker, 30) ? SIZE_64 : SIZE_32);
  act.number = below(maker, VARIABLES);
  if (!maker->is_callee)
    add(maker, act);
}

static void anything(Maker *maker, unsigned count) {
  static void (*const kinds[])(Maker *) = {
      any_arithmetic, any_arithmetic, any_arithmetic, any_arithmetic,
      any_arithmetic, any_convert,    any_convert,    any_compare,
      any_compare,    any_select,     any_logic,      any_float,
      any_argument,   any_data,       any_call,       any_branch,
      any_collective, any_address};
  for (; count; count--)
    kinds[below(maker, sizeof kinds / sizeof *kinds)](maker);
}

// --------------------------------------------------------------- addresses ---

// One to one on the lowest bits.
static void bend(Maker *maker, ValuedSlot at) {
  Source own = of_slot(at), none = {0};
  unsigned odd = 1 + 2 * below(maker, 8);
  switch (below(maker, 7)) {
  case 0:
    compute(maker, ARITHMETIC_XOR, 'b', at, own, small(maker, 64), none);
    break;
  case 1:
    compute(maker, ARITHMETIC_ADD, 'u', at, own, small(maker, 4096), none);
    break;
  case 2:
    compute(maker, ARITHMETIC_SUB, 's', at, own, small(maker, 4096), none);
    break;
  case 3:
    compute(maker, ARITHMETIC_MUL_LO, 's', at, own, literal(maker, odd), none);
    break;
  case 4:
    compute(maker, ARITHMETIC_MAD_LO, 'u', at, own, literal(maker, odd),
            chance(maker, 50) ? small(maker, 64)
                              : of_slot(slot(SIZE_32, WARP_OF)));
    break;
  case 5:
    compute(maker, ARITHMETIC_NOT, 'b', at, own, none, none);
    break;
  default:
    compute(maker, ARITHMETIC_NEG, 's', at, own, none, none);
    break;
  }
}

// %r8: below 128, of each thread another one if `is_own`.
static void make_index(Maker *maker, bool is_own) {
  ValuedSlot index = slot(SIZE_32, INDEX);
  Source none = {0};
  Source from = is_own || chance(maker, 30) ? of_slot(slot(SIZE_32, THREAD))
                                            : any_source(maker, SIZE_32);
  compute(maker, ARITHMETIC_MOV, 'b', index, from, none, none);
  for (unsigned i = below(maker, 4); i; i--)
    bend(maker, index);
  if (!is_own && chance(maker, 30)) {
    Act *act = compute(maker, ARITHMETIC_ADD, 'u', index, of_slot(index),
                       any_source(maker, SIZE_32), none);
    maybe_guard(maker, act);
  }
  compute(maker, ARITHMETIC_AND, 'b', index, of_slot(index),
          literal(maker, 127), none);
}

static void scale(Maker *maker, unsigned bytes) {
  ValuedSlot index = slot(SIZE_32, INDEX);
  Source none = {0};
  if (chance(maker, 50))
    compute(maker, ARITHMETIC_MUL_LO, 'u', index, of_slot(index),
            literal(maker, bytes), none);
  else
    compute(maker, ARITHMETIC_SHL, 'b', index, of_slot(index),
            literal(maker, (uint64_t)__builtin_ctz(bytes)), none);
}

static void address_of(Maker *maker, ValuedSlot to, unsigned variable,
                       bool is_generic) {
  Act act = plain(ACT_ADDRESS);
  act.to = to;
  act.number = variable;
  act.is_generic = is_generic;
  add(maker, act);
}

static void widen(Maker *maker) {
  Act act = plain(ACT_CONVERT);
  act.to = slot(SIZE_64, INDEX);
  act.from[0] = of_slot(slot(SIZE_32, INDEX));
  act.type = 'u';
  act.bits = 64;
  act.from_type = chance(maker, 50) ? 'u' : 's';
  act.from_bits = 32;
  add(maker, act);
}

// In what comes out as an address: %r9 or %d9.
static void point(Maker *maker, Act *access, unsigned variable) {
  bool is_wide = access->is_generic || chance(maker, 30);
  Size size = is_wide ? SIZE_64 : SIZE_32;
  ValuedSlot at = slot(size, INDEX + 1), index = slot(size, INDEX);
  Source none = {0};
  if (is_wide)
    widen(maker);
  bool goes_back = is_wide && !access->is_generic && chance(maker, 40);
  address_of(maker, at, variable, access->is_generic || goes_back);
  if (goes_back) {
    Act act = plain(ACT_TO_SHARED);
    act.to = at;
    act.from[0] = of_slot(at);
    add(maker, act);
  }
  if (chance(maker, 50))
    compute(maker, ARITHMETIC_ADD, chance(maker, 50) ? 'u' : 's', at,
            of_slot(at), of_slot(index), none);
  else
    compute(maker, ARITHMETIC_ADD, 'u', at, of_slot(index), of_slot(at), none);
  if (is_wide && chance(maker, 6)) { // a number that the launch chooses
    ValuedSlot number = slot(SIZE_64, 1);
    Act act = plain(ACT_ARGUMENT);
    act.type = 'u';
    act.bits = 64;
    act.to = number;
    add(maker, act);
    compute(maker, ARITHMETIC_ADD, 's', at, of_slot(number), of_slot(at), none);
  }
  access->from[0] = of_slot(at);
}

// ---------------------------------------------------------------- accesses ---

static void choose_value(Maker *maker, Act *access) {
  choose_width(maker, access);
  access->type =
      access->kind == ACT_STORE && access->type == 's' ? 'u' : access->type;
  if (chance(maker, 85))
    return;
  access->width = 2;
  access->bits = 32;
  access->to = slot(SIZE_32, 1 + below(maker, VALUES - 1));
}

static void access_variable(Maker *maker, bool is_store, bool is_own,
                            unsigned variable) {
  Act access = plain(is_store ? ACT_STORE : ACT_LOAD);
  access.is_generic = chance(maker, 35);
  access.width = 1;
  choose_value(maker, &access);
  unsigned bytes = access.width * access.bits / 8;
  make_index(maker, is_own);
  scale(maker, is_own ? 8 : bytes);
  point(maker, &access, variable);
  unsigned most = is_own ? 8 / bytes : 8;
  access.offset = chance(maker, 70) ? 0 : bytes * below(maker, most);
  Act *act = add(maker, access);
  if (chance(maker, 25)) {
    act->guard = (int)below(maker, PREDICATES);
    act->is_guard_negated = chance(maker, 50);
  }
}

static Act load_of(Maker *maker, ValuedSlot to, unsigned offset) {
  Act act = plain(ACT_LOAD);
  act.to = to;
  act.type = "us"[below(maker, 2)];
  act.bits = 8u << below(maker, 3);
  act.from[0] = of_slot(slot(SIZE_32, INDEX));
  act.offset = offset;
  return act;
}

// Where all threads write to.
static void store_to(Maker *maker, unsigned variable, ValuedSlot from) {
  Act act = plain(ACT_STORE);
  act.type = 'u';
  act.bits = from.size == SIZE_16   ? 16
             : from.size == SIZE_64 ? 64
                                    : 16u << below(maker, 2);
  act.to = from;
  act.from[0] = of_slot(slot(SIZE_32, INDEX + 1));
  address_of(maker, slot(SIZE_32, INDEX + 1), variable, false);
  add(maker, act);
}

// All threads write what they have all loaded from one place, in some width;
// or some of them in another one.
static void write_loaded(Maker *maker, unsigned variable) {
  ValuedSlot to = any_slot(maker, SIZE_32);
  unsigned from = (variable + 1) % VARIABLES, offset = 16 * below(maker, 2);
  address_of(maker, slot(SIZE_32, INDEX), from, false);
  add(maker, load_of(maker, to, offset));
  if (chance(maker, 50)) {
    Act *other = add(maker, load_of(maker, to, offset));
    other->guard = (int)below(maker, PREDICATES);
    other->is_guard_negated = chance(maker, 50);
  }
  store_to(maker, variable, to);
  maker->usage[from] = USAGE_READ;
}

// What a register has, which is the same in all threads, or is not.
static void write_register(Maker *maker, unsigned variable) {
  ValuedSlot from = any_slot(maker, below(maker, SIZES));
  Source none = {0};
  store_to(maker, variable, from);
  if (chance(maker, 30)) {
    compute(maker, ARITHMETIC_MOV, 'b', from, small(maker, 100), none, none);
    maybe_guard(maker, &maker->code->at[maker->code->count - 1]);
    store_to(maker, variable, from);
  }
}

// One thread writes where a register says, and another one where another one
// does: who is wrong about either takes them for two places.
static void write_two(Maker *maker, unsigned variable) {
  ValuedSlot index = slot(SIZE_32, INDEX), at = slot(SIZE_32, INDEX + 1);
  Source none = {0};
  for (unsigned i = 0; i < 2; i++) {
    Act own = plain(ACT_COMPARE);
    own.type = 'u';
    own.bits = 32;
    own.from[0] = of_slot(slot(SIZE_32, THREAD));
    own.from[1] = literal(maker, (i + 1) * below(maker, 16));
    own.result = (int)below(maker, PREDICATES);
    add(maker, own);
    compute(maker, ARITHMETIC_SHR, 'u', index,
            of_slot(any_slot(maker, SIZE_32)),
            literal(maker, 4 * below(maker, 8)), none);
    compute(maker, ARITHMETIC_AND, 'b', index, of_slot(index),
            literal(maker, chance(maker, 50) ? 3 : 15), none);
    address_of(maker, at, variable, false);
    compute(maker, ARITHMETIC_MAD_LO, 'u', at, of_slot(index),
            literal(maker, 8), of_slot(at));
    Act store = plain(ACT_STORE);
    store.type = 'u';
    store.bits = 32;
    store.to = any_slot(maker, SIZE_32);
    store.from[0] = of_slot(at);
    store.guard = own.result;
    add(maker, store);
  }
}

static void any_access(Maker *maker) {
  unsigned variable = below(maker, VARIABLES);
  Usage *usage = &maker->usage[variable];
  Usage *next = &maker->usage[(variable + 1) % VARIABLES];
  if (chance(maker, 4)) {
    access_variable(maker, chance(maker, 50), false, variable);
    *usage = USAGE_WILD;
  } else if (*usage == USAGE_NONE && *next <= USAGE_READ && chance(maker, 15) &&
             maker->is_filled[(variable + 1) % VARIABLES]) {
    write_loaded(maker, variable);
    *usage = USAGE_WILD;
  } else if (*usage == USAGE_NONE && chance(maker, 15)) {
    write_two(maker, variable);
    *usage = USAGE_WILD;
  } else if (*usage == USAGE_NONE && chance(maker, 8)) {
    write_register(maker, variable);
    *usage = USAGE_WILD;
  } else if (*usage == USAGE_NONE && chance(maker, 50)) {
    access_variable(maker, true, true, variable);
    *usage = USAGE_WRITTEN;
  } else if (*usage <= USAGE_READ) {
    access_variable(maker, false, false, variable);
    *usage = USAGE_READ;
  }
}

// ---------------------------------------------------------------- barriers ---

// A literal, or computed in %r9 from one and what is 0.
static Source number(Maker *maker, unsigned value, unsigned where) {
  ValuedSlot at = slot(SIZE_32, where);
  Source none = {0};
  if (chance(maker, 70))
    return literal(maker, value);
  compute(maker, ARITHMETIC_SHR, 'u', at, of_slot(slot(SIZE_32, THREAD)),
          literal(maker, 7), none);
  compute(maker, ARITHMETIC_ADD, 'u', at, of_slot(at), literal(maker, value),
          none);
  return of_slot(at);
}

static void meet(Maker *maker, ActKind kind, unsigned name, unsigned threads) {
  Act act = plain(kind);
  act.from[0] = number(maker, name, INDEX);
  act.from[1] = number(maker, threads, INDEX + 1);
  act.width = kind == ACT_SYNC && chance(maker, 30) &&
                      threads == maker->valued->warps * LANES
                  ? 1
                  : 2;
  add(maker, act);
}

// Some warps write and arrive, the others wait and read.
static void hand_over(Maker *maker) {
  unsigned reads = new_label(maker), behind = new_label(maker);
  unsigned warps = maker->valued->warps, name = 1 + below(maker, 3);
  unsigned variable = below(maker, VARIABLES);
  Act act = plain(ACT_COMPARE);
  act.type = 'u';
  act.bits = 32;
  act.from[0] = of_slot(slot(SIZE_32, WARP_OF));
  act.from[1] = literal(maker, below(maker, warps - 1));
  act.comparison = COMPARISON_LE;
  act.result = (int)below(maker, PREDICATES);
  add(maker, act);
  branch(maker, reads, act.result, true);
  access_variable(maker, true, true, variable);
  meet(maker, chance(maker, 85) ? ACT_ARRIVE : ACT_SYNC, name, warps * LANES);
  branch(maker, behind, -1, false);
  label(maker, reads);
  if (chance(maker, 20))
    any_access(maker);
  meet(maker, ACT_SYNC, name, warps * LANES);
  access_variable(maker, false, false, variable);
  label(maker, behind);
  maker->usage[variable] = USAGE_WILD;
}

static void end_phase(Maker *maker) {
  unsigned warps = maker->valued->warps;
  if (chance(maker, 4))
    return;
  if (warps == 1 && chance(maker, 40))
    add(maker, plain(ACT_WARP_SYNC));
  else
    meet(maker, ACT_SYNC, chance(maker, 50) ? 0 : below(maker, 16),
         warps * LANES);
  for (unsigned i = 0; i < VARIABLES; i++)
    maker->is_filled[i] |= maker->usage[i] == USAGE_WRITTEN;
  memset(maker->usage, 0, sizeof maker->usage);
}

static void phase(Maker *maker) {
  anything(maker, below(maker, 6));
  for (unsigned i = 1 + below(maker, 3); i; i--) {
    any_access(maker);
    if (chance(maker, 40))
      anything(maker, 1 + below(maker, 2));
  }
  if (maker->valued->warps > 1 && chance(maker, 20) &&
      maker->valued->label_count + 2 <= MOST_LABELS)
    hand_over(maker);
  end_phase(maker);
}

// As often as a literal says.
static void loop(Maker *maker) {
  unsigned again = new_label(maker);
  ValuedSlot counter = slot(SIZE_32, COUNTER);
  Source none = {0};
  compute(maker, ARITHMETIC_MOV, 'b', counter, literal(maker, 0), none, none);
  label(maker, again);
  phase(maker);
  compute(maker, ARITHMETIC_ADD, 'u', counter, of_slot(counter),
          literal(maker, 1), none);
  Act act = plain(ACT_COMPARE);
  act.type = 'u';
  act.bits = 32;
  act.from[0] = of_slot(counter);
  act.from[1] = literal(maker, 1 + below(maker, 3));
  act.comparison = COMPARISON_LT;
  act.result = (int)below(maker, PREDICATES);
  add(maker, act);
  branch(maker, again, act.result, false);
}

// --------------------------------------------------------------- functions ---

// All registers have some value from here on.
static void initialise(Maker *maker) {
  Source none = {0};
  for (unsigned size = 0; size < SIZES; size++)
    for (unsigned i = 0; i < REGISTERS; i++)
      compute(maker, ARITHMETIC_MOV, 'b', slot((Size)size, i),
              small(maker, 100), none, none);
  Act act = plain(ACT_SPECIAL);
  act.to = slot(SIZE_32, THREAD);
  add(maker, act);
  compute(maker, ARITHMETIC_SHR, 'u', slot(SIZE_32, WARP_OF),
          of_slot(slot(SIZE_32, THREAD)), literal(maker, 5), none);
  for (int i = 0; i < PREDICATES; i++) {
    Act compare = plain(ACT_COMPARE);
    compare.type = 'u';
    compare.bits = 32;
    compare.from[0] = of_slot(slot(SIZE_32, THREAD));
    compare.from[1] = small(maker, 96);
    compare.comparison = (Comparison)below(maker, COMPARISON_GE + 1);
    compare.result = i;
    add(maker, compare);
  }
}

static void make_callee(Maker *maker, unsigned number) {
  Valued *valued = maker->valued;
  maker->code = &valued->callees[number];
  maker->is_callee = true;
  initialise(maker);
  for (unsigned i = 1 + below(maker, 3); i; i--)
    pass(maker, ACT_GET, below(maker, 2), 0);
  anything(maker, below(maker, 5));
  pass(maker, ACT_PUT, PLACE_RESULT, 0);
  if (chance(maker, 50)) {
    anything(maker, 1);
    pass(maker, ACT_PUT, PLACE_RESULT, 0);
  }
  add(maker, plain(ACT_RETURN));
  maker->is_callee = false;
}

Valued *valued_make(Arena *arena, uint64_t seed, uint64_t index) {
  Valued *valued = NEW(arena, Valued);
  Maker maker = {.arena = arena, .valued = valued};
  maker.dice.state = seed * UINT64_C(0x9E3779B97F4A7C15) + index;
  for (unsigned i = 0; i < 4; i++)
    dice_next(&maker.dice);
  valued->warps = 1 + below(&maker, MOST_VALUED_WARPS);
  valued->callee_count = below(&maker, MOST_CALLEES + 1);
  for (unsigned i = 0; i < valued->callee_count; i++)
    make_callee(&maker, i);
  maker.code = &valued->code;
  initialise(&maker);
  for (unsigned i = 1 + below(&maker, 3); i; i--)
    if (chance(&maker, 20) && valued->label_count < MOST_LABELS)
      loop(&maker);
    else
      phase(&maker);
  add(&maker, plain(ACT_RETURN));
  return valued;
}
