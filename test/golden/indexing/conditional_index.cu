// Even threads fill the lower half of an array and odd ones the upper half.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the upper half starts one too early

__global__ void unzip(const int *in, int *out) {
  int t = threadIdx.x;
#if BUG == 1
  int half = 31;
#else
  int half = 32;
#endif
  out[t % 2 ? half + t / 2 : t / 2] = in[t]; // expect 1: race on 'out'
}
