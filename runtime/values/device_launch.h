// A launch of a kernel that checks itself, on a device.
//
// Needs the driver and nothing else of ours, for programs that were compiled to
// check themselves have it in them, too.

#ifndef RUNTIME_VALUES_DEVICE_LAUNCH_H
#define RUNTIME_VALUES_DEVICE_LAUNCH_H

#include "runtime/device/driver.h"
#include "runtime/values/on_device.h"

typedef struct ValuesMemory {
  const GpuDriver *driver;
  int processors;
  GpuAddress at, pool; // of all; of slices
  uint64_t pool_bytes;
  ValuesHead head;
  ValuesReport *reports; // VALUES_REPORTS of them, which the device writes
} ValuesMemory;

typedef struct ValuesLaunch {
  GpuFunction *function;
  GpuAddress head; // VALUES_HEAD of the function's module
  unsigned grid[3], block[3], shared;
  GpuStream *stream;
  void **arguments;
  double seconds; // to wait for one execution at most; 0: for ever
} ValuesLaunch;

// Takes so many bytes of the device for copies, or, if that is 0, half of what
// is free.
GpuResult values_memory_take(ValuesMemory *memory, const GpuDriver *driver,
                             GpuDevice device, uint64_t bytes);
void values_memory_give(ValuesMemory *memory);

// Executes the kernel, twice where it has several blocks, and waits for its
// end.  GPU_NOT_READY: it has not come.  Reports are there whatever it returns.
GpuResult values_launch(ValuesMemory *memory, const ValuesLaunch *launch);
// The same of a kernel that does not check itself, once.
GpuResult values_launch_plainly(const GpuDriver *driver,
                                const ValuesLaunch *launch);
// Those of the last launch that are complete; they lie side by side.
unsigned values_report_count(const ValuesMemory *memory);

#endif
