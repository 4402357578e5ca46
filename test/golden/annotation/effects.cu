// An ordinary compilation leaves annotations out, and with them what they do.
// Loads that are no accesses may stand between other statements.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    unknown    it waits
// bug 2:    unknown    it writes
// bug 3:    unknown    it counts

__device__ bool waits() {
  __syncthreads();
  return true;
}

__global__ void reverse(int *a, int *count) {
  int t = threadIdx.x;
  a[t] = t;
  if (BUG != 1)
    __syncthreads();
#if BUG == 1
  __assume(waits()); // expect 1: changes what the kernel computes
#elif BUG == 2
  __unsafe_assert((a[t] = 5) == 5); // expect 2: changes what the kernel computes
#elif BUG == 3
  __requires(atomicAdd(count, 1) >= 0); // expect 3: changes what the kernel computes
#else
  __unsafe_assert(t < 64);
#endif
  __non_temporal_loads_begin();
  a[63 - t] = count[t];
  __non_temporal_loads_end();
}
