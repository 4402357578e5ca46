// y = a x + y, one element a thread.  Every thread has its own element, so no
// two of them meet, whatever the launch.

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
