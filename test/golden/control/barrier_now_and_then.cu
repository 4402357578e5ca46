// A barrier in every fourth iteration: two iterations on, nothing has kept the
// threads in step.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       written two iterations after the barrier

__global__ void rounds(int *out, int n) {
  __shared__ int cell[64];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    if (i % 4 == 0) {
      __syncthreads();
#if BUG == 1
      sum += cell[63 - t]; // expect 1: read-write race on 'cell'
#else
      sum += cell[t];
#endif
    }
    if (i % 4 == 2)
      cell[t] = i;
  }
  out[t] = sum;
}
