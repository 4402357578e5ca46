// The CUDA driver, as much of it as is used here, found when it is needed.
//
// These are declarations of our own, so that nobody needs an SDK; the library
// itself is looked for by its name when a command wants a device.

#ifndef RUNTIME_DEVICE_DRIVER_H
#define RUNTIME_DEVICE_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int GpuResult;
typedef int GpuDevice;
typedef uint64_t GpuAddress;
typedef struct GpuContext GpuContext;
typedef struct GpuModule GpuModule;
typedef struct GpuFunction GpuFunction;
typedef struct GpuStream GpuStream;

enum { // results
  GPU_SUCCESS = 0,
  GPU_OUT_OF_MEMORY = 2,
  GPU_NO_DEVICE = 100,
  GPU_NO_BINARY = 209,
  GPU_INVALID_PTX = 218,
  GPU_UNSUPPORTED_PTX = 222,
  GPU_NOT_READY = 600,
};

enum { // attributes of devices
  GPU_PROCESSORS = 16,
  GPU_CAPABILITY_MAJOR = 75,
  GPU_CAPABILITY_MINOR = 76,
  GPU_COOPERATIVE_LAUNCH = 95,
};

enum { // attributes of functions
  GPU_STATIC_SHARED = 1,
  GPU_MOST_DYNAMIC_SHARED = 8,
};

typedef struct GpuDriver {
  void *library;
#define GPU_FUNCTION(member, name, parameters) GpuResult(*member) parameters;
#include "runtime/device/driver.def"
#undef GPU_FUNCTION
} GpuDriver;

// False: there is no such library, or it is too old: *missing is a function
// that it does not have.
bool gpu_driver_open(GpuDriver *driver, const char **missing);

#endif
