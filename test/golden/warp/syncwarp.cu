// Warps exchange through shared memory without the block.
//
// args:     --blockDim=128 --gridDim=2
// verdict:  verified
// bug 1:    racy       without __syncwarp
// bug 2:    racy       exchanges with the next warp

__global__ void exchange(const int *in, int *out) {
  __shared__ int cell[128];
  int t = threadIdx.x, first = blockIdx.x * 128;
  cell[t] = in[first + t];
#if BUG != 1
  __syncwarp();
#endif
#if BUG == 2
  out[first + t] = cell[t ^ 32]; // expect 2: read-write race on 'cell'
#else
  out[first + t] = cell[t ^ 16]; // expect 1: read-write race on 'cell'
#endif
}
