// Two kernels in a file, a verdict for each.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified, verified
// bug 1:    racy, verified   the first one forgets the block
// bug 2:    verified, racy   the second one reads in place

__global__ void first(int *out) {
#if BUG == 1
  out[threadIdx.x] = blockIdx.x; // expect 1: write-write race on 'out'
#else
  out[blockIdx.x * 64 + threadIdx.x] = blockIdx.x;
#endif
}

__global__ void second(int *in, int *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
#if BUG == 2
  in[i] = in[i + 1]; // expect 2: read-write race on 'in'
#else
  out[i] = in[i + 1];
#endif
}
