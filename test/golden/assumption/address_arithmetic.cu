// Nobody has an array of 2^62 floats, so indices that far apart do not meet;
// as plain numbers, shifted by hand, they do.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the multiplication by four is not pointer arithmetic

__global__ void stamp(float *a) {
  unsigned long long i = threadIdx.x % 32 | (threadIdx.x / 32ull) << 62;
#if BUG == 1
  *(float *)((char *)a + i * 4) = threadIdx.x; // expect 1: write-write race
#else
  a[i] = threadIdx.x;
#endif
}
