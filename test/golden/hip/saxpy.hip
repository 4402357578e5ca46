// One element a thread, for any launch, and how the host launches it.
//
// verdict:  verified
// bug 1:    racy       the neighbour's element is read
// bug 2:    racy       blocks overlap

__global__ void saxpy(float *y, const float *x, float a, int n) {
#if BUG == 2
  int i = blockIdx.x + threadIdx.x; // allow 2: race
#else
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#endif
  if (i < n)
    y[i] = a * x[i] + y[i + (BUG == 1)]; // expect 1,2: race on 'y'
}

int main() {
  int n = 1000;
  float *x, *y;
  hipMalloc(&x, n * sizeof(float));
  hipMalloc(&y, n * sizeof(float));
  hipLaunchKernelGGL(saxpy, (n + 255) / 256, 256, 0, 0, y, x, 2.0f, n);
  return 0;
}
