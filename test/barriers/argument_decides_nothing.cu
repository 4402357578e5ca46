// Conditions with an unknown argument in them that hold whatever it is.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       nobody waits

template <bool IS_LAST, int STEP>
__global__ void __launch_bounds__(64) swap(int *out, int n) {
  __shared__ int cell[64];
  cell[threadIdx.x] = threadIdx.x; // expect 1: race in shared memory
  if (n > 5 && IS_LAST)
    return;
#if BUG == 1
  if (n % STEP == 1)
#else
  if (n % STEP == 0)
#endif
    __syncthreads();
  out[threadIdx.x] = cell[63 - threadIdx.x];
}

template __global__ void swap<false, 1>(int *, int);
