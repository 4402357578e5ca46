// An index kept in 16 bits is wide enough for 512 threads; one kept in 8 bits
// wraps.
//
// args:     --blockDim=512 --gridDim=1
// verdict:  verified
// bug 1:    racy       threads 0 and 256 share a cell

__global__ void fill(int *out) {
#if BUG == 1
  unsigned char i = threadIdx.x;
#else
  unsigned short i = threadIdx.x;
#endif
  out[i] = threadIdx.x; // expect 1: write-write race on 'out'
}
