// A program for the SDK that nvcc takes and clang alone does not.

#ifdef WITH_LIBRARIES
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#endif

__global__ void mixed(int *p, unsigned n, float f, double d) {
  p[0] = (int)max(f, d) + (int)min(f, 2);
  assert(p[0] > 0);
}

#ifdef WITH_BUILTINS
__global__ void builtins(int *p) {
  __nv_atomic_fetch_add(p, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}
#endif
#ifdef WITH_BLOCK_SCOPE
__global__ void block(int *p) {
  __nv_atomic_fetch_add(p, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
}
#endif

__global__ void annotated(int *p, int n) {
  __requires(n > 0 & __no_write(p));
  for (int i = 0; __invariant(i >= 0), i < n; i++)
    p[i] = i;
  __assert(p[0] == 0);
}

int main() {
  mixed<<<max(1, 2), min(64, 128)>>>(nullptr, 1, 2, 3);
  return max(1, 2);
}
