// Managed memory, symbols, structs, templates, dynamic shared memory, printf,
// malloc in kernels, streams, events, functions by pointer: in one program.
//
// prints:   kernel says 7
// prints:   features: 0 wrong
// verdict:  passed

#include <stdio.h>

struct Scale {
  float by;
  int plus[3];
};

__constant__ float factors[4];
__device__ int counter = 40;
__device__ int next_counter;

typedef int (*Operation)(int);
__device__ int negate(int x) { return -x; }
__device__ Operation operation = negate;

template <typename T> __global__ void scale(T *data, Scale scale, int n) {
  extern __shared__ char memory[];
  T *copy = (T *)memory;
  int i = threadIdx.x;
  copy[i] = data[i];
  __syncthreads();
  data[i] = copy[n - 1 - i] * scale.by + scale.plus[2] + factors[3];
}

__global__ void count() {
  atomicAdd(&counter, 1);
  if (threadIdx.x == 0)
    printf("kernel says %d\n", 7);
}
__global__ void read_counter() { next_counter = counter + 1; }

__global__ void heap(int *out) {
  int *own = (int *)malloc(4 * sizeof *own);
  own[3] = threadIdx.x;
  out[threadIdx.x] = own[3];
  free(own);
}

__global__ void call(int *out, Operation op) {
  out[threadIdx.x] = op(threadIdx.x);
}

static int wrong;

static void check(bool is_right, const char *what) {
  if (!is_right)
    printf("wrong: %s\n", what);
  wrong += !is_right;
}

static void called(void *data) { ++*(int *)data; }

template <typename T> static void try_scale(T *data) {
  Scale how = {2, {0, 0, 1}};
  for (int i = 0; i < 32; i++)
    data[i] = i;
  scale<T><<<1, 32, 32 * sizeof(T)>>>(data, how, 32);
  check(cudaDeviceSynchronize() == cudaSuccess, "scale");
  check(data[0] == 31 * 2 + 1 + 4 && data[31] == 5, "its result");
}

int main() {
  float given[4] = {1, 2, 3, 4};
  int value = 0, calls = 0, *numbers;
  double *data;
  size_t size = 0;
  cudaStream_t stream;
  cudaEvent_t start, end;
  float milliseconds = -1;
  cudaMallocManaged(&data, 32 * sizeof *data);
  cudaMallocManaged(&numbers, 32 * sizeof *numbers);
  cudaMemcpyToSymbol(factors, given, sizeof given);
  try_scale(data);
  try_scale((float *)data);
  cudaStreamCreate(&stream);
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  cudaEventRecord(start, stream);
  count<<<2, 4, 0, stream>>>();
  read_counter<<<1, 1, 0, stream>>>();
  cudaEventRecord(end, stream);
  cudaLaunchHostFunc(stream, called, &calls);
  check(cudaStreamSynchronize(stream) == cudaSuccess, "stream");
  check(cudaEventQuery(end) == cudaSuccess, "event");
  check(!cudaEventElapsedTime(&milliseconds, start, end), "elapsed");
  check(milliseconds >= 0 && calls == 1, "time and host function");
  cudaMemcpyFromSymbol(&value, next_counter, sizeof value);
  check(value == 49, "variables of the device");
  check(!cudaGetSymbolSize(&size, factors) && size == 16, "symbol");
  heap<<<1, 32>>>(numbers);
  cudaDeviceSynchronize();
  check(numbers[31] == 31, "malloc in kernels");
  Operation op;
  cudaMemcpyFromSymbol(&op, operation, sizeof op);
  call<<<1, 32>>>(numbers, op);
  cudaDeviceSynchronize();
  check(numbers[31] == -31, "function pointer");
  count<<<1, 2000>>>();
  check(cudaGetLastError() != cudaSuccess, "block size");
  check(cudaGetLastError() == cudaSuccess, "error is forgotten");
  printf("features: %d wrong\n", wrong);
  cudaEventDestroy(start);
  cudaEventDestroy(end);
  cudaStreamDestroy(stream);
  cudaFree(data);
  cudaFree(numbers);
  return wrong;
}
