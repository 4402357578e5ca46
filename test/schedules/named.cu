// A named barrier and an mbarrier under all schedules.
//
// args:     --check=assert
// verdict:  passed
// bug 1:    assertion   the consumer waits at another barrier
// bug 2:    deadlock    who is late does not come at all
// bug 3:    assertion   the wait for the copy is missing

#include <assert.h>

__device__ unsigned low(const void *at) {
  return (unsigned)__cvta_generic_to_shared(at);
}

__global__ void named(int *flag, int *in) {
  __shared__ int cell, copied;
  __shared__ unsigned long long bar;
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(low(&bar))
                 : "memory");
  __syncthreads();
  if (warp == 0) {
    if (lane == 0)
      cell = 7;
    if (BUG != 2 || atomicAdd(flag, 0) == 0)
      asm volatile("bar.arrive 1, 64;" ::: "memory"); // says 2: deadlock
  } else {
    if (BUG == 2 && lane == 0)
      atomicAdd(flag, 1);
    if (BUG == 1)
      asm volatile("bar.sync 2, 32;" ::: "memory");
    else
      asm volatile("bar.sync 1, 64;" ::: "memory");
    assert(cell == 7); // says 1: assertion failed
  }
  if (threadIdx.x == 0) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
                 ::"r"(low(&copied)), "l"(in + 3) : "memory");
    if (BUG != 3)
      asm volatile("cp.async.wait_all;" ::: "memory");
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(low(&bar))
                 : "memory");
  }
  asm volatile("{ .reg .pred p;\n"
               "again: mbarrier.test_wait.parity.shared.b64 p, [%0], 0;\n"
               "@!p bra again; }" ::"r"(low(&bar))
               : "memory");
  assert(copied == 3); // says 3: assertion failed
}
