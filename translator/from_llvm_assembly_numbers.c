// Instructions of inline assembly that compute.

#include "translator/from_llvm_assembly.h"

#include <string.h>

typedef LLVMValueRef Binary(LLVMBuilderRef, LLVMValueRef, LLVMValueRef,
                            const char *);

static const AsmType predicate = {'p', 1, 1};

static AsmType unsigned_type(unsigned bits) { return (AsmType){'u', bits, 1}; }

// Operand `index` of the type; NULL if there is none.
static LLVMValueRef get(Emitter *m, const AsmInstruction *s, size_t index,
                        AsmType type) {
  return index < s->operand_count ? maker_get(m, &s->operands[index], type)
                                  : NULL;
}

static bool put(Emitter *m, const AsmInstruction *s, AsmType type,
                LLVMValueRef value) {
  return s->operand_count && maker_put(m, &s->operands[0], type, value);
}

static LLVMValueRef number(const Emitter *m, AsmType type, uint64_t value) {
  return LLVMConstInt(asm_int(m, type.bits), value, false);
}

static LLVMValueRef choose(const Emitter *m, LLVMValueRef condition,
                           LLVMValueRef yes, LLVMValueRef no) {
  return LLVMBuildSelect(m->builder, condition, yes, no, "");
}

static LLVMValueRef compare(const Emitter *m, LLVMIntPredicate how,
                            LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildICmp(m->builder, how, a, b, "");
}

// Are all parts of the opcode among these, or a type?
static bool only(const AsmInstruction *s, const char *parts) {
  for (unsigned i = 1; i < s->word_count; i++) {
    AsmType type;
    const char *at = strstr(parts, s->words[i]);
    size_t length = strlen(s->words[i]);
    bool is_listed = false;
    for (; at && !is_listed; at = strstr(at + 1, s->words[i]))
      is_listed =
          (at == parts || at[-1] == ' ') && (at[length] == ' ' || !at[length]);
    if (!is_listed && !asm_type(s->words[i], &type))
      return false;
  }
  return true;
}

// ------------------------------------------------------- floating point ---

static const char *rounding(const AsmInstruction *s) {
  static const char *const all[] = {"rz", "rm", "rp"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (asm_has(s, all[i]))
      return all[i];
  return "rn";
}

// One of the roundings or flushes that only an intrinsic has.
static bool is_special(const AsmInstruction *s) {
  return asm_has(s, "ftz") || strcmp(rounding(s), "rn") != 0;
}

static LLVMValueRef intrinsic(Emitter *m, const AsmInstruction *s,
                              const char *name, AsmType type,
                              LLVMValueRef *arguments, unsigned count) {
  const char *full = arena_printf(&m->task->arena, "llvm.nvvm.%s.%s%s.%s", name,
                                  rounding(s), asm_has(s, "ftz") ? ".ftz" : "",
                                  type.bits == 64 ? "d" : "f");
  return asm_call(m, full, maker_type(m, type), arguments, count);
}

static LLVMValueRef saturated(Emitter *m, const AsmInstruction *s, AsmType type,
                              LLVMValueRef value) {
  if (!asm_has(s, "sat"))
    return value;
  return type.kind == 'f' && type.bits == 32
             ? asm_call(m, "llvm.nvvm.saturate.f", LLVMTypeOf(value), &value, 1)
             : NULL;
}

// fma(a, b, c); a product alone is one instruction of LLVM.
static LLVMValueRef fused(Emitter *m, AsmType type, LLVMValueRef *values) {
  static const struct {
    char kind;
    unsigned bits, lanes;
    const char *name;
  } rows[] = {{'f', 32, 1, "llvm.fma.f32"},  {'f', 64, 1, "llvm.fma.f64"},
              {'f', 16, 1, "llvm.fma.f16"},  {'f', 16, 2, "llvm.fma.v2f16"},
              {'e', 16, 1, "llvm.fma.bf16"}, {'e', 16, 2, "llvm.fma.v2bf16"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].kind == type.kind && rows[i].bits == type.bits &&
        rows[i].lanes == type.lanes)
      return asm_call(m, rows[i].name, maker_type(m, type), values, 3);
  return NULL;
}

static bool float_binary(Emitter *m, const AsmInstruction *s, AsmType type,
                         const char *name, Binary *plain, bool is_minus) {
  LLVMValueRef values[] = {get(m, s, 1, type), get(m, s, 2, type)};
  if (!values[0] || !values[1] || !only(s, "rn rz rm rp ftz sat full approx") ||
      (is_special(s) && type.bits == 16))
    return false;
  if (!is_special(s))
    return put(
        m, s, type,
        saturated(m, s, type, plain(m->builder, values[0], values[1], "")));
  if (is_minus)
    values[1] = LLVMBuildFNeg(m->builder, values[1], "");
  return put(m, s, type,
             saturated(m, s, type, intrinsic(m, s, name, type, values, 2)));
}

static bool emit_fma(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type;
  LLVMValueRef values[] = {get(m, s, 1, type), get(m, s, 2, type),
                           get(m, s, 3, type)};
  if (!asm_is_float(type) || !values[0] || !values[1] || !values[2] ||
      !only(s, "rn rz rm rp ftz sat") || (is_special(s) && type.bits == 16))
    return false;
  LLVMValueRef value = is_special(s) ? intrinsic(m, s, "fma", type, values, 3)
                                     : fused(m, type, values);
  return value && put(m, s, type, saturated(m, s, type, value));
}

// ex2.approx.ftz.f32, rcp.rn.f64: by the intrinsic of that name.
static bool emit_function(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type;
  LLVMValueRef value = get(m, s, 1, type);
  bool is_approximate = asm_has(s, "approx");
  const char *behind = type.bits == 64 ? "d" : "f";
  if (!value || type.kind != 'f' || type.bits < 32 ||
      !only(s, "approx ftz rn rz rm rp"))
    return false;
  if (asm_is(s, "ex2") || asm_is(s, "tanh"))
    behind = "f32";
  const char *name =
      arena_printf(&m->task->arena, "llvm.nvvm.%s.%s%s.%s", s->words[0],
                   is_approximate ? "approx" : rounding(s),
                   asm_has(s, "ftz") ? ".ftz" : "", behind);
  if (is_approximate && !strcmp(name, "llvm.nvvm.rcp.approx.f"))
    name = "llvm.nvvm.rcp.rn.f";
  return put(m, s, type, asm_call(m, name, maker_type(m, type), &value, 1));
}

// ------------------------------------------------------------ arithmetic ---

// Where a carry goes in or out, the sum is one bit wider.  One that comes from
// an earlier asm statement is not known.
static bool with_carry(Emitter *m, const AsmInstruction *s, AsmType type,
                       LLVMValueRef a, LLVMValueRef b, Binary *operation) {
  LLVMTypeRef wide = asm_int(m, type.bits + 1);
  size_t length = strlen(s->words[0]);
  LLVMValueRef sum =
      operation(m->builder, LLVMBuildZExt(m->builder, a, wide, ""),
                LLVMBuildZExt(m->builder, b, wide, ""), "");
  bool takes = s->words[0][length - 1] == 'c'; // addc, subc, madc
  if (takes && !m->has_carry)
    return false;
  if (takes) {
    LLVMValueRef carry =
        LLVMBuildLoad2(m->builder, asm_int(m, 1), m->carry, "");
    sum = operation(m->builder, sum, LLVMBuildZExt(m->builder, carry, wide, ""),
                    "");
  }
  if (asm_has(s, "cc")) {
    if (!m->carry)
      m->carry = LLVMBuildAlloca(m->entry, asm_int(m, 1), "");
    LLVMValueRef high = LLVMBuildLShr(m->builder, sum,
                                      LLVMConstInt(wide, type.bits, false), "");
    LLVMBuildStore(m->builder,
                   LLVMBuildTrunc(m->builder, high, asm_int(m, 1), ""),
                   m->carry);
    m->has_carry |= s->guard == NO_REGISTER;
  }
  return put(m, s, type,
             LLVMBuildTrunc(m->builder, sum, asm_int(m, type.bits), ""));
}

static bool emit_add(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type;
  bool is_minus = s->words[0][0] == 's';
  if (asm_is_float(type))
    return float_binary(m, s, type, "add",
                        is_minus ? LLVMBuildFSub : LLVMBuildFAdd, is_minus);
  LLVMValueRef a = get(m, s, 1, type), b = get(m, s, 2, type);
  return type.kind && a && b && only(s, "cc") &&
         with_carry(m, s, type, a, b, is_minus ? LLVMBuildSub : LLVMBuildAdd);
}

static LLVMValueRef widened(const Emitter *m, AsmType type, LLVMValueRef a) {
  return LLVMBuildIntCast2(m->builder, a, asm_int(m, 2 * type.bits),
                           type.kind == 's', "");
}

// The lower, the higher, or both halves of a product; NULL if neither is said.
static LLVMValueRef product(Emitter *m, const AsmInstruction *s, AsmType type,
                            LLVMValueRef a, LLVMValueRef b) {
  if (asm_has(s, "lo"))
    return LLVMBuildMul(m->builder, a, b, "");
  LLVMValueRef both =
      LLVMBuildMul(m->builder, widened(m, type, a), widened(m, type, b), "");
  if (asm_has(s, "wide"))
    return type.bits < 64 ? both : NULL;
  LLVMValueRef high = LLVMBuildLShr(
      m->builder, both, LLVMConstInt(LLVMTypeOf(both), type.bits, false), "");
  return asm_has(s, "hi")
             ? LLVMBuildTrunc(m->builder, high, asm_int(m, type.bits), "")
             : NULL;
}

static AsmType product_type(const AsmInstruction *s, AsmType type) {
  if (asm_has(s, "wide"))
    type.bits *= 2;
  return type;
}

static bool emit_mul(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type;
  if (asm_is_float(type))
    return float_binary(m, s, type, "mul", LLVMBuildFMul, false);
  LLVMValueRef a = get(m, s, 1, type), b = get(m, s, 2, type);
  return type.kind && a && b && only(s, "lo hi wide") &&
         put(m, s, product_type(s, type), product(m, s, type, a, b));
}

static bool emit_mad(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type;
  if (asm_is_float(type))
    return emit_fma(m, s);
  LLVMValueRef a = get(m, s, 1, type), b = get(m, s, 2, type);
  LLVMValueRef c = get(m, s, 3, product_type(s, type));
  if (!type.kind || !a || !b || !c || !only(s, "lo hi wide cc"))
    return false;
  LLVMValueRef both = product(m, s, type, a, b);
  return both && with_carry(m, s, product_type(s, type), both, c, LLVMBuildAdd);
}

// Nothing traps: a division by zero gives all ones, and the smallest number
// divided by -1 is itself.
static LLVMValueRef quotient(const Emitter *m, AsmType type, LLVMValueRef a,
                             LLVMValueRef b, bool is_rest) {
  LLVMValueRef zero = number(m, type, 0);
  LLVMValueRef all = LLVMConstAllOnes(LLVMTypeOf(b));
  LLVMValueRef is_zero = compare(m, LLVMIntEQ, b, zero);
  LLVMValueRef is_minus = compare(m, LLVMIntEQ, b, all);
  LLVMValueRef by = choose(m, is_zero, number(m, type, 1), b);
  if (type.kind != 's')
    return choose(
        m, is_zero, all,
        (is_rest ? LLVMBuildURem : LLVMBuildUDiv)(m->builder, a, by, ""));
  by = choose(m, is_minus, number(m, type, 1), by);
  LLVMValueRef value =
      (is_rest ? LLVMBuildSRem : LLVMBuildSDiv)(m->builder, a, by, "");
  if (!is_rest)
    value = choose(m, is_minus, LLVMBuildNeg(m->builder, a, ""), value);
  return choose(m, is_zero, all, value);
}

static bool emit_div(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type;
  bool is_rest = s->words[0][0] == 'r';
  if (asm_is_float(type))
    return !is_rest && float_binary(m, s, type, "div", LLVMBuildFDiv, false);
  LLVMValueRef a = get(m, s, 1, type), b = get(m, s, 2, type);
  return type.kind && a && b && only(s, "") &&
         put(m, s, type, quotient(m, type, a, b, is_rest));
}

static LLVMValueRef magnitude(Emitter *m, AsmType type, LLVMValueRef a) {
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(a));
  if (!asm_is_float(type))
    return choose(m, compare(m, LLVMIntSLT, a, zero),
                  LLVMBuildNeg(m->builder, a, ""), a);
  AsmType bits = unsigned_type(type.bits * type.lanes);
  uint64_t mask = type.bits == 64   ? INT64_MAX
                  : type.bits == 32 ? INT32_MAX
                  : type.lanes == 2 ? 0x7fff7fff
                                    : 0x7fff;
  LLVMValueRef whole =
      LLVMBuildBitCast(m->builder, a, asm_int(m, bits.bits), "");
  whole = LLVMBuildAnd(m->builder, whole, number(m, bits, mask), "");
  return LLVMBuildBitCast(m->builder, whole, LLVMTypeOf(a), "");
}

static bool emit_unary(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type;
  LLVMValueRef a = get(m, s, 1, type);
  if (!type.kind || !a || !only(s, ""))
    return false;
  if (asm_is(s, "abs"))
    return put(m, s, type, magnitude(m, type, a));
  if (asm_is(s, "neg"))
    return put(m, s, type,
               asm_is_float(type) ? LLVMBuildFNeg(m->builder, a, "")
                                  : LLVMBuildNeg(m->builder, a, ""));
  if (asm_is_float(type))
    return false;
  if (asm_is(s, "not"))
    return put(m, s, type, LLVMBuildNot(m->builder, a, ""));
  LLVMValueRef zero = number(m, type, 0); // cnot
  return put(m, s, type,
             LLVMBuildZExt(m->builder, compare(m, LLVMIntEQ, a, zero),
                           asm_int(m, type.bits), ""));
}

static bool emit_extreme(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type;
  LLVMValueRef values[] = {get(m, s, 1, type), get(m, s, 2, type)};
  bool is_max = asm_is(s, "max");
  if (!type.kind || !values[0] || !values[1] || !only(s, ""))
    return false;
  if (asm_is_float(type)) {
    const char *name =
        arena_printf(&m->task->arena, "llvm.nvvm.%s.%s",
                     is_max ? "fmax" : "fmin", type.bits == 64 ? "d" : "f");
    return type.bits > 16 &&
           put(m, s, type, asm_call(m, name, maker_type(m, type), values, 2));
  }
  LLVMIntPredicate how = type.kind == 's' ? is_max ? LLVMIntSGT : LLVMIntSLT
                                          : (is_max ? LLVMIntUGT : LLVMIntULT);
  return put(
      m, s, type,
      choose(m, compare(m, how, values[0], values[1]), values[0], values[1]));
}

// ------------------------------------------------------------------ bits ---

static bool emit_logic(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type;
  LLVMValueRef a = get(m, s, 1, type), b = get(m, s, 2, type);
  Binary *operation = s->words[0][0] == 'a'   ? LLVMBuildAnd
                      : s->words[0][0] == 'o' ? LLVMBuildOr
                                              : LLVMBuildXor;
  return type.kind && !asm_is_float(type) && a && b && only(s, "") &&
         put(m, s, type, operation(m->builder, a, b, ""));
}

// Beyond the width nothing is left, or copies of the sign.
static LLVMValueRef shifted(const Emitter *m, Binary *operation, LLVMValueRef a,
                            LLVMValueRef by, bool is_signed) {
  LLVMTypeRef type = LLVMTypeOf(a);
  unsigned bits = LLVMGetIntTypeWidth(type);
  LLVMValueRef last = LLVMConstInt(type, bits - 1, false);
  LLVMValueRef fits = compare(m, LLVMIntULE, by, last);
  LLVMValueRef safe = choose(m, fits, by, last);
  LLVMValueRef value = operation(m->builder, a, safe, "");
  return is_signed ? value : choose(m, fits, value, LLVMConstNull(type));
}

static bool emit_shift(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type;
  LLVMValueRef a = get(m, s, 1, type), by = get(m, s, 2, unsigned_type(32));
  bool is_left = asm_is(s, "shl"), is_signed = type.kind == 's';
  if (!type.kind || asm_is_float(type) || !a || !by || !only(s, ""))
    return false;
  if (type.bits < 32) // the amount is not cut down
    by = choose(m,
                compare(m, LLVMIntULT, by,
                        LLVMConstInt(LLVMTypeOf(by), type.bits, false)),
                by, LLVMConstInt(LLVMTypeOf(by), type.bits, false));
  by = LLVMBuildIntCast2(m->builder, by, asm_int(m, type.bits), false, "");
  Binary *right = is_signed ? LLVMBuildAShr : LLVMBuildLShr;
  return put(
      m, s, type,
      shifted(m, is_left ? LLVMBuildShl : right, a, by, is_signed && !is_left));
}

// shf.{l,r}.{wrap,clamp}.b32 d, low, high, amount
static bool emit_funnel(Emitter *m, const AsmInstruction *s) {
  AsmType type = unsigned_type(32);
  LLVMValueRef low = get(m, s, 1, type), high = get(m, s, 2, type);
  LLVMValueRef by = get(m, s, 3, type);
  bool is_left = asm_has(s, "l"), wraps = asm_has(s, "wrap");
  if (!low || !high || !by || s->type.bits != 32 ||
      !only(s, "l r wrap clamp") || is_left == asm_has(s, "r") ||
      wraps == asm_has(s, "clamp"))
    return false;
  LLVMTypeRef wide = asm_int(m, 64);
  LLVMValueRef limit = number(m, type, 32);
  by = wraps ? LLVMBuildAnd(m->builder, by, number(m, type, 31), "")
             : choose(m, compare(m, LLVMIntULT, by, limit), by, limit);
  by = LLVMBuildZExt(m->builder, by, wide, "");
  LLVMValueRef both = LLVMBuildOr(
      m->builder,
      LLVMBuildShl(m->builder, LLVMBuildZExt(m->builder, high, wide, ""),
                   LLVMConstInt(wide, 32, false), ""),
      LLVMBuildZExt(m->builder, low, wide, ""), "");
  LLVMValueRef value =
      is_left
          ? LLVMBuildLShr(m->builder, LLVMBuildShl(m->builder, both, by, ""),
                          LLVMConstInt(wide, 32, false), "")
          : LLVMBuildLShr(m->builder, both, by, "");
  return put(m, s, type, LLVMBuildTrunc(m->builder, value, asm_int(m, 32), ""));
}

// lop3.b32 d, a, b, c, table: bit 4a + 2b + c of the table.
static bool emit_lop3(Emitter *m, const AsmInstruction *s) {
  AsmType type = unsigned_type(32);
  LLVMValueRef in[] = {get(m, s, 1, type), get(m, s, 2, type),
                       get(m, s, 3, type)};
  LLVMValueRef table = get(m, s, 4, type), result = number(m, type, 0);
  if (!in[0] || !in[1] || !in[2] || !table || s->other->kind != OPERAND_NONE ||
      !only(s, "") || !LLVMIsConstant(table))
    return false;
  for (unsigned row = 0; row < 8; row++) {
    if (!(LLVMConstIntGetZExtValue(table) >> row & 1))
      continue;
    LLVMValueRef all = number(m, type, UINT32_MAX);
    for (unsigned i = 0; i < 3; i++) {
      bool is_set = row >> (2 - i) & 1;
      LLVMValueRef own = is_set ? in[i] : LLVMBuildNot(m->builder, in[i], "");
      all = LLVMBuildAnd(m->builder, all, own, "");
    }
    result = LLVMBuildOr(m->builder, result, all, "");
  }
  return put(m, s, type, result);
}

static LLVMValueRef counted(Emitter *m, const char *name, AsmType type,
                            LLVMValueRef a) {
  LLVMValueRef arguments[] = {a, LLVMConstNull(asm_int(m, 1))};
  const char *full =
      arena_printf(&m->task->arena, "llvm.%s.i%u", name, type.bits);
  return asm_call(m, full, LLVMTypeOf(a), arguments,
                  !strcmp(name, "ctlz") ? 2 : 1);
}

// Leading zeros, ones, and the bits in reverse.
static bool emit_count(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type, result = unsigned_type(32);
  LLVMValueRef a = get(m, s, 1, type);
  bool is_reverse = asm_is(s, "brev");
  if (type.kind != 'b' || type.bits < 32 || !a || !only(s, ""))
    return false;
  LLVMValueRef value = counted(m,
                               is_reverse          ? "bitreverse"
                               : asm_is(s, "popc") ? "ctpop"
                                                   : "ctlz",
                               type, a);
  if (is_reverse)
    return put(m, s, type, value);
  return put(m, s, result,
             LLVMBuildTrunc(m->builder, value, asm_int(m, 32), ""));
}

// The highest bit that is set, or of a negative number that is not.
static bool emit_find(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type;
  LLVMValueRef a = get(m, s, 1, type);
  if (!type.kind || type.bits < 32 || asm_is_float(type) || !a ||
      !only(s, "shiftamt"))
    return false;
  LLVMValueRef zero = number(m, type, 0);
  if (type.kind == 's')
    a = choose(m, compare(m, LLVMIntSLT, a, zero),
               LLVMBuildNot(m->builder, a, ""), a);
  LLVMValueRef leading = LLVMBuildTrunc(m->builder, counted(m, "ctlz", type, a),
                                        asm_int(m, 32), "");
  LLVMValueRef place =
      asm_has(s, "shiftamt")
          ? leading
          : LLVMBuildSub(m->builder,
                         number(m, unsigned_type(32), type.bits - 1), leading,
                         "");
  return put(m, s, unsigned_type(32),
             choose(m, compare(m, LLVMIntEQ, a, zero),
                    number(m, unsigned_type(32), UINT32_MAX), place));
}

static bool emit_permute(Emitter *m, const AsmInstruction *s) {
  AsmType type = unsigned_type(32);
  LLVMValueRef in[] = {get(m, s, 1, type), get(m, s, 2, type),
                       get(m, s, 3, type)};
  return in[0] && in[1] && in[2] && only(s, "") &&
         put(m, s, type, asm_call(m, "llvm.nvvm.prmt", asm_int(m, 32), in, 3));
}

// The lowest byte of a 32-bit number, and no more than the width.
static LLVMValueRef byte_of(const Emitter *m, LLVMValueRef a,
                            LLVMTypeRef type) {
  a = LLVMBuildAnd(m->builder, a, LLVMConstInt(LLVMTypeOf(a), 255, false), "");
  return LLVMBuildIntCast2(m->builder, a, type, false, "");
}

// bfe.u32 d, a, position, length.  The signed one needs the sign beyond the
// end; it is left alone.
static bool emit_extract(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type;
  LLVMValueRef a = get(m, s, 1, type), at = get(m, s, 2, unsigned_type(32));
  LLVMValueRef length = get(m, s, 3, unsigned_type(32));
  if (type.kind != 'u' || type.bits < 32 || !a || !at || !length ||
      !only(s, ""))
    return false;
  LLVMTypeRef own = LLVMTypeOf(a);
  LLVMValueRef field = shifted(m, LLVMBuildLShr, a, byte_of(m, at, own), false);
  LLVMValueRef rest = shifted(m, LLVMBuildShl, LLVMConstAllOnes(own),
                              byte_of(m, length, own), false);
  return put(
      m, s, type,
      LLVMBuildAnd(m->builder, field, LLVMBuildNot(m->builder, rest, ""), ""));
}

// bfi.b32 d, a, b, position, length: a goes into b.
static bool emit_insert(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type, word = unsigned_type(32);
  LLVMValueRef a = get(m, s, 1, type), b = get(m, s, 2, type);
  LLVMValueRef at = get(m, s, 3, word), length = get(m, s, 4, word);
  if (type.kind != 'b' || type.bits < 32 || !a || !b || !at || !length ||
      !only(s, ""))
    return false;
  LLVMTypeRef own = LLVMTypeOf(a);
  LLVMValueRef place = byte_of(m, at, own);
  LLVMValueRef low =
      LLVMBuildNot(m->builder,
                   shifted(m, LLVMBuildShl, LLVMConstAllOnes(own),
                           byte_of(m, length, own), false),
                   "");
  LLVMValueRef mask = shifted(m, LLVMBuildShl, low, place, false);
  LLVMValueRef in = LLVMBuildAnd(
      m->builder, shifted(m, LLVMBuildShl, a, place, false), mask, "");
  LLVMValueRef out =
      LLVMBuildAnd(m->builder, b, LLVMBuildNot(m->builder, mask, ""), "");
  return put(m, s, type, LLVMBuildOr(m->builder, in, out, ""));
}

// bmsk.clamp.b32 d, position, length: so many ones from there on.
static bool emit_mask(Emitter *m, const AsmInstruction *s) {
  AsmType word = unsigned_type(32);
  LLVMValueRef at = get(m, s, 1, word), length = get(m, s, 2, word);
  bool wraps = asm_has(s, "wrap");
  if (s->type.bits != 32 || !at || !length || wraps == asm_has(s, "clamp") ||
      !only(s, "clamp wrap"))
    return false;
  if (wraps) {
    at = LLVMBuildAnd(m->builder, at, number(m, word, 31), "");
    length = LLVMBuildAnd(m->builder, length, number(m, word, 31), "");
  }
  LLVMValueRef all = LLVMConstAllOnes(LLVMTypeOf(at));
  LLVMValueRef ones = LLVMBuildNot(
      m->builder, shifted(m, LLVMBuildShl, all, length, false), "");
  return put(m, s, word, shifted(m, LLVMBuildShl, ones, at, false));
}

// ----------------------------------------------------------- comparisons ---

typedef struct Comparison {
  const char *name;
  LLVMIntPredicate of_signed, of_unsigned;
  LLVMRealPredicate of_float;
} Comparison;

static const Comparison comparisons[] = {
    {"eq", LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ},
    {"ne", LLVMIntNE, LLVMIntNE, LLVMRealONE},
    {"lt", LLVMIntSLT, LLVMIntULT, LLVMRealOLT},
    {"le", LLVMIntSLE, LLVMIntULE, LLVMRealOLE},
    {"gt", LLVMIntSGT, LLVMIntUGT, LLVMRealOGT},
    {"ge", LLVMIntSGE, LLVMIntUGE, LLVMRealOGE},
    {"lo", LLVMIntULT, LLVMIntULT, LLVMRealPredicateFalse},
    {"ls", LLVMIntULE, LLVMIntULE, LLVMRealPredicateFalse},
    {"hi", LLVMIntUGT, LLVMIntUGT, LLVMRealPredicateFalse},
    {"hs", LLVMIntUGE, LLVMIntUGE, LLVMRealPredicateFalse},
    {"equ", 0, 0, LLVMRealUEQ},
    {"neu", 0, 0, LLVMRealUNE},
    {"ltu", 0, 0, LLVMRealULT},
    {"leu", 0, 0, LLVMRealULE},
    {"gtu", 0, 0, LLVMRealUGT},
    {"geu", 0, 0, LLVMRealUGE},
    {"num", 0, 0, LLVMRealORD},
    {"nan", 0, 0, LLVMRealUNO},
};

static LLVMValueRef compared(Emitter *m, const AsmInstruction *s, AsmType type,
                             LLVMValueRef a, LLVMValueRef b) {
  for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
    const Comparison *row = &comparisons[i];
    if (s->word_count < 2 || strcmp(s->words[1], row->name) != 0)
      continue;
    if (asm_is_float(type))
      return row->of_float == LLVMRealPredicateFalse || asm_has(s, "ftz")
                 ? NULL
                 : LLVMBuildFCmp(m->builder, row->of_float, a, b, "");
    return row->of_signed
               ? compare(m,
                         type.kind == 's' ? row->of_signed : row->of_unsigned,
                         a, b)
               : NULL;
  }
  return NULL;
}

// setp.lt.and.s32 p|q, a, b, c: p = (a < b) and c, q = not (a < b) and c
static bool emit_setp(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type;
  bool is_and = asm_has(s, "and"), is_or = asm_has(s, "or");
  bool is_xor = asm_has(s, "xor"), combines = is_and || is_or || is_xor;
  bool has_other = s->other->kind != OPERAND_NONE;
  if (s->operand_count != (combines ? 4u : 3u) || type.lanes != 1 ||
      !only(s,
            "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan "
            "and or xor"))
    return false;
  LLVMValueRef a = get(m, s, 1, type), b = get(m, s, 2, type);
  LLVMValueRef c = combines ? get(m, s, 3, predicate) : NULL;
  LLVMValueRef holds = a && b ? compared(m, s, type, a, b) : NULL;
  if (!holds || (combines && !c))
    return false;
  for (unsigned i = 0; i < 1u + has_other; i++) {
    LLVMValueRef value = i ? LLVMBuildNot(m->builder, holds, "") : holds;
    if (combines)
      value = (is_and  ? LLVMBuildAnd
               : is_or ? LLVMBuildOr
                       : LLVMBuildXor)(m->builder, value, c, "");
    if (!maker_put(m, i ? s->other : s->operands, predicate, value))
      return false;
  }
  return true;
}

static bool emit_selp(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type;
  LLVMValueRef a = get(m, s, 1, type), b = get(m, s, 2, type);
  LLVMValueRef p = get(m, s, 3, predicate);
  return type.kind && a && b && p && only(s, "") &&
         put(m, s, type, choose(m, p, a, b));
}

// ----------------------------------------------------------------- moves ---

// mov.b64 d, {low, high}
static bool pack(Emitter *m, const AsmInstruction *s, AsmType type) {
  const Operand *list = &s->operands[1];
  AsmType part = unsigned_type(type.bits / (unsigned)list->count);
  LLVMTypeRef whole = asm_int(m, type.bits);
  LLVMValueRef value = LLVMConstNull(whole);
  for (unsigned i = 0; i < list->count; i++) {
    LLVMValueRef own = maker_get(m, &list->items[i], part);
    if (!own)
      return false;
    own = LLVMBuildShl(m->builder, LLVMBuildZExt(m->builder, own, whole, ""),
                       LLVMConstInt(whole, i * part.bits, false), "");
    value = LLVMBuildOr(m->builder, value, own, "");
  }
  return put(m, s, type, value);
}

static bool unpack(Emitter *m, const AsmInstruction *s, AsmType type) {
  const Operand *list = &s->operands[0];
  AsmType part = unsigned_type(type.bits / (unsigned)list->count);
  LLVMValueRef value = get(m, s, 1, type);
  for (unsigned i = 0; i < list->count && value; i++) {
    LLVMValueRef own =
        LLVMBuildLShr(m->builder, value, number(m, type, i * part.bits), "");
    own = LLVMBuildTrunc(m->builder, own, asm_int(m, part.bits), "");
    if (!maker_put(m, &list->items[i], part, own))
      return false;
  }
  return value != NULL;
}

static bool emit_mov(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type;
  if (s->operand_count != 2 || !type.kind || !only(s, ""))
    return false;
  for (size_t i = 0; i < 2; i++) {
    const Operand *list = &s->operands[i];
    if (list->kind != OPERAND_LIST)
      continue;
    bool is_even = list->count == 2 || list->count == 4;
    return is_even && type.kind == 'b' && type.bits / list->count >= 8 &&
           (i ? pack(m, s, type) : unpack(m, s, type));
  }
  return put(m, s, type, get(m, s, 1, type));
}

// ----------------------------------------------------------- conversions ---

static bool int_to_int(Emitter *m, const AsmInstruction *s, AsmType to,
                       AsmType from, LLVMValueRef a) {
  LLVMTypeRef type = asm_int(m, to.bits);
  return only(s, "") &&
         put(m, s, to,
             LLVMBuildIntCast2(m->builder, a, type, from.kind == 's', ""));
}

static bool int_to_float(Emitter *m, const AsmInstruction *s, AsmType to,
                         AsmType from, LLVMValueRef a) {
  LLVMTypeRef type = maker_type(m, to);
  return only(s, "rn") &&
         put(m, s, to,
             from.kind == 's' ? LLVMBuildSIToFP(m->builder, a, type, "")
                              : LLVMBuildUIToFP(m->builder, a, type, ""));
}

// cvt.rzi.s32.f32 is llvm.nvvm.f2i.rz.
static bool float_to_int(Emitter *m, const AsmInstruction *s, AsmType to,
                         AsmType from, LLVMValueRef a) {
  static const char *const roundings[] = {"rni", "rzi", "rmi", "rpi"};
  const char *rounding = NULL;
  for (size_t i = 0; i < sizeof roundings / sizeof *roundings; i++)
    if (asm_has(s, roundings[i]))
      rounding = roundings[i];
  if (!rounding || to.bits < 32 || !only(s, "rni rzi rmi rpi ftz"))
    return false;
  if (from.bits == 16) {
    a = LLVMBuildFPExt(m->builder, a, LLVMFloatTypeInContext(m->context), "");
    from.bits = 32;
  }
  const char *name = arena_printf(
      &m->task->arena, "llvm.nvvm.%c2%s%s.%.2s%s", from.bits == 64 ? 'd' : 'f',
      to.kind == 's' ? "" : "u", to.bits == 64 ? "ll" : "i", rounding,
      asm_has(s, "ftz") ? ".ftz" : "");
  return put(m, s, to, asm_call(m, name, asm_int(m, to.bits), &a, 1));
}

static bool float_to_float(Emitter *m, const AsmInstruction *s, AsmType to,
                           AsmType from, LLVMValueRef a) {
  LLVMTypeRef type = maker_type(m, to);
  if (is_special(s) || !only(s, "rn"))
    return false;
  if (to.bits > from.bits)
    return put(m, s, to, LLVMBuildFPExt(m->builder, a, type, ""));
  return to.bits < from.bits &&
         put(m, s, to, LLVMBuildFPTrunc(m->builder, a, type, ""));
}

// cvt.rn.f16x2.f32 d, high, low
static bool pair_of_halves(Emitter *m, const AsmInstruction *s, AsmType to) {
  AsmType lane = {to.kind, 16, 1}, single = {'f', 32, 1};
  LLVMValueRef high = get(m, s, 1, single), low = get(m, s, 2, single);
  LLVMTypeRef type = maker_type(m, lane), i32 = asm_int(m, 32);
  if (!high || !low || !only(s, "rn") || s->operand_count != 3)
    return false;
  LLVMValueRef both = LLVMGetPoison(maker_type(m, to));
  both = LLVMBuildInsertElement(m->builder, both,
                                LLVMBuildFPTrunc(m->builder, low, type, ""),
                                LLVMConstInt(i32, 0, false), "");
  both = LLVMBuildInsertElement(m->builder, both,
                                LLVMBuildFPTrunc(m->builder, high, type, ""),
                                LLVMConstInt(i32, 1, false), "");
  return put(m, s, to, both);
}

static bool emit_cvt(Emitter *m, const AsmInstruction *s) {
  AsmType to = s->to, from = s->type;
  if (!to.kind || !from.kind)
    return false;
  if (to.lanes == 2)
    return pair_of_halves(m, s, to);
  LLVMValueRef a = get(m, s, 1, from);
  if (!a || s->operand_count != 2)
    return false;
  if (asm_is_float(from))
    return asm_is_float(to) ? float_to_float(m, s, to, from, a)
                            : float_to_int(m, s, to, from, a);
  return asm_is_float(to) ? int_to_float(m, s, to, from, a)
                          : int_to_int(m, s, to, from, a);
}

// ----------------------------------------------------------------- table ---

typedef struct Row {
  const char *opcode;
  AsmEmit *emit;
  unsigned operands, types; // so many; 0: it looks itself
} Row;

static const Row rows[] = {
    {"add", emit_add, 3, 1},        {"addc", emit_add, 3, 1},
    {"sub", emit_add, 3, 1},        {"subc", emit_add, 3, 1},
    {"mul", emit_mul, 3, 1},        {"mad", emit_mad, 4, 1},
    {"madc", emit_mad, 4, 1},       {"fma", emit_fma, 4, 1},
    {"div", emit_div, 3, 1},        {"rem", emit_div, 3, 1},
    {"abs", emit_unary, 2, 1},      {"neg", emit_unary, 2, 1},
    {"not", emit_unary, 2, 1},      {"cnot", emit_unary, 2, 1},
    {"min", emit_extreme, 3, 1},    {"max", emit_extreme, 3, 1},
    {"and", emit_logic, 3, 1},      {"or", emit_logic, 3, 1},
    {"xor", emit_logic, 3, 1},      {"shl", emit_shift, 3, 1},
    {"shr", emit_shift, 3, 1},      {"shf", emit_funnel, 4, 1},
    {"lop3", emit_lop3, 5, 1},      {"popc", emit_count, 2, 1},
    {"clz", emit_count, 2, 1},      {"brev", emit_count, 2, 1},
    {"bfind", emit_find, 2, 1},     {"prmt", emit_permute, 4, 1},
    {"bfe", emit_extract, 4, 1},    {"bfi", emit_insert, 5, 1},
    {"bmsk", emit_mask, 3, 1},      {"setp", emit_setp, 0, 1},
    {"selp", emit_selp, 4, 1},      {"mov", emit_mov, 2, 1},
    {"cvt", emit_cvt, 0, 2},        {"ex2", emit_function, 2, 1},
    {"lg2", emit_function, 2, 1},   {"sin", emit_function, 2, 1},
    {"cos", emit_function, 2, 1},   {"tanh", emit_function, 2, 1},
    {"rcp", emit_function, 2, 1},   {"sqrt", emit_function, 2, 1},
    {"rsqrt", emit_function, 2, 1},
};

static unsigned count_types(const AsmInstruction *s) {
  unsigned count = 0;
  AsmType type;
  for (unsigned i = 1; i < s->word_count; i++)
    count += asm_type(s->words[i], &type);
  return count;
}

bool asm_emit_number(Emitter *m, const AsmInstruction *s) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i].opcode, s->words[0]))
      return count_types(s) == rows[i].types &&
             (!rows[i].operands || s->operand_count == rows[i].operands) &&
             rows[i].emit(m, s);
  return false;
}
