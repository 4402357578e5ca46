// Each thread has its own cell, so there is nothing to wait for.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       all threads write the first cell
// bug 2:    racy       16 bytes at a time overlap with the neighbour's 4

__global__ void __launch_bounds__(64) fill(int *out) {
  __shared__ __align__(16) int cell[256];
#if BUG == 1
  cell[0] = threadIdx.x; // expect 1: write-write race in shared memory
  out[threadIdx.x] = cell[0];
#elif BUG == 2
  int t = threadIdx.x;
  *(int4 *)&cell[4 * t] = make_int4(t, t, t, t); // expect 2: race in shared
  out[t] = cell[(4 * t + 5) % 256];
#else
  cell[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = cell[threadIdx.x];
#endif
}
