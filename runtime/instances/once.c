// pthread_once and call_once: the function that they call is the program's.
//
// So it is called where they stand, if the engine says that it is to be, and
// the engine is told when it has come back.

#include "runtime/instances/lowering.h"

#include "llvm/keep.h"

#include <string.h>

// Of a function that takes an address and answers a number.
static LLVMValueRef call(Lowering *l, const char *name, LLVMValueRef once) {
  LLVMTypeRef type = LLVMFunctionType(l->i32, &l->pointer, 1, false);
  LLVMValueRef function = LLVMGetNamedFunction(l->module, name);
  if (!function)
    function = LLVMAddFunction(l->module, name, type);
  return LLVMBuildCall2(l->builder, type, function, &once, 1, "");
}

static void expand(Lowering *l, LLVMValueRef instruction) {
  LLVMValueRef once = LLVMGetOperand(instruction, 0),
               body = LLVMGetOperand(instruction, 1);
  if (!LLVMIsAFunction(body) || LLVMIsDeclaration(body) ||
      LLVMCountParams(body))
    unsupported(l->task, llvm_location(l->task, instruction),
                "--device: a function that is not named here is called once, "
                "which is not there on a device");
  LLVMBasicBlockRef on = LLVMGetInstructionParent(instruction);
  LLVMBasicBlockRef head = llvm_split_before(instruction);
  LLVMBasicBlockRef first = LLVMInsertBasicBlockInContext(l->context, on, "");
  LLVMPositionBuilderAtEnd(l->builder, head);
  LLVMValueRef is_first =
      LLVMBuildIsNotNull(l->builder, call(l, ONCE_BEGINS, once), "");
  LLVMBuildCondBr(l->builder, is_first, first, on);
  LLVMPositionBuilderAtEnd(l->builder, first);
  LLVMBuildCall2(l->builder, LLVMGlobalGetValueType(body), body, NULL, 0, "");
  call(l, ONCE_ENDS, once);
  LLVMBuildBr(l->builder, on);
  if (LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMVoidTypeKind)
    LLVMReplaceAllUsesWith(instruction, LLVMConstNull(LLVMTypeOf(instruction)));
  LLVMInstructionEraseFromParent(instruction);
}

void lowering_expand_once(Lowering *l) {
  static const char *const names[] = {"pthread_once", "call_once"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    LLVMValueRef function = LLVMGetNamedFunction(l->module, names[i]), user;
    for (LLVMUseRef use; function && (use = LLVMGetFirstUse(function));) {
      user = LLVMGetUser(use);
      if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
        break;
      expand(l, user);
    }
  }
}
