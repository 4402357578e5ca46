// How many threads a block has: what the kernel says, else 1024, along any axis.
//
// verdict:  verified
// bug 1:    racy       1024
// bug 2:    racy       also along z

#if BUG
__global__ void wrap(int *a) {
#else
__launch_bounds__(128) __global__ void wrap(int *a) {
#endif
#if BUG == 2
  __shared__ int t[64];
  t[threadIdx.z % 64] = threadIdx.z; // expect 2: race on 't'
#else
  __shared__ int t[128];
  t[threadIdx.x % 128] = threadIdx.x; // expect 1: race on 't'
#endif
}
