// What spoils a block's counter, or what is told of it, though nobody races for
// the counter itself.
//
// args:     --blockDim=64 --gridDim=8
// verdict:  verified
// bug 1:    racy       two threads set it, as it is volatile
// bug 2:    racy       its first byte is written before it is read
// bug 3:    racy       its reader has taken one back
// bug 4:    racy       it begins at what else the first thread puts there
// bug 5:    racy       it comes round
// bug 6:    racy       blocks draw from two counters
// bug 7:    racy       some blocks set it back before they draw from all
// bug 8:    racy       some blocks take back one
// bug 9:    racy       two threads of a block share a place
// bug 10:   racy       what was told is from the round before
// bug 11:   racy       all threads draw for the block, and two share a place
// bug 12:   racy       it is halved before it is drawn from all

__global__ void keep(const int *in, int *out, int *next, int start) {
  __shared__ int count, first;
  int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  int place = 0;
#if BUG == 10
  int last = 0;
  for (int k = 0; k < 2; k++) {
#endif
#if BUG == 1
  if (threadIdx.x < 2)
    *(volatile int *)&count = -1000 * (int)threadIdx.x; // allow 1: 'count'
#endif
  if (threadIdx.x == 0) {
#if BUG != 1
    count = 0;
#endif
#if BUG == 4
    if (start < 0)
      atomicExch(&count, start);
#endif
  }
  __syncthreads();
#if BUG == 8
  if (blockIdx.x & 1) {
    __syncthreads();
    if (threadIdx.x == 0)
      count = -1;
  } else
#endif
  if (value > 0)
#if BUG == 5
    place = atomicAdd(&count, 1 << 26);
#else
    place = atomicAdd(&count, 1);
#endif
#if BUG == 12
  __syncthreads();
  if (threadIdx.x == 1)
    count /= 2;
#endif
#if BUG == 7
  if (blockIdx.x & 1) {
    __syncthreads();
    if (threadIdx.x == 0)
      count = 0;
  }
#endif
  __syncthreads();
#if BUG == 11
  int drawn = atomicAdd(next, count);
#endif
  if (threadIdx.x == 0) {
#if BUG == 2
    *(char *)&count = 0;
#elif BUG == 3
    atomicSub(&count, 1);
#endif
#if BUG == 11
    first = drawn;
#elif BUG == 7
    if (count >= 0)
      first = atomicAdd(next, count);
#elif BUG == 6
    first = atomicAdd(&next[blockIdx.x & 1], count);
#else
    first = atomicAdd(next, count);
#endif
  }
  __syncthreads();
#if BUG == 9 || BUG == 11
  place /= 2;
#endif
#if BUG == 7
  if (value > 0 && count >= 0)
#elif BUG == 8
  if (value > 0 && !(blockIdx.x & 1))
#else
  if (value > 0)
#endif
#if BUG == 10
    out[last + place] = threadIdx.x; // expect 10: race on 'out'
  last = first;
  }
#else
    out[first + place] = threadIdx.x; // expect 1,2,3,4,5,6,7,8,9,11,12: race on 'out'
#endif
}
