// Counts directly in global memory.
//
// args:     --blockDim=256 --gridDim=32
// verdict:  verified
// bug 1:    racy       no atomics
// bug 2:    racy       an atomic on one side, a plain write on the other

__global__ void histogram(const unsigned char *data, unsigned *bins) {
  int i = blockIdx.x * 256 + threadIdx.x;
#if BUG == 1
  bins[data[i]]++; // expect 1: race on 'bins'
#else
  atomicAdd(&bins[data[i]], 1u);
#endif
#if BUG == 2
  if (i == 0)
    bins[0] = 0; // expect 2: atomic-write race on 'bins'
#endif
}
