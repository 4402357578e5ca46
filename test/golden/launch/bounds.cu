// __launch_bounds__ limits the block, so that the cells suffice.
//
// args:     --blockDim=* --gridDim=1
// verdict:  verified
// bug 1:    racy       twice as many threads are allowed

#if BUG == 1
#define MOST 256
#else
#define MOST 128
#endif

__global__ void __launch_bounds__(MOST) fill(int *out) {
  out[threadIdx.x & 127] = threadIdx.x; // expect 1: write-write race on 'out'
}
