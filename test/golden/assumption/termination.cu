// What comes behind a loop is looked at as if the loop ended: here it may not.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       behind the loop all threads write one cell

__global__ void wait(const int *in, int *out) {
  int t = threadIdx.x;
  while (in[t] == 1)
    t = in[t];
#if BUG == 1
  out[0] = threadIdx.x; // expect 1: write-write race on 'out'
#else
  out[threadIdx.x] = t;
#endif
}
