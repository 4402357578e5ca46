// Threads go round so often as their number says: a barrier there diverges.
//
// args: --blockDim=128 --gridDim=8 --ladder=no-signed-overflow
// none: with none of the

__global__ void different_rounds(int *out) {
  __shared__ int tile[128];
  for (int i = 0; i < threadIdx.x; i++)
    tile[(threadIdx.x + i) % 128] = i;
}
