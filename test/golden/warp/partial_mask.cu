// Halves of a warp synchronise apart from each other.
//
// args:     --blockDim=32 --gridDim=1
// verdict:  unknown

__global__ void halves(const int *in, int *out) {
  __shared__ int cell[32];
  int t = threadIdx.x;
  cell[t] = in[t];
  if (t < 16)
    __syncwarp(0x0000ffff); // allow 0: warp barrier
  else
    __syncwarp(0xffff0000); // expect 0: warp barrier
  out[t] = cell[t ^ 8];
}
