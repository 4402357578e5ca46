// The accesses are in functions, so the barrier stands between their calls.
//
// args:   --blockDim=128 --gridDim=8
// repair: in_functions.cu:12:3: insert '__syncthreads();'

__device__ void put(int *tile, int v) { tile[threadIdx.x] = v; }
__device__ int get(const int *tile) { return tile[127 - threadIdx.x]; }

__global__ void in_functions(int *out) {
  __shared__ int tile[128];
  put(tile, threadIdx.x);
  out[blockIdx.x * blockDim.x + threadIdx.x] = get(tile);
}
