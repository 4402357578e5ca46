// What the command asks of the library that has clang, LLVM and Z3.

#include "plugin/suppress.h"

// NULL: it does not compile, and clang or *reason says why.
static const char *cuda_to_ptx(Task *task, const Settings *settings,
                               const char *file, HostLaunches *launches,
                               const char **reason) {
  struct LLVMOpaqueModule *module =
      frontend_compile(task, settings, file, launches);
  if (!module)
    return NULL;
  suppressions_know_functions(settings->options.suppressions, module);
  const char *text = llvm_to_ptx(task, module, reason);
  llvm_free_module(module);
  return text;
}

__attribute__((
    visibility("default"))) extern const ClangSide gpuverify_clang_side;

const ClangSide gpuverify_clang_side = {
    .verify = verify_command,
    .run = run_command,
    .schedules = schedules_command,
    .batch = batch_command,
    .collect = status_collect,
    .repair = repair_command,
    .merge = merge_command,
    .threads = threads_command,
    .cuda_to_ptx = cuda_to_ptx,
};
