// Room for local variables.
//
// Programs let pthread_join write a pointer to where an int is.  It is wrong,
// nobody notices where nothing stands behind the int, and no finding of ours is
// about stacks; so what is smaller than a pointer gets the room of one.

#include "runtime/threads/ir.h"

static void widen(LLVMValueRef local, LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  LLVMTypeRef word = LLVMInt64TypeInContext(context);
  LLVMTypeRef type = LLVMGetAllocatedType(local);
  LLVMValueRef count = LLVMGetOperand(local, 0);
  if (!LLVMIsAConstantInt(count) || LLVMConstIntGetZExtValue(count) != 1 ||
      LLVMABISizeOfType(layout, type) >= LLVMABISizeOfType(layout, word))
    return;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(builder, local);
  LLVMReplaceAllUsesWith(local, LLVMBuildAlloca(builder, word, ""));
  LLVMInstructionEraseFromParent(local);
  LLVMDisposeBuilder(builder);
}

void ir_widen_locals(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef each = LLVMGetFirstInstruction(block), next; each;
           each = next) {
        next = LLVMGetNextInstruction(each);
        if (LLVMIsAAllocaInst(each))
          widen(each, module);
      }
}
