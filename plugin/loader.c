// What clang loads: a guard in front of the plugin.
//
// The plugin proper is built for one version of clang.  In another its symbols
// are missing or, worse, mean something else.  So gpuverify.so holds nothing
// but this file, which needs no symbol of clang's, and refusal.cc, which is
// called in that version only.  It asks LLVM for its version, and loads the
// plugin that lies beside it if that is right and the one that it was built
// with.  If not, the compilation ends with an error: what was to be checked
// must not pass unseen.
//
// Caches such as ccache take the bytes of this library, which clang is told to
// load, for all there is.  So the identity of the other one is in it: a hash of
// what that was linked of.

#define _GNU_SOURCE

#include "plugin/refusal.h"

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

// Of the plugin proper, which lies in the folder of this library.  NULL: *why
// says why there is none.
static const char *load_plugin(const char **why) {
  static const char here, name[] = PLUGIN_FILE;
  static char path[PATH_MAX];
  Dl_info library;
  *why = "its own folder is not known";
  if (!dladdr(&here, &library) || !realpath(library.dli_fname, path))
    return NULL;
  char *file = strrchr(path, '/') + 1;
  if (file + sizeof name > path + sizeof path)
    return NULL;
  memcpy(file, name, sizeof name);
  void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const char *identity = plugin ? dlsym(plugin, "gpuverify_identity") : NULL;
  *why = identity ? NULL : dlerror();
  return identity;
}

static void check_plugin(void) {
  const char *why;
  const char *identity = load_plugin(&why);
  if (!identity)
    refuse_to_compile(why);
  else if (strcmp(identity, IDENTITY))
    refuse_to_compile(PLUGIN_FILE
                      " is of another version than gpuverify.so beside it");
}

// Nothing is known of this clang but that the process is one compilation's.
static void end_compilation(unsigned version) {
  char other[32] = "an older one";
  if (version)
    snprintf(other, sizeof other, "clang %u", version);
  fprintf(stderr,
          "error: gpuverify: nothing is checked: this plugin is for clang %d, "
          "and here is %s\n",
          CLANG_MAJOR, other);
  _Exit(EXIT_FAILURE);
}

__attribute__((constructor)) static void load(void) {
  unsigned version = running_version();
  if (version == CLANG_MAJOR)
    check_plugin();
  else
    end_compilation(version);
}
