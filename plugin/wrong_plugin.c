// The command's library, given to clang as a plugin: clang would load it and
// check nothing.
//
// The command and what it is linked with have none of LLVM's functions, nor
// has what it loads for itself alone.

#include "plugin/refusal.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

static bool is_in_clang(void) {
  void *program = dlopen(NULL, RTLD_LAZY);
  bool has_llvm = program && dlsym(program, "LLVMGetVersion");
  if (program)
    dlclose(program);
  return has_llvm;
}

__attribute__((constructor)) static void refuse_clang(void) {
  if (is_in_clang())
    refuse_to_compile(
        "this library is a part of the command gpuverify; the plugin "
        "is gpuverify.so");
}
