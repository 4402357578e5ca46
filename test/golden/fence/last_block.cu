// The last block of the grid adds up what all blocks have written; which one
// is the last, a counter behind a fence tells.  That order is not followed, so
// the verdict is unknown; what lacks a part of it is a race.
//
// args:     --blockDim=64 --gridDim=32
// verdict:  unknown
// bug 1:    racy       no fence between the part and the counter
// bug 2:    racy       every block thinks that it is the last
// bug 3:    racy       a fence for the block alone
// bug 4:    racy       each block has its own counter

__device__ unsigned finished;

__global__ void total(const float *in, float *part, float *out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = in[blockIdx.x];
#if BUG == 3
    __threadfence_block();
#elif BUG != 1
    __threadfence();
#endif
#if BUG == 4
    __shared__ unsigned finished;
#endif
    unsigned before = atomicAdd(&finished, 1);
#if BUG == 2
    is_last = true;
#else
    is_last = before == gridDim.x - 1;
#endif
  }
  __syncthreads();
#if BUG == 2
  if (threadIdx.x == 0) {
#else
  if (is_last && threadIdx.x == 0) {
#endif
    float sum = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
      sum += part[i]; // expect 0,1,2,3,4: race on 'part'
    out[blockIdx.x] = sum;
  }
}
