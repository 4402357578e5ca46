// As hidden_write.cu, with the SDK's span.
//
// needs:    cuda
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified
// bug 1:    divergent, divergent  written through a subspan

#include <cuda/std/span>

__device__ void write(cuda::std::span<int> part) {
#if BUG == 1
  part[0] = 1;
#endif
}

__device__ void decide(int *data, cuda::std::span<int> part) {
  int found = 0;
  if (threadIdx.x < 32)
    found = data[0];
  __syncthreads();
  if (threadIdx.x == 0)
    write(part);
  __syncthreads();
  if (threadIdx.x >= 32)
    found = data[0];
  if (found)
    __syncthreads(); // expect 1: barrier divergence
}

__global__ void of_argument(cuda::std::span<int> all) {
  decide(all.data(), all.subspan(0));
}

__global__ void of_pointer(int *data, int n) {
  cuda::std::span<int> all(data, n);
  decide(data, all.subspan(0));
}
