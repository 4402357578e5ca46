// Two threads may be in different iterations of a loop.  What it carries, the
// same for all, without a closed form, is another value there.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       without barriers any two iterations meet
// bug 2:    racy       one barrier an iteration: it meets the one before

__global__ void rounds(int *out, int n) {
  __shared__ int cell[64];
  int t = threadIdx.x;
  for (int x = 1; x < n; x = 3 * x + 1) {
    cell[t + x & 63] = x; // expect 1,2: race on 'cell'
#if BUG != 1
    __syncthreads();
#endif
    out[t] += cell[t + x & 63];
#if BUG == 0
    __syncthreads();
#endif
  }
}
