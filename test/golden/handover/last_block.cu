// The last block adds up what all have written, and sets the counter back.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, termination, atomics-start-at-zero, loose-fences
// bug 1:    unknown  the one before the last is no last one
// bug 2:    unknown  each block draws twice
// bug 3:    racy     all threads draw
// bug 4:    unknown  the counter goes back too early
// bug 5:    unknown  whoever is first sets it back
// bug 6:    unknown  a block writes once more when it has drawn
// bug 7:    unknown  there are two counters
// bug 8:    racy     no fence before the draw
// bug 9:    racy     what each block writes is not behind the barrier
// bug 10:   unknown  all threads draw, and one of them tells
// bug 11:   unknown  each block draws a second time, in a loop

__device__ unsigned count;

__global__ void total(const float *in, float *part, float *out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0 || BUG == 3) {
    part[blockIdx.x] = in[blockIdx.x];
#if BUG != 8
    __threadfence();
#endif
#if BUG == 7
    static __device__ unsigned counts[2];
    unsigned before = atomicAdd(&counts[blockIdx.x % 2], 1);
#elif BUG == 4
    unsigned before = atomicInc(&count, gridDim.x - 2);
#elif BUG == 11
    unsigned before;
#elif BUG != 10
    unsigned before = atomicInc(&count, gridDim.x - 1);
#endif
#if BUG == 11
    do
      before = atomicInc(&count, gridDim.x - 1);
    while (in[0] > before);
#elif BUG == 2
    before = atomicInc(&count, gridDim.x - 1);
#endif
#if BUG == 1
    is_last = before == gridDim.x - 2;
#elif BUG == 7
    is_last = before == gridDim.x / 2;
#elif BUG != 10
    is_last = before == gridDim.x - 1; // expect 3: race on 'is_last'
#endif
#if BUG == 5
    if (before == 0)
      atomicExch(&count, 0);
#endif
#if BUG == 6
    part[blockIdx.x] = 0;
    __threadfence();
    atomicAdd(&count, 0);
#endif
  }
#if BUG == 9
  if (threadIdx.x == 1)
    part[blockIdx.x] = in[blockIdx.x];
#endif
#if BUG == 10
  unsigned own = atomicInc(&count, gridDim.x - 1);
  if (threadIdx.x == 0)
    is_last = own == gridDim.x - 1;
#endif
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    float sum = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
      sum += part[i]; // expect 8,9: race on 'part'
    *out = sum; // allow 8: race on 'out'
#if BUG == 0
    count = 0;
#endif
  }
}
