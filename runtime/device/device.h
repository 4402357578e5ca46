// A kernel on the device of this machine, by the CUDA driver.
//
// What those share that execute a launch there: the device itself, buffers and
// arguments of a run, a module of PTX.  The first thing that goes wrong is kept
// as the reason; from then on nothing else is worth doing.  Whatever a kernel
// does to its context, it does to its process: open it in one of its own.

#ifndef RUNTIME_DEVICE_DEVICE_H
#define RUNTIME_DEVICE_DEVICE_H

#include "runtime/device/driver.h"
#include "runtime/runtime.h"

// ---------------------------------------------------------------- find.c ---

// The first device of this machine.
typedef struct DeviceFound {
  bool is_usable;
  int version;    // of CUDA, as the driver counts: 12040
  int capability; // 90
  char name[96];
  char reason[INCIDENT_TEXT]; // it is not usable: why
} DeviceFound;

// In a process of its own, so that this one keeps no driver.
void device_find(DeviceFound *found);
// The version of PTX that a driver reads, 80 for 8.0.
unsigned device_ptx_version(int driver);

// -------------------------------------------------------------- device.c ---

typedef struct Device {
  GpuDriver driver;
  GpuDevice device;
  char *reason; // INCIDENT_TEXT bytes; empty: all is well
  const Run *run;
  GpuModule *module;
  GpuAddress *buffers; // by buffer
  GpuAddress *values;  // of arguments that are pointers
  void **arguments;
} Device;

// All of these: false says that device->reason is why.
bool device_fail(Device *device, const char *fmt, ...) PRINTF(2, 3);
bool device_is_done(Device *device, GpuResult result, const char *what);

// Finds the driver and the device, and uses nothing of it yet.
bool device_start(Device *device);
int device_attribute(const Device *device, int number);
bool device_use(Device *device); // ... and makes it this thread's
// The same, with memory for buffers and arguments of the run.
bool device_open(Device *device);

bool device_take(Device *device, GpuAddress *at, uint64_t bytes);
bool device_put(Device *device, GpuAddress to, const void *from,
                uint64_t bytes);
bool device_get(Device *device, void *to, GpuAddress from, uint64_t bytes);
bool device_fill_buffers(Device *device);
bool device_fetch_buffers(Device *device);

bool device_load(Device *device, const char *ptx);
bool device_find_variable(Device *device, const char *name, GpuAddress *at);
bool device_find_function(Device *device, const char *name,
                          GpuFunction **function);
// Room for the dynamic shared memory of the run, where that needs a word.
bool device_allow_shared(Device *device, GpuFunction *function);
// What was launched has ended.  seconds: at most; 0: whenever it does.
// is_asked: to stop, by somebody else; or NULL.
bool device_await(Device *device, double seconds, const volatile int *is_asked);

#endif
