// What is named of a proof does not keep all threads from the place it is about.
//
// args:    --blockDim=64 --gridDim=1 --ladder=all
// verdict: verified
// assumes: launch-limits, arguments-not-negative
// bug 1:   unknown   only who overflows comes there, and races

__global__ void k(int *cell, int n, int m) {
  int s = n + 100;
  if (n > 0 && s < 0)
    cell[m < 0 || BUG == 1 ? 0 : threadIdx.x] = (int)threadIdx.x; // expect 1: not decided
}
