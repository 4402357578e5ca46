// Some first threads never end. What they do before that happens all the same.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, termination, atomics-start-at-zero, loose-fences
// bug 1:    unknown  all blocks write, and go on for ever then

__device__ unsigned count;

__global__ void total(const float *in, float *part, float *out, int rounds) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    is_last = atomicAdd(&count, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0)
    for (unsigned i = 0; i < gridDim.x; i++)
      out[0] += part[i];
#if BUG == 1
  if (threadIdx.x == 0 && rounds > 3)
    out[1] = blockIdx.x;
#endif
  if (threadIdx.x == 0 && rounds > 3)
    for (;;)
      __threadfence();
}
