// Instructions of inline assembly that compute floating-point numbers.
//
// What a float is the proof does not know; those of 16 bits are floats of LLVM
// here, and vectors of two.

#include "translator/from_llvm_assembly.h"

#include <string.h>

typedef LLVMValueRef Binary(LLVMBuilderRef, LLVMValueRef, LLVMValueRef,
                            const char *);

static const AsmType predicate = {'p', 1, 1};

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

// ------------------------------------------------------------ arithmetic ---

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

static bool emit_add(Emitter *m, const AsmInstruction *s) {
  return float_binary(m, s, s->type, "add", LLVMBuildFAdd, false);
}

static bool emit_sub(Emitter *m, const AsmInstruction *s) {
  return float_binary(m, s, s->type, "add", LLVMBuildFSub, true);
}

static bool emit_mul(Emitter *m, const AsmInstruction *s) {
  return float_binary(m, s, s->type, "mul", LLVMBuildFMul, false);
}

static bool emit_div(Emitter *m, const AsmInstruction *s) {
  return float_binary(m, s, s->type, "div", LLVMBuildFDiv, false);
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

static bool emit_neg(Emitter *m, const AsmInstruction *s) {
  LLVMValueRef value = get(m, s, 1, s->type);
  return value && only(s, "") &&
         put(m, s, s->type, LLVMBuildFNeg(m->builder, value, ""));
}

// Of each lane all bits but the sign.
static bool emit_abs(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type;
  unsigned bits = type.bits * type.lanes;
  uint64_t mask = type.bits == 64   ? INT64_MAX
                  : type.bits == 32 ? INT32_MAX
                  : type.lanes == 2 ? 0x7fff7fff
                                    : 0x7fff;
  LLVMValueRef value = get(m, s, 1, type);
  if (!value || !only(s, ""))
    return false;
  value = LLVMBuildBitCast(m->builder, value, asm_int(m, bits), "");
  value = LLVMBuildAnd(m->builder, value, asm_const(m, bits, mask), "");
  return put(m, s, type,
             LLVMBuildBitCast(m->builder, value, maker_type(m, type), ""));
}

static bool emit_extreme(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type;
  LLVMValueRef values[] = {get(m, s, 1, type), get(m, s, 2, type)};
  if (!values[0] || !values[1] || !only(s, "") || type.bits == 16)
    return false;
  const char *name = arena_printf(&m->task->arena, "llvm.nvvm.f%s.%s",
                                  s->words[0], type.bits == 64 ? "d" : "f");
  return put(m, s, type, asm_call(m, name, maker_type(m, type), values, 2));
}

// ----------------------------------------------------------- comparisons ---

static LLVMValueRef compared(Emitter *m, const AsmInstruction *s,
                             LLVMValueRef a, LLVMValueRef b) {
  static const struct {
    const char *name;
    LLVMRealPredicate how;
  } rows[] = {{"eq", LLVMRealOEQ},  {"ne", LLVMRealONE},  {"lt", LLVMRealOLT},
              {"le", LLVMRealOLE},  {"gt", LLVMRealOGT},  {"ge", LLVMRealOGE},
              {"equ", LLVMRealUEQ}, {"neu", LLVMRealUNE}, {"ltu", LLVMRealULT},
              {"leu", LLVMRealULE}, {"gtu", LLVMRealUGT}, {"geu", LLVMRealUGE},
              {"num", LLVMRealORD}, {"nan", LLVMRealUNO}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (s->word_count > 1 && !strcmp(s->words[1], rows[i].name))
      return LLVMBuildFCmp(m->builder, rows[i].how, a, b, "");
  return NULL;
}

// setp.lt.and.f32 p|q, a, b, c: p = (a < b) and c, q = not (a < b) and c
static bool emit_setp(Emitter *m, const AsmInstruction *s) {
  AsmType type = s->type;
  bool is_and = asm_has(s, "and"), is_or = asm_has(s, "or");
  bool is_xor = asm_has(s, "xor"), combines = is_and || is_or || is_xor;
  bool has_other = s->other->kind != OPERAND_NONE;
  if (s->operand_count != (combines ? 4u : 3u) || type.lanes != 1 ||
      !only(s,
            "eq ne lt le gt ge equ neu ltu leu gtu geu num nan "
            "and or xor"))
    return false;
  LLVMValueRef a = get(m, s, 1, type), b = get(m, s, 2, type);
  LLVMValueRef c = combines ? get(m, s, 3, predicate) : NULL;
  LLVMValueRef holds = a && b ? compared(m, s, a, b) : NULL;
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

// ----------------------------------------------------------- conversions ---

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
  return asm_is_float(to) && int_to_float(m, s, to, from, a);
}

// ----------------------------------------------------------------- table ---

typedef struct Row {
  const char *opcode;
  AsmEmit *emit;
  unsigned operands, types; // so many; 0: it looks itself
} Row;

static const Row rows[] = {
    {"add", emit_add, 3, 1},       {"sub", emit_sub, 3, 1},
    {"mul", emit_mul, 3, 1},       {"mad", emit_fma, 4, 1},
    {"fma", emit_fma, 4, 1},       {"div", emit_div, 3, 1},
    {"abs", emit_abs, 2, 1},       {"neg", emit_neg, 2, 1},
    {"min", emit_extreme, 3, 1},   {"max", emit_extreme, 3, 1},
    {"setp", emit_setp, 0, 1},     {"cvt", emit_cvt, 0, 2},
    {"ex2", emit_function, 2, 1},  {"lg2", emit_function, 2, 1},
    {"sin", emit_function, 2, 1},  {"cos", emit_function, 2, 1},
    {"tanh", emit_function, 2, 1}, {"rcp", emit_function, 2, 1},
    {"sqrt", emit_function, 2, 1}, {"rsqrt", emit_function, 2, 1},
};

static unsigned count_types(const AsmInstruction *s) {
  unsigned count = 0;
  AsmType type;
  for (unsigned i = 1; i < s->word_count; i++)
    count += asm_type(s->words[i], &type);
  return count;
}

bool asm_emit_float(Emitter *m, const AsmInstruction *s) {
  if (!asm_is_float(s->type) && !asm_is_float(s->to))
    return false;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i].opcode, s->words[0]))
      return count_types(s) == rows[i].types &&
             (!rows[i].operands || s->operand_count == rows[i].operands) &&
             rows[i].emit(m, s);
  return false;
}
