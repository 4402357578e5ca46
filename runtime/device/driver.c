// Finding the CUDA driver.
//
// One table of its functions, filled by name.  A driver that lacks one of them
// is too old.

#include "runtime/device/driver.h"

#include <dlfcn.h>
#include <string.h>

// Data and functions have addresses of one kind where there are dlsym and
// drivers.
static bool find(void *library, const char *name, void *member,
                 const char **missing) {
  void *at = dlsym(library, name);
  memcpy(member, &at, sizeof at);
  if (!at)
    *missing = name;
  return at;
}

bool gpu_driver_open(GpuDriver *driver, const char **missing) {
  *missing = NULL;
  driver->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  return driver->library
#define GPU_FUNCTION(member, name, parameters)                                 \
  &&find(driver->library, name, &driver->member, missing)
#include "runtime/device/driver.def"
#undef GPU_FUNCTION
      ;
}
