// (unsigned)(t - 37) < 7 holds for seven threads, not for those below 37.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       as signed numbers it holds for 44

__global__ void __launch_bounds__(64) pick(int *out) {
  __shared__ int cell[7];
  int d = threadIdx.x - 37;
#if BUG == 1
  if (d < 7)
    cell[(d + 70) % 7] = d; // expect 1: write-write race in shared memory
#else
  if ((unsigned)d < 7)
    cell[d] = d;
#endif
  __syncthreads();
  out[threadIdx.x] = cell[threadIdx.x % 7];
}
