// A counter that is set before a barrier gives each thread its own number. Set
// between the additions it gives one twice; if the write is volatile, that is no
// race of the two.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       nobody waits for the volatile write

__global__ void draw(int *out) {
  __shared__ int count;
  if (threadIdx.x == 0)
#if BUG == 1
    *(volatile int *)&count = 0;
#else
    count = 0;
  __syncthreads();
#endif
  out[atomicAdd(&count, 1)] = threadIdx.x; // expect 1: race on 'out'
}
