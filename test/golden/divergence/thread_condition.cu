// A barrier that some threads pass by.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  the first warp only
// bug 2:    divergent  depends on loaded data

__global__ void wait(const int *in, int *out) {
  int t = threadIdx.x;
#if BUG == 1
  if (t < 32)
#elif BUG == 2
  if (in[t])
#else
  if (t < 64)
#endif
    __syncthreads(); // expect 1,2: barrier
  out[t] = in[t];
}
