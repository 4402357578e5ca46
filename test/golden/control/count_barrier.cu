// __syncthreads_count and __syncthreads_and order shared memory as
// __syncthreads does.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       a vote of the warp is no barrier

__global__ void positives(const int *in, int *out) {
  __shared__ int cell[64];
  int t = threadIdx.x;
  cell[t] = in[t];
#if BUG == 1
  int count = __popc(__ballot_sync(0xffffffff, in[t] > 0));
#else
  int count = __syncthreads_count(in[t] > 0);
#endif
  int other = cell[t ^ 32]; // expect 1: read-write race on 'cell'
  if (__syncthreads_and(other > count))
    cell[t] = count;
  out[t] = cell[t];
}
