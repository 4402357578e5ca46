// Tables of pointers: an array of them in constant or device memory that no
// code of the file changes, or in an argument that is a struct.
//
// What is read with an index that is no constant is one of the table's entries,
// by cases: each is an array of its own, or what the table is initialised with.
// Where no entry begins, behind the table above all, nothing is known of the
// pointer; who accesses memory by it has to prove that it is an entry.

#include "translator/from_llvm.h"

#include <string.h>

// Of a variable, or of an argument that is passed by value; else NULL.
static LLVMTypeRef type_of_table(Builder *builder, const Array *array) {
  LLVMValueRef variable = table_get(&builder->variables, array);
  if (variable)
    return LLVMGlobalGetValueType(variable);
  for (unsigned i = 0; i < LLVMCountParams(builder->function); i++)
    if (array->is_by_value &&
        table_get(&builder->arrays, LLVMGetParam(builder->function, i)) ==
            array)
      return LLVMGetTypeAttributeValue(LLVMGetEnumAttributeAtIndex(
          builder->function, i + 1,
          LLVMGetEnumAttributeKindForName("byval", strlen("byval"))));
  return NULL;
}

// Does a scalar of this type lie at the byte?
static bool has_at(Builder *builder, LLVMTypeRef type, uint64_t offset,
                   LLVMTypeRef scalar) {
  while (type != scalar) {
    uint64_t first = 0;
    if (offset >= bytes_of_object(builder, type))
      return false;
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned field = LLVMElementAtOffset(builder->layout, type, offset);
      first = LLVMOffsetOfElement(builder->layout, type, field);
      type = LLVMStructGetTypeAtIndex(type, field);
    } else if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
      type = LLVMGetElementType(type);
      uint64_t each = bytes_of_object(builder, type);
      first = each ? offset - offset % each : 0;
    } else {
      return false;
    }
    offset -= first;
  }
  return offset == 0;
}

// False: nobody knows what lies there.
static bool entry_at(Builder *builder, const Array *table, uint64_t offset,
                     LLVMTypeRef type, Lane *entry) {
  Lane at = pointer_to_array(builder, table);
  at.bits = expr_const(builder->task, POINTER_BITS, offset);
  Pointee pointee = pointee_of(builder, at, type);
  if (pointee.may_change)
    assume_named(builder, "no-alias");
  if (pointee.constant)
    *entry = value_of(builder, pointee.constant)->lanes[0];
  else if (pointee.array)
    *entry = pointer_to_array(builder, pointee.array);
  return pointee.constant || pointee.array;
}

Lane tabulated_pointer(Builder *builder, const Array *table, Expr *offset,
                       LLVMTypeRef type, Lane beyond) {
  enum { MOST_ENTRIES = 64, BYTES = POINTER_BITS / 8 };
  Task *task = builder->task;
  LLVMTypeRef all = type_of_table(builder, table);
  uint64_t bytes = all ? bytes_of_object(builder, all) : 0;
  Lane lane = beyond, entry;
  if (bytes > MOST_ENTRIES * BYTES)
    return beyond;
  for (uint64_t at = 0; at + BYTES <= bytes; at += BYTES) {
    if (!has_at(builder, all, at, type) ||
        !entry_at(builder, table, at, type, &entry))
      continue;
    Expr *here = expr_eq(task, offset, expr_const(task, POINTER_BITS, at));
    lane = lane_ite(builder, here, entry, lane);
  }
  return lane;
}
