// values.cu, compiled when we were, in the module of a kernel.

#include "runtime/values/cutting.h"

#include <assert.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

// Beside this object: see Makefile.
#define INCLUDE(name, file)                                                    \
  __asm__(                                                                     \
      ".pushsection .rodata\n"                                                 \
      ".hidden " #name ", " #name                                              \
      "_end\n"                                                                 \
      ".global " #name ", " #name "_end\n" #name                               \
      ":\n"                                                                    \
      ".incbin \"" file "\"\n" #name                                           \
      "_end:\n"                                                                \
      ".popsection\n");                                                        \
  extern const char name[], name##_end[]

INCLUDE(values_bitcode, VALUES_BITCODE);
INCLUDE(values_device, VALUES_DEVICE);

static const char prefix[] = "__gpuverify_values_";

static void link_bitcode(LLVMModuleRef module, const char *begin,
                         const char *end) {
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
      begin, (size_t)(end - begin), "values", false);
  LLVMModuleRef library = NULL;
  bool failed = LLVMParseBitcodeInContext2(LLVMGetModuleContext(module), buffer,
                                           &library);
  LLVMDisposeMemoryBuffer(buffer);
  assert(!failed);
  LLVMSetTarget(library, LLVMGetTarget(module));
  LLVMSetDataLayout(library, LLVMGetDataLayoutStr(module));
  failed = LLVMLinkModules2(module, library);
  assert(!failed);
}

void cutting_link(LLVMModuleRef module) {
  if (LLVMGetNamedFunction(module, "__gpuverify_values_next"))
    return;
  link_bitcode(module, values_bitcode, values_bitcode_end);
}

void cutting_link_device(LLVMModuleRef module) {
  link_bitcode(module, values_device, values_device_end);
}

LLVMValueRef cutting_call(Cutting *cutting, const char *name,
                          LLVMValueRef *arguments, unsigned count) {
  const char *full = arena_printf(&cutting->task->arena, "%s%s", prefix, name);
  LLVMValueRef function = LLVMGetNamedFunction(cutting->module, full);
  assert(function && LLVMCountParams(function) == count);
  return LLVMBuildCall2(cutting->builder, LLVMGlobalGetValueType(function),
                        function, arguments, count, "");
}
