// What a thread reads from an array that nobody writes is a function of the
// place, whatever the name of the array.
//
// args:     --no-overflow
// verdict:  verified
// bug 1:    racy       the next element is another thread's

__global__ void scale(const int *product, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 1
  int row = product[i] & 1;
#else
  int row = product[0] & 1;
#endif
  if (i < 2 * n)
    out[n * row + i] = i; // expect 1: write-write race on 'out'
}
