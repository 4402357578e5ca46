// An array of each thread's own needs no barrier.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    racy       the array is shared

__global__ void local(const int *in, int *out) {
#if BUG == 1
  __shared__ int window[4];
#else
  int window[4];
#endif
  int t = blockIdx.x * 64 + threadIdx.x;
  for (int k = 0; k < 4; k++)
    window[k] = in[4 * t + k]; // expect 1: write-write race on 'window'
  for (int k = 0; k < 4; k++)
    out[4 * t + k] = window[3 - k];
}
