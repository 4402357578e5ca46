// An assumption in the middle of the kernel about loaded data.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       nothing is known of the data
// bug 2:    racy       it is assumed of half of the threads

__global__ void scatter(const int *place, int *out) {
  int t = threadIdx.x, p = place[t];
#if BUG == 2
  if (t < 32)
    __assume(p == t);
#elif BUG != 1
  __assume(p >= 4 * t && p < 4 * t + 4);
#endif
  out[p] = t; // expect 1,2: write-write race on 'out'
}
