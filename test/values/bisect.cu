// Eigenvalues of a symmetric tridiagonal matrix by bisection, in one block of
// 512 threads: each has an interval, and intervals without eigenvalues go.
//
// args:     --detect=races
// prints:   512 eigenvalues between 0 and 4
// verdict:  passed
// bug 1:    racy    intervals are written while others are read

#include <stdio.h>

#ifndef SCALE
#define SCALE 1 // how many times it is launched
#endif

enum { THREADS = 512, ROWS = 512 };

// Eigenvalues below x of the matrix with 2 on the diagonal and -1 beside it.
__device__ int below(float x, int rows) {
  int count = 0;
  float q = 2 - x;
  for (int i = 1; i <= rows; i++) {
    count += q < 0;
    q = 2 - x - 1 / (q == 0 ? 1e-7f : q);
  }
  return count;
}

__global__ void bisect(float *values, int *found, int rows) {
  __shared__ float left[THREADS], right[THREADS];
  __shared__ short low[THREADS], high[THREADS];
  __shared__ int sums[THREADS], active;
  int t = threadIdx.x;
  if (t == 0) {
    left[0] = 0;
    right[0] = 4;
    low[0] = 0;
    high[0] = rows;
    active = 1;
  }
  __syncthreads();
  for (int round = 0; round < 12; round++) {
    bool is_own = t < active;
    float from = 0, to = 0, middle = 0;
    int a = 0, b = 0, c = 0;
    if (is_own) {
      from = left[t];
      to = right[t];
      a = low[t];
      c = high[t];
      middle = (from + to) / 2;
      b = below(middle, rows);
      b = b < a ? a : b > c ? c : b;
    }
    // One interval stays one where all eigenvalues are on one side, or where
    // there is one only.
    bool splits = is_own && a < b && b < c;
    sums[t] = splits;
    __syncthreads();
    for (int step = 1; step < THREADS; step *= 2) {
      int more = t >= step ? sums[t - step] : 0;
      __syncthreads();
      sums[t] += more;
      __syncthreads();
    }
    int place = active + sums[t] - 1; // says 1: race
    int total = active + sums[THREADS - 1];
    if (BUG != 1)
      __syncthreads();
    if (is_own) {
      left[t] = splits || b > a ? from : middle;
      right[t] = splits || b > a ? middle : to;
      low[t] = a;
      high[t] = splits ? b : c;
      if (splits) {
        left[place] = middle;
        right[place] = to;
        low[place] = b;
        high[place] = c;
      }
    }
    if (t == 0)
      active = total;
    __syncthreads();
  }
  if (t < active) {
    values[t] = (left[t] + right[t]) / 2;
    found[t] = high[t] - low[t];
  }
}

int main() {
  float *values, host_values[THREADS];
  int *found, host_found[THREADS], sum = 0;
  bool is_between = true;
  cudaMalloc(&values, sizeof host_values);
  cudaMalloc(&found, sizeof host_found);
  cudaMemset(found, 0, sizeof host_found);
  cudaMemset(values, 0, sizeof host_values);
  for (int i = 0; i < SCALE; i++)
    bisect<<<1, THREADS>>>(values, found, ROWS);
  cudaMemcpy(host_values, values, sizeof host_values, cudaMemcpyDeviceToHost);
  cudaMemcpy(host_found, found, sizeof host_found, cudaMemcpyDeviceToHost);
  for (int i = 0; i < THREADS; i++) {
    sum += host_found[i];
    is_between &= host_values[i] >= 0 && host_values[i] <= 4;
  }
  printf("%d eigenvalues between 0 and %d\n", sum, is_between ? 4 : 9);
  cudaFree(values);
  cudaFree(found);
}
