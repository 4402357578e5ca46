// Reverses 64 elements through shared memory.
//
// args:     --blockDim=64 --gridDim=4
// verdict:  verified
// bug 1:    racy       no barrier between writing and reading the cells

__global__ void reverse(const int *in, int *out) {
  __shared__ int cell[64];
  int first = blockIdx.x * 64, t = threadIdx.x;
  cell[t] = in[first + t];
#if BUG != 1
  __syncthreads();
#endif
  out[first + t] = cell[63 - t]; // expect 1: read-write race on 'cell'
}
