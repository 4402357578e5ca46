// Do operands and result of a call fit what its name means?
//
// A name in intrinsics.def is not reserved: a program may declare a function
// of its own that is called so.  Each meaning has a shape, a letter for each
// operand that is looked at:
//
//   p  a pointer                 i  an integer
//   x  anything but pointers     s  as x, as many lanes as the result, or one
//   r  as s, and as wide as the result     w  as r, of 32 bits

#include "translator/from_llvm_calls.h"

#include <string.h>

enum { WORD_BITS = 32 };

static const char *shape_of(const CallRow *row) {
  switch (row->meaning) {
  case CALL_CL_LOCAL_ID:
  case CALL_CL_GROUP_ID:
  case CALL_CL_GLOBAL_ID:
  case CALL_CL_LOCAL_SIZE:
  case CALL_CL_ENQUEUED_SIZE:
  case CALL_CL_NUM_GROUPS:
  case CALL_CL_GLOBAL_SIZE:
  case CALL_CL_GLOBAL_OFFSET:
  case CALL_BARRIER_WARP:
  case CALL_BARRIER_FLAGS:
  case CALL_ASSUME:
  case CALL_REQUIRES:
  case CALL_ASSERT:
  case CALL_INVARIANT:
  case CALL_FUNCTION_INVARIANT:
    return "i";
  case CALL_LANES:
    return row->number ? "xi" : "i";
  case CALL_LANES_BALLOT:
    return "ii";
  case CALL_LANES_MATCH:
    return "ix";
  case CALL_ASYNC_COPY:
    return "ppix";
  case CALL_ASYNC_WAIT:
    return "ip";
  case CALL_MAX_SIGNED:
  case CALL_MIN_SIGNED:
  case CALL_MAX_UNSIGNED:
  case CALL_MIN_UNSIGNED:
  case CALL_CL_MAX:
  case CALL_CL_MIN:
  case CALL_ROTATE:
    return "rr";
  case CALL_ABS:
  case CALL_SAME_BITS:
  case CALL_BIT_REVERSE:
    return "r";
  case CALL_FUNNEL_LEFT:
  case CALL_FUNNEL_RIGHT:
  case CALL_CLAMP_SIGNED:
  case CALL_CLAMP_UNSIGNED:
  case CALL_CL_CLAMP:
    return "rrr";
  case CALL_CL_SELECT:
    return "rrs";
  case CALL_MUL24_SIGNED:
  case CALL_MUL24_UNSIGNED:
  case CALL_CL_MUL24:
    return "ww";
  case CALL_CL_MAD24:
    return "www";
  case CALL_MEMCPY:
    return "ppi";
  case CALL_MEMSET:
    return "pxi";
  case CALL_FILL:
    return "pi";
  case CALL_LDG:
  case CALL_LOAD_ROWS:
  case CALL_CL_ATOMIC_STEP:
  case CALL_CL_FLAG:
    return "p";
  case CALL_CL_INIT:
    return "px";
  case CALL_STORE_ROWS:
    return "p";
  case CALL_PRINT:
    return "pp";
  case CALL_NVVM_ATOMIC:
    return "pr";
  case CALL_CL_ATOMIC:
    return row->number ? "pr" : "p";
  case CALL_VLOAD:
    return "ip";
  case CALL_VSTORE:
    return "xip";
  case CALL_THREAD_ID:
  case CALL_BLOCK_ID:
  case CALL_BLOCK_SIZE:
  case CALL_GRID_SIZE:
  case CALL_LANE_ID:
  case CALL_NUMBER:
  case CALL_UNKNOWN:
  case CALL_UNIFORM:
  case CALL_GHOST:
  case CALL_CL_LOCAL_LINEAR:
  case CALL_BARRIER:
  case CALL_BARRIER_VOTE:
  case CALL_BARRIER_GRID:
  case CALL_GROUP_VOTE:
  case CALL_GROUP_SCAN:
  case CALL_FENCE:
  case CALL_NOTHING:
  case CALL_UNMODELLED:
  case CALL_LANES_ACTIVE:
  case CALL_WHOLE_WARP:
  case CALL_SUB_GROUP:
  case CALL_TILE:
  case CALL_FAIL:
  case CALL_QUIET:
  case CALL_PURE:
  case CALL_PURE_OUT:
  case CALL_CL_PURE:
    return "";
  }
  return "";
}

static bool is_pointer(const LlvmValue *value) {
  return value->count == 1 && value->lanes[0].base;
}

static bool has_pointers(const LlvmValue *value) {
  for (unsigned i = 0; i < value->count; i++)
    if (value->lanes[i].base)
      return true;
  return false;
}

static bool has_lanes_of(Builder *builder, LLVMValueRef call,
                         const LlvmValue *value) {
  return !has_pointers(value) &&
         (value->count == 1 ||
          value->count == lanes_of_type(builder, LLVMTypeOf(call)));
}

// A call for its effect alone is as wide as its operands.
static bool is_as_wide(Builder *builder, LLVMValueRef call,
                       const LlvmValue *value) {
  LLVMTypeRef type = LLVMTypeOf(call);
  if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
    return value->count == 1;
  for (unsigned i = 0; i < value->count; i++)
    if (value->lanes[i].bits->width !=
        scalar_bits(builder, lane_type(builder, type, i)))
      return false;
  return value->count > 0;
}

static bool operand_fits(Builder *builder, LLVMValueRef call,
                         LLVMValueRef operand, char code) {
  const LlvmValue *value = value_of(builder, operand);
  switch (code) {
  case 'p':
    return is_pointer(value);
  case 'i':
    return LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMIntegerTypeKind;
  case 'x':
    return value->count && !has_pointers(value);
  case 's':
    return has_lanes_of(builder, call, value);
  case 'w':
    return has_lanes_of(builder, call, value) &&
           is_as_wide(builder, call, value) &&
           value->lanes[0].bits->width == WORD_BITS;
  default:
    return (has_lanes_of(builder, call, value) ||
            LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind) &&
           is_as_wide(builder, call, value);
  }
}

bool operands_fit(Builder *builder, LLVMValueRef call, const CallRow *row) {
  const char *shape = shape_of(row);
  if (LLVMGetNumArgOperands(call) < strlen(shape))
    return false;
  for (unsigned i = 0; shape[i]; i++)
    if (!operand_fits(builder, call, LLVMGetOperand(call, i), shape[i]))
      return false;
  return true;
}

static bool lane_fits(Builder *builder, LLVMTypeRef type, Lane lane) {
  bool is_pointer_type = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  return lane.bits && lane.bits->width == scalar_bits(builder, type) &&
         (lane.base != NULL) == is_pointer_type;
}

bool result_fits(Builder *builder, LLVMValueRef call) {
  LLVMTypeRef type = LLVMTypeOf(call);
  const LlvmValue *value = table_get(&builder->values, call);
  if (!value || LLVMGetTypeKind(type) == LLVMVoidTypeKind)
    return true; // nobody can use it
  for (unsigned i = 0; i < value->count; i++)
    if (!lane_fits(builder, lane_type(builder, type, i), value->lanes[i]))
      return false;
  return value->count == lanes_of_type(builder, type);
}
