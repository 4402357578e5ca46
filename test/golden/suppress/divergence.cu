// A barrier that not all threads reach can be known, and what it orders counts.
//
// args: --blockDim=64 --gridDim=1
// verdict: suppressed
// bug 1: racy    the next barrier is not there
// bug 2: divergent  the comment is about races

__global__ void wait(int *a) {
  __shared__ int tile[64];
  if (a[64] == threadIdx.x)
#if BUG == 2
    // gpuverify-suppress(race): the caller makes them agree
    __syncthreads(); // expect 2: barrier divergence
#else
    // gpuverify-suppress(divergence): the caller makes them agree
    __syncthreads();
#endif
  tile[threadIdx.x] = threadIdx.x; // expect 1: read-write race on 'tile'
#if BUG != 1
  __syncthreads();
#endif
  a[threadIdx.x] = tile[63 - threadIdx.x];
}
