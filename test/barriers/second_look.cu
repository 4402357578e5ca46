// All write the same word, and whether some also write another one is for data
// to decide: of what is written alike nothing is known then.
//
// technique: barriers
// verdict:  unknown

__global__ void __launch_bounds__(64) look(const int *in, int n, int *out) {
  __shared__ int cell[128];
  if (in[threadIdx.x])
    cell[64 + threadIdx.x] = 1;
  if (threadIdx.x == 0 || threadIdx.x == 32)
    cell[0] = n;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = cell[0];
}
