// A block waits for others in a loop that has a barrier in it.
//
// args:     --detect=races
// verdict:  passed
// prints:   out = 6 6 6 6
// bug 1:    racy        what it waits for is not volatile
// bug 2:    racy        it has no fence behind what it reads

#if BUG == 1
typedef int Flag;
#else
typedef volatile int Flag;
#endif

__global__ void rounds(Flag *flags, int *cells, int *out) {
  __shared__ int missing;
  int block = (int)blockIdx.x, blocks = (int)gridDim.x, sum = 0;
  if (threadIdx.x == 0) {
    cells[block] = block;
    __threadfence();
    flags[block] = 1; // says 1: race on 'flags'
  }
  do {
    __syncthreads();
    missing = 0;
    __syncthreads();
    for (int i = (int)threadIdx.x; i < blocks; i += (int)blockDim.x)
      if (!flags[i])
        missing = 1;
#if BUG != 2
    __threadfence();
#endif
    __syncthreads();
  } while (missing);
  if (threadIdx.x == 0) {
    for (int i = 0; i < blocks; i++)
      sum += cells[i]; // says 2: race on 'cells'
    out[block] = sum;
  }
}
