// One thread is a round ahead and writes where a series of numbers ends, of which
// each round makes the same: 0, 1, 4, 13, 40, 121.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy   the place that is written is one of those that are read

__global__ void series(int *out, int n) {
  __shared__ int cells[4096];
  int place = 0, sum = 0;
  for (int k = 0; k < n; k++) {
    if (threadIdx.x == 0)
      cells[place] = k; // expect 1: race on 'cells'
    __syncthreads();
    int y = 0;
    for (int j = 0; j < 5; j++) {
      if (threadIdx.x == 1)
        sum += cells[y + 1];
      y = y * 3 + 1;
    }
    place = BUG == 1 ? 41 : y;
  }
  out[threadIdx.x] = sum;
}
