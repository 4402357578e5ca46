// A CUDA runtime without a device, for tests of programs that check themselves:
// built as libcudart.so, beside libcuda.c as libcuda.so.1.
//
// Kernels are known by the names under which they are registered.  A launch
// that comes here is noted in the file $FAKE_LOG as `plain NAME`, and does
// nothing; memory of the device is the host's.  $FAKE=captures: every stream is
// captured.

#define _GNU_SOURCE

#include "runtime/values/program/runtime.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KERNELS = 64, INVALID = 1, UNKNOWN_KERNEL = 98 };

static struct {
  const void *symbol;
  const char *name;
} kernels[MOST_KERNELS];

static unsigned count;

static struct {
  LaunchSize grid, block;
  size_t shared;
  GpuStream *stream;
} pushed;

RuntimeResult cudaMalloc(void **at, size_t bytes);
RuntimeResult cudaFree(void *at);
RuntimeResult cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
RuntimeResult cudaMemset(void *at, int value, size_t bytes);
RuntimeResult cudaGetLastError(void);
void **__cudaRegisterFatBinary(void *image);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
int __cudaRegisterFunction(void **handle, const char *symbol, char *function,
                           const char *name, int limit, void *thread,
                           void *block, void *block_size, void *grid,
                           int *warp);
void __cudaRegisterVar(void **handle, char *variable, char *address,
                       const char *name, int is_extern, size_t bytes,
                       int is_constant, int is_global);
unsigned __cudaPushCallConfiguration(LaunchSize grid, LaunchSize block,
                                     size_t shared, GpuStream *stream);
RuntimeResult __cudaPopCallConfiguration(LaunchSize *grid, LaunchSize *block,
                                         size_t *shared, void *stream);

static const char *name_of(const void *symbol) {
  for (unsigned i = 0; i < count; i++)
    if (kernels[i].symbol == symbol)
      return kernels[i].name;
  return NULL;
}

static RuntimeResult note(const void *symbol) {
  const char *name = name_of(symbol);
  FILE *log = getenv("FAKE_LOG") ? fopen(getenv("FAKE_LOG"), "a") : NULL;
  if (log) {
    fprintf(log, "plain %s\n", name ? name : "?");
    fclose(log);
  }
  return name ? 0 : UNKNOWN_KERNEL;
}

// ------------------------------------------------------------- registering ---

void **__cudaRegisterFatBinary(void *image) {
  (void)image;
  return calloc(1, sizeof(void *));
}

void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }

void __cudaUnregisterFatBinary(void **handle) { free(handle); }

int __cudaRegisterFunction(void **handle, const char *symbol, char *function,
                           const char *name, int limit, void *thread,
                           void *block, void *block_size, void *grid,
                           int *warp) {
  (void)handle, (void)function, (void)limit, (void)thread, (void)block;
  (void)block_size, (void)grid, (void)warp;
  if (count == MOST_KERNELS)
    abort();
  kernels[count].symbol = symbol;
  kernels[count++].name = name;
  return 0;
}

void __cudaRegisterVar(void **handle, char *variable, char *address,
                       const char *name, int is_extern, size_t bytes,
                       int is_constant, int is_global) {
  (void)handle, (void)variable, (void)address, (void)name, (void)is_extern;
  (void)bytes, (void)is_constant, (void)is_global;
}

// ---------------------------------------------------------------- launches ---

unsigned __cudaPushCallConfiguration(LaunchSize grid, LaunchSize block,
                                     size_t shared, GpuStream *stream) {
  pushed.grid = grid;
  pushed.block = block;
  pushed.shared = shared;
  pushed.stream = stream;
  return 0;
}

RuntimeResult __cudaPopCallConfiguration(LaunchSize *grid, LaunchSize *block,
                                         size_t *shared, void *stream) {
  *grid = pushed.grid;
  *block = pushed.block;
  *shared = pushed.shared;
  memcpy(stream, &pushed.stream, sizeof pushed.stream);
  return 0;
}

RuntimeResult cudaLaunchKernel(const void *symbol, LaunchSize grid,
                               LaunchSize block, void **arguments,
                               size_t shared, GpuStream *stream) {
  (void)grid, (void)block, (void)arguments, (void)shared, (void)stream;
  return note(symbol);
}

RuntimeResult cudaLaunchCooperativeKernel(const void *symbol, LaunchSize grid,
                                          LaunchSize block, void **arguments,
                                          size_t shared, GpuStream *stream) {
  return cudaLaunchKernel(symbol, grid, block, arguments, shared, stream);
}

RuntimeResult cudaLaunchKernelExC(const LaunchConfiguration *configuration,
                                  const void *symbol, void **arguments) {
  (void)configuration, (void)arguments;
  return note(symbol);
}

// The driver's function has the name that was asked for last.
RuntimeResult cudaGetFuncBySymbol(GpuFunction **function, const void *symbol) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  GpuFunction *(*named)(const char *) = NULL;
  void *found = driver ? dlsym(driver, "fake_named") : NULL;
  memcpy(&named, &found, sizeof found);
  if (!named || !name_of(symbol))
    return UNKNOWN_KERNEL;
  *function = named(name_of(symbol));
  return 0;
}

RuntimeResult cudaStreamIsCapturing(GpuStream *stream, int *status) {
  const char *fake = getenv("FAKE");
  (void)stream;
  *status = fake && !strcmp(fake, "captures");
  return 0;
}

// ---------------------------------------------------------------- the rest ---

RuntimeResult cudaDeviceSynchronize(void) { return 0; }

RuntimeResult cudaDeviceReset(void) { return 0; }

RuntimeResult cudaGetLastError(void) { return 0; }

RuntimeResult cudaGetDevice(int *device) {
  *device = 7; // as the driver names it
  return 0;
}

const char *cudaGetErrorString(RuntimeResult error) {
  return error == 700 ? "an illegal address" : "invalid argument";
}

RuntimeResult cudaMalloc(void **at, size_t bytes) {
  *at = malloc(bytes);
  return *at ? 0 : INVALID;
}

RuntimeResult cudaFree(void *at) {
  free(at);
  return 0;
}

RuntimeResult cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
  (void)kind;
  memmove(to, from, bytes);
  return 0;
}

RuntimeResult cudaMemset(void *at, int value, size_t bytes) {
  memset(at, value, bytes);
  return 0;
}
