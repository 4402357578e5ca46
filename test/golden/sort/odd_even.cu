// Sorts 128 numbers by odd-even transposition, 64 threads.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       no barrier between the phases
// bug 2:    racy       pairs overlap

__global__ void sort(int *data) {
  __shared__ int cell[128];
  int t = threadIdx.x;
  cell[t] = data[t];
  cell[t + 64] = data[t + 64];
  __syncthreads();
  for (int phase = 0; phase < 128; phase++) {
#if BUG == 2
    int i = t + (phase & 1);
#else
    int i = 2 * t + (phase & 1);
#endif
    if (i + 1 < 128) {
      int low = cell[i], high = cell[i + 1]; // expect 1,2: race on 'cell'
      if (low > high) {
        cell[i] = high;    // allow 1,2: race on 'cell'
        cell[i + 1] = low; // allow 1,2: race on 'cell'
      }
    }
#if BUG != 1
    __syncthreads();
#endif
  }
  data[t] = cell[t];
  data[t + 64] = cell[t + 64];
}
