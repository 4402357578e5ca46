// Which of three formulas a thread uses is known to the data alone, but each
// way it writes its own cell.
//
// technique: barriers
// verdict:  verified
// bug 1:    unknown    one of them writes the neighbour's cell
// bug 2:    unknown    there is a barrier on one side
// bug 3:    racy       the cells are read without a barrier
// bug 4:    unknown    two threads may both write one cell

__global__ void __launch_bounds__(64) formulas(const float *in, float *out) {
  __shared__ float cell[65], first;
  int t = threadIdx.x;
  float x = in[t];
  if (x > 1000.0f) {
    cell[t] = 1 + x * x; // allow 3: may race
#if BUG == 2
    __syncthreads();
#endif
  } else if (x < 10.0f) {
    cell[t] = 2 - x;
#if BUG == 4
    first = x; // expect 4: whether this is executed depends on data
#endif
  } else {
    cell[t + (BUG == 1)] = x * out[t]; // expect 1: may race
  }
#if BUG != 3
  __syncthreads();
#else
  cell[t] = 0; // allow 3: race
#endif
  out[t] = cell[63 - t]; // expect 3: race in shared memory
}
