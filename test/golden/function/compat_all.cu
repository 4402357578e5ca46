// Written to GPUVerify's own headers: __all is of two threads, and no vote.
//
// args:     -include gpuverify/compat.h --blockDim=32 --gridDim=2
// verdict:  verified
// bug 1:    assertion  not of all threads

__global__ void agree(int n) {
  int t = threadIdx.x;
  __assert(__all(BUG == 1 ? t != 5 : t < 32)); // expect 1: assertion
}
