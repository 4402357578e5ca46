// The barrier at the end of an iteration is left out in the last one, that at
// the start of an iteration in the first one.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified
// bug 1:    racy, verified    left out the last two times
// bug 2:    racy, verified    something is written behind the loop
// bug 3:    verified, racy    left out the first two times
// bug 4:    verified, racy    the loop is in another one

__global__ void at_the_end(int *out, int n) {
  __shared__ int cell[64];
  for (int i = 0; i < n; i++) {
    cell[threadIdx.x] = i;
    __syncthreads();
    out[64 * i + threadIdx.x] = cell[63 - threadIdx.x]; // expect 1,2: race
#if BUG == 1
    if (i + 2 < n)
#else
    if (i + 1 < n)
#endif
      __syncthreads();
  }
#if BUG == 2
  cell[threadIdx.x] = 0;
#endif
}

__global__ void at_the_start(int *out, int n) {
  __shared__ int cell[64];
#if BUG == 4
  for (int again = 0; again < 2; again++)
#endif
    for (int i = 0; i < n; i++) {
#if BUG == 3
      if (i > 1)
#else
    if (i > 0)
#endif
        __syncthreads();
      cell[threadIdx.x] = i;
      __syncthreads();
      out[64 * i + threadIdx.x] = cell[63 - threadIdx.x]; // expect 3,4: race
    }
}
