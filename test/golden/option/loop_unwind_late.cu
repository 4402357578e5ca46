// What --loop-unwind does not find is not verified: the sum is 105 in the sixteenth
// round alone, at which nobody looks, and the proof knows no sums.
//
// args:     --blockDim=64 --gridDim=2 --loop-unwind=4
// verdict:  unknown
// bug 1:    racy      a sum of the first rounds

__global__ void late(int *p, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (sum == (BUG == 1 ? 6 : 105))
      p[0] = threadIdx.x; // expect 1: race
    sum += i;
  }
}
