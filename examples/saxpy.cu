// y = a x + y, one element a thread.  Every thread has its own element, so no
// two of them meet, whatever the launch.  With 32-bit indices that would need
// a bound on the grid: the largest has more threads than 32 bits can count.

__global__ void saxpy(size_t n, float a, const float *x, float *y) {
  size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
