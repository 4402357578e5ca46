// Calls that count or find bits, and masks of lanes.
//
// What bits.c knows of is a term of few bits; the result is made of that.

#include "translator/from_llvm_calls.h"

typedef Expr *Function(Task *task, Expr *a);

static Expr *width_of(Task *task, const Expr *a, unsigned bits) {
  return expr_const(task, bits, a->width);
}

static Expr *trailing_zeros(Task *task, Expr *a) {
  Expr *first = bits_first(task, a);
  Expr *none = expr_eq(task, first, expr_const(task, first->width, 0));
  return expr_ite(task, none, width_of(task, a, first->width),
                  expr_sub(task, first, expr_const(task, first->width, 1)));
}

static Expr *leading_zeros(Task *task, Expr *a) {
  Expr *last = bits_last(task, a);
  return expr_sub(task, width_of(task, a, last->width), last);
}

static bool is_known_width(const LlvmValue *value) {
  for (unsigned i = 0; i < value->count; i++) {
    unsigned width = value->lanes[i].bits->width;
    if (width != 8 && width != 16 && width != 32 && width != 64)
      return false;
  }
  return true;
}

static void compute(Builder *builder, LLVMValueRef call, Function *function) {
  LLVMTypeRef type = LLVMTypeOf(call);
  const LlvmValue *value = value_of(builder, LLVMGetOperand(call, 0));
  LlvmValue *result = value_new(builder, lanes_of_type(builder, type));
  if (value->count != result->count || !is_known_width(value)) {
    call_pure(builder, call);
    return;
  }
  for (unsigned i = 0; i < result->count; i++)
    result->lanes[i].bits = expr_to_width(
        builder->task, function(builder->task, value->lanes[i].bits),
        scalar_bits(builder, lane_type(builder, type, i)), false);
  set_value(builder, call, result);
}

void call_count_bits(Builder *builder, LLVMValueRef call) {
  compute(builder, call, bits_count);
}

void call_first_set(Builder *builder, LLVMValueRef call) {
  compute(builder, call, bits_first);
}

void call_trailing_zeros(Builder *builder, LLVMValueRef call) {
  compute(builder, call, trailing_zeros);
}

void call_leading_zeros(Builder *builder, LLVMValueRef call) {
  compute(builder, call, leading_zeros);
}

static bool is_number(const Expr *a, uint64_t value) {
  return expr_is_const(a) && a->value == value;
}

// The first one from bit 0 on; all ones if there is none.
void call_find_set(Builder *builder, LLVMValueRef call) {
  enum { MASK, BASE, OFFSET };
  Task *task = builder->task;
  Expr *mask = scalar_of(builder, LLVMGetOperand(call, MASK));
  if (!is_number(scalar_of(builder, LLVMGetOperand(call, BASE)), 0) ||
      !is_number(scalar_of(builder, LLVMGetOperand(call, OFFSET)), 1)) {
    call_pure(builder, call);
    return;
  }
  Expr *first = expr_zext(task, bits_first(task, mask), mask->width);
  set_scalar(builder, call,
             expr_sub(task, first, expr_const(task, mask->width, 1)));
}

void call_lane_mask(Builder *builder, LLVMValueRef call) {
  Task *task = builder->task;
  Expr *one = expr_const(task, 32, 1), *mask = NULL;
  Expr *own = expr_binary(task, EXPR_SHL, one, lane_of_thread(builder));
  Expr *below = expr_sub(task, own, one);
  Expr *up_to = expr_binary(task, EXPR_OR, below, own);
  switch ((LaneMask)builder->row->number) {
  case LANE_OWN:
    mask = own;
    break;
  case LANES_BELOW:
    mask = below;
    break;
  case LANES_UP_TO:
    mask = up_to;
    break;
  case LANES_ABOVE:
    mask = expr_not(task, up_to);
    break;
  case LANES_FROM_OWN:
    mask = expr_not(task, below);
    break;
  }
  set_scalar(builder, call, mask);
}
