// Shuffles exchange registers; they do not order memory.
//
// args:     --blockDim=32 --gridDim=1
// verdict:  verified
// bug 1:    racy       a shuffle instead of __syncwarp

__global__ void reverse(const int *in, int *out) {
  __shared__ int cell[32];
  int t = threadIdx.x;
  cell[t] = in[t];
  int other = __shfl_xor_sync(0xffffffff, in[t], 1);
#if BUG != 1
  __syncwarp();
#endif
  out[t] = cell[31 - t] + other; // expect 1: read-write race on 'cell'
}
