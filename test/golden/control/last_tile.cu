// A tile that is cut where the data end is whole in each iteration but the last.
//
// args:     --blockDim=64 --gridDim=*
// verdict:  verified
// assumes:  thread-count, launch-limits, no-alias, termination
// bug 1:    racy       cut to a half where another one follows
// bug 2:    racy       one too few are left
// bug 3:    racy       cut once, and small from then on

__global__ void products(const float *x, const float *y, const int *stop,
                         float *out, int n) {
  __shared__ float tile[2 * 64];
  int size = blockDim.x;
  float sum = 0;
  for (int start = 0; start < n; start += size) {
#if BUG == 1
    if (start + size > n)
      size = size / 2;
#elif BUG == 2
    if (start + size > n)
      size = n - start - 1;
#elif BUG == 3
    if (start == 640)
      size = 32;
#else
    if (start + size > n)
      size = n - start;
#endif
    if (start + (int)threadIdx.x < n) {
      tile[threadIdx.x] = x[start + threadIdx.x]; // expect 1,2,3: write-write race on 'tile'
      tile[threadIdx.x + size] = y[start + threadIdx.x];
    }
    __syncthreads();
    for (int i = 0; i < size; i++)
      sum += tile[i] * tile[i + size];
    __syncthreads();
    if (stop[start])
      break;
  }
  out[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
