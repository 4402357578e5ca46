// Nothing comes to the end of this kernel, so a proof might be of nothing.
//
// args: --blockDim=128 --gridDim=8
// none: it is not certain that a thread comes to the kernel's end

__global__ void endless(int *out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = threadIdx.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[127 - threadIdx.x];
  while (true) {
  }
}
