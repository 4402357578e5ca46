// What clang loads: a guard in front of the plugin.
//
// The plugin proper is built for one version of clang.  In another its symbols
// are missing or, worse, mean something else.  So gpuverify.so holds nothing
// but this file, which needs no symbol of clang's, asks LLVM for its version,
// and loads the plugin that lies beside it if that is right.  If not, it says
// so in one line and the compilation goes on without us.

#define _GNU_SOURCE

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLANG_MAJOR 22
#define PLUGIN_FILE "gpuverify-22.so"

typedef void GetVersion(unsigned *major, unsigned *minor, unsigned *patch);

// 0: older than 16, which was the first to tell.
static unsigned running_version(void) {
  unsigned major = 0, minor = 0, patch = 0;
  GetVersion *get_version;
  *(void **)&get_version = dlsym(RTLD_DEFAULT, "LLVMGetVersion");
  if (get_version)
    get_version(&major, &minor, &patch);
  return major;
}

// The plugin proper, in the folder of this library.  NULL: *why says why not.
static void *load_plugin(const char **why) {
  static const char here, name[] = PLUGIN_FILE;
  char path[PATH_MAX];
  Dl_info library;
  *why = "its own folder is not known";
  if (!dladdr(&here, &library) || !realpath(library.dli_fname, path))
    return NULL;
  char *file = strrchr(path, '/') + 1;
  if (file + sizeof name > path + sizeof path)
    return NULL;
  memcpy(file, name, sizeof name);
  void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  *why = plugin ? NULL : dlerror();
  return plugin;
}

__attribute__((constructor)) static void load(void) {
  char other[32] = "an older one";
  const char *why;
  unsigned version = running_version();
  if (version == CLANG_MAJOR) {
    if (!load_plugin(&why))
      fprintf(stderr, "gpuverify: nothing is checked: %s\n", why);
    return;
  }
  if (version)
    snprintf(other, sizeof other, "clang %u", version);
  fprintf(stderr,
          "gpuverify: nothing is checked: this plugin is for clang %d, and "
          "here is %s\n",
          CLANG_MAJOR, other);
}
