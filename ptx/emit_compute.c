// Arithmetic of inline assembly: what is computed from registers alone.
//
// instructions.def has a row a form.  Most are computed lane by lane, in the
// type that the opcode names; the others look at their operands themselves.
// Floats are computed by the host: approximate functions are as exact as its
// own.

#include "ptx/emit.h"

#include <assert.h>
#include <string.h>

typedef LLVMValueRef Compute(Emitter *a, const AsmInstruction *i, AsmType type,
                             LLVMValueRef *in);

enum { MOST_SOURCES = 4 };

static LLVMValueRef binary(Emitter *a, LLVMOpcode of_ints, LLVMOpcode of_floats,
                           AsmType type, LLVMValueRef *in) {
  return LLVMBuildBinOp(a->builder, asm_is_float(type) ? of_floats : of_ints,
                        in[0], in[1], "");
}

// "sqrt" is __nv_sqrtf or __nv_sqrt.
static LLVMValueRef math(Emitter *a, const char *name, AsmType type,
                         LLVMValueRef *in, unsigned count) {
  const char *full =
      arena_printf(a->arena, "__nv_%s%s", name, type.bits == 32 ? "f" : "");
  return asm_call(a, full, LLVMTypeOf(in[0]), in, count);
}

static LLVMValueRef compare(Emitter *a, AsmType type, LLVMIntPredicate ints,
                            LLVMRealPredicate floats, LLVMValueRef x,
                            LLVMValueRef y) {
  return asm_is_float(type) ? LLVMBuildFCmp(a->builder, floats, x, y, "")
                            : LLVMBuildICmp(a->builder, ints, x, y, "");
}

static LLVMValueRef choose(Emitter *a, LLVMValueRef condition, LLVMValueRef x,
                           LLVMValueRef y) {
  return asm_choose(a, condition, x, y);
}

// A function of ptx/numbers.c that gives what it gets.
static LLVMValueRef ours(Emitter *a, const char *name, LLVMValueRef *in,
                         unsigned count) {
  return asm_call(a, name, LLVMTypeOf(in[0]), in, count);
}

// ------------------------------------------------------------ lane by lane ---

static LLVMValueRef add(Emitter *a, const AsmInstruction *i, AsmType type,
                        LLVMValueRef *in) {
  (void)i;
  return binary(a, LLVMAdd, LLVMFAdd, type, in);
}

static LLVMValueRef subtract(Emitter *a, const AsmInstruction *i, AsmType type,
                             LLVMValueRef *in) {
  (void)i;
  return binary(a, LLVMSub, LLVMFSub, type, in);
}

// The limits are those of the type; a sum has one bit more.
static LLVMValueRef widened(const Emitter *a, LLVMValueRef value,
                            AsmType type) {
  return asm_resize(a, value, type.bits + 1, true);
}

static LLVMValueRef add_saturated(Emitter *a, const AsmInstruction *i,
                                  AsmType type, LLVMValueRef *in) {
  (void)i;
  LLVMValueRef sum = LLVMBuildAdd(a->builder, widened(a, in[0], type),
                                  widened(a, in[1], type), "");
  return asm_clamp(a, sum, type.bits, true);
}

static LLVMValueRef subtract_saturated(Emitter *a, const AsmInstruction *i,
                                       AsmType type, LLVMValueRef *in) {
  (void)i;
  LLVMValueRef difference = LLVMBuildSub(a->builder, widened(a, in[0], type),
                                         widened(a, in[1], type), "");
  return asm_clamp(a, difference, type.bits, true);
}

// Nothing traps: a division by zero gives all ones, and the smallest number
// divided by -1 is itself.
static LLVMValueRef divide_integers(Emitter *a, AsmType type, LLVMValueRef *in,
                                    bool is_rest) {
  LLVMTypeRef own = LLVMTypeOf(in[0]);
  LLVMValueRef zero = LLVMConstNull(own), all = LLVMConstAllOnes(own);
  LLVMValueRef one = LLVMConstInt(own, 1, false);
  LLVMValueRef is_zero = LLVMBuildICmp(a->builder, LLVMIntEQ, in[1], zero, "");
  LLVMValueRef by = choose(a, is_zero, one, in[1]);
  if (type.kind != 's')
    return choose(a, is_zero, all,
                  LLVMBuildBinOp(a->builder, is_rest ? LLVMURem : LLVMUDiv,
                                 in[0], by, ""));
  LLVMValueRef is_minus = LLVMBuildICmp(a->builder, LLVMIntEQ, by, all, "");
  LLVMValueRef value = LLVMBuildBinOp(a->builder, is_rest ? LLVMSRem : LLVMSDiv,
                                      in[0], choose(a, is_minus, one, by), "");
  if (!is_rest)
    value = choose(a, is_minus, LLVMBuildNeg(a->builder, in[0], ""), value);
  return choose(a, is_zero, all, value);
}

static LLVMValueRef divide(Emitter *a, const AsmInstruction *i, AsmType type,
                           LLVMValueRef *in) {
  (void)i;
  return asm_is_float(type) ? LLVMBuildFDiv(a->builder, in[0], in[1], "")
                            : divide_integers(a, type, in, false);
}

static LLVMValueRef rest(Emitter *a, const AsmInstruction *i, AsmType type,
                         LLVMValueRef *in) {
  (void)i;
  return divide_integers(a, type, in, true);
}

static LLVMValueRef negate(Emitter *a, const AsmInstruction *i, AsmType type,
                           LLVMValueRef *in) {
  (void)i;
  return asm_is_float(type) ? LLVMBuildFNeg(a->builder, in[0], "")
                            : LLVMBuildNeg(a->builder, in[0], "");
}

static LLVMValueRef absolute(Emitter *a, const AsmInstruction *i, AsmType type,
                             LLVMValueRef *in) {
  (void)i;
  if (asm_is_float(type))
    return math(a, "fabs", type, in, 1);
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(in[0]));
  LLVMValueRef is_less = LLVMBuildICmp(a->builder, LLVMIntSLT, in[0], zero, "");
  return choose(a, is_less, LLVMBuildNeg(a->builder, in[0], ""), in[0]);
}

// Of two zeros the negative one is the less; a NaN gives way, or not.
static LLVMValueRef extreme(Emitter *a, const AsmInstruction *i, AsmType type,
                            LLVMValueRef *in, bool is_least) {
  if (!asm_is_float(type)) {
    bool is_signed = type.kind == 's';
    LLVMIntPredicate less = is_signed ? LLVMIntSLT : LLVMIntULT;
    LLVMIntPredicate more = is_signed ? LLVMIntSGT : LLVMIntUGT;
    return choose(
        a, LLVMBuildICmp(a->builder, is_least ? less : more, in[0], in[1], ""),
        in[0], in[1]);
  }
  LLVMValueRef value = math(a, is_least ? "fmin" : "fmax", type, in, 2);
  if (!asm_has(i, "NaN"))
    return value;
  return choose(a, LLVMBuildFCmp(a->builder, LLVMRealUNO, in[0], in[1], ""),
                LLVMBuildFAdd(a->builder, in[0], in[1], ""), value);
}

static LLVMValueRef least(Emitter *a, const AsmInstruction *i, AsmType type,
                          LLVMValueRef *in) {
  return extreme(a, i, type, in, true);
}

static LLVMValueRef greatest(Emitter *a, const AsmInstruction *i, AsmType type,
                             LLVMValueRef *in) {
  return extreme(a, i, type, in, false);
}

// The sum that becomes a half is not rounded before.
static LLVMValueRef fused(Emitter *a, const AsmInstruction *i, AsmType type,
                          LLVMValueRef *in) {
  (void)i;
  return type.bits == 16 ? ours(a, "__gpuverify_number_fma_odd", in, 3)
                         : math(a, "fma", type, in, 3);
}

// The sign of the first, and the rest of the second.
static LLVMValueRef copy_sign(Emitter *a, const AsmInstruction *i, AsmType type,
                              LLVMValueRef *in) {
  (void)i;
  LLVMValueRef turned[] = {in[1], in[0]};
  return math(a, "copysign", type, turned, 2);
}

#define BITWISE(name, build)                                                   \
  static LLVMValueRef name(Emitter *a, const AsmInstruction *i, AsmType type,  \
                           LLVMValueRef *in) {                                 \
    (void)i, (void)type;                                                       \
    return build(a->builder, in[0], in[1], "");                                \
  }
BITWISE(both, LLVMBuildAnd)
BITWISE(either, LLVMBuildOr)
BITWISE(different, LLVMBuildXor)
#undef BITWISE

static LLVMValueRef complement(Emitter *a, const AsmInstruction *i,
                               AsmType type, LLVMValueRef *in) {
  (void)i, (void)type;
  return LLVMBuildNot(a->builder, in[0], "");
}

static LLVMValueRef is_none(Emitter *a, const AsmInstruction *i, AsmType type,
                            LLVMValueRef *in) {
  (void)i, (void)type;
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(in[0]));
  LLVMValueRef is_zero = LLVMBuildICmp(a->builder, LLVMIntEQ, in[0], zero, "");
  return LLVMBuildZExt(a->builder, is_zero, LLVMTypeOf(in[0]), "");
}

static LLVMValueRef reciprocal(Emitter *a, const AsmInstruction *i,
                               AsmType type, LLVMValueRef *in) {
  (void)i, (void)type;
  return LLVMBuildFDiv(a->builder, LLVMConstReal(LLVMTypeOf(in[0]), 1), in[0],
                       "");
}

#define FUNCTION(name, function)                                               \
  static LLVMValueRef name(Emitter *a, const AsmInstruction *i, AsmType type,  \
                           LLVMValueRef *in) {                                 \
    (void)i;                                                                   \
    return math(a, function, type, in, 1);                                     \
  }
FUNCTION(root, "sqrt")
FUNCTION(root_below_one, "rsqrt")
FUNCTION(sine, "sin")
FUNCTION(cosine, "cos")
FUNCTION(power_of_two, "exp2")
FUNCTION(logarithm, "log2")
FUNCTION(tangent, "tanh")
#undef FUNCTION

// --------------------------------------------------------------- products ---

static LLVMValueRef product(Emitter *a, const AsmInstruction *i, AsmType type,
                            LLVMValueRef *in) {
  bool is_signed = type.kind == 's';
  if (asm_is_float(type))
    return LLVMBuildFMul(a->builder, in[0], in[1], "");
  if (!asm_has(i, "hi") && !asm_has(i, "wide"))
    return LLVMBuildMul(a->builder, in[0], in[1], "");
  LLVMValueRef x = asm_resize(a, in[0], 2 * type.bits, is_signed);
  LLVMValueRef y = asm_resize(a, in[1], 2 * type.bits, is_signed);
  LLVMValueRef whole = LLVMBuildMul(a->builder, x, y, "");
  if (asm_has(i, "wide"))
    return whole;
  LLVMValueRef by = asm_const(a, 2 * type.bits, type.bits);
  return asm_resize(a, LLVMBuildLShr(a->builder, whole, by, ""), type.bits,
                    false);
}

// Of the lower 24 bits of each: the lower 32 of the 48, or the upper.
static LLVMValueRef multiply_24(Emitter *a, const AsmInstruction *i,
                                AsmType type, LLVMValueRef *in) {
  bool is_signed = type.kind == 's';
  LLVMValueRef factors[2];
  for (unsigned n = 0; n < 2; n++)
    factors[n] = asm_resize(a, asm_resize(a, in[n], 24, false), 64, is_signed);
  LLVMValueRef whole = LLVMBuildMul(a->builder, factors[0], factors[1], "");
  if (asm_has(i, "hi"))
    whole = LLVMBuildLShr(a->builder, whole, asm_const(a, 64, 16), "");
  return asm_resize(a, whole, 32, false);
}

static LLVMValueRef multiply_24_add(Emitter *a, const AsmInstruction *i,
                                    AsmType type, LLVMValueRef *in) {
  return LLVMBuildAdd(a->builder, multiply_24(a, i, type, in), in[2], "");
}

static LLVMValueRef multiply_24_add_saturated(Emitter *a,
                                              const AsmInstruction *i,
                                              AsmType type, LLVMValueRef *in) {
  LLVMValueRef both[] = {multiply_24(a, i, type, in), in[2]};
  return add_saturated(a, i, type, both);
}

static LLVMValueRef distance_add(Emitter *a, const AsmInstruction *i,
                                 AsmType type, LLVMValueRef *in) {
  (void)i;
  LLVMValueRef is_less = LLVMBuildICmp(
      a->builder, type.kind == 's' ? LLVMIntSLT : LLVMIntULT, in[0], in[1], "");
  LLVMValueRef distance =
      choose(a, is_less, LLVMBuildSub(a->builder, in[1], in[0], ""),
             LLVMBuildSub(a->builder, in[0], in[1], ""));
  return LLVMBuildAdd(a->builder, distance, in[2], "");
}

static AsmType type_of_product(const AsmInstruction *i) {
  AsmType type = i->type;
  type.bits *= asm_has(i, "wide") ? 2 : 1;
  return type;
}

void asm_emit_multiply(Emitter *a, const AsmInstruction *i) {
  LLVMValueRef in[] = {asm_get(a, &i->operands[1], i->type),
                       asm_get(a, &i->operands[2], i->type)};
  asm_put(a, &i->operands[0], type_of_product(i), product(a, i, i->type, in));
}

// ------------------------------------------------------------ comparisons ---

typedef struct Relation {
  const char *word;
  LLVMIntPredicate of_signed, of_unsigned;
  LLVMRealPredicate of_floats;
} Relation;

static const Relation relations[] = {
    {"eq", LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ},
    {"ne", LLVMIntNE, LLVMIntNE, LLVMRealONE},
    {"lt", LLVMIntSLT, LLVMIntULT, LLVMRealOLT},
    {"le", LLVMIntSLE, LLVMIntULE, LLVMRealOLE},
    {"gt", LLVMIntSGT, LLVMIntUGT, LLVMRealOGT},
    {"ge", LLVMIntSGE, LLVMIntUGE, LLVMRealOGE},
    {"lo", LLVMIntULT, LLVMIntULT, LLVMRealOLT},
    {"ls", LLVMIntULE, LLVMIntULE, LLVMRealOLE},
    {"hi", LLVMIntUGT, LLVMIntUGT, LLVMRealOGT},
    {"hs", LLVMIntUGE, LLVMIntUGE, LLVMRealOGE},
    {"equ", LLVMIntEQ, LLVMIntEQ, LLVMRealUEQ},
    {"neu", LLVMIntNE, LLVMIntNE, LLVMRealUNE},
    {"ltu", LLVMIntULT, LLVMIntULT, LLVMRealULT},
    {"leu", LLVMIntULE, LLVMIntULE, LLVMRealULE},
    {"gtu", LLVMIntUGT, LLVMIntUGT, LLVMRealUGT},
    {"geu", LLVMIntUGE, LLVMIntUGE, LLVMRealUGE},
    {"num", LLVMIntEQ, LLVMIntEQ, LLVMRealORD},
    {"nan", LLVMIntNE, LLVMIntNE, LLVMRealUNO}};

static bool flushes(const AsmInstruction *i, AsmType type) {
  return asm_has(i, "ftz") && asm_is_float(type) && type.bits < 64;
}

static LLVMValueRef get_lane(Emitter *a, const AsmInstruction *i,
                             unsigned operand, unsigned lane) {
  AsmType type = i->type;
  unsigned whole = type.bits * type.lanes;
  assert(operand < i->operand_count && lane < type.lanes);
  LLVMValueRef bits = asm_bits_as(a, &i->operands[operand], type);
  LLVMValueRef by = asm_const(a, whole, (uint64_t)lane * type.bits);
  if (type.lanes > 1)
    bits = LLVMBuildLShr(a->builder, bits, by, "");
  bits = asm_resize(a, bits, type.bits, false);
  if (flushes(i, type))
    bits = asm_flush(a, bits, type);
  return asm_value_of(a, bits, type);
}

static LLVMValueRef relate(Emitter *a, const AsmInstruction *i, unsigned lane) {
  LLVMValueRef x = get_lane(a, i, 1, lane), y = get_lane(a, i, 2, lane);
  for (size_t r = 0; r < sizeof relations / sizeof *relations; r++)
    if (asm_has(i, relations[r].word))
      return compare(a, i->type,
                     i->type.kind == 's' ? relations[r].of_signed
                                         : relations[r].of_unsigned,
                     relations[r].of_floats, x, y);
  asm_refuse(a, i->text);
  return asm_const(a, 1, 0);
}

// With .and, .or or .xor it is joined with one more operand.
static LLVMValueRef join(Emitter *a, const AsmInstruction *i,
                         LLVMValueRef value) {
  if (i->operand_count < 4)
    return value;
  LLVMValueRef other = asm_bits(a, &i->operands[3], 1);
  if (asm_has(i, "and"))
    return LLVMBuildAnd(a->builder, value, other, "");
  if (asm_has(i, "or"))
    return LLVMBuildOr(a->builder, value, other, "");
  return LLVMBuildXor(a->builder, value, other, "");
}

// "p|q": q has what p has not, or the second lane.
void asm_emit_set_predicate(Emitter *a, const AsmInstruction *i) {
  LLVMValueRef value = relate(a, i, 0);
  LLVMValueRef other =
      i->type.lanes > 1 ? relate(a, i, 1) : LLVMBuildNot(a->builder, value, "");
  value = join(a, i, value); // the operand that it joins may be p
  other = join(a, i, other);
  asm_put_bits(a, &i->operands[0], value, false);
  if (i->other->kind != OPERAND_NONE)
    asm_put_bits(a, i->other, other, false);
}

// One for true in a float, all bits in an integer.
void asm_emit_set_truth(Emitter *a, const AsmInstruction *i) {
  unsigned whole = i->to.bits * i->to.lanes, lanes = i->type.lanes;
  assert(lanes && whole % lanes == 0);
  unsigned bits = whole / lanes;
  AsmType to = {i->to.kind, bits, 1};
  LLVMValueRef result = asm_const(a, whole, 0);
  for (unsigned lane = 0; lane < lanes; lane++) {
    LLVMValueRef value = join(a, i, relate(a, i, lane));
    LLVMValueRef part;
    if (asm_is_float(to)) {
      LLVMTypeRef type = bits == 32 ? LLVMFloatTypeInContext(a->context)
                                    : LLVMDoubleTypeInContext(a->context);
      part = asm_bits_of(a, LLVMBuildUIToFP(a->builder, value, type, ""), to);
    } else {
      part = asm_resize(a, value, bits, true);
    }
    part = LLVMBuildShl(a->builder, asm_resize(a, part, whole, false),
                        asm_const(a, whole, (uint64_t)lane * bits), "");
    result = LLVMBuildOr(a->builder, result, part, "");
  }
  asm_put_bits(a, &i->operands[0], result, false);
}

void asm_emit_select_one(Emitter *a, const AsmInstruction *i) {
  asm_put_bits(a, &i->operands[0],
               choose(a, asm_bits(a, &i->operands[3], 1),
                      asm_bits_as(a, &i->operands[1], i->type),
                      asm_bits_as(a, &i->operands[2], i->type)),
               i->type.kind == 's');
}

// The first if the last is not negative: -0 is not, a NaN counts as negative.
void asm_emit_select_by_sign(Emitter *a, const AsmInstruction *i) {
  LLVMValueRef by = get_lane(a, i, 3, 0);
  LLVMValueRef is_first = compare(a, i->type, LLVMIntSGE, LLVMRealOGE, by,
                                  LLVMConstNull(LLVMTypeOf(by)));
  asm_put_bits(a, &i->operands[0],
               choose(a, is_first, asm_bits_as(a, &i->operands[1], i->to),
                      asm_bits_as(a, &i->operands[2], i->to)),
               i->to.kind == 's');
}

// By the bits without the sign: above those of infinity are the NaNs.
void asm_emit_test_property(Emitter *a, const AsmInstruction *i) {
  bool is_double = i->type.bits == 64;
  assert(i->type.kind == 'f' && i->type.bits >= 32);
  LLVMValueRef bits = asm_bits_as(a, &i->operands[1], i->type);
  LLVMTypeRef type = LLVMTypeOf(bits);
  LLVMValueRef infinity =
      LLVMConstInt(type, is_double ? 0x7ffull << 52 : 0xffull << 23, false);
  LLVMValueRef normal =
      LLVMConstInt(type, is_double ? 1ull << 52 : 1 << 23, false);
  bits = LLVMBuildAnd(
      a->builder, bits,
      LLVMConstInt(type, is_double ? INT64_MAX : INT32_MAX, false), "");
  LLVMIntPredicate how = asm_has(i, "infinite")     ? LLVMIntEQ
                         : asm_has(i, "notanumber") ? LLVMIntUGT
                         : asm_has(i, "number")     ? LLVMIntULE
                                                    : LLVMIntULT;
  LLVMValueRef holds = LLVMBuildICmp(a->builder, how, bits, infinity, "");
  if (asm_has(i, "normal"))
    holds = LLVMBuildAnd(
        a->builder, holds,
        LLVMBuildICmp(a->builder, LLVMIntUGE, bits, normal, ""), "");
  if (asm_has(i, "subnormal")) // without zero, which wraps around
    holds = LLVMBuildICmp(
        a->builder, LLVMIntULT,
        LLVMBuildSub(a->builder, bits, LLVMConstInt(type, 1, false), ""),
        LLVMBuildSub(a->builder, normal, LLVMConstInt(type, 1, false), ""), "");
  asm_put_bits(a, &i->operands[0], holds, false);
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

static void multiply_add_integers(Emitter *a, const AsmInstruction *i,
                                  bool takes) {
  AsmType type = type_of_product(i);
  LLVMValueRef in[] = {asm_get(a, &i->operands[1], i->type),
                       asm_get(a, &i->operands[2], i->type)};
  put_sum(a, i, product(a, i, i->type, in), asm_get(a, &i->operands[3], type),
          takes, false);
}

void asm_emit_multiply_add(Emitter *a, const AsmInstruction *i) {
  multiply_add_integers(a, i, false);
}

void asm_emit_multiply_add_carry(Emitter *a, const AsmInstruction *i) {
  multiply_add_integers(a, i, true);
}

void asm_emit_multiply_add_saturated(Emitter *a, const AsmInstruction *i) {
  LLVMValueRef in[] = {asm_get(a, &i->operands[1], i->type),
                       asm_get(a, &i->operands[2], i->type)};
  LLVMValueRef both[] = {product(a, i, i->type, in),
                         asm_get(a, &i->operands[3], i->type)};
  asm_put(a, &i->operands[0], i->type, add_saturated(a, i, i->type, both));
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
  Compute *compute;
  EmitWhole *execute; // or this
} Row;

static const Row rows[] = {
#define LANES_OP(form, sources, function)                                      \
  {form, (sources) + 1, (sources) + 1, FOR_BOTH, function, NULL},
#define WHOLE_OP(form, sources, function)                                      \
  OP(form, (sources) + 1, (sources) + 1, function, BOTH)
#define VIDEO_OP(form, sources, function)                                      \
  OP(form, (sources) + 1, (sources) + 1, video, BOTH)
#define OP(form, fewest, most, function, who)                                  \
  {form, fewest, most, FOR_##who, NULL, asm_emit_##function},
#include "ptx/instructions.def"
};

// Into [0, 1] with .sat, of NaN 0; with .relu nothing below 0.
static LLVMValueRef clamp(Emitter *a, const AsmInstruction *i, AsmType type,
                          LLVMValueRef value) {
  LLVMTypeRef own = LLVMTypeOf(value);
  LLVMValueRef zero = LLVMConstNull(own);
  if (asm_has(i, "relu"))
    value = choose(a, compare(a, type, LLVMIntSGT, LLVMRealUGT, value, zero),
                   value, zero);
  if (!asm_has(i, "sat") || !asm_is_float(type))
    return value;
  LLVMValueRef one = LLVMConstReal(own, 1);
  value = choose(a, LLVMBuildFCmp(a->builder, LLVMRealOGT, value, zero, ""),
                 value, zero);
  return choose(a, LLVMBuildFCmp(a->builder, LLVMRealOLT, value, one, ""),
                value, one);
}

// All NaNs that a float operation gives are the same; of double it is the
// host's, as on the device.
static LLVMValueRef without_payload(Emitter *a, AsmType type,
                                    LLVMValueRef value, LLVMValueRef bits) {
  if (type.kind != 'f' || type.bits != 32)
    return bits;
  LLVMValueRef is_nan =
      LLVMBuildFCmp(a->builder, LLVMRealUNO, value, value, "");
  return choose(a, is_nan, asm_const(a, 32, INT32_MAX), bits);
}

static const char *rounding(const AsmInstruction *i) {
  static const char *const all[] = {"rz", "rm", "rp"};
  for (size_t n = 0; n < sizeof all / sizeof *all && asm_is_float(i->type); n++)
    if (asm_has(i, all[n]))
      return all[n];
  return NULL;
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
  assert(rounding(i) && (type.bits == 32 || type.bits == 64));
  const char *full = arena_printf(a->arena, "llvm.nvvm.%s.%s%s", name,
                                  rounding(i), type.bits == 64 ? ".d" : ".f");
  return ours(a, full, in, sources);
}

static LLVMValueRef compute_lane(Emitter *a, const AsmInstruction *i,
                                 const Row *row, unsigned lane) {
  LLVMValueRef in[MOST_SOURCES];
  unsigned sources = row->most - 1;
  assert(sources <= MOST_SOURCES && sources < i->operand_count);
  AsmType type = i->type;
  for (unsigned n = 0; n < sources; n++)
    in[n] = get_lane(a, i, n + 1, lane);
  LLVMValueRef value = rounding(i) ? rounded(a, i, type, in, sources)
                                   : row->compute(a, i, type, in);
  value = clamp(a, i, type, value);
  LLVMValueRef bits = asm_bits_of(a, value, type);
  if (row->compute != negate && row->compute != absolute &&
      row->compute != copy_sign) // of a NaN, too, these change the sign alone
    bits = without_payload(a, type, value, bits);
  return flushes(i, type) ? asm_flush(a, bits, type) : bits;
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
    else
      compute_lanes(a, i, row);
    return true;
  }
  return false;
}
