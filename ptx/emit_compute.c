// Arithmetic of inline assembly: what is computed from registers alone.
//
// instructions.def has a row a form.  Most are computed lane by lane, in the
// type that the opcode names; the others look at their operands themselves.
// Floats are computed by the host: approximate functions are as exact as its
// own.

#include "ptx/numbers.h"
#include "ptx/operations.h"

#include <assert.h>
#include <string.h>

enum { MOST_SOURCES = 4 };

typedef Number Compute(const Making *m);

#include "ptx/integers.def"

// ----------------------------------------------------------------- floats ---

// "sqrt" is __nv_sqrtf or __nv_sqrt.
static Number math(const Making *m, const char *name, unsigned count) {
  const char *full = arena_printf(m->a->arena, "__nv_%s%s", name,
                                  m->type.bits == 32 ? "f" : "");
  return asm_call(m->a, full, LLVMTypeOf(m->in[0]), m->in, count);
}

// A function of ptx/numbers.c that gives what it gets.
static LLVMValueRef ours(Emitter *a, const char *name, LLVMValueRef *in,
                         unsigned count) {
  return asm_call(a, name, LLVMTypeOf(in[0]), in, count);
}

static Number make_quotient(const Making *m) {
  return LLVMBuildFDiv(m->a->builder, m->in[0], m->in[1], "");
}

static Number make_magnitude(const Making *m) { return math(m, "fabs", 1); }

// Of two zeros the negative one is the less; a NaN gives way, or not.
static Number extreme(const Making *m, const char *name) {
  LLVMValueRef *in = m->in, value = math(m, name, 2);
  if (!asm_has(m->i, "NaN"))
    return value;
  Number is_nan = LLVMBuildFCmp(m->a->builder, LLVMRealUNO, in[0], in[1], "");
  return chosen(m, is_nan, plus(m, in[0], in[1]), value);
}

static Number make_lesser(const Making *m) { return extreme(m, "fmin"); }

static Number make_greater(const Making *m) { return extreme(m, "fmax"); }

// The sum that becomes a half is not rounded before.
static Number make_fused(const Making *m) {
  return m->type.bits == 16 ? ours(m->a, "__gpuverify_number_fma_odd", m->in, 3)
                            : math(m, "fma", 3);
}

// The sign of the first, and the rest of the second.
static Number make_copy_sign(const Making *m) {
  LLVMValueRef turned[] = {m->in[1], m->in[0]};
  Making turning = {m->a, m->i, m->type, turned};
  return math(&turning, "copysign", 2);
}

static Number make_reciprocal(const Making *m) {
  Number one = LLVMConstReal(LLVMTypeOf(m->in[0]), 1);
  return LLVMBuildFDiv(m->a->builder, one, m->in[0], "");
}

#define FUNCTION(name, function)                                               \
  static Number make_##name(const Making *m) { return math(m, function, 1); }
FUNCTION(root, "sqrt")
FUNCTION(root_below_one, "rsqrt")
FUNCTION(sine, "sin")
FUNCTION(cosine, "cos")
FUNCTION(power_of_two, "exp2")
FUNCTION(logarithm, "log2")
FUNCTION(tangent, "tanh")
#undef FUNCTION

// ------------------------------------------------------------------- lop3 ---

// lop3.or.b32 d|p, a, b, c, table, q: p says whether d is not 0, or q.
void asm_emit_look_up(Emitter *a, const AsmInstruction *i) {
  static const AsmType word = {'b', 32, 1};
  bool is_joined = i->operand_count == 6;
  uint64_t table;
  assert(i->operand_count >= 5);
  if (!asm_number(&i->operands[4], word, &table) || table > UINT8_MAX ||
      is_joined != (i->other->kind != OPERAND_NONE)) {
    asm_refuse(a, i->text);
    return;
  }
  Making making = {a, i, word, NULL};
  LLVMValueRef value = looked_up(&making, table);
  if (is_joined) {
    LLVMValueRef other = asm_bits(a, &i->operands[5], 1);
    LLVMValueRef zero = asm_const(a, 32, 0);
    LLVMValueRef any = LLVMBuildICmp(a->builder, LLVMIntNE, value, zero, "");
    any = asm_has(i, "or") ? LLVMBuildOr(a->builder, any, other, "")
                           : LLVMBuildAnd(a->builder, any, other, "");
    asm_put_bits(a, i->other, any, false);
  }
  asm_put_bits(a, &i->operands[0], value, false);
}

// ------------------------------------------------------------------ lanes ---

LLVMValueRef asm_lane(Emitter *a, const AsmInstruction *i, unsigned operand,
                      unsigned lane) {
  AsmType type = i->type;
  unsigned whole = type.bits * type.lanes;
  assert(operand < i->operand_count && lane < type.lanes);
  LLVMValueRef bits = asm_bits_as(a, &i->operands[operand], type);
  LLVMValueRef by = asm_const(a, whole, (uint64_t)lane * type.bits);
  if (type.lanes > 1)
    bits = LLVMBuildLShr(a->builder, bits, by, "");
  bits = asm_resize(a, bits, type.bits, false);
  return asm_value_of(a, asm_flushed(a, i, type, bits), type);
}

// ------------------------------------------------------------------ carry ---

// The carry of a text is a variable.  One that goes from text to text belongs
// to the thread; only texts that are executed where they stand leave one.
static void put_carry(Emitter *a, LLVMValueRef value) {
  enum { LOST = 2 };
  if (!a->carry)
    a->carry = LLVMBuildAlloca(a->entry, asm_int(a, 1), "");
  LLVMBuildStore(a->builder, value, a->carry);
  a->has_carry = true;
  LLVMValueRef left =
      a->is_volatile ? asm_resize(a, value, 32, false) : asm_const(a, 32, LOST);
  if (a->shares_carry)
    asm_call(a, "__gpuverify_carry_leave", LLVMVoidTypeInContext(a->context),
             &left, 1);
}

static LLVMValueRef get_carry(Emitter *a) {
  LLVMTypeRef i32 = asm_int(a, 32);
  assert(!a->has_carry || a->carry);
  if (a->has_carry)
    return LLVMBuildLoad2(a->builder, asm_int(a, 1), a->carry, "");
  if (!a->shares_carry || !a->is_volatile)
    asm_refuse(a, "a carry of another statement, without volatile");
  return asm_resize(a, asm_call(a, "__gpuverify_carry_take", i32, NULL, 0), 1,
                    false);
}

// The sum takes the carry of the instruction before, and gives one with ".cc".
static void put_sum(Emitter *a, const AsmInstruction *i, LLVMValueRef x,
                    LLVMValueRef y, bool takes, bool is_minus) {
  assert(LLVMTypeOf(x) == LLVMTypeOf(y));
  bool gives = asm_has(i, "cc");
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(x)), wide = bits + gives;
  LLVMOpcode opcode = is_minus ? LLVMSub : LLVMAdd;
  LLVMValueRef sum =
      LLVMBuildBinOp(a->builder, opcode, asm_resize(a, x, wide, false),
                     asm_resize(a, y, wide, false), "");
  if (takes)
    sum = LLVMBuildBinOp(a->builder, opcode, sum,
                         asm_resize(a, get_carry(a), wide, false), "");
  asm_put_bits(a, &i->operands[0], asm_resize(a, sum, bits, false),
               i->type.kind == 's');
  if (gives)
    put_carry(a, asm_resize(a,
                            LLVMBuildLShr(a->builder, sum,
                                          asm_const(a, wide, bits), ""),
                            1, false));
}

static void add_with_carry(Emitter *a, const AsmInstruction *i, bool takes,
                           bool is_minus) {
  put_sum(a, i, asm_bits_as(a, &i->operands[1], i->type),
          asm_bits_as(a, &i->operands[2], i->type), takes, is_minus);
}

static void multiply_add(Emitter *a, const AsmInstruction *i, bool takes) {
  Making making = {a, i, i->type, NULL};
  LLVMValueRef product = make_mul(&making);
  put_sum(a, i, product, source_of_product(&making, 3), takes, false);
}

void asm_emit_multiply_add_giving_carry(Emitter *a, const AsmInstruction *i) {
  multiply_add(a, i, false);
}

void asm_emit_multiply_add_carry(Emitter *a, const AsmInstruction *i) {
  multiply_add(a, i, true);
}

void asm_emit_add_giving_carry(Emitter *a, const AsmInstruction *i) {
  add_with_carry(a, i, false, false);
}

void asm_emit_subtract_giving_carry(Emitter *a, const AsmInstruction *i) {
  add_with_carry(a, i, false, true);
}

void asm_emit_add_carry(Emitter *a, const AsmInstruction *i) {
  add_with_carry(a, i, true, false);
}

void asm_emit_subtract_carry(Emitter *a, const AsmInstruction *i) {
  add_with_carry(a, i, true, true);
}

// ------------------------------------------------------------------ table ---

typedef enum Who { FOR_RUN, FOR_PROOF, FOR_BOTH } Who;

typedef struct Row {
  const char *form;
  unsigned fewest, most; // operands
  Who who;
  Compute *of_lane, *of_whole;
  EmitWhole *execute; // or these
} Row;

static const Row rows[] = {
#define LANES_OP(form, sources, function)                                      \
  {form, (sources) + 1, (sources) + 1, FOR_BOTH, make_##function, NULL, NULL},
#define WORD_OP(form, sources, function)                                       \
  {form, (sources) + 1, (sources) + 1, FOR_BOTH, NULL, make_##function, NULL},
#define WHOLE_OP(form, sources, function)                                      \
  OP(form, (sources) + 1, (sources) + 1, function, BOTH)
#define OP(form, fewest, most, function, who)                                  \
  {form, fewest, most, FOR_##who, NULL, NULL, asm_emit_##function},
#include "ptx/instructions.def"
};

// One of the roundings that only an intrinsic has.
static bool is_directed(const AsmInstruction *i) {
  const char *rounding = asm_rounding(i);
  return rounding && strcmp(rounding, "rn") != 0;
}

// The intrinsic for that: builtins_float.c.  A difference is a sum.
static LLVMValueRef rounded(Emitter *a, const AsmInstruction *i, AsmType type,
                            LLVMValueRef *in, unsigned sources) {
  const char *name = i->words[0];
  if (!strcmp(name, "mad"))
    name = "fma";
  if (!strcmp(name, "sub")) {
    name = "add";
    in[1] = LLVMBuildFNeg(a->builder, in[1], "");
  }
  assert(type.bits == 32 || type.bits == 64);
  const char *full =
      arena_printf(a->arena, "llvm.nvvm.%s.%s%s", name, asm_rounding(i),
                   type.bits == 64 ? ".d" : ".f");
  return ours(a, full, in, sources);
}

// Of a NaN, too, some change the sign alone.
static LLVMValueRef compute_lane(Emitter *a, const AsmInstruction *i,
                                 const Row *row, unsigned lane) {
  LLVMValueRef in[MOST_SOURCES];
  unsigned sources = row->most - 1;
  assert(sources <= MOST_SOURCES && sources < i->operand_count);
  AsmType type = i->type;
  for (unsigned n = 0; n < sources; n++)
    in[n] = asm_lane(a, i, n + 1, lane);
  Making making = {a, i, type, in};
  LLVMValueRef value =
      is_directed(i) ? rounded(a, i, type, in, sources) : row->of_lane(&making);
  value = asm_saturated(a, i, type, value);
  bool is_sign = row->of_lane == make_neg || row->of_lane == make_magnitude ||
                 row->of_lane == make_copy_sign;
  return is_sign ? asm_flushed(a, i, type, asm_bits_of(a, value, type))
                 : asm_result(a, i, type, value);
}

static void compute_lanes(Emitter *a, const AsmInstruction *i, const Row *row) {
  AsmType type = i->type;
  unsigned whole = type.bits * type.lanes;
  LLVMValueRef result = NULL;
  for (unsigned lane = 0; lane < type.lanes; lane++) {
    LLVMValueRef bits =
        asm_resize(a, compute_lane(a, i, row, lane), whole, false);
    LLVMValueRef by = asm_const(a, whole, (uint64_t)lane * type.bits);
    result = result ? LLVMBuildOr(a->builder, result,
                                  LLVMBuildShl(a->builder, bits, by, ""), "")
                    : bits;
  }
  asm_put_bits(a, &i->operands[0], result, type.kind == 's');
}

// Which bit bfind has found has no sign.
static void compute_whole(Emitter *a, const AsmInstruction *i, const Row *row) {
  Making making = {a, i, i->type, NULL};
  bool is_place =
      row->of_whole == make_bfind || row->of_whole == make_bfind_shift;
  asm_put_bits(a, &i->operands[0], row->of_whole(&making),
               is_signed(&making) && !is_place);
}

static bool is_for(const Emitter *a, const Row *row) {
  switch (row->who) {
  case FOR_RUN:
    return a->is_executed;
  case FOR_PROOF:
    return !a->is_executed;
  case FOR_BOTH:
    return true;
  }
  return false;
}

bool asm_execute(Emitter *a, const AsmInstruction *i) {
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    const Row *row = &rows[r];
    if (i->operand_count < row->fewest || i->operand_count > row->most ||
        !is_for(a, row) || !asm_matches(i, row->form))
      continue;
    if (row->execute)
      row->execute(a, i);
    else if (row->of_whole)
      compute_whole(a, i, row);
    else
      compute_lanes(a, i, row);
    return true;
  }
  return false;
}
