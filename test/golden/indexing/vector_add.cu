// Adds two vectors, one element a thread.
//
// args:     --blockDim=256 --gridDim=64
// verdict:  verified
// bug 1:    racy       the index forgets the block, so blocks share elements

__global__ void vector_add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
#if BUG == 1
    c[threadIdx.x] = a[i] + b[i]; // expect 1: write-write race on 'c'
#else
    c[i] = a[i] + b[i];
#endif
  }
}
