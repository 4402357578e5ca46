// One barrier is forgotten between two statements.
//
// args:   --blockDim=128 --gridDim=8
// repair: forgotten.cu:11:3: insert '__syncthreads();'

__global__ void forgotten(int *out) {
  __shared__ int tile[128];
  int t = threadIdx.x;
  tile[t] = 2 * t;
  // What the neighbour wrote.
  out[blockIdx.x * blockDim.x + t] = tile[127 - t];
}
