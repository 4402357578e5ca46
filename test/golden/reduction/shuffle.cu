// Each warp sums in registers by shuffles; the warps' sums meet in shared
// memory.
//
// args:     --blockDim=256 --gridDim=8
// verdict:  verified
// bug 1:    racy       no barrier before the first warp reads the others' sums
// bug 2:    racy       every lane of a warp stores its partial sum

__device__ int warp_sum(int value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

__global__ void reduce(const int *in, int *out) {
  __shared__ int partial[8];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int sum = warp_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
#if BUG == 2
  partial[warp] = sum; // expect 2: write-write race on 'partial'
#else
  if (lane == 0)
    partial[warp] = sum;
#endif
#if BUG != 1
  __syncthreads();
#endif
  if (warp == 0) {
    sum = lane < 8 ? partial[lane] : 0; // expect 1: race on 'partial'
    sum = warp_sum(sum);
    if (lane == 0)
      out[blockIdx.x] = sum;
  }
}
