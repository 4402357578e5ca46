// Only some threads come to the barrier.
//
// args:   --blockDim=128 --gridDim=8
// repair: out_of_branch.cu:10:5: move '__syncthreads();' before the branch

__global__ void out_of_branch(int *out) {
  __shared__ int tile[129];
  tile[threadIdx.x] = 3;
  if (threadIdx.x < 100) {
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x + 1];
  }
}
