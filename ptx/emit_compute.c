// Arithmetic of inline assembly: what is computed from registers alone.
//
// instructions.def has a row a form.  Most are computed lane by lane, in the
// type that the opcode names; the others look at their operands themselves.
// Floats are computed by the host: approximate functions are as exact as its
// own.

#include "ptx/emit.h"
#include "ptx/numbers.h"

#include <assert.h>
#include <string.h>

enum { MOST_SOURCES = 4 };

// ------------------------------------------------------------- operations ---

typedef LLVMValueRef Value;

// An instruction, or a lane of it.
typedef struct Making {
  Emitter *a;
  const AsmInstruction *i;
  AsmType type;
  LLVMValueRef *in; // the operands of the lane, or NULL
} Making;

typedef Value Compute(const Making *m);

static bool is_real(Value x) {
  return LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMIntegerTypeKind;
}

#define BINARY(name, of_integers, of_floats)                                   \
  static Value name(const Making *m, Value x, Value y) {                       \
    return LLVMBuildBinOp(m->a->builder, is_real(x) ? of_floats : of_integers, \
                          x, y, "");                                           \
  }
BINARY(plus, LLVMAdd, LLVMFAdd)
BINARY(minus, LLVMSub, LLVMFSub)
BINARY(times, LLVMMul, LLVMFMul)
BINARY(both, LLVMAnd, LLVMAnd)
BINARY(either, LLVMOr, LLVMOr)
BINARY(different, LLVMXor, LLVMXor)
BINARY(left, LLVMShl, LLVMShl)
BINARY(right, LLVMLShr, LLVMLShr)
BINARY(right_signed, LLVMAShr, LLVMAShr)
#undef BINARY

static Value flipped(const Making *m, Value x) {
  return LLVMBuildNot(m->a->builder, x, "");
}

static Value negative(const Making *m, Value x) {
  return is_real(x) ? LLVMBuildFNeg(m->a->builder, x, "")
                    : LLVMBuildNeg(m->a->builder, x, "");
}

static Value is_equal(const Making *m, Value x, Value y) {
  return LLVMBuildICmp(m->a->builder, LLVMIntEQ, x, y, "");
}

static Value is_less(const Making *m, Value x, Value y, bool is_signed) {
  return LLVMBuildICmp(m->a->builder, is_signed ? LLVMIntSLT : LLVMIntULT, x, y,
                       "");
}

static Value is_more(const Making *m, Value x, Value y, bool is_signed) {
  return LLVMBuildICmp(m->a->builder, is_signed ? LLVMIntSGT : LLVMIntUGT, x, y,
                       "");
}

static Value is_at_most(const Making *m, Value x, Value y) {
  return LLVMBuildICmp(m->a->builder, LLVMIntULE, x, y, "");
}

static unsigned width(Value x) { return LLVMGetIntTypeWidth(LLVMTypeOf(x)); }

static Value number(const Making *m, unsigned bits, uint64_t value) {
  return asm_const(m->a, bits, value);
}

static Value resized(const Making *m, Value x, unsigned bits, bool is_signed) {
  return asm_resize(m->a, x, bits, is_signed);
}

static Value clamped(const Making *m, Value x, unsigned bits) {
  return asm_clamp(m->a, x, bits, true);
}

static Value chosen(const Making *m, Value condition, Value yes, Value no) {
  return asm_choose(m->a, condition, yes, no);
}

static Value divided_by(const Making *m, Value x, Value y, bool is_rest) {
  bool is_signed = m->type.kind == 's';
  LLVMOpcode quotient = is_signed ? LLVMSDiv : LLVMUDiv;
  LLVMOpcode rest = is_signed ? LLVMSRem : LLVMURem;
  return LLVMBuildBinOp(m->a->builder, is_rest ? rest : quotient, x, y, "");
}

static Value high_product(const Making *m, Value x, Value y) {
  bool is_signed = m->type.kind == 's';
  unsigned bits = width(x);
  x = resized(m, x, 2 * bits, is_signed);
  x = times(m, x, resized(m, y, 2 * bits, is_signed));
  return resized(m, right(m, x, number(m, 2 * bits, bits)), bits, false);
}

// llvm.ctlz.i32 and its like; of no bits, too, there is a result.
static Value counted(const Making *m, const char *name, Value x) {
  LLVMValueRef in[] = {x, asm_const(m->a, 1, 0)};
  return asm_call(m->a,
                  arena_printf(m->a->arena, "llvm.%s.i%u", name, width(x)),
                  LLVMTypeOf(x), in, strcmp(name, "ctlz") ? 1 : 2);
}

static Value ones(const Making *m, Value x) { return counted(m, "ctpop", x); }

static Value leading_zeros(const Making *m, Value x) {
  return counted(m, "ctlz", x);
}

static Value reversed(const Making *m, Value x) {
  return counted(m, "bitreverse", x);
}

static Value of_words(const Making *m, const char *name, Value x, Value y,
                      Value z) {
  LLVMValueRef in[] = {x, y, z};
  return asm_call(m->a, name, asm_int(m->a, 32), in, 3);
}

static Value nth_bit(const Making *m, Value mask, Value from, Value n) {
  return of_words(m, "llvm.nvvm.fns", mask, from, n);
}

static Value permuted(const Making *m, Value low, Value high, Value which) {
  return of_words(m, "llvm.nvvm.prmt", low, high, which);
}

static unsigned bits_of(const Making *m) { return m->type.bits; }
static bool is_signed(const Making *m) { return m->type.kind == 's'; }
static bool is_high(const Making *m) { return asm_has(m->i, "hi"); }
static bool is_wide(const Making *m) { return asm_has(m->i, "wide"); }
static bool wraps(const Making *m) { return asm_has(m->i, "wrap"); }
static bool is_left(const Making *m) { return asm_has(m->i, "l"); }

static bool saturates(const Making *m) {
  return is_signed(m) && asm_has(m->i, "sat");
}

// In whichever place; NULL: there is none.
static const char *mode_of(const Making *m) {
  AsmType type;
  for (unsigned n = 1; n < m->i->word_count; n++)
    if (!asm_type(m->i->words[n], &type))
      return m->i->words[n];
  return NULL;
}

static Value source_bits(const Making *m, unsigned n, unsigned bits) {
  return asm_bits(m->a, &m->i->operands[n], bits);
}

static Value source(const Making *m, unsigned n) {
  return m->in ? m->in[n - 1] : asm_bits_as(m->a, &m->i->operands[n], m->type);
}

static AsmType type_of_product(const AsmInstruction *i) {
  AsmType type = i->type;
  type.bits *= asm_has(i, "wide") ? 2 : 1;
  return type;
}

static Value source_of_product(const Making *m, unsigned n) {
  return asm_bits_as(m->a, &m->i->operands[n], type_of_product(m->i));
}

#include "ptx/integers.def"

// ----------------------------------------------------------------- floats ---

// "sqrt" is __nv_sqrtf or __nv_sqrt.
static Value math(const Making *m, const char *name, unsigned count) {
  const char *full = arena_printf(m->a->arena, "__nv_%s%s", name,
                                  m->type.bits == 32 ? "f" : "");
  return asm_call(m->a, full, LLVMTypeOf(m->in[0]), m->in, count);
}

// A function of ptx/numbers.c that gives what it gets.
static LLVMValueRef ours(Emitter *a, const char *name, LLVMValueRef *in,
                         unsigned count) {
  return asm_call(a, name, LLVMTypeOf(in[0]), in, count);
}

static Value make_quotient(const Making *m) {
  return LLVMBuildFDiv(m->a->builder, m->in[0], m->in[1], "");
}

static Value make_magnitude(const Making *m) { return math(m, "fabs", 1); }

// Of two zeros the negative one is the less; a NaN gives way, or not.
static Value extreme(const Making *m, const char *name) {
  LLVMValueRef *in = m->in, value = math(m, name, 2);
  if (!asm_has(m->i, "NaN"))
    return value;
  Value is_nan = LLVMBuildFCmp(m->a->builder, LLVMRealUNO, in[0], in[1], "");
  return chosen(m, is_nan, plus(m, in[0], in[1]), value);
}

static Value make_lesser(const Making *m) { return extreme(m, "fmin"); }

static Value make_greater(const Making *m) { return extreme(m, "fmax"); }

// The sum that becomes a half is not rounded before.
static Value make_fused(const Making *m) {
  return m->type.bits == 16 ? ours(m->a, "__gpuverify_number_fma_odd", m->in, 3)
                            : math(m, "fma", 3);
}

// The sign of the first, and the rest of the second.
static Value make_copy_sign(const Making *m) {
  LLVMValueRef turned[] = {m->in[1], m->in[0]};
  Making turning = {m->a, m->i, m->type, turned};
  return math(&turning, "copysign", 2);
}

static Value make_reciprocal(const Making *m) {
  Value one = LLVMConstReal(LLVMTypeOf(m->in[0]), 1);
  return LLVMBuildFDiv(m->a->builder, one, m->in[0], "");
}

#define FUNCTION(name, function)                                               \
  static Value make_##name(const Making *m) { return math(m, function, 1); }
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

// ------------------------------------------------------------ comparisons ---

static LLVMValueRef compare(Emitter *a, AsmType type, LLVMIntPredicate ints,
                            LLVMRealPredicate floats, LLVMValueRef x,
                            LLVMValueRef y) {
  return asm_is_float(type) ? LLVMBuildFCmp(a->builder, floats, x, y, "")
                            : LLVMBuildICmp(a->builder, ints, x, y, "");
}

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

// The first if the last is not negative: -0 is not, a NaN counts as negative.
void asm_emit_select_by_sign(Emitter *a, const AsmInstruction *i) {
  LLVMValueRef by = get_lane(a, i, 3, 0);
  LLVMValueRef is_first = compare(a, i->type, LLVMIntSGE, LLVMRealOGE, by,
                                  LLVMConstNull(LLVMTypeOf(by)));
  asm_put_bits(a, &i->operands[0],
               asm_choose(a, is_first, asm_bits_as(a, &i->operands[1], i->to),
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
#define VIDEO_OP(form, sources, function)                                      \
  OP(form, (sources) + 1, (sources) + 1, video, BOTH)
#define OP(form, fewest, most, function, who)                                  \
  {form, fewest, most, FOR_##who, NULL, NULL, asm_emit_##function},
#include "ptx/instructions.def"
};

// Into [0, 1] with .sat, of NaN 0; with .relu nothing below 0.
static LLVMValueRef clamp(Emitter *a, const AsmInstruction *i, AsmType type,
                          LLVMValueRef value) {
  LLVMTypeRef own = LLVMTypeOf(value);
  LLVMValueRef zero = LLVMConstNull(own);
  if (asm_has(i, "relu"))
    value = asm_choose(
        a, compare(a, type, LLVMIntSGT, LLVMRealUGT, value, zero), value, zero);
  if (!asm_has(i, "sat") || !asm_is_float(type))
    return value;
  LLVMValueRef one = LLVMConstReal(own, 1);
  value = asm_choose(a, LLVMBuildFCmp(a->builder, LLVMRealOGT, value, zero, ""),
                     value, zero);
  return asm_choose(a, LLVMBuildFCmp(a->builder, LLVMRealOLT, value, one, ""),
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
  return asm_choose(a, is_nan, asm_const(a, 32, INT32_MAX), bits);
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
  Making making = {a, i, type, in};
  LLVMValueRef value =
      rounding(i) ? rounded(a, i, type, in, sources) : row->of_lane(&making);
  value = clamp(a, i, type, value);
  LLVMValueRef bits = asm_bits_of(a, value, type);
  if (row->of_lane != make_neg && row->of_lane != make_magnitude &&
      row->of_lane !=
          make_copy_sign) // of a NaN, too, these change the sign alone
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
