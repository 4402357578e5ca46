// Both accesses come from one macro, and its text is not ours to change.
//
// args: --blockDim=128 --gridDim=8
// none: there is no place in the source where a change could help

#define PASS                                                                   \
  tile[threadIdx.x] = threadIdx.x;                                             \
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[127 - threadIdx.x];

__global__ void macro(int *out) {
  __shared__ int tile[128];
  PASS
}
