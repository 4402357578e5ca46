// A sum that all have added to is the same to all of the block, if nobody adds
// to it any more.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       somebody adds meanwhile

__global__ void until_many(int *count, const int *in) {
  int t = threadIdx.x;
  atomicAdd(count, in[t]);
  __syncthreads();
#if BUG == 1
  if (t == 5)
    atomicAdd(count, 1); // expect 1: race on 'count'
#endif
  while (*count < 1000) {
    __syncthreads(); // allow 1: leave the loop
    atomicAdd(count, in[t] + 1); // allow 1: race on 'count'
    __syncthreads(); // allow 1: leave the loop
  }
}
