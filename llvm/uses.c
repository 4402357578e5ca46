// Does a kernel use what only the check of named barriers can judge?
//
// These are barriers by name and count, mbarriers, asynchronous copies, and
// what blocks of a cluster do with each other, as intrinsics or as inline
// assembly.  Of the assembly only the text is looked at: a use that is missed
// leaves the proof's `unknown` as it is, one too many costs the time of the
// check.  Needs llvm_prepare: what the kernel calls is in its body.

#include "llvm/core.h"

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

// "bar.sync 0;" and "barrier.cta.sync.aligned 0;" are __syncthreads.
static bool is_plain(const char *instruction) {
  const char *operands = instruction + strcspn(instruction, " \t;\n");
  operands += strspn(operands, " \t");
  return operands[0] == '0' && strchr(" \t;\n", operands[1]);
}

static bool has_named_barrier(const char *text) {
  static const char *const opcodes[] = {
      "bar.sync",    "bar.cta.sync",    "bar.arrive",     "bar.cta.arrive",
      "bar.red",     "bar.cta.red",     "barrier.sync",   "barrier.cta.sync",
      "barrier.red", "barrier.cta.red", "barrier.arrive", "barrier.cta.arrive",
  };
  for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
    for (const char *at = strstr(text, opcodes[i]); at;
         at = strstr(at + 1, opcodes[i]))
      if (!is_plain(at))
        return true;
  return false;
}

static bool assembly_has_barrier(const char *text) {
  return strstr(text, "mbarrier.") || strstr(text, "cp.async") ||
         strstr(text, "barrier.cluster.") || strstr(text, "mapa") ||
         has_named_barrier(text);
}

// ----------------------------------------------------------------- kernel ---

static bool uses_barrier(Task *task, LLVMValueRef call) {
  size_t length = 0;
  LLVMValueRef called = LLVMGetCalledValue(call);
  if (!LLVMIsAInlineAsm(called))
    return calls_barrier(call);
  const char *text = LLVMGetInlineAsmAsmString(called, &length);
  return assembly_has_barrier(
      arena_printf(&task->arena, "%.*s", (int)length, text));
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
