// A function that is not inlined writes through a pointer to any memory.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       all threads pass the same pointer on

__device__ __attribute__((noinline)) void put(int *to, int value) {
  *to = value; // expect 1: write-write race in shared memory
}

__global__ void __launch_bounds__(64) swap(int *out) {
  __shared__ int cell[64];
#if BUG == 1
  put(cell, threadIdx.x);
#else
  put(cell + threadIdx.x, threadIdx.x);
#endif
  __syncthreads();
  put(out + threadIdx.x, cell[63 - threadIdx.x]); // allow 1: race
}
