// What a launch has one of is the same in all threads; a multiprocessor's number
// is not.
//
// args:     --blockDim=64
// verdict:  verified, verified
// bug 1:    divergent, verified    blocks and threads may be anywhere
// bug 2:    verified, racy         it may be less than a block

__device__ unsigned bytes() {
  unsigned size;
  asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(size));
  return size;
}

__global__ void meet(int *out) {
  unsigned size = bytes(), other = 0;
#if BUG == 1
  asm volatile("mov.u32 %0, %%smid;" : "=r"(other));
#endif
  if (size > 64 || other)
    __syncthreads(); // expect 1: barrier
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void apart(int *out) {
  unsigned step = bytes();
#if BUG != 2
  if (step < 64)
    return;
#endif
  if (blockIdx.x < 1024 && step < 4096)
    out[blockIdx.x * step + threadIdx.x] = blockIdx.x; // expect 2: race on 'out'
}
