// Where in shared memory a thread writes is known to the data alone.
//
// technique: barriers
// verdict:  unknown

__global__ void __launch_bounds__(64) scatter(const int *to, int *out) {
  __shared__ int cell[64];
  cell[to[threadIdx.x]] = threadIdx.x; // expect 0: depends on data loaded
  __syncthreads();
  out[threadIdx.x] = cell[threadIdx.x];
}
