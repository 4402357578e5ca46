// values.cu, compiled when we were, in the module of a kernel: all of it for a
// device, and what is inlined for this machine, which has the rest as it is.

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
INCLUDE(values_inlined, VALUES_INLINED);
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

// All of it is inlined, or not needed.
static void hide_functions(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f)) {
    size_t length = 0;
    const char *name = LLVMGetValueName2(f, &length);
    if (!LLVMIsDeclaration(f) && !strncmp(name, prefix, sizeof prefix - 1))
      LLVMSetLinkage(f, LLVMInternalLinkage);
  }
}

void cutting_link(LLVMModuleRef module, bool is_for_device) {
  if (LLVMGetNamedFunction(module, "__gpuverify_values_next"))
    return;
  if (is_for_device) {
    link_bitcode(module, values_bitcode, values_bitcode_end);
    return;
  }
  link_bitcode(module, values_inlined, values_inlined_end);
  hide_functions(module);
}

void cutting_link_device(LLVMModuleRef module) {
  link_bitcode(module, values_device, values_device_end);
}

// What is not inlined is known by its name alone.
static LLVMValueRef find(LLVMModuleRef module, const char *name,
                         LLVMTypeRef type) {
  LLVMValueRef known = LLVMGetNamedFunction(module, name);
  assert(!known || LLVMGlobalGetValueType(known) == type);
  return known ? known : LLVMAddFunction(module, name, type);
}

LLVMValueRef cutting_call(Cutting *cutting, LLVMTypeRef result,
                          const char *name, LLVMValueRef *arguments,
                          unsigned count) {
  enum { MOST = 8 };
  LLVMTypeRef types[MOST];
  assert(count <= MOST);
  for (unsigned i = 0; i < count; i++)
    types[i] = LLVMTypeOf(arguments[i]);
  const char *full = arena_printf(&cutting->task->arena, "%s%s", prefix, name);
  LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
  return LLVMBuildCall2(cutting->builder, type,
                        find(cutting->module, full, type), arguments, count,
                        "");
}
