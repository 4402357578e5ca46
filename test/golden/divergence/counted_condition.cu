// What atomics have counted is the same for all who read it behind a barrier.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    racy       no barrier behind the atomics
// bug 2:    racy       one count for all blocks

__global__ void count(int *counts, const int *in, int *out, int n) {
  __shared__ int cell[64];
  int t = threadIdx.x, at = BUG == 2 ? 0 : blockIdx.x;
  cell[t] = t;
  if (in[t] > n)
    atomicAdd(&counts[at], 1); // expect 1,2: race on 'counts'
#if BUG != 1
  __syncthreads();
#endif
  if (counts[at] > 32) // allow 1: race on 'counts'
    __syncthreads();   // allow 1: barrier
  out[64 * blockIdx.x + t] = cell[63 - t]; // allow 1: race on 'cell'
}
