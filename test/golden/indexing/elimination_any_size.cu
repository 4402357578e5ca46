// A step of Gaussian elimination: rows and columns from t on, of a matrix whose
// size the caller knows.
//
// args:     --no-overflow --blockDim=16,16 --gridDim=8,8
// verdict:  verified
// bug 1:    racy       the columns are not held back by the size

__global__ void eliminate(const float *m, float *a, int size, int t) {
  __requires(t >= 0);
  __requires(size > 0);
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
#if BUG == 1
  if (row >= size - 1 - t)
    return;
#else
  if (row >= size - 1 - t || column >= size - t)
    return;
#endif
  a[size * (row + 1 + t) + column + t] -= // expect 1: race on 'a'
      m[size * (row + 1 + t) + t] *
      a[size * t + column + t]; // allow 1: race on 'a'
}
