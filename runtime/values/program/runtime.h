// The CUDA runtime, as much of it as is called; the program is linked with it.

#ifndef RUNTIME_VALUES_PROGRAM_RUNTIME_H
#define RUNTIME_VALUES_PROGRAM_RUNTIME_H

#include "runtime/device/driver.h"

typedef int RuntimeResult;

typedef struct LaunchSize {
  unsigned x, y, z;
} LaunchSize; // dim3

typedef struct LaunchConfiguration { // cudaLaunchConfig_t
  LaunchSize grid, block;
  size_t shared;
  GpuStream *stream;
  void *attributes;
  unsigned attribute_count;
} LaunchConfiguration;

// What the program asked for.
typedef struct Asked {
  const void *symbol;
  LaunchSize grid, block;
  void **arguments;
  size_t shared;
  GpuStream *stream;
  bool has_attributes;
} Asked;

RuntimeResult cudaGetFuncBySymbol(GpuFunction **function, const void *symbol);
RuntimeResult cudaLaunchKernel(const void *symbol, LaunchSize grid,
                               LaunchSize block, void **arguments,
                               size_t shared, GpuStream *stream);
RuntimeResult cudaLaunchCooperativeKernel(const void *symbol, LaunchSize grid,
                                          LaunchSize block, void **arguments,
                                          size_t shared, GpuStream *stream);
RuntimeResult cudaLaunchKernelExC(const LaunchConfiguration *configuration,
                                  const void *symbol, void **arguments);
RuntimeResult cudaStreamIsCapturing(GpuStream *stream, int *status);
RuntimeResult cudaDeviceSynchronize(void);
RuntimeResult cudaDeviceReset(void);
RuntimeResult cudaGetDevice(int *device);
const char *cudaGetErrorString(RuntimeResult error);

// In their place; see runtime/values/replaced.def.
#pragma GCC visibility push(default)
RuntimeResult __gpuverify_values_launch(const void *symbol, LaunchSize grid,
                                        LaunchSize block, void **arguments,
                                        size_t shared, GpuStream *stream);
RuntimeResult __gpuverify_values_launch_ptsz(const void *symbol,
                                             LaunchSize grid, LaunchSize block,
                                             void **arguments, size_t shared,
                                             GpuStream *stream);
RuntimeResult __gpuverify_values_cooperative(const void *symbol,
                                             LaunchSize grid, LaunchSize block,
                                             void **arguments, size_t shared,
                                             GpuStream *stream);
RuntimeResult
__gpuverify_values_cooperative_ptsz(const void *symbol, LaunchSize grid,
                                    LaunchSize block, void **arguments,
                                    size_t shared, GpuStream *stream);
RuntimeResult
__gpuverify_values_launch_ex(const LaunchConfiguration *configuration,
                             const void *symbol, void **arguments);
RuntimeResult
__gpuverify_values_launch_ex_ptsz(const LaunchConfiguration *configuration,
                                  const void *symbol, void **arguments);
RuntimeResult __gpuverify_values_reset(void);
void __gpuverify_values_exit(int status) __attribute__((noreturn));
#pragma GCC visibility pop

#endif
