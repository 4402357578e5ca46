// Instances that this process executes, one after another: what a device would
// do, for tests, and to see that it does what runtime/threads/ does.

#include "runtime/instances/lowering.h"
#include "runtime/instances/plan.h"

#include "runtime/threads/world.h"

#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

typedef struct HostInstances {
  const InstanceCode *code;
  void (*run)(const InstancePlan *plan, InstanceLong index);
  InstancePlan plan;
  InstanceEnd ends[MOST];
} HostInstances;

// Filled: what an instance finds in memory that it has not written must not
// matter.
static InstanceLong take(uint64_t bytes) {
  enum { FILLING = 0xc7 };
  void *at = aligned_alloc(INSTANCE_ALIGNMENT, bytes);
  if (at)
    memset(at, FILLING, bytes);
  return (InstanceLong)(uintptr_t)at;
}

static bool begin(ThreadsDevice *device, const DeviceProfile *profile) {
  HostInstances *host = device->data;
  if (!plan_make(&host->plan, profile, host->code, &device->reason))
    return false;
  InstancePlan *plan = &host->plan;
  plan->instances = take(plan->bytes * MOST);
  plan->frames = take(plan_frames_bytes(plan, MOST));
  plan->ends = (InstanceLong)(uintptr_t)host->ends;
  plan->globals = (InstanceLong)(uintptr_t)profile->globals;
  plan->constants = (InstanceLong)(uintptr_t)profile->constants;
  plan->locals = (InstanceLong)(uintptr_t)profile->locals;
  device->reason = "out of memory";
  return plan->instances && plan->frames;
}

static bool run(ThreadsDevice *device, uint64_t first, uint64_t start,
                uint64_t count, DeviceEnd *ends) {
  HostInstances *host = device->data;
  host->plan.first = first;
  host->plan.start = start;
  host->plan.count = count;
  for (uint64_t i = 0; i < count; i++)
    host->run(&host->plan, i);
  if (count > host->plan.used)
    host->plan.used = count;
  device->reason = "the device's code does not answer";
  return plan_tell(&host->plan, host->ends, ends) == count;
}

// ----------------------------------------------------------------- compile ---

static void stop_on(Task *task, LLVMErrorRef error) {
  if (!error)
    return;
  char *message = LLVMGetErrorMessage(error);
  const char *text = arena_copy(&task->arena, message);
  LLVMDisposeErrorMessage(message);
  unsupported(task, (Loc){0}, "--device: %s", text);
}

// What is a device's alone goes: where its threads begin, and its name.
static void take_to_host(LLVMModuleRef module, LLVMOrcLLJITRef jit) {
  static const char *const names[] = {"target-cpu", "target-features"};
  LLVMDeleteFunction(LLVMGetNamedFunction(module, INSTANCES_KERNEL));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      LLVMRemoveStringAttributeAtIndex(
          f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, names[i],
          (unsigned)strlen(names[i]));
  LLVMSetTarget(module, LLVMOrcLLJITGetTripleString(jit));
  LLVMSetDataLayout(module, LLVMOrcLLJITGetDataLayoutStr(jit));
}

// What wide numbers are computed by in machine code; a device's compiler has no
// need of it.
static void define_numbers(Task *task, LLVMOrcLLJITRef jit) {
  for (const PosixCall *call = wide_calls; call->name; call++) {
    LLVMOrcCSymbolMapPair pair = {
        LLVMOrcLLJITMangleAndIntern(jit, call->name),
        {(LLVMOrcExecutorAddress)(uintptr_t)call->code,
         {LLVMJITSymbolGenericFlagsExported, 0}}};
    stop_on(task, LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(jit),
                                        LLVMOrcAbsoluteSymbols(&pair, 1)));
  }
}

static void find_memory_functions(Task *task, LLVMOrcLLJITRef jit) {
  LLVMOrcDefinitionGeneratorRef generator = NULL;
  stop_on(task, LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                    &generator, LLVMOrcLLJITGetGlobalPrefix(jit), NULL, NULL));
  LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit), generator);
}

void instances_on_host(Task *task, const InstanceCode *code,
                       ThreadsDevice *device) {
  HostInstances *host = NEW(&task->arena, HostInstances);
  LLVMOrcLLJITRef jit = NULL;
  LLVMOrcExecutorAddress address = 0;
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  stop_on(task, LLVMOrcCreateLLJIT(&jit, NULL));
  take_to_host(code->module, jit);
  define_numbers(task, jit);
  find_memory_functions(task, jit);
  LLVMOrcThreadSafeContextRef context =
      LLVMOrcCreateNewThreadSafeContextFromLLVMContext(
          LLVMGetModuleContext(code->module));
  stop_on(task, LLVMOrcLLJITAddLLVMIRModule(
                    jit, LLVMOrcLLJITGetMainJITDylib(jit),
                    LLVMOrcCreateNewThreadSafeModule(code->module, context)));
  stop_on(task, LLVMOrcLLJITLookup(jit, &address, INSTANCES_RUN));
  host->code = code;
  host->run = (void (*)(const InstancePlan *, InstanceLong))(uintptr_t)address;
  *device = (ThreadsDevice){.name = "this processor, as a device",
                            .most = MOST,
                            .checked = UINT64_MAX,
                            .begin = begin,
                            .run = run,
                            .data = host};
}
