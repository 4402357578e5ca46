// Elements 2^30 apart: the index needs 64 bits.
//
// args:     --blockDim=16 --gridDim=1
// verdict:  verified
// bug 1:    racy       in 32 bits threads 0 and 4 meet

__global__ void scatter(int *out) {
#if BUG == 1
  unsigned i = threadIdx.x << 30;
#else
  unsigned long long i = (unsigned long long)threadIdx.x << 30;
#endif
  out[i] = threadIdx.x; // expect 1: write-write race on 'out'
}
