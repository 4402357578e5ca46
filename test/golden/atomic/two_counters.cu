// Two counters give one number to two threads.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the place does not say which counter it is of

__global__ void places(int *even, int *odd) {
  __shared__ int next[2];
  int t = threadIdx.x;
  if (t < 2)
    next[t] = 0;
  __syncthreads();
  int place = atomicAdd(&next[t & 1], 1);
#if BUG == 0
  if (t & 1)
    odd[place] = t;
  else
#endif
    even[place] = t; // expect 1: write-write race on 'even'
}
