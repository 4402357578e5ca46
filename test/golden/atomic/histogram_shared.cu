// Counts bytes in shared memory, then adds the block's counts to the grid's.
//
// args:     --blockDim=256 --gridDim=32
// verdict:  verified
// bug 1:    racy       counts without atomics
// bug 2:    racy       no barrier after clearing
// bug 3:    racy       reads the counts without a barrier
// bug 4:    racy       adds to the grid's counts without atomics

__global__ void histogram(const unsigned char *data, unsigned *total, int n) {
  __requires(n <= 1 << 30);
  __shared__ unsigned bins[256];
  int t = threadIdx.x;
  bins[t] = 0;
#if BUG != 2
  __syncthreads();
#endif
  for (int i = blockIdx.x * 256 + t; i < n; i += 256 * 32) {
#if BUG == 1
    bins[data[i]]++; // expect 1: race on 'bins'
#else
    atomicAdd(&bins[data[i]], 1u); // expect 2,3: race on 'bins'
#endif
  }
#if BUG != 3
  __syncthreads();
#endif
#if BUG == 4
  total[t] += bins[t]; // expect 4: race on 'total'
#else
  atomicAdd(&total[t], bins[t]);
#endif
}
