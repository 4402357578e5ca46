// A block that draws in each round, first in the block and then from all.
//
// args:     --blockDim=128 --gridDim=4
// verdict:  verified
// bug 1:    racy       the block's counter is not set back
// bug 2:    racy       it is set back while others still read
// bug 3:    racy       in every other round the block's places are those before
// bug 4:    racy       what is drawn in a round is used in the next

__global__ void keep(const int *in, int *out, int *next, int rounds) {
  __shared__ int count, first;
  int place = 0;
  for (int k = 0; k < rounds; k++) {
    int value = in[(k * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x];
#if BUG == 1
    if (threadIdx.x == 0 && k == 0)
#else
    if (threadIdx.x == 0)
#endif
      count = 0;
    __syncthreads();
#if BUG == 4
    int now = place;
#endif
    if (value > 0)
      place = atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
      int drawn = atomicAdd(next, count);
#if BUG == 3
      if (k % 2 == 0)
#endif
        first = drawn; // allow 2: race on 'first'
    }
#if BUG != 2
    __syncthreads();
#endif
#if BUG == 4
    place = now;
#endif
    if (value > 0)
      out[first + place] = k + threadIdx.x; // expect 1,2,3,4: race on 'out'
  }
}
