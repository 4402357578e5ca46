// An object that goes when nobody holds it: whoever takes the count to 0 frees
// it, and a new holder must not take it from 0.
//
// args:     --check=assert
// verdict:  passed
// bug 1:    assertion   taken without a look whether it is 0
// bug 2:    assertion   looked at, then taken
// bug 3:    assertion   given back, then looked whether it is 0

#include <assert.h>

__device__ bool take(int *holders) {
#if BUG == 1
  atomicAdd(holders, 1);
  return true;
#elif BUG == 2
  if (!atomicAdd(holders, 0))
    return false;
  atomicAdd(holders, 1);
  return true;
#else
  for (int old = atomicAdd(holders, 0); old;) {
    int now = atomicCAS(holders, old, old + 1);
    if (now == old)
      return true;
    old = now;
  }
  return false;
#endif
}

__device__ void give_back(int *holders, int *freed) {
#if BUG == 3
  atomicAdd(holders, -1);
  if (!atomicAdd(holders, 0)) {
#else
  if (atomicAdd(holders, -1) == 1) {
#endif
    int times = atomicAdd(freed, 1);
    assert(!times); // says 3: assertion failed
  }
}

__global__ void ref_count(int *holders, int *freed) {
  if (blockIdx.x > 0 && !take(holders))
    return;
  assert(!atomicAdd(freed, 0)); // says 1,2: assertion failed
  give_back(holders, freed);
}
