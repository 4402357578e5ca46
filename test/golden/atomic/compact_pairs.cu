// Hands out places two by two inside a block.
//
// args:     --blockDim=128 --gridDim=1
// verdict:  verified
// bug 1:    racy       takes one place for two elements

__global__ void pairs(const int *in, int *out) {
  __shared__ unsigned next;
  if (threadIdx.x == 0)
    next = 0;
  __syncthreads();
  int value = in[threadIdx.x];
  if (value & 1) {
#if BUG == 1
    unsigned place = atomicAdd(&next, 1u);
#else
    unsigned place = atomicAdd(&next, 2u);
#endif
    for (int i = 0; i < 2; i++)
      out[place + i] = value + i; // expect 1: write-write race on 'out'
  }
}
