// The race is in a function that only some threads call.
//
// args: --blockDim=128 --gridDim=8
// none: with none of the

__device__ int pass(int *tile) {
  tile[threadIdx.x] = threadIdx.x;
  return tile[(threadIdx.x + 64) % 100];
}

__global__ void called_by_some(int *out) {
  __shared__ int tile[128];
  if (threadIdx.x < 100)
    out[blockIdx.x * blockDim.x + threadIdx.x] = pass(tile);
  __syncthreads();
  tile[threadIdx.x] = 0;
}
