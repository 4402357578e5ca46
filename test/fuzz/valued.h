// Random PTX with values, and what really happens when it runs.
//
// A Valued is a small kernel of one block as a list of steps, with functions
// that it calls.  valued_make.c makes one, valued_text.c writes it as PTX for
// `gpuverify barriers`, valued_execute.c executes every thread of it.  Neither
// knows anything of barriers/: what the two agree on, they agree on for
// different reasons.
//
// Only addresses, predicates and barriers matter to the check, so here it is
// all about what these are computed from.  What a launch may choose is chosen
// anew for each execution: where shared variables lie, arguments, data in
// global memory, what was in shared memory and registers before.

#ifndef TEST_FUZZ_VALUED_H
#define TEST_FUZZ_VALUED_H

#include "base/base.h"

enum {
  LANES = 32,
  MOST_VALUED_WARPS = 3,
  MOST_VALUED_THREADS = LANES * MOST_VALUED_WARPS,
  VARIABLES = 3,
  VARIABLE_BYTES = 2048,
  REGISTERS = 12, // of each size
  PREDICATES = 6,
  PARAMETER_BYTES = 8,
  DATA_WORDS = 64, // in global memory
};

// What chooses.  (fuzz.h, which has another one, is of another program.)
typedef struct Dice {
  uint64_t state;
} Dice;

static inline uint32_t dice_next(Dice *dice) {
  uint64_t mixed = dice->state += UINT64_C(0x9E3779B97F4A7C15);
  mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
  return (uint32_t)(mixed >> 32);
}

static inline unsigned dice_below(Dice *dice, unsigned limit) {
  return dice_next(dice) % limit;
}

static inline bool dice_chance(Dice *dice, unsigned percent) {
  return dice_below(dice, 100) < percent;
}

// ----------------------------------------------------------------- steps ---

// Registers come in three sizes.
typedef enum Size { SIZE_16, SIZE_32, SIZE_64, SIZES } Size;

static inline unsigned size_bits(Size size) { return 16u << size; }

typedef struct ValuedSlot {
  Size size;
  unsigned number;
} ValuedSlot;

// A register, or a literal in some spelling.
typedef struct Source {
  bool is_literal;
  ValuedSlot slot;
  uint64_t number;
  enum { SPELL_DECIMAL, SPELL_HEX, SPELL_OCTAL, SPELL_BINARY } spelling;
} Source;

typedef enum Arithmetic {
#define ARITHMETIC(name, text, count, types) ARITHMETIC_##name,
#include "test/fuzz/valued.def"
  ARITHMETICS
} Arithmetic;

typedef enum Comparison {
  COMPARISON_EQ,
  COMPARISON_NE,
  COMPARISON_LT,
  COMPARISON_LE,
  COMPARISON_GT,
  COMPARISON_GE,
} Comparison;

typedef enum Joint { JOINT_NONE, JOINT_AND, JOINT_OR, JOINT_XOR } Joint;

typedef enum ActKind {
  ACT_COMPUTE,   // to = arithmetic(from..)
  ACT_CONVERT,   // cvt
  ACT_COMPARE,   // setp, with two results and a third operand, or not
  ACT_SELECT,    // selp
  ACT_LOGIC,     // of predicates: result = result joint other
  ACT_FLOAT,     // mov of a floating-point literal
  ACT_SPECIAL,   // mov of %tid.x and so on
  ACT_ADDRESS,   // of a variable: shared, or generic
  ACT_TO_SHARED, // cvta.to.shared
  ACT_ARGUMENT,  // ld.param of the kernel's
  ACT_DATA,      // ld.global
  ACT_LOAD,      // from shared memory
  ACT_STORE,     // to it
  ACT_PUT,       // st.param for a call, or of a function's result
  ACT_GET,       // ld.param of a call's result, or of a function's parameter
  ACT_CALL,      // of `number`
  ACT_LABEL,     // `number`
  ACT_BRANCH,    // to label `number`
  ACT_SYNC,      // bar.sync from[0], from[1]
  ACT_ARRIVE,    // bar.arrive
  ACT_WARP_SYNC, // bar.warp.sync
  ACT_SHUFFLE,   // shfl.sync.bfly or .idx, with a predicate
  ACT_VOTE,      // vote.sync.ballot
  ACT_RETURN,
} ActKind;

typedef struct Act {
  ActKind kind;
  Arithmetic arithmetic;
  char type, from_type;     // u, s or b
  unsigned bits, from_bits; // of cvt: the result's and the source's
  int guard;                // a predicate, or -1
  bool is_guard_negated;
  ValuedSlot to;
  Source from[4];
  Comparison comparison;
  Joint joint;
  int result, other;         // predicates; -1: none
  bool is_generic, is_index; // of accesses; of shuffles
  unsigned width;            // of a vector; `to` is the first of so many
  unsigned number;           // variable, argument, label, function or call
  unsigned place;            // of parameters: which
  uint32_t offset;
} Act;

typedef Vec(Act) Acts;

enum { MOST_CALLEES = 2, MOST_VALUED_CALLS = 6, MOST_LABELS = 48 };

// A function has two parameters and a result, of PARAMETER_BYTES each.
enum { PLACE_FIRST, PLACE_SECOND, PLACE_RESULT, PLACES };

typedef struct Valued {
  unsigned warps;
  Acts code;
  Acts callees[MOST_CALLEES];
  unsigned callee_count, call_count, label_count;
  uint64_t literal_of_float; // unused bits stay 0
} Valued;

// A floating-point literal, as it is written.
const char *valued_float_text(unsigned which);
uint32_t valued_float_bits(unsigned which); // of the f32 that it is
enum { FLOATS = 8 };

// valued_make.c
Valued *valued_make(Arena *arena, uint64_t seed, uint64_t index);

// valued_text.c
char *valued_text(Arena *arena, const Valued *valued);

// valued_compute.c
uint64_t valued_cut(unsigned bits, uint64_t number);
uint64_t valued_extend(char type, unsigned bits, uint64_t number);
uint64_t valued_compute(const Act *act, const uint64_t in[4]);
bool valued_compare(const Act *act, uint64_t a, uint64_t b);

// valued_execute.c
typedef enum ValuedOutcome {
  OUTCOME_CLEAN,
  OUTCOME_INVALID, // it does what PTX leaves undefined: outside, unaligned
  OUTCOME_RACE,
  OUTCOME_STUCK,  // a deadlock, or lanes of a warp at different barriers
  OUTCOME_MISUSE, // a barrier with wrong counts
} ValuedOutcome;

// One execution; `why` says what happened.
ValuedOutcome valued_execute(const Valued *valued, uint64_t seed,
                             char why[128]);

// valued_judge.c
typedef enum Judgement {
  JUDGED_CLEAN,   // verified, and nothing happened in any execution
  JUDGED_BUG,     // reported, and it happened
  JUDGED_ALARM,   // reported, and not seen
  JUDGED_UNKNOWN, // not decided; nothing happened
  JUDGED_MISSED,  // not decided; something happened
  JUDGED_INVALID, // not to be judged
  JUDGED_BROKEN,  // the text is no PTX to us
  JUDGED_WRONG,   // verified, and something happened
  JUDGEMENTS,
} Judgement;

// Compares the check with some executions; `why` says what is wrong.
Judgement valued_judge(const Valued *valued, const char *text, unsigned runs,
                       char why[256]);

#endif
