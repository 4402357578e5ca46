// Threads of one warp race in code that no other warp comes to.
//
// args:   --blockDim=128 --gridDim=8
// repair: in_a_warp.cu:10:5: insert '__syncwarp();'

__global__ void in_a_warp(int *out) {
  __shared__ int tile[32];
  if (threadIdx.x < 32) {
    tile[threadIdx.x] = threadIdx.x;
    out[blockIdx.x * 32 + threadIdx.x] = tile[31 - threadIdx.x];
  }
}
