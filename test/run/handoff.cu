// One thread waits for another block, and tells its own at a barrier.
//
// args:     --detect=races
// verdict:  passed
// prints:   out = 1 2 3 4
// bug 1:    racy        it does not wait behind its fence
// bug 2:    racy        the others do not wait for it
// bug 3:    racy        the flag is raised before the others have written
// bug 4:    racy        the flag is not volatile

#if BUG == 4
typedef int Flag;
#else
typedef volatile int Flag;
#endif

__global__ void handoff(Flag *flag, int *cell, int *out) {
  if (blockIdx.x == 0) {
    cell[threadIdx.x] = threadIdx.x + 1;
#if BUG != 3
    __syncthreads();
#endif
    if (threadIdx.x == 0) {
      __threadfence();
      *flag = 1;
    }
  } else {
    if (threadIdx.x == 0) {
#if BUG == 1
      __threadfence();
#endif
      while (*flag == 0) { // says 4: read-write race on 'flag'
      }
#if BUG != 1
      __threadfence();
#endif
    }
#if BUG != 2
    __syncthreads();
#endif
    out[threadIdx.x] = cell[threadIdx.x]; // says 1,2,3: race on 'cell'
  }
}
