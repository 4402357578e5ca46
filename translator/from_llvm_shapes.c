// Do operands and result of a call fit what its name means?
//
// A name in intrinsics.def is not reserved: a program may declare a function
// of its own that is called so.  meanings.def has the operands of each meaning,
// a letter for one.

#include "translator/from_llvm_calls.h"

#include <string.h>

enum { WORD_BITS = 32 };

static const char *const shapes[] = {
#define MEANING(name, operands, translation) [CALL_##name] = operands,
#include "translator/meanings.def"
};

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
  case 'm':
  case 'f':
  case 'n':
    return LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMIntegerTypeKind;
  case 'x':
    return value->count && !has_pointers(value);
  case 's':
    return has_lanes_of(builder, call, value);
  case 'w':
    return has_lanes_of(builder, call, value) &&
           is_as_wide(builder, call, value) &&
           value->lanes[0].bits->width == WORD_BITS;
  case 'r':
    return (has_lanes_of(builder, call, value) ||
            LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind) &&
           is_as_wide(builder, call, value);
  }
  return false;
}

bool operands_fit(Builder *builder, LLVMValueRef call, const CallRow *row) {
  const char *shape = shapes[row->meaning];
  unsigned count = LLVMGetNumArgOperands(call), i = 0;
  for (; shape[i] && shape[i] != '*'; i++)
    if (i == count ||
        !operand_fits(builder, call, LLVMGetOperand(call, i), shape[i]))
      return false;
  return i == count || shape[i] == '*';
}

LLVMValueRef operand_for(Builder *builder, LLVMValueRef call, char letter) {
  const char *shape = shapes[builder->row->meaning];
  const char *at = strchr(shape, letter);
  return at ? LLVMGetOperand(call, (unsigned)(at - shape)) : NULL;
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
