// With --only-intra-group what other blocks do is no race, but it changes the
// numbers that a counter gives all the same.
//
// args:     --blockDim=64 --gridDim=2 --only-intra-group
// verdict:  verified
// bug 1:    racy       the other block sets the counter
// bug 2:    racy       the other block's atomics are not for this one
// bug 3:    racy       the other block exchanges it

__global__ void draw(int *out, unsigned *next) {
#if BUG == 1
  if (threadIdx.x == 0)
    *next = 0;
  __syncthreads();
#elif BUG == 3
  if (threadIdx.x == 0)
    atomicExch(next, 0);
  __syncthreads();
#endif
#if BUG == 2
  unsigned number = atomicAdd_block(next, 1);
#else
  unsigned number = atomicAdd(next, 1);
#endif
  out[1000 * blockIdx.x + number] = threadIdx.x; // expect 1,2,3: race on 'out'
}
