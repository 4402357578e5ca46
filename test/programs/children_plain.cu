// A kernel that launches another, with our own headers, too.
//
// prints:   320
// verdict:  passed
// bug 1:    out-of-bounds  the child's array is too small
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void child(int *out, short by, long long and_by) {
  out[threadIdx.x] += by + and_by; // says 1: access outside of 'out'
}

__global__ void parent(int *out, int n) {
  if (threadIdx.x == 0)
    child<<<1, n>>>(out, 7, 3);
}

int main() {
  enum { N = 32 };
  int *out, host[N], sum = 0;
  cudaMalloc(&out, (BUG ? N - 1 : N) * sizeof *out);
  cudaMemset(out, 0, (N - 1) * sizeof *out);
  parent<<<1, N>>>(out, N);
  cudaMemcpy(host, out, (BUG ? N - 1 : N) * sizeof *out,
             cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++)
    sum += host[i];
  printf("%d\n", sum);
}
