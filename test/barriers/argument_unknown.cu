// The same, with nothing known of the argument.
//
// technique: barriers
// verdict:  unknown

__global__ void __launch_bounds__(64) swap(int *out, int has_barrier) {
  __shared__ int cell[64];
  cell[threadIdx.x] = threadIdx.x;
  if (has_barrier) // expect 0: the branch depends on the argument
    __syncthreads();
  out[threadIdx.x] = cell[63 - threadIdx.x];
}
