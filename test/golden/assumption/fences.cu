// A fence is no barrier: it makes nobody wait.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       a fence where a barrier has to be

__global__ void swap(const int *in, int *out) {
  __shared__ int cell[64];
  int t = threadIdx.x;
  cell[t] = in[t];
#if BUG == 1
  __threadfence_block();
#else
  __syncthreads();
#endif
  out[t] = cell[t ^ 1]; // expect 1: read-write race on 'cell'
}
