// Comparisons of inline assembly, and choices by them.

#include "ptx/emit.h"

#include <assert.h>
#include <string.h>

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

static const Relation *relation_of(const AsmInstruction *i) {
  for (size_t r = 0; r < sizeof relations / sizeof *relations; r++)
    if (asm_has(i, relations[r].word))
      return &relations[r];
  return NULL;
}

LLVMValueRef asm_related(Emitter *a, const AsmInstruction *i, AsmType type,
                         LLVMValueRef x, LLVMValueRef y) {
  const Relation *relation = relation_of(i);
  assert(relation); // each form that comes here has one
  return compare(a, type,
                 type.kind == 's' ? relation->of_signed : relation->of_unsigned,
                 relation->of_floats, x, y);
}

static LLVMValueRef relate(Emitter *a, const AsmInstruction *i, unsigned lane) {
  LLVMValueRef x = asm_lane(a, i, 1, lane);
  return asm_related(a, i, i->type, x, asm_lane(a, i, 2, lane));
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
  LLVMValueRef by = asm_lane(a, i, 3, 0);
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
