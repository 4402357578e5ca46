// Assembly that is not volatile may read memory all the same.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  unknown

__global__ void shift(int *a) {
  int t = threadIdx.x, right;
  asm("ld.global.u32 %0, [%1];" : "=r"(right) : "l"(a + t + 1)); // expect 0: inline
  a[t] = right;
}
