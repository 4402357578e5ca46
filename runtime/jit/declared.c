// Does a program declare a function of the device's library with our operands?
//
// Functions are known by name, and nothing keeps a program from declaring one
// of that name with other operands.  CUDA's have the types of libdevice.def; of
// others a call is refused if our function would read operands that are not
// there, or would take a number for an address.

#include "runtime/jit/jit.h"

#include <string.h>

static bool is_pointer(LLVMValueRef call, unsigned index) {
  return index < LLVMGetNumArgOperands(call) &&
         LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, index))) ==
             LLVMPointerTypeKind;
}

static bool is_vector(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

// The value is an operand of what returns none, and of what compares there is
// one more.
static bool is_atomic(LLVMValueRef call) {
  bool returns = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
  unsigned fewest = jit_is_compare(call) ? 3 : returns ? 1 : 2;
  return is_pointer(call, 0) && LLVMGetNumArgOperands(call) >= fewest;
}

bool jit_is_declared_well(LLVMValueRef call, const Builtin *builtin) {
  if (!LLVMIsAFunction(
          LLVMGetCalledValue(call))) // assembly has its constraints
    return true;
  if (builtin->how == HOW_VLOAD)
    return is_vector(call) && is_pointer(call, 1);
  if (builtin->how == HOW_VSTORE)
    return is_pointer(call, 2) && is_vector(LLVMGetOperand(call, 0));
  if (builtin->how == HOW_LOAD)
    return is_pointer(call, 0);
  if (builtin->how == HOW_ATOMIC)
    return is_atomic(call);
  size_t length = 0;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
  return !library_find(name) || llvm_library_function(call);
}
