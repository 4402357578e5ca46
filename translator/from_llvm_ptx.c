// A module as PTX text, for the check of named barriers.
//
// LLVM's own back end prints it, in this process, so that nobody needs NVIDIA's
// compiler.  Before that run the passes of from_llvm_module.c, which keep every
// access, and two that only make the text small: what a thread computes may be
// simplified, what it does to memory may not.  Lines of the source are in the
// text (.loc).

#include "translator/from_llvm.h"

#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

static const char *copy_message(Task *task, char *message) {
  const char *copy = arena_copy(&task->arena, message);
  LLVMDisposeMessage(message);
  return copy;
}

static void initialise_target(void) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
}

// NULL: *reason says why.  The processor is the one that clang compiled for.
static LLVMTargetMachineRef machine_for(Task *task, LLVMModuleRef module,
                                        const char **reason) {
  const char *triple = LLVMGetTarget(module);
  LLVMTargetRef target = NULL;
  char *message = NULL;
  initialise_target();
  if (strncmp(triple, "nvptx", 5) != 0) {
    *reason = "this is no code for NVIDIA's devices";
    return NULL;
  }
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    *reason = copy_message(task, message);
    return NULL;
  }
  return LLVMCreateTargetMachine(target, triple, "sm_80", "+ptx80",
                                 LLVMCodeGenLevelLess, LLVMRelocDefault,
                                 LLVMCodeModelDefault);
}

static bool simplify(Task *task, LLVMModuleRef module, const char **reason) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(
      module, "function(instsimplify,simplifycfg)", NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error)
    return true;
  char *message = LLVMGetErrorMessage(error);
  *reason = arena_copy(&task->arena, message);
  LLVMDisposeErrorMessage(message);
  return false;
}

const char *llvm_to_ptx(Task *task, LLVMModuleRef module, const char **reason) {
  if (!llvm_prepare(task, module, reason) || !simplify(task, module, reason))
    return NULL;
  LLVMTargetMachineRef machine = machine_for(task, module, reason);
  LLVMMemoryBufferRef buffer = NULL;
  char *message = NULL;
  if (!machine)
    return NULL;
  LLVMSetTargetMachineAsmVerbosity(machine, true); // what was inlined where
  bool failed = LLVMTargetMachineEmitToMemoryBuffer(
      machine, module, LLVMAssemblyFile, &message, &buffer);
  LLVMDisposeTargetMachine(machine);
  if (failed) {
    *reason = copy_message(task, message);
    return NULL;
  }
  const char *text =
      arena_printf(&task->arena, "%.*s", (int)LLVMGetBufferSize(buffer),
                   LLVMGetBufferStart(buffer));
  LLVMDisposeMemoryBuffer(buffer);
  return text;
}
