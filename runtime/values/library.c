// values.cu, compiled when we were, in the module of a kernel.

#include "runtime/values/cutting.h"

#include <assert.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

// Beside this object: see Makefile.
__asm__(
    ".pushsection .rodata\n"
    ".hidden values_bitcode, values_bitcode_end\n"
    ".global values_bitcode\n"
    ".global values_bitcode_end\n"
    "values_bitcode:\n"
    ".incbin \"" VALUES_BITCODE
    "\"\n"
    "values_bitcode_end:\n"
    ".popsection\n");

extern const char values_bitcode[], values_bitcode_end[];

static const char prefix[] = "__gpuverify_values_";

void cutting_link(Cutting *cutting) {
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
      values_bitcode, (size_t)(values_bitcode_end - values_bitcode),
      "values.cu", false);
  LLVMModuleRef library = NULL;
  bool failed = LLVMParseBitcodeInContext2(cutting->context, buffer, &library);
  LLVMDisposeMemoryBuffer(buffer);
  assert(!failed);
  LLVMSetTarget(library, LLVMGetTarget(cutting->module));
  LLVMSetDataLayout(library, LLVMGetDataLayoutStr(cutting->module));
  failed = LLVMLinkModules2(cutting->module, library);
  assert(!failed);
}

LLVMValueRef cutting_call(Cutting *cutting, const char *name,
                          LLVMValueRef *arguments, unsigned count) {
  const char *full = arena_printf(&cutting->task->arena, "%s%s", prefix, name);
  LLVMValueRef function = LLVMGetNamedFunction(cutting->module, full);
  assert(function && LLVMCountParams(function) == count);
  return LLVMBuildCall2(cutting->builder, LLVMGlobalGetValueType(function),
                        function, arguments, count, "");
}
