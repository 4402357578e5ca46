// The old way to multiply small numbers, and a clamp.
//
// args:     --blockDim=128 --gridDim=16
// verdict:  verified
// bug 1:    racy       the last threads share an element

__global__ void fill(int *out, int n) {
  int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;
#if BUG == 1
  out[min(i, 2000)] = i; // expect 1: write-write race on 'out'
#else
  out[max(i, 0)] = i;
#endif
}
