// Halves of a warp synchronise apart from each other.
//
// args:     --blockDim=32 --gridDim=1
// verdict:  verified
// bug 1:    racy       reads across the halves

__global__ void halves(const int *in, int *out) {
  __shared__ int cell[32];
  int t = threadIdx.x;
  cell[t] = in[t];
  if (t < 16)
    __syncwarp(0x0000ffff);
  else
    __syncwarp(0xffff0000);
#if BUG == 1
  out[t] = cell[t ^ 16]; // expect 1: read-write race on 'cell'
#else
  out[t] = cell[t ^ 8];
#endif
}
