// Arguments that are structs, and that the kernel writes.
//
// Each thread has its own; clang leaves them where they came.  One that is only
// read and written at known places, part by part, becomes a local variable that
// begins as a copy, so sroa makes values of it: then a member that a loop
// counts up is a counter as any.

#include "llvm/core.h"

#include <string.h>

enum { DEEPEST = 100 };

typedef struct Uses {
  bool are_plain; // loads, stores and copies at known places
  bool write;
  unsigned depth; // of addresses made of addresses
} Uses;

static bool is_copy(LLVMValueRef call) {
  return LLVMIsAMemCpyInst(call) &&
         LLVMIsAConstantInt(LLVMGetOperand(call, 2)) &&
         LLVMIsNull(LLVMGetOperand(call, 3)); // it is not volatile
}

static bool is_at_known_place(LLVMValueRef address) {
  for (int i = 1; i < LLVMGetNumOperands(address); i++)
    if (!LLVMIsAConstantInt(LLVMGetOperand(address, (unsigned)i)))
      return false;
  return true;
}

static void look_at(LLVMValueRef pointer, Uses *uses);

static void look_at_use(LLVMValueRef user, LLVMValueRef pointer, Uses *uses) {
  if (LLVMIsALoadInst(user) || LLVMIsAStoreInst(user)) {
    bool is_store = LLVMIsAStoreInst(user);
    uses->are_plain &= !LLVMGetVolatile(user) &&
                       (!is_store || LLVMGetOperand(user, 0) != pointer);
    uses->write |= is_store;
  } else if (LLVMIsAGetElementPtrInst(user) && is_at_known_place(user) &&
             uses->depth < DEEPEST) {
    uses->depth++;
    look_at(user, uses);
    uses->depth--;
  } else if (is_copy(user)) {
    uses->write |= LLVMGetOperand(user, 0) == pointer;
  } else {
    uses->are_plain = false;
  }
}

static void look_at(LLVMValueRef pointer, Uses *uses) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use && uses->are_plain;
       use = LLVMGetNextUse(use))
    look_at_use(LLVMGetUser(use), pointer, uses);
}

// The type of an argument that the thread has for itself, or NULL.
static LLVMTypeRef type_by_value(LLVMValueRef function, unsigned index) {
  LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(
      function, index + 1,
      LLVMGetEnumAttributeKindForName("byval", strlen("byval")));
  return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static void copy(LLVMBuilderRef at, LLVMValueRef parameter, LLVMTypeRef type) {
  LLVMValueRef function = LLVMGetParamParent(parameter);
  LLVMTargetDataRef layout =
      LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
  LLVMTypeRef number =
      LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(parameter)));
  unsigned alignment = LLVMABIAlignmentOfType(layout, type);
  LLVMPositionBuilderBefore(
      at, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMValueRef variable = LLVMBuildAlloca(at, type, "");
  if (LLVMTypeOf(variable) != LLVMTypeOf(parameter)) {
    LLVMInstructionEraseFromParent(variable);
    return;
  }
  LLVMReplaceAllUsesWith(parameter, variable);
  LLVMBuildMemCpy(at, variable, alignment, parameter, alignment,
                  LLVMConstInt(number, LLVMABISizeOfType(layout, type), false));
}

static bool copy_all(LLVMBuilderRef at, LLVMValueRef kernel) {
  bool is_any = false;
  for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
    LLVMTypeRef type = type_by_value(kernel, i);
    Uses uses = {.are_plain = type};
    if (type)
      look_at(LLVMGetParam(kernel, i), &uses);
    if (!uses.are_plain || !uses.write)
      continue;
    copy(at, LLVMGetParam(kernel, i), type);
    is_any = true;
  }
  return is_any;
}

bool llvm_copy_arguments(LLVMModuleRef module) {
  LLVMBuilderRef at = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  bool is_any = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (llvm_is_kernel(f))
      is_any |= copy_all(at, f);
  LLVMDisposeBuilder(at);
  return is_any;
}
