// Loads clang's side of the command, and with it clang, LLVM and Z3: 70 MB and
// 20 ms that PTX does not need.
//
// The library lies beside the command, or in ../lib where that is installed.
// It was linked against those libraries with all symbols found, and they bind
// theirs when they are called, which is a millisecond faster than at once.

#include "plugin/plugin.h"

#include <dlfcn.h>
#include <string.h>

// What is linked of other objects may have other structures.
static bool is_ours(void *library) {
  const char *identity = dlsym(library, "gpuverify_identity");
  return identity && !strcmp(identity, IDENTITY);
}

const ClangSide *clang_side(Task *task, const char **reason) {
  static const ClangSide *loaded;
  const char *path = loaded ? NULL : find_beside(task, CLANG_LIBRARY);
  if (loaded)
    return loaded;
  *reason = "it is not beside this command and not in ../lib";
  if (!path)
    return NULL;
  void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (library && !is_ours(library)) {
    *reason = "it is of another version than this command";
    return NULL;
  }
  if (library)
    loaded = dlsym(library, "gpuverify_clang_side");
  if (loaded)
    loaded->collect(status_collects());
  else
    *reason = arena_copy(&task->arena, dlerror());
  return loaded;
}
