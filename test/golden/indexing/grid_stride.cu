// Doubles a vector of any length with a grid-stride loop.
//
// args:     --blockDim=128 --gridDim=32
// verdict:  verified
// bug 1:    racy       the stride is that of one block
// bug 2:    racy       the stride is one too short

__global__ void scale(int *a, int n) {
  int stride = gridDim.x * blockDim.x;
#if BUG == 1
  stride = blockDim.x;
#elif BUG == 2
  stride--;
#endif
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    a[i] = 2 * a[i]; // expect 1,2: race on 'a'
  }
}
