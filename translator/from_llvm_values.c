// LLVM's scalars, vectors and aggregates as expressions.
//
// Integers are exact.  Floating-point values are their bits, and every
// operation on them is an uninterpreted function: equal inputs give equal
// outputs and nothing else is known (SOUND(float)).  `undef` and `poison` are
// a fresh unknown at every use.  Division by zero and shifts by more than the
// width are what SMT-LIB says, which is what the hardware does with shifts;
// see SOUND(undefined-arithmetic).

#include "translator/from_llvm.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// ----------------------------------------------------------------- types ---

unsigned scalar_bits(Builder *builder, LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    return LLVMGetIntTypeWidth(type);
  case LLVMHalfTypeKind:
  case LLVMBFloatTypeKind:
    return 16;
  case LLVMFloatTypeKind:
    return 32;
  case LLVMDoubleTypeKind:
  case LLVMPointerTypeKind:
  case LLVMTargetExtTypeKind: // an image or a sampler of OpenCL
    return POINTER_BITS;
  default:
    unsupported(builder->task, builder->loc, "a value of type '%s'",
                llvm_type_text(builder->task, type));
  }
}

static bool is_pointer(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static unsigned element_count(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMStructTypeKind:
    return LLVMCountStructElementTypes(type);
  case LLVMArrayTypeKind:
    return (unsigned)LLVMGetArrayLength2(type);
  case LLVMVectorTypeKind:
    return LLVMGetVectorSize(type);
  default:
    return 0;
  }
}

static LLVMTypeRef element_type(LLVMTypeRef type, unsigned index) {
  return LLVMGetTypeKind(type) == LLVMStructTypeKind
             ? LLVMStructGetTypeAtIndex(type, index)
             : LLVMGetElementType(type);
}

static bool is_aggregate(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind ||
         kind == LLVMVectorTypeKind;
}

unsigned lanes_of_type(Builder *builder, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
    return 0;
  if (LLVMGetTypeKind(type) == LLVMScalableVectorTypeKind)
    unsupported(builder->task, builder->loc, "a value of type '%s'",
                llvm_type_text(builder->task, type));
  if (!is_aggregate(type))
    return 1;
  uint64_t lanes = 0;
  for (unsigned i = 0; i < element_count(type); i++) {
    lanes += lanes_of_type(builder, element_type(type, i));
    if (lanes > LANES_LIMIT)
      unsupported(builder->task, builder->loc, "a value of type '%s'",
                  llvm_type_text(builder->task, type));
  }
  return (unsigned)lanes;
}

static uint64_t element_offset(Builder *builder, LLVMTypeRef type,
                               unsigned index) {
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
    return LLVMOffsetOfElement(builder->layout, type, index);
  LLVMTypeRef element = LLVMGetElementType(type);
  if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
    return index * LLVMStoreSizeOfType(builder->layout, element);
  return index * LLVMABISizeOfType(builder->layout, element);
}

// The element of an aggregate that holds a lane; *lane becomes the lane's
// number inside that element.
static unsigned element_of_lane(Builder *builder, LLVMTypeRef type,
                                unsigned *lane) {
  unsigned index = 0;
  for (;; index++) {
    unsigned lanes = lanes_of_type(builder, element_type(type, index));
    if (*lane < lanes)
      return index;
    *lane -= lanes;
  }
}

LLVMTypeRef lane_type(Builder *builder, LLVMTypeRef type, unsigned lane) {
  while (is_aggregate(type))
    type = element_type(type, element_of_lane(builder, type, &lane));
  return type;
}

uint64_t lane_offset(Builder *builder, LLVMTypeRef type, unsigned lane) {
  uint64_t offset = 0;
  while (is_aggregate(type)) {
    unsigned index = element_of_lane(builder, type, &lane);
    offset += element_offset(builder, type, index);
    type = element_type(type, index);
  }
  return offset;
}

// ---------------------------------------------------------------- values ---

LlvmValue *value_new(Builder *builder, unsigned lanes) {
  LlvmValue *value = NEW(&builder->task->arena, LlvmValue);
  value->count = lanes;
  value->lanes =
      arena_alloc(&builder->task->arena, (lanes + 1) * sizeof *value->lanes);
  return value;
}

LlvmValue *value_from(Builder *builder, Expr *bits) {
  LlvmValue *value = value_new(builder, 1);
  value->lanes[0].bits = bits;
  return value;
}

void set_value(Builder *builder, LLVMValueRef instruction, LlvmValue *value) {
  table_put(builder->task, &builder->values, instruction, value);
}

void set_scalar(Builder *builder, LLVMValueRef instruction, Expr *bits) {
  set_value(builder, instruction, value_from(builder, bits));
}

Lane lane_unknown(Builder *builder, LLVMTypeRef type, const char *name) {
  Lane lane = {0};
  lane.bits = builder_unknown(builder, scalar_bits(builder, type), name);
  if (is_pointer(type))
    lane.base = expr_const(builder->task, BASE_BITS, BASE_LOST);
  return lane;
}

static LlvmValue *unknown_of_type(Builder *builder, LLVMTypeRef type,
                                  const char *name) {
  LlvmValue *value = value_new(builder, lanes_of_type(builder, type));
  for (unsigned i = 0; i < value->count; i++)
    value->lanes[i] = lane_unknown(builder, lane_type(builder, type, i), name);
  return value;
}

void set_unknown(Builder *builder, LLVMValueRef instruction, const char *name) {
  set_value(builder, instruction,
            unknown_of_type(builder, LLVMTypeOf(instruction), name));
}

Lane lane_ite(Builder *builder, Expr *condition, Lane yes, Lane no) {
  Lane lane = {0};
  lane.bits = expr_ite(builder->task, condition, yes.bits, no.bits);
  if (yes.base)
    lane.base = expr_ite(builder->task, condition, yes.base, no.base);
  return lane;
}

// ------------------------------------------------------------- constants ---

static Lane zero_lane(Builder *builder, LLVMTypeRef type) {
  Lane lane = {0};
  lane.bits = expr_const(builder->task, scalar_bits(builder, type), 0);
  if (is_pointer(type))
    lane.base = expr_const(builder->task, BASE_BITS, BASE_NULL);
  return lane;
}

static Expr *integer_constant(Builder *builder, LLVMValueRef constant) {
  unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(constant));
  if (width > 64)
    return builder_unknown(builder, width, "wide constant");
  return expr_const(builder->task, width, LLVMConstIntGetZExtValue(constant));
}

// NaNs are unknown: their payload does not survive the way through a double.
static Expr *float_constant(Builder *builder, LLVMValueRef constant) {
  LLVMBool loses = 0;
  unsigned width = scalar_bits(builder, LLVMTypeOf(constant));
  double value = LLVMConstRealGetDouble(constant, &loses);
  uint64_t bits = 0;
  float narrow = (float)value;
  if (loses || isnan(value) || width < 32)
    return builder_unknown(builder, width, "constant");
  if (width == 32)
    memcpy(&bits, &narrow, sizeof narrow);
  else
    memcpy(&bits, &value, sizeof value);
  return expr_const(builder->task, width, bits);
}

static Lane constant_lane(Builder *builder, LLVMValueRef constant) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  Lane lane = {0};
  if (LLVMIsNull(constant))
    return zero_lane(builder, type);
  if (is_pointer(type))
    return pointer_constant(builder, constant);
  if (LLVMIsAConstantInt(constant))
    lane.bits = integer_constant(builder, constant);
  else if (LLVMIsAConstantFP(constant))
    lane.bits = float_constant(builder, constant);
  else
    lane = lane_unknown(builder, type, "undef");
  return lane;
}

static void fill_constant(Builder *builder, LlvmValue *value, unsigned *at,
                          LLVMValueRef constant) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  if (!is_aggregate(type)) {
    value->lanes[(*at)++] = constant_lane(builder, constant);
    return;
  }
  for (unsigned i = 0; i < element_count(type); i++) {
    LLVMValueRef element = LLVMGetAggregateElement(constant, i);
    if (element) {
      fill_constant(builder, value, at, element);
      continue;
    }
    LlvmValue *unknown =
        unknown_of_type(builder, element_type(type, i), "undef");
    for (unsigned k = 0; k < unknown->count; k++)
      value->lanes[(*at)++] = unknown->lanes[k];
  }
}

static void translate_operation(Builder *builder, LLVMValueRef value,
                                LLVMOpcode opcode);

static LlvmValue *constant_value(Builder *builder, LLVMValueRef constant) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  if (LLVMIsAConstantExpr(constant) && !is_pointer(type)) {
    translate_operation(builder, constant, LLVMGetConstOpcode(constant));
    return table_get(&builder->values, constant);
  }
  LlvmValue *value = value_new(builder, lanes_of_type(builder, type));
  unsigned at = 0;
  fill_constant(builder, value, &at, constant);
  assert(at == value->count);
  return value;
}

LlvmValue *value_of(Builder *builder, LLVMValueRef value) {
  LlvmValue *known = table_get(&builder->values, value);
  if (known)
    return known;
  if (LLVMIsConstant(value))
    return constant_value(builder, value);
  unsupported(builder->task, builder->loc, "a value that is not computed yet");
}

Expr *scalar_of(Builder *builder, LLVMValueRef value) {
  LlvmValue *known = value_of(builder, value);
  if (known->count != 1)
    unsupported(builder->task, builder->loc, "a value of type '%s'",
                llvm_type_text(builder->task, LLVMTypeOf(value)));
  return known->lanes[0].bits;
}

// ------------------------------------------------------------ arithmetic ---

static bool binary_op(LLVMOpcode opcode, ExprOp *op) {
  switch (opcode) {
  case LLVMAdd:
    return *op = EXPR_ADD, true;
  case LLVMSub:
    return *op = EXPR_SUB, true;
  case LLVMMul:
    return *op = EXPR_MUL, true;
  case LLVMUDiv:
    return *op = EXPR_UDIV, true;
  case LLVMSDiv:
    return *op = EXPR_SDIV, true;
  case LLVMURem:
    return *op = EXPR_UREM, true;
  case LLVMSRem:
    return *op = EXPR_SREM, true;
  case LLVMShl:
    return *op = EXPR_SHL, true;
  case LLVMLShr:
    return *op = EXPR_LSHR, true;
  case LLVMAShr:
    return *op = EXPR_ASHR, true;
  case LLVMAnd:
    return *op = EXPR_AND, true;
  case LLVMOr:
    return *op = EXPR_OR, true;
  case LLVMXor:
    return *op = EXPR_XOR, true;
  default:
    return false;
  }
}

static void translate_binary(Builder *builder, LLVMValueRef value, ExprOp op) {
  LlvmValue *a = value_of(builder, LLVMGetOperand(value, 0));
  LlvmValue *b = value_of(builder, LLVMGetOperand(value, 1));
  LlvmValue *result = value_new(builder, a->count);
  for (unsigned i = 0; i < a->count; i++) {
    Expr *x = a->lanes[i].bits, *y = b->lanes[i].bits;
    result->lanes[i].bits = expr_binary(builder->task, op, x, y);
    if (!LLVMIsAInstruction(value))
      continue;
    note_exactness(builder, value, op, x, y);
  }
  set_value(builder, value, result);
}

// Of the two formats of 16 bits: what is computed differs.
static bool is_brain_float(Builder *builder, LLVMTypeRef type) {
  return LLVMGetTypeKind(lane_type(builder, type, 0)) == LLVMBFloatTypeKind;
}

// name.bits applied to each lane of the operands.
static void translate_uninterpreted(Builder *builder, LLVMValueRef value,
                                    const char *name, unsigned operands) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LlvmValue *result = value_new(builder, lanes_of_type(builder, type));
  bool is_brain = is_brain_float(builder, type) ||
                  is_brain_float(builder, LLVMTypeOf(LLVMGetOperand(value, 0)));
  for (unsigned i = 0; i < result->count; i++) {
    Expr *args[3];
    assert(operands <= 3);
    for (unsigned k = 0; k < operands; k++)
      args[k] = value_of(builder, LLVMGetOperand(value, k))->lanes[i].bits;
    unsigned bits = scalar_bits(builder, lane_type(builder, type, i));
    const char *function =
        arena_printf(&builder->task->arena, "%s%s.%u.%u", is_brain ? "b" : "",
                     name, args[0]->width, bits);
    result->lanes[i].bits =
        expr_apply(builder->task, function, bits, args, operands);
  }
  set_value(builder, value, result);
}

// ----------------------------------------------------------- comparisons ---

static Expr *compare_bits(Task *task, LLVMIntPredicate predicate, Expr *a,
                          Expr *b) {
  switch (predicate) {
  case LLVMIntEQ:
    return expr_eq(task, a, b);
  case LLVMIntNE:
    return expr_not(task, expr_eq(task, a, b));
  case LLVMIntUGT:
    return expr_binary(task, EXPR_ULT, b, a);
  case LLVMIntUGE:
    return expr_binary(task, EXPR_ULE, b, a);
  case LLVMIntULT:
    return expr_binary(task, EXPR_ULT, a, b);
  case LLVMIntULE:
    return expr_binary(task, EXPR_ULE, a, b);
  case LLVMIntSGT:
    return expr_binary(task, EXPR_SLT, b, a);
  case LLVMIntSGE:
    return expr_binary(task, EXPR_SLE, b, a);
  case LLVMIntSLT:
    return expr_binary(task, EXPR_SLT, a, b);
  case LLVMIntSLE:
    return expr_binary(task, EXPR_SLE, a, b);
  }
  assert(!"LLVM has no other predicate");
  return NULL;
}

static LLVMIntPredicate signed_predicate(LLVMIntPredicate predicate) {
  switch (predicate) {
  case LLVMIntUGT:
    return LLVMIntSGT;
  case LLVMIntUGE:
    return LLVMIntSGE;
  case LLVMIntULT:
    return LLVMIntSLT;
  case LLVMIntULE:
    return LLVMIntSLE;
  default:
    return predicate;
  }
}

// Pointers into one array compare by offset, signed since an argument may
// point into the middle of its array.  Between arrays, or with null, the
// answer is free: both ways are looked at.
static Expr *compare_arrays(Builder *builder, Lane a, Lane b) {
  bool is_fixed = expr_is_const(a.base) && expr_is_const(b.base) &&
                  expr_is_const(a.bits) && expr_is_const(b.bits);
  SymbolKind kind = is_fixed ? SYMBOL_LAUNCH : SYMBOL_UNKNOWN;
  return builder_symbol(builder, kind, 1, "pointers compare")->expr;
}

static bool is_base(const Expr *base, uint64_t number) {
  return expr_is_const(base) && base->value == number;
}

static Expr *compare_pointers(Builder *builder, LLVMIntPredicate predicate,
                              Lane a, Lane b) {
  Task *task = builder->task;
  Expr *by_offset =
      compare_bits(task, signed_predicate(predicate), a.bits, b.bits);
  if (a.base == b.base && expr_is_const(a.base) && a.base->value != BASE_LOST)
    return by_offset;
  if (!is_base(a.base, BASE_NULL) && !is_base(b.base, BASE_NULL))
    return compare_arrays(builder, a, b);
  return expr_ite(task, expr_eq(task, a.base, b.base), by_offset,
                  compare_arrays(builder, a, b));
}

static Expr *compare_lanes(Builder *builder, LLVMValueRef value, Lane a,
                           Lane b) {
  LLVMIntPredicate predicate = LLVMGetICmpPredicate(value);
  bool is_equality = predicate == LLVMIntEQ || predicate == LLVMIntNE;
  if (!a.base)
    return compare_bits(builder->task, predicate, a.bits, b.bits);
  if (!is_equality || !is_about_function(a, b))
    return compare_pointers(builder, predicate, a, b);
  Expr *is_same = same_function(builder, a, b, llvm_is_case(value));
  return predicate == LLVMIntEQ ? is_same : expr_not(builder->task, is_same);
}

static void translate_compare(Builder *builder, LLVMValueRef value) {
  LlvmValue *a = value_of(builder, LLVMGetOperand(value, 0));
  LlvmValue *b = value_of(builder, LLVMGetOperand(value, 1));
  LlvmValue *result = value_new(builder, a->count);
  for (unsigned i = 0; i < a->count; i++)
    result->lanes[i].bits =
        compare_lanes(builder, value, a->lanes[i], b->lanes[i]);
  set_value(builder, value, result);
}

static const char *float_predicate(LLVMRealPredicate predicate) {
  static const char *const names[] = {
      "fcmp.false", "fcmp.oeq", "fcmp.ogt", "fcmp.oge", "fcmp.olt", "fcmp.ole",
      "fcmp.one",   "fcmp.ord", "fcmp.uno", "fcmp.ueq", "fcmp.ugt", "fcmp.uge",
      "fcmp.ult",   "fcmp.ule", "fcmp.une", "fcmp.true"};
  return names[predicate];
}

// ----------------------------------------------------------------- casts ---

// Width changes of integers, lane by lane.
static void translate_resize(Builder *builder, LLVMValueRef value,
                             bool is_signed) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LlvmValue *from = value_of(builder, LLVMGetOperand(value, 0));
  LlvmValue *result = value_new(builder, from->count);
  for (unsigned i = 0; i < from->count; i++) {
    unsigned bits = scalar_bits(builder, lane_type(builder, type, i));
    result->lanes[i].bits =
        expr_to_width(builder->task, from->lanes[i].bits, bits, is_signed);
  }
  set_value(builder, value, result);
}

// All lanes in one, the first in the low bits: little endian.
static Expr *join_lanes(Builder *builder, const LlvmValue *value) {
  Expr *all = value->lanes[0].bits;
  for (unsigned i = 1; i < value->count; i++)
    all = expr_concat(builder->task, value->lanes[i].bits, all);
  return all;
}

static void translate_bitcast(Builder *builder, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LlvmValue *from = value_of(builder, LLVMGetOperand(value, 0));
  unsigned lanes = lanes_of_type(builder, type);
  if (lanes == from->count) {
    set_value(builder, value, from);
    return;
  }
  Expr *all = join_lanes(builder, from);
  LlvmValue *result = value_new(builder, lanes);
  unsigned bits = all->width / lanes;
  for (unsigned i = 0; i < lanes; i++)
    result->lanes[i].bits = expr_extract(builder->task, all, i * bits, bits);
  set_value(builder, value, result);
}

// ----------------------------------------------- vectors and aggregates ---

static void translate_select(Builder *builder, LLVMValueRef value) {
  LlvmValue *condition = value_of(builder, LLVMGetOperand(value, 0));
  LlvmValue *yes = value_of(builder, LLVMGetOperand(value, 1));
  LlvmValue *no = value_of(builder, LLVMGetOperand(value, 2));
  LlvmValue *result = value_new(builder, yes->count);
  for (unsigned i = 0; i < yes->count; i++) {
    Expr *bit = condition->lanes[condition->count == 1 ? 0 : i].bits;
    result->lanes[i] = lane_ite(builder, bit, yes->lanes[i], no->lanes[i]);
  }
  set_value(builder, value, result);
}

static void translate_extract_element(Builder *builder, LLVMValueRef value) {
  LlvmValue *vector = value_of(builder, LLVMGetOperand(value, 0));
  Expr *index = scalar_of(builder, LLVMGetOperand(value, 1));
  LlvmValue *result = value_new(builder, 1);
  result->lanes[0] = vector->lanes[0];
  for (unsigned i = 1; i < vector->count; i++) {
    Expr *here = expr_eq(builder->task, index,
                         expr_const(builder->task, index->width, i));
    result->lanes[0] =
        lane_ite(builder, here, vector->lanes[i], result->lanes[0]);
  }
  set_value(builder, value, result);
}

static void translate_insert_element(Builder *builder, LLVMValueRef value) {
  LlvmValue *vector = value_of(builder, LLVMGetOperand(value, 0));
  Lane item = value_of(builder, LLVMGetOperand(value, 1))->lanes[0];
  Expr *index = scalar_of(builder, LLVMGetOperand(value, 2));
  LlvmValue *result = value_new(builder, vector->count);
  for (unsigned i = 0; i < vector->count; i++) {
    Expr *here = expr_eq(builder->task, index,
                         expr_const(builder->task, index->width, i));
    result->lanes[i] = lane_ite(builder, here, item, vector->lanes[i]);
  }
  set_value(builder, value, result);
}

static void translate_shuffle(Builder *builder, LLVMValueRef value) {
  LlvmValue *a = value_of(builder, LLVMGetOperand(value, 0));
  LlvmValue *b = value_of(builder, LLVMGetOperand(value, 1));
  LLVMTypeRef type = LLVMTypeOf(value);
  LlvmValue *result = value_new(builder, LLVMGetNumMaskElements(value));
  for (unsigned i = 0; i < result->count; i++) {
    int from = LLVMGetMaskValue(value, i);
    if (from < 0)
      result->lanes[i] =
          lane_unknown(builder, LLVMGetElementType(type), "undef");
    else if ((unsigned)from < a->count)
      result->lanes[i] = a->lanes[from];
    else
      result->lanes[i] = b->lanes[(unsigned)from - a->count];
  }
  set_value(builder, value, result);
}

// The first lane that extractvalue's or insertvalue's indices name, and how
// many there are.
static unsigned indexed_lane(Builder *builder, LLVMValueRef value,
                             LLVMTypeRef type, unsigned *lanes) {
  unsigned first = 0;
  const unsigned *indices = LLVMGetIndices(value);
  for (unsigned depth = 0; depth < LLVMGetNumIndices(value); depth++) {
    for (unsigned i = 0; i < indices[depth]; i++)
      first += lanes_of_type(builder, element_type(type, i));
    type = element_type(type, indices[depth]);
  }
  *lanes = lanes_of_type(builder, type);
  return first;
}

static void translate_extract_value(Builder *builder, LLVMValueRef value) {
  LLVMValueRef operand = LLVMGetOperand(value, 0);
  unsigned lanes = 0;
  unsigned first = indexed_lane(builder, value, LLVMTypeOf(operand), &lanes);
  LlvmValue *whole = value_of(builder, operand);
  LlvmValue *part = value_new(builder, lanes);
  for (unsigned i = 0; i < lanes; i++)
    part->lanes[i] = whole->lanes[first + i];
  set_value(builder, value, part);
}

static void translate_insert_value(Builder *builder, LLVMValueRef value) {
  LLVMValueRef operand = LLVMGetOperand(value, 0);
  unsigned lanes = 0;
  unsigned first = indexed_lane(builder, value, LLVMTypeOf(operand), &lanes);
  LlvmValue *whole = value_of(builder, operand);
  LlvmValue *part = value_of(builder, LLVMGetOperand(value, 1));
  LlvmValue *result = value_new(builder, whole->count);
  for (unsigned i = 0; i < whole->count; i++)
    result->lanes[i] = i >= first && i < first + lanes ? part->lanes[i - first]
                                                       : whole->lanes[i];
  set_value(builder, value, result);
}

// -------------------------------------------------------------- dispatch ---

static const struct {
  LLVMOpcode opcode;
  const char *name;
  unsigned operands;
} float_operations[] = {
    {LLVMFNeg, "fneg", 1},       {LLVMFAdd, "fadd", 2},
    {LLVMFSub, "fsub", 2},       {LLVMFMul, "fmul", 2},
    {LLVMFDiv, "fdiv", 2},       {LLVMFRem, "frem", 2},
    {LLVMFPToUI, "fptoui", 1},   {LLVMFPToSI, "fptosi", 1},
    {LLVMUIToFP, "uitofp", 1},   {LLVMSIToFP, "sitofp", 1},
    {LLVMFPTrunc, "fptrunc", 1}, {LLVMFPExt, "fpext", 1},
};

static bool translate_float(Builder *builder, LLVMValueRef value,
                            LLVMOpcode opcode) {
  if (opcode == LLVMFCmp) {
    const char *name = float_predicate(LLVMGetFCmpPredicate(value));
    translate_uninterpreted(builder, value, name, 2);
    return true;
  }
  for (size_t i = 0; i < sizeof float_operations / sizeof *float_operations;
       i++) {
    if (float_operations[i].opcode != opcode)
      continue;
    translate_uninterpreted(builder, value, float_operations[i].name,
                            float_operations[i].operands);
    return true;
  }
  return false;
}

static void translate_operation(Builder *builder, LLVMValueRef value,
                                LLVMOpcode opcode) {
  ExprOp op;
  if (binary_op(opcode, &op)) {
    translate_binary(builder, value, op);
    return;
  }
  if (translate_float(builder, value, opcode))
    return;
  switch (opcode) {
  case LLVMICmp:
    translate_compare(builder, value);
    break;
  case LLVMTrunc:
  case LLVMZExt:
    translate_resize(builder, value, false);
    break;
  case LLVMSExt:
    translate_resize(builder, value, true);
    break;
  case LLVMBitCast:
    translate_bitcast(builder, value);
    break;
  case LLVMAddrSpaceCast:
    translate_space_cast(builder, value);
    break;
  case LLVMFreeze:
    set_value(builder, value, value_of(builder, LLVMGetOperand(value, 0)));
    break;
  case LLVMPtrToInt:
  case LLVMPtrToAddr:
    translate_ptrtoint(builder, value);
    break;
  case LLVMIntToPtr:
    translate_inttoptr(builder, value);
    break;
  case LLVMSelect:
    translate_select(builder, value);
    break;
  case LLVMExtractElement:
    translate_extract_element(builder, value);
    break;
  case LLVMInsertElement:
    translate_insert_element(builder, value);
    break;
  case LLVMShuffleVector:
    translate_shuffle(builder, value);
    break;
  case LLVMExtractValue:
    translate_extract_value(builder, value);
    break;
  case LLVMInsertValue:
    translate_insert_value(builder, value);
    break;
  case LLVMGetElementPtr:
    translate_gep(builder, value);
    break;
  default:
    unsupported(builder->task, builder->loc, "the instruction '%s'",
                llvm_value_text(builder->task, value));
  }
}

void translate_arithmetic(Builder *builder, LLVMValueRef instruction) {
  translate_operation(builder, instruction,
                      LLVMGetInstructionOpcode(instruction));
}
