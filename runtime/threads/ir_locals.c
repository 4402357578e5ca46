// Room for local variables, and what they begin with.
//
// Programs let pthread_join write a pointer to where an int is.  It is wrong,
// nobody notices where nothing stands behind the int, and no finding of ours is
// about stacks; so what is smaller than a pointer gets the room of one.
//
// Where a device executes the program, too, variables begin as memory of malloc
// does: what frames have left behind is another thing there, and in the bytes
// between the members of a structure it is copied by programs that are right.

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

static void fill(LLVMValueRef local, LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef word = LLVMInt64TypeInContext(context);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(local));
  uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(module),
                                     LLVMGetAllocatedType(local));
  LLVMValueRef count =
      LLVMBuildIntCast2(builder, LLVMGetOperand(local, 0), word, false, "");
  LLVMBuildMemSet(
      builder, local,
      LLVMConstInt(LLVMInt8TypeInContext(context), MALLOC_FILLING, false),
      LLVMBuildMul(builder, count, LLVMConstInt(word, bytes, false), ""),
      LLVMGetAlignment(local));
  LLVMDisposeBuilder(builder);
}

static void each_local(LLVMModuleRef module,
                       void (*act)(LLVMValueRef local, LLVMModuleRef module)) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef each = LLVMGetFirstInstruction(block), next; each;
           each = next) {
        next = LLVMGetNextInstruction(each);
        if (LLVMIsAAllocaInst(each))
          act(each, module);
      }
}

void ir_widen_locals(LLVMModuleRef module) { each_local(module, widen); }

void ir_fill_locals(LLVMModuleRef module) { each_local(module, fill); }
