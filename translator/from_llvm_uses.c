// Does a kernel use what only the check of named barriers can judge?
//
// These are barriers by name and count, mbarriers, asynchronous copies, and
// what blocks of a cluster do with each other, as intrinsics or as inline
// assembly.  A use that is missed leaves the proof's `unknown` as it is, one
// too many costs the time of the check.  Needs llvm_prepare: what the kernel
// calls is in its body.

#include "ptx/assembly.h"
#include "translator/from_llvm.h"

#include <string.h>

static bool starts_with(const char *text, const char *start) {
  return !strncmp(text, start, strlen(start));
}

// ------------------------------------------------------------- intrinsics ---

static bool is_zero(LLVMValueRef value) {
  return LLVMIsAConstantInt(value) && !LLVMConstIntGetZExtValue(value);
}

// The forms without a count are for all threads, and plain ones with name 0.
static bool is_named_barrier(LLVMValueRef call, const char *name) {
  return starts_with(name, "llvm.nvvm.barrier.cta.") &&
         (!strstr(name, ".all") || !is_zero(LLVMGetOperand(call, 0)));
}

static bool calls_barrier(LLVMValueRef call) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
  return is_named_barrier(call, name) ||
         starts_with(name, "llvm.nvvm.mbarrier.") ||
         starts_with(name, "llvm.nvvm.cp.async.") ||
         starts_with(name, "llvm.nvvm.barrier.cluster.") ||
         starts_with(name, "llvm.nvvm.mapa");
}

// --------------------------------------------------------------- assembly ---

static bool assembly_has_barrier(Task *task, const char *text) {
  enum { MOST_OPERANDS = 64 };
  const PtxAssembly *assembly = ptx_assembly(task, text, MOST_OPERANDS);
  for (size_t i = 0; i < assembly->code.count; i++)
    if (asm_is_for_barriers(&assembly->code.at[i]))
      return true;
  return false;
}

// ----------------------------------------------------------------- kernel ---

static bool uses_barrier(Task *task, LLVMValueRef call) {
  size_t length = 0;
  LLVMValueRef called = LLVMGetCalledValue(call);
  if (!LLVMIsAInlineAsm(called))
    return calls_barrier(call);
  const char *text = LLVMGetInlineAsmAsmString(called, &length);
  return assembly_has_barrier(
      task, arena_printf(&task->arena, "%.*s", (int)length, text));
}

bool llvm_uses_barriers(Task *task, const KernelEntry *entry) {
  const char *triple = LLVMGetTarget(LLVMGetGlobalParent(entry->function));
  if (!starts_with(triple, "nvptx"))
    return false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(entry->function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i) && uses_barrier(task, i))
        return true;
  return false;
}
