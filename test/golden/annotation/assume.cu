// An assumption in the middle of the kernel about loaded data.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       nothing is known of the data

__global__ void scatter(const int *place, int *out) {
  int t = threadIdx.x, p = place[t];
#if BUG != 1
  __assume(p >= 4 * t && p < 4 * t + 4);
#endif
  out[p] = t; // expect 1: write-write race on 'out'
}
