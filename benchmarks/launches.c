// Linked to a program, this executes its main several times and tells the
// seconds that its launches of kernels take: `seconds N` on stderr, one line a
// time.  Needs -Wl,--wrap of main, cudaLaunchKernel and
// __gpuverify_values_launch.

#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 4 };

typedef struct Size {
  unsigned x, y, z;
} Size;

typedef int Launch(const void *symbol, Size grid, Size block, void **arguments,
                   size_t shared, void *stream);

int cudaDeviceSynchronize(void);
int __real_main(int count, char **arguments);
int __wrap_main(int count, char **arguments);
Launch __wrap_cudaLaunchKernel, __wrap___gpuverify_values_launch;
Launch __real_cudaLaunchKernel;
// There is none where the program does not check itself.
Launch __real___gpuverify_values_launch __attribute__((weak));

static double seconds;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int timed(Launch *launch, const void *symbol, Size grid, Size block,
                 void **arguments, size_t shared, void *stream) {
  cudaDeviceSynchronize();
  double begin = now();
  int error = launch(symbol, grid, block, arguments, shared, stream);
  int other = cudaDeviceSynchronize();
  seconds += now() - begin;
  if (error || other) {
    fprintf(stderr, "error %d\n", error ? error : other);
    exit(3);
  }
  return error;
}

int __wrap_cudaLaunchKernel(const void *symbol, Size grid, Size block,
                            void **arguments, size_t shared, void *stream) {
  return timed(__real_cudaLaunchKernel, symbol, grid, block, arguments, shared,
               stream);
}

int __wrap___gpuverify_values_launch(const void *symbol, Size grid, Size block,
                                     void **arguments, size_t shared,
                                     void *stream) {
  return timed(__real___gpuverify_values_launch, symbol, grid, block, arguments,
               shared, stream);
}

int __wrap_main(int count, char **arguments) {
  int rounds = getenv("ROUNDS") ? atoi(getenv("ROUNDS")) : ROUNDS;
  int status = 0;
  for (int i = 0; i < rounds && !status; i++) {
    seconds = 0;
    status = __real_main(count, arguments);
    fprintf(stderr, "seconds %.6f\n", seconds);
  }
  return status;
}
