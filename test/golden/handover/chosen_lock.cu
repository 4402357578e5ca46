// The first thread tries one of two locks, and tells the others whether it has
// got it.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias
// bug 1:    unknown  each block has another lock
// bug 2:    racy     who has not got it works, too
// bug 3:    unknown  another one is given back

__device__ int locks[2];

__global__ void add_up(const int *in, const int *which, int *sum) {
  __shared__ int found;
  int own = 0;
  if (threadIdx.x == 0) {
#if BUG == 1
    own = clock() & 1;
#else
    own = which[0] & 1;
#endif
    found = atomicCAS(&locks[own], 0, 1);
    __threadfence();
  }
  __syncthreads();
  if (found == 0 || BUG == 2)
    sum[threadIdx.x] += in[blockIdx.x]; // expect 2: race on 'sum'
  __syncthreads();
  if (threadIdx.x == 0 && found == 0) {
    __threadfence();
#if BUG == 3
    atomicExch(&locks[which[1] & 1], 0);
#else
    atomicExch(&locks[own], 0);
#endif
  }
}
