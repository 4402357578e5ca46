// Calls that a device need not know of.
//
// A kernel calls functions of ours that say something to a prover or to this
// machine.  On a device they are left out; what our headers have as a call and
// LLVM as an operation becomes that.

#include "runtime/jit/jit.h"

#include <string.h>

bool jit_is_of_device(const char *name) {
  return !strncmp(name, "llvm.", 5) || !strcmp(name, "vprintf") ||
         !strcmp(name, "malloc") || !strcmp(name, "free");
}

static bool says_nothing(Task *task, const char *name) {
  static const char *const said[] = {
      "__gpuverify_requires", "__gpuverify_global_requires",
      "__gpuverify_assume", "__gpuverify_barrier_invariant", NULL};
  const Builtin *builtin = builtin_find(task, name);
  for (unsigned i = 0; said[i]; i++)
    if (!strcmp(name, said[i]))
      return true;
  return builtin && builtin->how == HOW_NOTHING;
}

bool jit_leave_for_device(Task *task, LLVMBuilderRef builder, LLVMValueRef call,
                          const char *name) {
  LLVMPositionBuilderBefore(builder, call);
  if (jit_is_of_device(name) || llvm_become_operation(builder, call))
    return true;
  if (!says_nothing(task, name))
    return false;
  if (LLVMGetFirstUse(call))
    LLVMReplaceAllUsesWith(call, LLVMGetUndef(LLVMTypeOf(call)));
  LLVMInstructionEraseFromParent(call);
  return true;
}
