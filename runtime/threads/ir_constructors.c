// What runs before main: constructors, of C and of C++.
//
// They become calls at the beginning of main, in the order of their priorities,
// so that they are code of the program like any other.

#include "runtime/threads/ir.h"

#include <llvm-c/DebugInfo.h>

typedef struct Constructor {
  uint64_t priority;
  LLVMValueRef body;
} Constructor;

typedef Vec(Constructor) Constructors;

// Those of one priority keep their order.
static void add(Task *task, Constructors *list, Constructor new) {
  push(&task->arena, list, new);
  for (size_t i = list->count - 1;
       i && list->at[i - 1].priority > list->at[i].priority; i--) {
    Constructor kept = list->at[i];
    list->at[i] = list->at[i - 1];
    list->at[i - 1] = kept;
  }
}

static void call_before(LLVMValueRef main, const Constructors *list) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(main));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
  LLVMPositionBuilderBefore(
      builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(main)));
  // Or all places are thrown away where the module is read again.
  LLVMMetadataRef scope = LLVMGetSubprogram(main);
  if (scope)
    LLVMSetCurrentDebugLocation2(
        builder, LLVMDIBuilderCreateDebugLocation(context, 0, 0, scope, NULL));
  for (size_t i = 0; i < list->count; i++)
    LLVMBuildCall2(builder, type, list->at[i].body, NULL, 0, "");
  LLVMDisposeBuilder(builder);
}

void ir_constructors(Task *task, LLVMModuleRef module) {
  LLVMValueRef main = LLVMGetNamedFunction(module, "main");
  LLVMValueRef global = LLVMGetNamedGlobal(module, "llvm.global_ctors");
  if (!global || !main || LLVMIsDeclaration(main))
    return;
  LLVMValueRef rows = LLVMGetInitializer(global);
  Constructors list = {0};
  unsigned count = LLVMIsNull(rows) ? 0 : (unsigned)LLVMGetNumOperands(rows);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef row = LLVMGetOperand(rows, i);
    add(task, &list,
        (Constructor){LLVMConstIntGetZExtValue(LLVMGetOperand(row, 0)),
                      LLVMGetOperand(row, 1)});
  }
  LLVMDeleteGlobal(global);
  call_before(main, &list);
}
