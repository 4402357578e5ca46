// A condition on the thread that is true for all threads of this block size.
//
// args:     --blockDim=128 --gridDim=4
// verdict:  verified
// bug 1:    divergent  the last thread is left out

__global__ void wait(const int *in, int *out) {
  __shared__ int cell[128];
  cell[threadIdx.x] = in[threadIdx.x];
#if BUG == 1
  if (threadIdx.x < 127)
#else
  if (threadIdx.x < 128)
#endif
    __syncthreads(); // expect 1: barrier
#if BUG != 1
  out[blockIdx.x * 128 + threadIdx.x] = cell[127 - threadIdx.x];
#endif
}
