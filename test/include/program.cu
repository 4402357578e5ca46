// A whole program, as an SDK user writes it: both passes accept it, and the
// host's asks the runtime for the launch.

#include <cuda_runtime.h>
#include <iostream>
#include <vector>

template <class T> __global__ void scale(T *p, T factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] *= factor;
}

__constant__ float coefficients[16];

static void check(cudaError_t error) {
  if (error != cudaSuccess)
    std::cerr << cudaGetErrorString(error) << '\n';
}

int main() {
  const int n = 1000;
  std::vector<float> host(n, 1.0f);
  float *device = nullptr;
  cudaStream_t stream;
  cudaEvent_t start, stop;
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  check(cudaStreamCreate(&stream));
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  check(cudaMalloc(&device, n * sizeof(float)));
  check(cudaMemset(device, 0, n * sizeof(float)));
  check(cudaMemcpy(device, host.data(), n * sizeof(float),
                   cudaMemcpyHostToDevice));
  check(cudaMemcpyToSymbol(coefficients, host.data(), 16 * sizeof(float)));
  check(cudaEventRecord(start, stream));
  // CHECK: {{call|invoke}} {{.*}}@__cudaPushCallConfiguration(
  // CHECK: {{call|invoke}} {{.*}}@_Z20__device_stub__scale
  scale<<<dim3((n + 255) / 256), 256, 0, stream>>>(device, 2.0f, n);
  scale<float><<<max(1, 2), min(64u, 128u)>>>(device, 2.0f, n);
  void *arguments[] = {&device};
  check(cudaLaunchCooperativeKernel(scale<float>, dim3(1), dim3(32), arguments,
                                    0, stream));
  check(cudaEventRecord(stop, stream));
  check(cudaEventSynchronize(stop));
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start, stop));
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  check(cudaFree(device));
  return std::max(0, (int)milliseconds) - std::min(0, properties.major);
}
// CHECK: define {{.*}}@_Z20__device_stub__scale
// CHECK: call {{.*}}@cudaLaunchKernel(
