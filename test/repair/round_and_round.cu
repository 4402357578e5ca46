// In a loop one barrier before the read is not enough: the next round writes.
//
// args:   --blockDim=128 --gridDim=8
// repair: with these changes kernel 'round_and_round' is verified

__global__ void round_and_round(int *out, int rounds) {
  __shared__ int tile[128];
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < rounds; i++) {
    tile[threadIdx.x] = out[at];
    out[at] = tile[127 - threadIdx.x];
  }
}
