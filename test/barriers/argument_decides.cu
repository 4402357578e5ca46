// Whether there is a barrier depends on an argument.
//
// technique: barriers
// args:     --kernel-args=swap,*,1
// verdict:  verified

__global__ void __launch_bounds__(64) swap(int *out, int has_barrier) {
  __shared__ int cell[64];
  cell[threadIdx.x] = threadIdx.x;
  if (has_barrier)
    __syncthreads();
  out[threadIdx.x] = cell[63 - threadIdx.x];
}
