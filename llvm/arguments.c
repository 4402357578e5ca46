// What the options say about a kernel's arguments.
//
// --kernel-args counts the scalars of a kernel and --kernel-arrays its
// pointers, as GPUVerify does; a launch goes by position.  A struct passed by
// value is neither.

#include "llvm/core.h"

#include <string.h>

// AMD's kernels read it where it lies, in constant memory.
static LLVMAttributeRef by_value(LLVMValueRef function, unsigned index) {
  LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(
      function, index + 1,
      LLVMGetEnumAttributeKindForName("byval", strlen("byval")));
  return attribute
             ? attribute
             : LLVMGetEnumAttributeAtIndex(
                   function, index + 1,
                   LLVMGetEnumAttributeKindForName("byref", strlen("byref")));
}

bool llvm_is_by_value(LLVMValueRef function, unsigned index) {
  return by_value(function, index);
}

static bool is_pointer(LLVMValueRef function, unsigned index) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, index));
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
         !llvm_is_by_value(function, index);
}

static bool is_scalar(LLVMValueRef function, unsigned index) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, index));
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
  case LLVMHalfTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
    return true;
  default: // pointers, vectors, structs
    return false;
  }
}

// A struct that fits into a number may be given as one.
static unsigned bytes_of_struct(LLVMValueRef function, unsigned index) {
  enum { MOST_BYTES = 8 };
  if (!llvm_is_by_value(function, index))
    return 0;
  LLVMTypeRef type = LLVMGetTypeAttributeValue(by_value(function, index));
  LLVMTargetDataRef layout =
      LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
  unsigned long long bytes = LLVMABISizeOfType(layout, type);
  bool is_word = bytes && bytes <= MOST_BYTES && !(bytes & (bytes - 1));
  return is_word ? (unsigned)bytes : 0;
}

static bool is_number(LLVMValueRef function, unsigned index) {
  return is_scalar(function, index) || bytes_of_struct(function, index);
}

static unsigned count(LLVMValueRef function,
                      bool (*is_counted)(LLVMValueRef, unsigned)) {
  unsigned found = 0;
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    found += is_counted(function, i);
  return found;
}

static bool has_words(const KernelValues *values) {
  for (size_t i = 0; i < values->values.count; i++)
    if (values->values.at[i].words.count)
      return true;
  return false;
}

// Member by member, as it is read.
static Argument as_struct(Task *task, Argument number, LLVMValueRef function,
                          unsigned index) {
  Argument argument = {0};
  Fields fields = {0};
  llvm_fields(task, function, index, &fields);
  for (size_t i = 0; number.known && i < fields.count; i++) {
    const Field *field = &fields.at[i];
    push(&task->arena, &argument.words,
         ((ArgumentWord){field->offset, field->bytes,
                         number.value >> 8 * field->offset}));
  }
  return argument;
}

bool llvm_give_arguments(Task *task, const KernelEntry *entry,
                         const KernelValues *values, Launch *launch,
                         const char **reason) {
  if (has_words(values)) {
    *reason = "--kernel-args: words of a struct are for 'gpuverify barriers'";
    return false;
  }
  unsigned scalars = count(entry->function, is_scalar);
  bool has_structs = values->values.count != scalars;
  if (has_structs &&
      values->values.count != count(entry->function, is_number)) {
    *reason = arena_printf(&task->arena,
                           "--kernel-args: '%s' takes %u scalars, %zu given",
                           values->kernel, scalars, values->values.count);
    return false;
  }
  size_t next = 0;
  launch->arguments.at = NULL;
  launch->arguments.count = launch->arguments.room = 0;
  for (unsigned i = 0; i < LLVMCountParams(entry->function); i++) {
    Argument argument = {0};
    if (is_scalar(entry->function, i))
      argument = values->values.at[next++];
    else if (has_structs && is_number(entry->function, i))
      argument = as_struct(task, values->values.at[next++], entry->function, i);
    push(&task->arena, &launch->arguments, argument);
  }
  return true;
}

bool llvm_check_arrays(Task *task, const KernelEntry *entry,
                       const KernelValues *sizes, const char **reason) {
  unsigned pointers = count(entry->function, is_pointer);
  if (sizes->values.count == pointers)
    return true;
  *reason = arena_printf(&task->arena,
                         "--kernel-arrays: '%s' takes %u pointers, %zu given",
                         sizes->kernel, pointers, sizes->values.count);
  return false;
}
