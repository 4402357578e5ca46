// Kernels that launch kernels: with parameters of all sizes, nested, in streams
// of their own, with shared memory, by templates, recursively.
//
// also:     children_other.cu
// args:     -rdc=true --detect=races
// needs:    cuda
// prints:   sums 1 1 1
// prints:   negated 2 times
// prints:   sorted 0 wrong
// prints:   no error
// verdict:  passed
// bug 1:    out-of-bounds  a child writes behind the end
// bug 2:    racy           threads of a child write to one place
// bug 3:    failed         a child of 1025 threads
// bug 4:    failed         without end, one launches the next
// bug 5:    out-of-bounds  the parent writes behind the end
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef BUG
#define BUG 0
#endif

struct Part {
  char kind;
  double weight;
  int *to;
};

__global__ void negate(int *data, int n);

static __device__ int calls, spare[2];

template <typename T>
static __global__ void add(char c, Part part, short by, T *out, int n) {
  extern __shared__ T cells[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cells[threadIdx.x] = c + by + (T)part.weight;
  __syncthreads();
  if (i < n + (BUG == 1))
    out[BUG == 2 ? i / 2 : i] += cells[threadIdx.x ^ 1]; // says 1,2: 'out'
  if (i == 0) {
    atomicAdd(&calls, 1);
    *part.to = part.kind;
  }
}

__global__ void parent(int *out, int *kinds, int n) {
  int threads = BUG == 3 ? 1025 : 32;
  Part part = {(char)threadIdx.x, 2.5, kinds + threadIdx.x};
  if (threadIdx.x < 3)
    add<int><<<2, threads, threads * sizeof(int)>>>(1, part, 4,
                                                    out + threadIdx.x * n, n);
#if BUG == 5
  out[3 * n + threadIdx.x] = 0; // says 5: access outside of 'out'
#endif
}

// One after the other.
__global__ void negate_twice(int *data, int n) {
  negate<<<2, 32>>>(data, n);
  negate<<<1, 64>>>(data, n);
}

__device__ void swap(int *a, int *b) {
  int c = *a;
  *a = *b;
  *b = c;
}

__global__ void sort(int *data, int low, int high, int depth) {
  int pivot = data[(low + high) / 2], left = low, right = high;
  while (left <= right) {
    while (data[left] < pivot)
      left++;
    while (data[right] > pivot)
      right--;
    if (left <= right)
      swap(&data[left++], &data[right--]);
  }
  if (high - low == 2 * (left - low)) { // in order with what comes
    cudaMemcpyAsync(spare, data + low, sizeof *data, cudaMemcpyDeviceToDevice,
                    0);
    cudaMemsetAsync(spare + 1, 0, sizeof *spare, 0);
  }
  cudaStream_t streams[2];
  for (int i = 0; i < 2; i++)
    cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
  if (low < right || BUG == 4)
    sort<<<1, 1, 0, streams[0]>>>(data, low, right, depth + 1);
  if (left < high)
    sort<<<1, 1, 0, streams[1]>>>(data, left, high, depth + 1);
  for (int i = 0; i < 2; i++)
    cudaStreamDestroy(streams[i]);
}

int main() {
  enum { N = 50, COUNT = 300 };
  int *out, *kinds, host[3 * N], what[3], count = 0, wrong = 0;
  cudaMalloc(&out, 3 * N * sizeof *out);
  cudaMalloc(&kinds, 3 * sizeof *kinds);
  cudaMemset(out, 0, 3 * N * sizeof *out);
  parent<<<1, 16>>>(out, kinds, N);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(what, kinds, sizeof what, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&count, calls, sizeof count);
  bool all = true;
  for (int i = 0; i < 3 * N; i++)
    all = all && host[i] == 7;
  printf("sums %d %d %d\n", all, what[1] == 1 && what[2] == 2, count == 3);

  int changed = 0;
  negate_twice<<<1, 1>>>(out, N);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 3 * N; i++)
    changed += host[i] != 7;
  printf("negated %d times\n", changed ? 1 : 2);

  int *data;
  cudaMallocManaged(&data, COUNT * sizeof *data);
  for (int i = 0; i < COUNT; i++)
    data[i] = i * 7919 % 1009;
  sort<<<1, 1>>>(data, 0, COUNT - 1, 0);
  cudaDeviceSynchronize();
  for (int i = 1; i < COUNT; i++)
    wrong += data[i - 1] > data[i];
  printf("sorted %d wrong\n", wrong);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
