// Programs that check themselves, inside clang.

#ifndef PLUGIN_SELF_CHECKS_H
#define PLUGIN_SELF_CHECKS_H

#include "plugin/frontend.h"

// What one compilation for a device is changed with; `task` is of `owner`, and
// `survives` says whether work came to its end.
struct SelfChecks {
  Diagnoser diagnoser;
  Task *task;
  bool compares_warps;
  std::shared_ptr<void> owner;
  bool (*survives)(llvm::function_ref<void()> work);
};

// Before code is generated.
void self_checks_of_device(clang::CompilerInstance &instance,
                           std::shared_ptr<SelfChecks> checks);
void self_checks_of_host(clang::CompilerInstance &instance);

#endif
