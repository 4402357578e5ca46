// Programs that check themselves, inside clang.

#ifndef PLUGIN_SELF_CHECKS_H
#define PLUGIN_SELF_CHECKS_H

#include "plugin/frontend.h"

#include <functional>

// What one compilation for a device is changed with; `task` is of `owner`, and
// `survives` says whether work came to its end.  `prove` notes at the kernels
// of a module for which launches they were proved.
struct SelfChecks {
  Diagnoser diagnoser;
  Task *task;
  bool compares_warps;
  std::shared_ptr<void> owner;
  bool (*survives)(llvm::function_ref<void()> work);
  std::function<void(llvm::Module &module)> prove;
};

// Before code is generated.
void self_checks_of_device(clang::CompilerInstance &instance,
                           std::shared_ptr<SelfChecks> checks);
void self_checks_of_host(clang::CompilerInstance &instance);

#endif
