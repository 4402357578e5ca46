// For every launch in which no index overflows.
//
// args:     --no-overflow
// verdict:  verified
// bug 1:    racy       16 bits are not enough

__global__ void stamp(int *out) {
#if BUG == 1
  unsigned short i = blockIdx.x * blockDim.x + threadIdx.x;
#else
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#endif
  out[i] = 1 + threadIdx.x; // expect 1: write-write race on 'out'
}
