// engine.cu, compiled when we were, in the module of a program.

#include "runtime/instances/lowering.h"

#include <assert.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

// Beside this object: see Makefile.
__asm__(
    ".pushsection .rodata\n"
    ".hidden instances_bitcode, instances_bitcode_end\n"
    ".global instances_bitcode\n"
    ".global instances_bitcode_end\n"
    "instances_bitcode:\n"
    ".incbin \"" INSTANCES_BITCODE
    "\"\n"
    "instances_bitcode_end:\n"
    ".popsection\n");

extern const char instances_bitcode[], instances_bitcode_end[];

static const char prefix[] = "gpuverify_";

// The program's own module gets the engine's target.
void lowering_link(Lowering *l) {
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
      instances_bitcode, (size_t)(instances_bitcode_end - instances_bitcode),
      "engine.cu", false);
  LLVMModuleRef engine = NULL;
  bool failed = LLVMParseBitcodeInContext2(l->context, buffer, &engine);
  LLVMDisposeMemoryBuffer(buffer);
  assert(!failed);
  LLVMSetTarget(l->module, LLVMGetTarget(engine));
  LLVMSetDataLayout(l->module, LLVMGetDataLayoutStr(engine));
  failed = LLVMLinkModules2(l->module, engine);
  assert(!failed);
  l->layout = LLVMGetModuleDataLayout(l->module);
}

LLVMValueRef lowering_function(const Lowering *l, const char *name) {
  return LLVMGetNamedFunction(
      l->module, arena_printf(&l->task->arena, "%s%s", prefix, name));
}

LLVMValueRef lowering_call(const Lowering *l, const char *name,
                           LLVMValueRef *arguments, unsigned count) {
  LLVMValueRef function = lowering_function(l, name);
  assert(function && LLVMCountParams(function) == count);
  return LLVMBuildCall2(l->builder, LLVMGlobalGetValueType(function), function,
                        arguments, count, "");
}
