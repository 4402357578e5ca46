// Threads that leave wherever they are.
//
// `exit` of PTX ends a thread, also within a function that a kernel calls. When
// all is inlined the function is the kernel, and it ends as by a return.

#include "llvm/core.h"
#include "llvm/keep.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef Vec(LLVMValueRef) Calls;

static bool is_exit(LLVMValueRef i) {
  size_t length = 0;
  LLVMValueRef called =
      LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
  const char *name = called ? LLVMGetValueName2(called, &length) : "";
  return !strcmp(name, "llvm.nvvm.exit") || !strcmp(name, "__gpuverify_exit");
}

static void find_exits(Task *task, LLVMValueRef kernel, Calls *exits) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (is_exit(i))
        push(&task->arena, exits, i);
}

static void return_instead(LLVMBuilderRef builder, LLVMValueRef exit) {
  LLVMPositionBuilderAtEnd(builder, llvm_split_before(exit));
  LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(exit));
  LLVMBuildRetVoid(builder);
  LLVMInstructionEraseFromParent(exit);
}

void llvm_return_at_exits(Task *task, LLVMModuleRef module) {
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f)) {
    Calls exits = {0};
    if (llvm_is_kernel(f))
      find_exits(task, f, &exits);
    for (size_t i = 0; i < exits.count; i++)
      return_instead(builder, exits.at[i]);
  }
  LLVMDisposeBuilder(builder);
}
