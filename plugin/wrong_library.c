// What programs are linked with, given to clang as a plugin: clang would load
// it and check nothing.
//
// A program has none of clang's classes.  Where they are, the library of the
// command is loaded, which lies beside this one and refuses (wrong_plugin.c).

#define _GNU_SOURCE

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define REFUSING "libgpuverify-clang.so"
// The vtable of clang::PluginASTAction.
#define OF_CLANG "_ZTVN5clang15PluginASTActionE"

__attribute__((constructor)) static void refuse_clang(void) {
  static const char here;
  Dl_info library;
  char path[PATH_MAX];
  if (!dlsym(RTLD_DEFAULT, OF_CLANG) || !dladdr(&here, &library))
    return;
  const char *name = strrchr(library.dli_fname, '/');
  snprintf(path, sizeof path, "%.*s%s",
           name ? (int)(name + 1 - library.dli_fname) : 0, library.dli_fname,
           REFUSING);
  if (!dlopen(path, RTLD_NOW))
    fprintf(stderr, "gpuverify: nothing is checked: %s\n", dlerror());
}
