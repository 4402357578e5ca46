// Launches of a program that checks itself.
//
// A kernel that can be executed twice is, while nothing else runs on the
// device: what went before has ended, and the launch comes back when all is
// over.  Every other launch is made as the program has asked for it, and
// counted.

#define _GNU_SOURCE

#include "runtime/values/program/program.h"
#include "runtime/values/program/runtime.h"

#include <pthread.h>
#include <string.h>

enum { MOST_DEVICES = 64 };
// The default stream of a thread, where that is not the one of all.
#define OWN_STREAM ((GpuStream *)2)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Memory for copies, by device.
static struct DeviceMemory {
  bool is_taken;
  GpuResult failure; // it could not be
  ValuesMemory memory;
} devices[MOST_DEVICES];

// NULL: there is none, or it is too old.
static const GpuDriver *driver_get(void) {
  static GpuDriver driver;
  static bool was_tried, is_there;
  const char *missing;
  if (!was_tried)
    is_there = gpu_driver_open(&driver, &missing);
  was_tried = true;
  return is_there ? &driver : NULL;
}

static struct DeviceMemory *memory_get(const GpuDriver *driver) {
  int device = 0;
  if (cudaGetDevice(&device) || device < 0 || device >= MOST_DEVICES)
    return NULL;
  struct DeviceMemory *found = &devices[device];
  if (!found->is_taken && !found->failure) {
    found->failure = values_memory_take(&found->memory, driver, device,
                                        settings_get()->memory);
    found->is_taken = !found->failure;
    if (found->failure)
      values_memory_give(&found->memory);
  }
  return found;
}

// NULL: it can be executed twice.
static const char *trouble_of(const Asked *asked,
                              const struct DeviceMemory *memory) {
  if (asked->has_attributes)
    return "launched with attributes, as clusters are";
  return !memory || memory->failure
             ? "there is not enough memory of the device for copies"
             : NULL;
}

// -------------------------------------------------------------- execution ---

static void tell_all(const ReportedLaunch *launch, const ValuesMemory *memory) {
  unsigned count = values_report_count(memory);
  for (unsigned i = 0; i < count; i++)
    reports_tell(launch, &memory->reports[i]);
}

static GpuResult execute(const GpuDriver *driver, const Asked *asked,
                         LaunchedKernel *kernel, ValuesMemory *memory) {
  static uint64_t launches;
  ValuesLaunch launch = {
      .function = kernel->cut,
      .head = kernel->head,
      .grid = {asked->grid.x, asked->grid.y, asked->grid.z},
      .block = {asked->block.x, asked->block.y, asked->block.z},
      .shared = (unsigned)asked->shared,
      .arguments = asked->arguments};
  ReportedLaunch reported = {kernel, ++launches, launch.grid, launch.block};
  if (asked->shared)
    driver->set_function(kernel->cut, GPU_MOST_DYNAMIC_SHARED,
                         (int)asked->shared);
  GpuResult result = values_launch(memory, &launch);
  tell_all(&reported, memory);
  if (result)
    reports_tell_trouble(&reported, cudaGetErrorString(result));
  return result;
}

static bool leave(LaunchedKernel *kernel, const char *reason) {
  kernel->unchecked++;
  kernel->unchecked_because = reason;
  return false;
}

// What is launched later, perhaps with other arguments.
static bool is_captured(const Asked *asked) {
  int is_capturing = 0;
  return cudaStreamIsCapturing(asked->stream, &is_capturing) || is_capturing;
}

static const char *stream_trouble(const Asked *asked) {
  if (is_captured(asked))
    return "captured in a graph";
  return cudaDeviceSynchronize() ? "something had gone wrong before" : NULL;
}

// False: it is to be made as it was asked for.  Errors have the same numbers
// in the driver and in the runtime.  What the driver has refused to launch has
// changed nothing, and the device goes on.
static bool execute_twice(const Asked *asked, RuntimeResult *error) {
  const GpuDriver *driver = settings_get()->is_off ? NULL : driver_get();
  LaunchedKernel *kernel = driver ? kernel_find(driver, asked->symbol) : NULL;
  if (!kernel)
    return false;
  kernel->launches++;
  if (!is_captured(asked) && proof_covers(kernel, driver, asked)) {
    kernel->proved++;
    return false;
  }
  const char *trouble = kernel->reason ? kernel->reason : stream_trouble(asked);
  struct DeviceMemory *memory = trouble ? NULL : memory_get(driver);
  trouble = trouble ? trouble : trouble_of(asked, memory);
  if (trouble)
    return leave(kernel, trouble);
  *error = execute(driver, asked, kernel, &memory->memory);
  return !*error || cudaDeviceSynchronize() ||
         leave(kernel, cudaGetErrorString(*error));
}

static bool is_executed_twice(const Asked *asked, RuntimeResult *error) {
  pthread_mutex_lock(&lock);
  bool is_done = execute_twice(asked, error);
  pthread_mutex_unlock(&lock);
  return is_done;
}

// ------------------------------------------------ in place of the runtime's
// ---

RuntimeResult __gpuverify_values_launch(const void *symbol, LaunchSize grid,
                                        LaunchSize block, void **arguments,
                                        size_t shared, GpuStream *stream) {
  RuntimeResult error;
  Asked asked = {symbol, grid, block, arguments, shared, stream, false};
  return is_executed_twice(&asked, &error)
             ? error
             : cudaLaunchKernel(symbol, grid, block, arguments, shared, stream);
}

RuntimeResult __gpuverify_values_launch_ptsz(const void *symbol,
                                             LaunchSize grid, LaunchSize block,
                                             void **arguments, size_t shared,
                                             GpuStream *stream) {
  return __gpuverify_values_launch(symbol, grid, block, arguments, shared,
                                   stream ? stream : OWN_STREAM);
}

RuntimeResult __gpuverify_values_cooperative(const void *symbol,
                                             LaunchSize grid, LaunchSize block,
                                             void **arguments, size_t shared,
                                             GpuStream *stream) {
  RuntimeResult error;
  Asked asked = {symbol, grid, block, arguments, shared, stream, false};
  return is_executed_twice(&asked, &error)
             ? error
             : cudaLaunchCooperativeKernel(symbol, grid, block, arguments,
                                           shared, stream);
}

RuntimeResult
__gpuverify_values_cooperative_ptsz(const void *symbol, LaunchSize grid,
                                    LaunchSize block, void **arguments,
                                    size_t shared, GpuStream *stream) {
  return __gpuverify_values_cooperative(symbol, grid, block, arguments, shared,
                                        stream ? stream : OWN_STREAM);
}

RuntimeResult
__gpuverify_values_launch_ex(const LaunchConfiguration *configuration,
                             const void *symbol, void **arguments) {
  RuntimeResult error;
  Asked asked = {symbol,
                 configuration->grid,
                 configuration->block,
                 arguments,
                 configuration->shared,
                 configuration->stream,
                 configuration->attribute_count > 0};
  return is_executed_twice(&asked, &error)
             ? error
             : cudaLaunchKernelExC(configuration, symbol, arguments);
}

RuntimeResult
__gpuverify_values_launch_ex_ptsz(const LaunchConfiguration *configuration,
                                  const void *symbol, void **arguments) {
  LaunchConfiguration own = *configuration;
  if (!own.stream)
    own.stream = OWN_STREAM;
  return __gpuverify_values_launch_ex(&own, symbol, arguments);
}

// Nothing of the device is left then.
RuntimeResult __gpuverify_values_reset(void) {
  int device = 0;
  pthread_mutex_lock(&lock);
  if (!cudaGetDevice(&device) && device >= 0 && device < MOST_DEVICES) {
    if (devices[device].is_taken)
      values_memory_give(&devices[device].memory);
    devices[device] = (struct DeviceMemory){0};
    kernels_forget();
  }
  RuntimeResult error = cudaDeviceReset();
  pthread_mutex_unlock(&lock);
  return error;
}
