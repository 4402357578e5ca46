// Every block has its own copy of a shared variable; a device variable exists
// once.
//
// args:     --blockDim=32 --gridDim=8
// verdict:  verified
// bug 1:    racy       the variable belongs to the device

#if BUG == 1
__device__ int total;
#endif

__global__ void tell(int *out) {
#if BUG != 1
  __shared__ int total;
#endif
  if (threadIdx.x == 0)
    total = blockIdx.x; // expect 1: race on 'total'
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = total;
}
