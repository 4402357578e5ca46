// while (true), left in the middle by all threads at once.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  left when the thread's own count is reached
// bug 2:    racy       what was read before is overwritten without a barrier

__global__ void rounds(const int *in, int *out, int count) {
  __shared__ int cell[64];
  int t = threadIdx.x, sum = 0, i = 0;
#if BUG == 1
  count = in[t];
#endif
  while (true) {
    cell[t] = i + t;
    __syncthreads(); // expect 1: barrier
#if BUG != 1
    sum += cell[63 - t]; // expect 2: read-write race on 'cell'
#endif
    if (i >= count)
      break;
    i++;
#if BUG == 0
    __syncthreads();
#endif
  }
  out[t] = sum;
}
