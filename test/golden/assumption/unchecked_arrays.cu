// Races are looked for on the arrays that --check-arrays names; here all threads
// also write one cell of another one, which is left out.
//
// args:     --blockDim=64 --gridDim=1 --check-arrays=out
// verdict:  verified
// assumes:  launch-limits, no-alias, unchecked-arrays
// bug 1:    racy       the cell is of the array that is named

__global__ void mark(int *last, int *out) {
  out[threadIdx.x] = 1;
#if BUG == 1
  last = out;
#endif
  last[0] = threadIdx.x; // expect 1: write-write race on 'out'
}
