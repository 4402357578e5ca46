// Between two sections of a lock others have theirs, so what is read in the
// first is not what is read in the second.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, termination
// bug 1:    unknown    who finds something else writes where all do
// bug 2:    unknown    not all threads of a block find the same

__global__ void look_twice(int *cell, int *lock, int *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 2
  __syncthreads();
#endif
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  int first = *cell;
#if BUG != 2
  *cell = first + 1;
#endif
  __threadfence();
  atomicExch(lock, 0);
#if BUG == 1
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  int second = *cell;
  __threadfence();
  atomicExch(lock, 0);
  if (second != first + 1)
    out[0] = i;
#elif BUG == 2
  __syncthreads();
  if (first)
    __syncthreads();
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  if (blockIdx.x != 0)
    *cell = i;
  __threadfence();
  atomicExch(lock, 0);
#else
  out[i] = first;
#endif
}
