// The last block to finish adds up what all blocks have left.
//
// args:     --detect=races
// verdict:  passed
// prints:   sum = 2016
// bug 1:    racy        no fence before the block says that it is ready
// bug 2:    racy        no fence behind the question who is last
// bug 3:    racy        fences for the block only
// bug 4:    racy        a plain counter

#if BUG == 3
#define FENCE __threadfence_block
#else
#define FENCE __threadfence
#endif

__device__ unsigned ready;

__global__ void last_block(int *part, int *sum) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x;
#if BUG != 1
    FENCE();
#endif
#if BUG == 4
    is_last = ready++ == gridDim.x - 1; // says 4: read-write race on 'ready'
#else
    is_last = atomicAdd(&ready, 1) == gridDim.x - 1;
#endif
#if BUG != 2
    FENCE();
#endif
  }
  __syncthreads();
#if BUG == 2
  if (is_last)
    atomicAdd(sum, part[threadIdx.x]); // says 2: the reading side has no fence
#else
  if (is_last)
    atomicAdd(sum, part[threadIdx.x]); // says 1,3: read-write race on 'part'
#endif
  if (is_last && threadIdx.x == 0)
    ready = 0;
}
