// What mends one kernel would make another one divergent, which is verified.
//
// args: --blockDim=128 --gridDim=8
// none: makes kernel 'alone' divergent

__device__ int pass(int *tile) {
  tile[threadIdx.x] = threadIdx.x;
  return tile[127 - threadIdx.x];
}

__global__ void alone(int *out) {
  __shared__ int tile[128];
  if (threadIdx.x == 0)
    out[blockIdx.x] = pass(tile);
  __syncthreads();
  tile[threadIdx.x] = 0;
}

__global__ void together(int *out) {
  __shared__ int tile[128];
  out[blockIdx.x * blockDim.x + threadIdx.x] = pass(tile);
}
