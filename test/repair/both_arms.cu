// Each arm has a barrier of its own, which are two.
//
// args:   --blockDim=128 --gridDim=8
// repair: move '__syncthreads();' behind the branch

__global__ void both_arms(int *out) {
  __shared__ int tile[128];
  if (threadIdx.x < 100) {
    tile[threadIdx.x] = 4;
    __syncthreads();
  } else {
    tile[threadIdx.x] = 5;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[127 - threadIdx.x];
}
