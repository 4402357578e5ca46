// Macros of the command line whose names are parameters in clang's own headers
// and the SDK's: they are the program's alone.
//
// args:     -DN=64 -DT=float -DK -D M=3 -DSQUARE(v)=((v)*(v))
// prints:   8064.0 3 1
// verdict:  passed
// bug 1:    out-of-bounds  N + 1 elements
#include <cuda_runtime.h>
#include <stdio.h>

template <typename E> __global__ void sum_squares(E *out, int count) {
  __shared__ E cells[N];
  if (threadIdx.x < count)
    cells[threadIdx.x] = SQUARE(E(threadIdx.x)); // says 1: 'cells'
  __syncthreads();
  E sum = 0;
  for (int i = 0; i < N; i++)
    sum += cells[i];
  if (threadIdx.x == 0)
    *out = sum;
}

int main() {
  T *out, result;
  cudaMalloc(&out, sizeof *out);
  sum_squares<<<1, 2 * N>>>(out, BUG ? N + 1 : N);
  cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  printf("%.1f %d %d\n", result / 10.583333f, M, K);
}
