// Arithmetic of inline assembly: what is computed from registers alone.
//
// ptx_ops.def has a row an opcode.  Most are computed lane by lane, in the type
// that the opcode names; the others look at their operands themselves.  Floats
// are computed by the host: approximate functions are as exact as its own, and
// subnormal numbers are kept where .ftz asks for zero.

#include "runtime/jit_assembly.h"

#include <stdlib.h>
#include <string.h>

typedef LLVMValueRef Compute(Assembly *a, const PtxInstruction *i, PtxType type,
                             LLVMValueRef *in);
typedef void Execute(Assembly *a, const PtxInstruction *i);

enum { MOST_SOURCES = 4 };

static LLVMValueRef binary(Assembly *a, LLVMOpcode of_ints,
                           LLVMOpcode of_floats, PtxType type,
                           LLVMValueRef *in) {
  return LLVMBuildBinOp(a->builder, ptx_is_float(type) ? of_floats : of_ints,
                        in[0], in[1], "");
}

// "sqrt" is __nv_sqrtf or __nv_sqrt.
static LLVMValueRef math(Assembly *a, const char *name, PtxType type,
                         LLVMValueRef *in, unsigned count) {
  const char *full =
      arena_printf(a->arena, "__nv_%s%s", name, type.bits == 32 ? "f" : "");
  return assembly_call(a, full, LLVMTypeOf(in[0]), in, count);
}

static LLVMValueRef compare(Assembly *a, PtxType type, LLVMIntPredicate ints,
                            LLVMRealPredicate floats, LLVMValueRef x,
                            LLVMValueRef y) {
  return ptx_is_float(type) ? LLVMBuildFCmp(a->builder, floats, x, y, "")
                            : LLVMBuildICmp(a->builder, ints, x, y, "");
}

static LLVMValueRef choose(Assembly *a, LLVMValueRef condition, LLVMValueRef x,
                           LLVMValueRef y) {
  return LLVMBuildSelect(a->builder, condition, x, y, "");
}

// ------------------------------------------------------------ lane by lane ---

static LLVMValueRef add(Assembly *a, const PtxInstruction *i, PtxType type,
                        LLVMValueRef *in) {
  (void)i;
  return binary(a, LLVMAdd, LLVMFAdd, type, in);
}

static LLVMValueRef subtract(Assembly *a, const PtxInstruction *i, PtxType type,
                             LLVMValueRef *in) {
  (void)i;
  return binary(a, LLVMSub, LLVMFSub, type, in);
}

static LLVMValueRef divide(Assembly *a, const PtxInstruction *i, PtxType type,
                           LLVMValueRef *in) {
  (void)i;
  return binary(a, type.kind == PTX_SIGNED ? LLVMSDiv : LLVMUDiv, LLVMFDiv,
                type, in);
}

static LLVMValueRef rest(Assembly *a, const PtxInstruction *i, PtxType type,
                         LLVMValueRef *in) {
  (void)i;
  return binary(a, type.kind == PTX_SIGNED ? LLVMSRem : LLVMURem, LLVMFRem,
                type, in);
}

static LLVMValueRef negate(Assembly *a, const PtxInstruction *i, PtxType type,
                           LLVMValueRef *in) {
  (void)i;
  return ptx_is_float(type) ? LLVMBuildFNeg(a->builder, in[0], "")
                            : LLVMBuildNeg(a->builder, in[0], "");
}

static LLVMValueRef absolute(Assembly *a, const PtxInstruction *i, PtxType type,
                             LLVMValueRef *in) {
  (void)i;
  if (ptx_is_float(type))
    return math(a, "fabs", type, in, 1);
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(in[0]));
  LLVMValueRef is_less = LLVMBuildICmp(a->builder, LLVMIntSLT, in[0], zero, "");
  return choose(a, is_less, LLVMBuildNeg(a->builder, in[0], ""), in[0]);
}

static LLVMValueRef extreme(Assembly *a, const PtxInstruction *i, PtxType type,
                            LLVMValueRef *in, bool is_least) {
  if (ptx_has(i, "xorsign"))
    assembly_refuse(a, i->text);
  if (!ptx_is_float(type)) {
    bool is_signed = type.kind == PTX_SIGNED;
    LLVMIntPredicate less = is_signed ? LLVMIntSLT : LLVMIntULT;
    LLVMIntPredicate more = is_signed ? LLVMIntSGT : LLVMIntUGT;
    return choose(
        a, LLVMBuildICmp(a->builder, is_least ? less : more, in[0], in[1], ""),
        in[0], in[1]);
  }
  LLVMValueRef value = math(a, is_least ? "fmin" : "fmax", type, in, 2);
  if (!ptx_has(i, "NaN"))
    return value;
  return choose(a, LLVMBuildFCmp(a->builder, LLVMRealUNO, in[0], in[1], ""),
                LLVMBuildFAdd(a->builder, in[0], in[1], ""), value);
}

static LLVMValueRef least(Assembly *a, const PtxInstruction *i, PtxType type,
                          LLVMValueRef *in) {
  return extreme(a, i, type, in, true);
}

static LLVMValueRef greatest(Assembly *a, const PtxInstruction *i, PtxType type,
                             LLVMValueRef *in) {
  return extreme(a, i, type, in, false);
}

static LLVMValueRef fused(Assembly *a, const PtxInstruction *i, PtxType type,
                          LLVMValueRef *in) {
  (void)i;
  return math(a, "fma", type, in, 3);
}

#define BITWISE(name, build)                                                   \
  static LLVMValueRef name(Assembly *a, const PtxInstruction *i, PtxType type, \
                           LLVMValueRef *in) {                                 \
    (void)i, (void)type;                                                       \
    return build(a->builder, in[0], in[1], "");                                \
  }
BITWISE(both, LLVMBuildAnd)
BITWISE(either, LLVMBuildOr)
BITWISE(different, LLVMBuildXor)
#undef BITWISE

static LLVMValueRef complement(Assembly *a, const PtxInstruction *i,
                               PtxType type, LLVMValueRef *in) {
  (void)i, (void)type;
  return LLVMBuildNot(a->builder, in[0], "");
}

static LLVMValueRef is_none(Assembly *a, const PtxInstruction *i, PtxType type,
                            LLVMValueRef *in) {
  (void)i, (void)type;
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(in[0]));
  LLVMValueRef is_zero = LLVMBuildICmp(a->builder, LLVMIntEQ, in[0], zero, "");
  return LLVMBuildZExt(a->builder, is_zero, LLVMTypeOf(in[0]), "");
}

static LLVMValueRef reciprocal(Assembly *a, const PtxInstruction *i,
                               PtxType type, LLVMValueRef *in) {
  (void)i, (void)type;
  return LLVMBuildFDiv(a->builder, LLVMConstReal(LLVMTypeOf(in[0]), 1), in[0],
                       "");
}

#define FUNCTION(name, function)                                               \
  static LLVMValueRef name(Assembly *a, const PtxInstruction *i, PtxType type, \
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

static LLVMValueRef product(Assembly *a, const PtxInstruction *i, PtxType type,
                            LLVMValueRef *in) {
  bool is_signed = type.kind == PTX_SIGNED;
  if (ptx_is_float(type))
    return LLVMBuildFMul(a->builder, in[0], in[1], "");
  if (!ptx_has(i, "hi") && !ptx_has(i, "wide"))
    return LLVMBuildMul(a->builder, in[0], in[1], "");
  LLVMValueRef x = assembly_resize(a, in[0], 2 * type.bits, is_signed);
  LLVMValueRef y = assembly_resize(a, in[1], 2 * type.bits, is_signed);
  LLVMValueRef whole = LLVMBuildMul(a->builder, x, y, "");
  if (ptx_has(i, "wide"))
    return whole;
  LLVMValueRef by = assembly_number(a, 2 * type.bits, type.bits);
  return assembly_resize(a, LLVMBuildLShr(a->builder, whole, by, ""), type.bits,
                         false);
}

static PtxType type_of_product(const PtxInstruction *i) {
  PtxType type = i->type;
  type.bits *= ptx_has(i, "wide") ? 2 : 1;
  return type;
}

static void multiply(Assembly *a, const PtxInstruction *i) {
  LLVMValueRef in[] = {assembly_get(a, i->operands[1], i->type),
                       assembly_get(a, i->operands[2], i->type)};
  assembly_put(a, i->operands[0], type_of_product(i),
               product(a, i, i->type, in));
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

static LLVMValueRef lane_of(Assembly *a, LLVMValueRef bits, PtxType type,
                            unsigned lane) {
  if (type.lanes > 1)
    bits = assembly_resize(
        a,
        LLVMBuildLShr(a->builder, bits,
                      assembly_number(a, type.bits * type.lanes,
                                      (uint64_t)lane * type.bits),
                      ""),
        type.bits, false);
  return assembly_value_of(a, bits, type);
}

static LLVMValueRef get_lane(Assembly *a, const char *operand, PtxType type,
                             unsigned lane) {
  return lane_of(a, assembly_bits(a, operand, type.bits * type.lanes), type,
                 lane);
}

static LLVMValueRef relate(Assembly *a, const PtxInstruction *i,
                           unsigned lane) {
  LLVMValueRef x = get_lane(a, i->operands[1], i->type, lane);
  LLVMValueRef y = get_lane(a, i->operands[2], i->type, lane);
  const char *word = i->word_count > 1 ? i->words[1] : "";
  for (size_t r = 0; r < sizeof relations / sizeof *relations; r++)
    if (!strcmp(word, relations[r].word))
      return compare(a, i->type,
                     i->type.kind == PTX_SIGNED ? relations[r].of_signed
                                                : relations[r].of_unsigned,
                     relations[r].of_floats, x, y);
  assembly_refuse(a, i->text);
  return assembly_number(a, 1, 0);
}

// With .and, .or or .xor it is joined with one more operand.
static LLVMValueRef join(Assembly *a, const PtxInstruction *i,
                         LLVMValueRef value) {
  if (i->operand_count < 4)
    return value;
  LLVMValueRef other = assembly_bits(a, i->operands[3], 1);
  if (ptx_has(i, "and"))
    return LLVMBuildAnd(a->builder, value, other, "");
  if (ptx_has(i, "or"))
    return LLVMBuildOr(a->builder, value, other, "");
  return LLVMBuildXor(a->builder, value, other, "");
}

// "p|q": q has what p has not, or the second lane.
static void set_predicate(Assembly *a, const PtxInstruction *i) {
  const char *both = strchr(i->operands[0], '|');
  const char *first =
      both ? arena_printf(a->arena, "%.*s", (int)(both - i->operands[0]),
                          i->operands[0])
           : i->operands[0];
  LLVMValueRef value = relate(a, i, 0);
  LLVMValueRef other =
      i->type.lanes > 1 ? relate(a, i, 1) : LLVMBuildNot(a->builder, value, "");
  assembly_put_bits(a, first, join(a, i, value), false);
  if (both)
    assembly_put_bits(a, both + 1, join(a, i, other), false);
}

// One for true in a float, all bits in an integer.
static void set_truth(Assembly *a, const PtxInstruction *i) {
  unsigned whole = i->to.bits * i->to.lanes, lanes = i->type.lanes;
  unsigned bits = whole / lanes;
  PtxType to = {i->to.kind, bits, 1};
  LLVMValueRef result = assembly_number(a, whole, 0);
  for (unsigned lane = 0; lane < lanes; lane++) {
    LLVMValueRef value = join(a, i, relate(a, i, lane));
    LLVMValueRef part;
    if (ptx_is_float(to)) {
      LLVMTypeRef type = bits == 32 ? LLVMFloatTypeInContext(a->context)
                                    : LLVMDoubleTypeInContext(a->context);
      part =
          assembly_bits_of(a, LLVMBuildUIToFP(a->builder, value, type, ""), to);
    } else {
      part = assembly_resize(a, value, bits, true);
    }
    part = LLVMBuildShl(a->builder, assembly_resize(a, part, whole, false),
                        assembly_number(a, whole, (uint64_t)lane * bits), "");
    result = LLVMBuildOr(a->builder, result, part, "");
  }
  assembly_put_bits(a, i->operands[0], result, false);
}

static void select_one(Assembly *a, const PtxInstruction *i) {
  unsigned bits = i->type.bits * i->type.lanes;
  assembly_put_bits(a, i->operands[0],
                    choose(a, assembly_bits(a, i->operands[3], 1),
                           assembly_bits(a, i->operands[1], bits),
                           assembly_bits(a, i->operands[2], bits)),
                    i->type.kind == PTX_SIGNED);
}

// ------------------------------------------------------------------ carry ---

// The carry is a register without a name.
static const char carry[] = " carry";

// The sum takes the carry of the instruction before, and gives one with ".cc".
static void put_sum(Assembly *a, const PtxInstruction *i, LLVMValueRef x,
                    LLVMValueRef y, bool takes, bool is_minus) {
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(x)), wide = bits + 2;
  LLVMOpcode opcode = is_minus ? LLVMSub : LLVMAdd;
  if (!assembly_slot(a, carry))
    assembly_declare(a, carry, 1);
  LLVMValueRef sum =
      LLVMBuildBinOp(a->builder, opcode, assembly_resize(a, x, wide, false),
                     assembly_resize(a, y, wide, false), "");
  if (takes)
    sum = LLVMBuildBinOp(
        a->builder, opcode, sum,
        assembly_resize(a, assembly_bits(a, carry, 1), wide, false), "");
  assembly_put_bits(a, i->operands[0], assembly_resize(a, sum, bits, false),
                    i->type.kind == PTX_SIGNED);
  LLVMValueRef above =
      LLVMBuildLShr(a->builder, sum, assembly_number(a, wide, bits), "");
  if (ptx_has(i, "cc"))
    assembly_put_bits(a, carry, assembly_resize(a, above, 1, false), false);
}

static void add_with_carry(Assembly *a, const PtxInstruction *i, bool takes,
                           bool is_minus) {
  unsigned bits = i->type.bits;
  put_sum(a, i, assembly_bits(a, i->operands[1], bits),
          assembly_bits(a, i->operands[2], bits), takes, is_minus);
}

static void multiply_add_integers(Assembly *a, const PtxInstruction *i,
                                  bool takes) {
  PtxType type = type_of_product(i);
  LLVMValueRef in[] = {assembly_get(a, i->operands[1], i->type),
                       assembly_get(a, i->operands[2], i->type)};
  put_sum(a, i, product(a, i, i->type, in),
          assembly_get(a, i->operands[3], type), takes, false);
}

static void multiply_add(Assembly *a, const PtxInstruction *i) {
  if (i->type.lanes > 1 || ptx_has(i, "sat"))
    assembly_refuse(a, i->text);
  if (!ptx_is_float(i->type)) {
    multiply_add_integers(a, i, false);
    return;
  }
  LLVMValueRef in[] = {assembly_get(a, i->operands[1], i->type),
                       assembly_get(a, i->operands[2], i->type),
                       assembly_get(a, i->operands[3], i->type)};
  assembly_put(a, i->operands[0], i->type, math(a, "fma", i->type, in, 3));
}

static void multiply_add_carry(Assembly *a, const PtxInstruction *i) {
  multiply_add_integers(a, i, true);
}

static void add_carry(Assembly *a, const PtxInstruction *i) {
  add_with_carry(a, i, true, false);
}

static void subtract_carry(Assembly *a, const PtxInstruction *i) {
  add_with_carry(a, i, true, true);
}

// ------------------------------------------------------------------ table ---

typedef struct Row {
  const char *opcode;
  unsigned sources; // at least
  Compute *compute;
  Execute *execute; // or this
} Row;

static const Row rows[] = {
#define LANES_OP(opcode, sources, function) {opcode, sources, function, NULL},
#define WHOLE_OP(opcode, sources, function) {opcode, sources, NULL, function},
#define BITS_OP(opcode, sources, function)
#include "runtime/ptx_ops.def"
#undef LANES_OP
#undef WHOLE_OP
#undef BITS_OP
};

static LLVMValueRef clamp(Assembly *a, const PtxInstruction *i, PtxType type,
                          LLVMValueRef value) {
  LLVMTypeRef real = LLVMTypeOf(value);
  LLVMValueRef bounds[] = {value, LLVMConstReal(real, 0)};
  if (ptx_has(i, "relu")) {
    LLVMValueRef above = math(a, "fmax", type, bounds, 2);
    value = choose(a, LLVMBuildFCmp(a->builder, LLVMRealUNO, value, value, ""),
                   value, above);
  }
  if (!ptx_has(i, "sat"))
    return value;
  bounds[0] = math(a, "fmax", type, bounds, 2);
  bounds[1] = LLVMConstReal(real, 1);
  return math(a, "fmin", type, bounds, 2);
}

static const char *rounding(const PtxInstruction *i) {
  static const char *const all[] = {"rz", "rm", "rp"};
  for (size_t n = 0; n < sizeof all / sizeof *all && ptx_is_float(i->type); n++)
    if (ptx_has(i, all[n]))
      return all[n];
  return NULL;
}

// The intrinsic for that: builtins_float.c.  A difference is a sum.
static LLVMValueRef rounded(Assembly *a, const PtxInstruction *i, PtxType type,
                            LLVMValueRef *in, unsigned sources) {
  static const char *const known[] = {"add", "sub", "mul", "div",
                                      "fma", "rcp", "sqrt"};
  const char *name = i->words[0];
  bool is_known = false;
  for (size_t n = 0; n < sizeof known / sizeof *known; n++)
    is_known |= !strcmp(name, known[n]);
  if (!is_known || type.bits == 16)
    assembly_refuse(a, i->text);
  if (!strcmp(name, "sub")) {
    name = "add";
    in[1] = LLVMBuildFNeg(a->builder, in[1], "");
  }
  const char *full = arena_printf(a->arena, "llvm.nvvm.%s.%s%s", name,
                                  rounding(i), type.bits == 64 ? ".d" : ".f");
  return assembly_call(a, full, LLVMTypeOf(in[0]), in, sources);
}

static void compute_lanes(Assembly *a, const PtxInstruction *i,
                          const Row *row) {
  PtxType type = i->type;
  unsigned whole = type.bits * type.lanes;
  LLVMValueRef result = assembly_number(a, whole, 0);
  for (unsigned lane = 0; lane < type.lanes; lane++) {
    LLVMValueRef in[MOST_SOURCES];
    for (unsigned n = 0; n < row->sources; n++)
      in[n] = get_lane(a, i->operands[n + 1], type, lane);
    LLVMValueRef value = rounding(i) ? rounded(a, i, type, in, row->sources)
                                     : row->compute(a, i, type, in);
    if (ptx_is_float(type))
      value = clamp(a, i, type, value);
    LLVMValueRef bits =
        assembly_resize(a, assembly_bits_of(a, value, type), whole, false);
    bits =
        LLVMBuildShl(a->builder, bits,
                     assembly_number(a, whole, (uint64_t)lane * type.bits), "");
    result = LLVMBuildOr(a->builder, result, bits, "");
  }
  assembly_put_bits(a, i->operands[0], result, type.kind == PTX_SIGNED);
}

bool assembly_compute(Assembly *a, const PtxInstruction *i) {
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    const Row *row = &rows[r];
    if (strcmp(i->words[0], row->opcode) != 0)
      continue;
    if (!i->type.lanes || i->operand_count < row->sources + 1 ||
        (row->execute && rounding(i)))
      return false;
    if (row->execute)
      row->execute(a, i);
    else if (ptx_has(i, "wide"))
      multiply(a, i);
    else if (ptx_has(i, "cc") && row->compute != add &&
             row->compute != subtract)
      return false;
    else if (ptx_has(i, "cc"))
      add_with_carry(a, i, false, row->compute == subtract);
    else if (!ptx_is_float(i->type) && ptx_has(i, "sat"))
      return false;
    else
      compute_lanes(a, i, row);
    return true;
  }
  return false;
}
