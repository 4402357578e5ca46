// Host IR as code in this process, by LLVM's ORC.
//
// Code that is watched and whose threads have stacks of their own is hardly
// optimised: it has a test or a call at each access anyway, and a short replay
// should be compiled quickly.  Very large functions are hardly optimised,
// either.

#include "runtime/jit/jit.h"

#include <assert.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

enum { LOCAL_GAP = 64 };
#define QUICK_PASSES "function(sroa,early-cse,simplifycfg)"

uint64_t run_local_bytes(const Run *run, const Variable *variable) {
  assert(variable->is_local && variable->parameter < run->arguments.count);
  uint64_t bytes = *(uint64_t *)run->arguments.at[variable->parameter];
  return (bytes + 15) / 16 * 16;
}

static bool failed(Task *task, LLVMErrorRef error, const char **reason) {
  if (!error)
    return false;
  char *message = LLVMGetErrorMessage(error);
  *reason = arena_copy(&task->arena, message);
  LLVMDisposeErrorMessage(message);
  return true;
}

// This machine, for the passes that ask what it can do.
static LLVMTargetMachineRef this_machine(LLVMCodeGenOptLevel level) {
  char *triple = LLVMGetDefaultTargetTriple();
  char *message = NULL, *cpu = LLVMGetHostCPUName();
  char *features = LLVMGetHostCPUFeatures();
  LLVMTargetRef target;
  LLVMTargetMachineRef made = NULL;
  if (!LLVMGetTargetFromTriple(triple, &target, &message))
    made = LLVMCreateTargetMachine(target, triple, cpu, features, level,
                                   LLVMRelocPIC, LLVMCodeModelJITDefault);
  LLVMDisposeMessage(message);
  LLVMDisposeMessage(triple);
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(features);
  return made;
}

// LLVM 22 takes `a[(3 * t & 7) * 2 + 1]` for an access with a stride, and joins
// it with others, where a loop promises that its iterations have nothing to do
// with each other.
static void forbid_interleaving(void) {
  static const char *const options[] = {
      "gpuverify", "-enable-interleaved-mem-accesses=false"};
  static bool is_done;
  if (!is_done)
    LLVMParseCommandLineOptions(2, options, NULL);
  is_done = true;
}

static LLVMErrorRef run_passes(LLVMModuleRef module, const char *passes,
                               LLVMTargetMachineRef target) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  forbid_interleaving();
  LLVMErrorRef error = LLVMRunPasses(module, passes, target, options);
  LLVMDisposePassBuilderOptions(options);
  return error;
}

// Of a function with so many blocks, a switch of a thousand cases, instruction
// combining and the allocation of registers take time with their square.
static bool is_large(const Code *code) {
  enum { MOST_BLOCKS = 2000 };
  for (LLVMValueRef f = LLVMGetFirstFunction(code->module); f;
       f = LLVMGetNextFunction(f))
    if (jit_is_ours(code, f) && LLVMCountBasicBlocks(f) > MOST_BLOCKS)
      return true;
  return false;
}

// All that needs this machine: first each function by itself, so that what is
// straight becomes straight; then a block's, if there is one; then the rest.
static LLVMErrorRef optimise_for(Task *task, const Run *run, Image *image,
                                 LLVMTargetMachineRef target) {
  LLVMModuleRef module = run->code->module;
  LLVMErrorRef error = NULL;
  if (image->is_block) {
    error = run_passes(module,
                       image->is_plain ? "globaldce," QUICK_PASSES
                                       : "globaldce,thinlto-pre-link<O2>",
                       target);
    if (error)
      return error;
    image->is_block = jit_make_block(task, run, image);
    if (!image->is_block)
      return NULL;
  }
  return run_passes(module,
                    image->is_plain ? "globaldce,always-inline," QUICK_PASSES
                                    : "globaldce,default<O2>",
                    target);
}

// Of threads with stacks of their own.
static LLVMErrorRef optimise_watched(LLVMModuleRef module) {
  jit_define_spots(module);
  return run_passes(
      module, "globaldce,always-inline,function(early-cse,simplifycfg)", NULL);
}

static LLVMErrorRef optimise(Task *task, const Run *run, Image *image) {
  LLVMModuleRef module = run->code->module;
  if (run->watch == WATCH_SCHEDULES) {
    jit_define_own(module);
    return run_passes(module, "globaldce", NULL);
  }
  if (run->watch != WATCH_NOTHING && !image->is_block)
    return optimise_watched(module);
  bool is_block = image->is_block;
  LLVMTargetMachineRef target = this_machine(LLVMCodeGenLevelDefault);
  LLVMErrorRef error = optimise_for(task, run, image, target);
  if (target)
    LLVMDisposeTargetMachine(target);
  if (error || is_block != image->is_block)
    return error;
  jit_count_steps(task, module);
  jit_define_spots(module);
  return run_passes(module, "always-inline," QUICK_PASSES, NULL);
}

// ------------------------------------------------------------------- JIT ---

static LLVMErrorRef open_jit(LLVMOrcLLJITRef *jit, const Image *image) {
  LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
  LLVMOrcDefinitionGeneratorRef generator = NULL;
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  LLVMTargetMachineRef target = this_machine(
      image->is_plain ? LLVMCodeGenLevelNone : LLVMCodeGenLevelDefault);
  if (target)
    LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(
        builder, LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(target));
  LLVMErrorRef error = LLVMOrcCreateLLJIT(jit, builder);
  if (!error)
    error = LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
        &generator, LLVMOrcLLJITGetGlobalPrefix(*jit), NULL, NULL);
  if (!error)
    LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(*jit), generator);
  return error;
}

// The context is the JIT's from here on.
static LLVMErrorRef add_module(LLVMOrcLLJITRef jit, LLVMModuleRef module) {
  LLVMOrcThreadSafeContextRef context =
      LLVMOrcCreateNewThreadSafeContextFromLLVMContext(
          LLVMGetModuleContext(module));
  return LLVMOrcLLJITAddLLVMIRModule(
      jit, LLVMOrcLLJITGetMainJITDylib(jit),
      LLVMOrcCreateNewThreadSafeModule(module, context));
}

static LLVMErrorRef look_up(LLVMOrcLLJITRef jit, Task *task, const Run *run,
                            Image *image) {
  LLVMOrcExecutorAddress entry = 0, also = 0, table = 0;
  LLVMErrorRef error =
      run->code->function ? LLVMOrcLLJITLookup(jit, &entry, ENTRY_NAME) : NULL;
  if (!error && run->code->also)
    error = LLVMOrcLLJITLookup(jit, &also, ALSO_NAME);
  if (!error)
    error = LLVMOrcLLJITLookup(jit, &table, TABLE_NAME);
  if (error)
    return error;
  image->entry = (void (*)(void **))(uintptr_t)entry;
  image->also = (void (*)(void **))(uintptr_t)also;
  for (size_t i = 0; i < run->code->variables.count; i++)
    if (!run->code->variables.at[i].is_local)
      push(&task->arena, &image->variables, ((char **)(uintptr_t)table)[i]);
  return NULL;
}

// An array that the launch gives a size lies behind the variables.
static void place_locals(Task *task, const Run *run, Image *image) {
  const Code *code = run->code;
  uint64_t offset = code->shared_bytes + run->dynamic_shared;
  assert(image->variables.count <= code->variables.count);
  for (size_t i = image->variables.count; i < code->variables.count; i++) {
    push(&task->arena, &image->variables, image->shared + offset);
    offset += run_local_bytes(run, &code->variables.at[i]) + LOCAL_GAP;
  }
}

static uint64_t shared_bytes(const Run *run) {
  uint64_t bytes = run->code->shared_bytes + run->dynamic_shared;
  for (size_t i = 0; i < run->code->variables.count; i++)
    if (run->code->variables.at[i].is_local)
      bytes += run_local_bytes(run, &run->code->variables.at[i]) + LOCAL_GAP;
  return bytes;
}

// False: that has not worked; the module is good for nothing then.
static bool make_host(Task *task, const Run *run, Image *image,
                      LLVMOrcLLJITRef jit, const char **reason) {
  LLVMModuleRef module = run->code->module;
  bool is_block = image->is_block;
  jit_lower(task, run, image);
  LLVMSetTarget(module, LLVMOrcLLJITGetTripleString(jit));
  LLVMSetDataLayout(module, LLVMOrcLLJITGetDataLayoutStr(jit));
  return !failed(task, optimise(task, run, image), reason) &&
         image->is_block == is_block;
}

// A block as a loop is tried on a copy of the module.
static bool make_block(Task *task, const Run *run, Image *image,
                       LLVMOrcLLJITRef jit, LLVMModuleRef *module) {
  size_t length = 0;
  const char *reason, *name = LLVMGetValueName2(run->code->function, &length);
  Code code = *run->code;
  Run copy = *run;
  copy.code = &code;
  code.module = LLVMCloneModule(*module);
  code.function = LLVMGetNamedFunction(code.module, name);
  assert(code.function);
  image->is_block = true;
  bool is_made = make_host(task, &copy, image, jit, &reason);
  LLVMDisposeModule(is_made ? *module : code.module);
  if (is_made)
    *module = code.module;
  return is_made;
}

bool image_make(Task *task, const Run *run, Image *image, const char **reason) {
  LLVMOrcLLJITRef jit = NULL;
  LLVMModuleRef module = run->code->module;
  image->is_plain = run->is_quick || is_large(run->code);
  image->shared_bytes = shared_bytes(run);
  image->shared = memory_low(image->shared_bytes + 1);
  if (!image->shared) {
    *reason = "shared memory is too large";
    return false;
  }
  image->spots = spots_make(run->code);
  if (!image->spots) {
    *reason = "not enough memory";
    return false;
  }
  if (failed(task, open_jit(&jit, image), reason))
    return false;
  image->is_block =
      jit_is_block(run) && make_block(task, run, image, jit, &module);
  if ((!image->is_block && !make_host(task, run, image, jit, reason)) ||
      failed(task, add_module(jit, module), reason) ||
      failed(task, look_up(jit, task, run, image), reason))
    return false;
  place_locals(task, run, image);
  return true;
}
