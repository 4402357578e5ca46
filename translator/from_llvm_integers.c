// Functions of whole numbers, lane by lane: minima, shifts of two words,
// products of 24 bits.
//
// OpenCL's are overloaded, and what a name means depends on the type in it.

#include "translator/from_llvm_calls.h"

#include <string.h>

static Expr *pick(Task *task, ExprOp less, Expr *a, Expr *b, bool want_less) {
  Expr *is_less = expr_binary(task, less, a, b);
  return want_less ? expr_ite(task, is_less, a, b)
                   : expr_ite(task, is_less, b, a);
}

static Expr *low24(Task *task, Expr *a, bool is_signed) {
  Expr *low = expr_extract(task, a, 0, 24);
  return expr_to_width(task, low, a->width, is_signed);
}

static Expr *mul24(Task *task, Expr *a, Expr *b, bool is_signed) {
  return expr_mul(task, low24(task, a, is_signed), low24(task, b, is_signed));
}

// The bits of high:low from bit `by` modulo the width on: from the top for
// the left funnel, from the bottom for the right one.
static Expr *funnel(Task *task, Expr *high, Expr *low, Expr *by, bool left) {
  unsigned width = high->width;
  Expr *modulus = expr_const(task, width, width);
  by = expr_binary(task, EXPR_UREM, by, modulus);
  Expr *rest = expr_sub(task, modulus, by);
  ExprOp up = EXPR_SHL, down = EXPR_LSHR;
  return expr_binary(task, EXPR_OR,
                     expr_binary(task, up, high, left ? by : rest),
                     expr_binary(task, down, low, left ? rest : by));
}

static Expr *bit_reverse(Task *task, Expr *a) {
  Expr *all = expr_extract(task, a, 0, 1);
  for (unsigned i = 1; i < a->width; i++)
    all = expr_concat(task, all, expr_extract(task, a, i, 1));
  return all;
}

static Expr *clamp(Task *task, ExprOp less, Expr *a, Expr *low, Expr *high) {
  return pick(task, less, pick(task, less, a, low, false), high, true);
}

static Expr *absolute(Task *task, Expr *a) {
  Expr *zero = expr_const(task, a->width, 0);
  return expr_ite(task, expr_binary(task, EXPR_SLT, a, zero),
                  expr_sub(task, zero, a), a);
}

// The Itanium mangling of OpenCL's overloads tells the type of the first
// argument after the name: i l s c are signed integers, j m t h unsigned.
static char first_type(LLVMValueRef call, const char *plain) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(called_function(call), &length);
  const char *at = strstr(name, plain);
  at = at ? at + strlen(plain) : "";
  if (strncmp(at, "Dv", 2) == 0)
    at = strchr(at, '_') ? strchr(at, '_') + 1 : "";
  return *at;
}

static Meaning overload(LLVMValueRef call, const CallRow *row) {
  bool is_vector = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVectorTypeKind;
  if (row->meaning == CALL_CL_SELECT && is_vector)
    return CALL_PURE;
  if (row->meaning < CALL_CL_SELECT || row->meaning > CALL_CL_MAD24)
    return row->meaning;
  char type = first_type(call, row->name);
  bool is_signed = strchr("ilsca", type) && type;
  bool is_unsigned = strchr("jmth", type) && type;
  if (!is_signed && !is_unsigned)
    return CALL_PURE;
  switch (row->meaning) {
  case CALL_CL_CLAMP:
    return is_signed ? CALL_CLAMP_SIGNED : CALL_CLAMP_UNSIGNED;
  case CALL_CL_MAX:
    return is_signed ? CALL_MAX_SIGNED : CALL_MAX_UNSIGNED;
  case CALL_CL_MIN:
    return is_signed ? CALL_MIN_SIGNED : CALL_MIN_UNSIGNED;
  case CALL_CL_MUL24:
  case CALL_CL_MAD24:
    return is_signed ? CALL_MUL24_SIGNED : CALL_MUL24_UNSIGNED;
  default:
    return row->meaning;
  }
}

static Expr *integer_function(Task *task, Meaning meaning, Expr *const *args) {
  Expr *a = args[0], *b = args[1];
  switch (meaning) {
  case CALL_MAX_SIGNED:
    return pick(task, EXPR_SLT, a, b, false);
  case CALL_MIN_SIGNED:
    return pick(task, EXPR_SLT, a, b, true);
  case CALL_MAX_UNSIGNED:
    return pick(task, EXPR_ULT, a, b, false);
  case CALL_MIN_UNSIGNED:
    return pick(task, EXPR_ULT, a, b, true);
  case CALL_ABS:
    return absolute(task, a);
  case CALL_FUNNEL_LEFT:
    return funnel(task, a, b, args[2], true);
  case CALL_FUNNEL_RIGHT:
    return funnel(task, a, b, args[2], false);
  case CALL_MUL24_SIGNED:
    return mul24(task, a, b, true);
  case CALL_MUL24_UNSIGNED:
    return mul24(task, a, b, false);
  case CALL_SAME_BITS:
    return a;
  case CALL_BIT_REVERSE:
    return bit_reverse(task, a);
  case CALL_ROTATE:
    return funnel(task, a, a, b, true);
  case CALL_CLAMP_SIGNED:
    return clamp(task, EXPR_SLT, a, b, args[2]);
  case CALL_CLAMP_UNSIGNED:
    return clamp(task, EXPR_ULT, a, b, args[2]);
  case CALL_CL_SELECT:
    return expr_ite(task,
                    expr_eq(task, args[2], expr_const(task, args[2]->width, 0)),
                    a, b);
  default:
    return NULL;
  }
}

// Lane `i` of each operand; scalars serve for all lanes.
static unsigned gather_args(Builder *builder, LLVMValueRef call, unsigned i,
                            Expr **args, unsigned most) {
  unsigned count = LLVMGetNumArgOperands(call);
  count = count < most ? count : most;
  for (unsigned k = 0; k < count; k++) {
    LlvmValue *value = value_of(builder, LLVMGetOperand(call, k));
    args[k] = value->lanes[value->count > i ? i : 0].bits;
  }
  return count;
}

bool translate_integer(Builder *builder, LLVMValueRef call,
                       const CallRow *row) {
  Meaning meaning = overload(call, row);
  if (row->meaning < CALL_MAX_SIGNED || row->meaning > CALL_CL_MAD24 ||
      meaning == CALL_PURE)
    return false;
  LLVMTypeRef type = LLVMTypeOf(call);
  LlvmValue *result = value_new(builder, lanes_of_type(builder, type));
  for (unsigned i = 0; i < result->count; i++) {
    Expr *args[3] = {0};
    gather_args(builder, call, i, args, 3);
    Expr *value = integer_function(builder->task, meaning, args);
    if (row->meaning == CALL_CL_MAD24)
      value = expr_add(builder->task, value, args[2]);
    result->lanes[i].bits = value;
  }
  set_value(builder, call, result);
  return true;
}
