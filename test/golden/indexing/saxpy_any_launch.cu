// Scales and adds in place, for every one-dimensional launch.
//
// args:     --blockDim=* --gridDim=*
// verdict:  verified
// bug 1:    racy       reads the right neighbour's element, too

__global__ void saxpy(float a, const float *x, float *y, unsigned n) {
  unsigned long long i =
      (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 1
  if (i + 1 < n)
    y[i] = a * x[i] + y[i + 1]; // expect 1: read-write race on 'y'
#else
  if (i < n)
    y[i] = a * x[i] + y[i];
#endif
}
