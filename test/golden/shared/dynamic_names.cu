// All dynamic shared memory of a kernel starts at one address, whatever its
// names are.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    racy       two names for one place

extern __shared__ int numbers[];
extern __shared__ float values[];

__global__ void both(int *out) {
  int t = threadIdx.x;
  numbers[t] = t;
#if BUG == 1
  values[63 - t] = 0.5f * t; // expect 1: write-write race on 'numbers'
#else
  values[64 + 63 - t] = 0.5f * t;
#endif
  __syncthreads();
  out[blockIdx.x * 64 + t] = numbers[63 - t];
}
