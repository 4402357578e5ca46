// Each thread one sum; the last block has threads to spare.
//
// verdict:  passed
// prints:   c = 0 3 6 9
// bug 1:    out-of-bounds   the threads to spare are not kept back
// bug 2:    wrong-result    the wrong operator

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#if BUG != 1
  if (i < n)
#endif
#if BUG == 2
    c[i] = a[i] - b[i];
#else
    c[i] = a[i] + 2 * b[i]; // says 1: access outside of 'a'
#endif
}
