// A barrier that some threads have left before would need one assumption more.
//
// args: --blockDim=128 --gridDim=8
// none: only if 'exited-threads' is assumed

__global__ void early_return(int *out, int n) {
  __shared__ int tile[128];
  if (threadIdx.x >= n)
    return;
  tile[threadIdx.x] = 1;
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[127 - threadIdx.x];
}
