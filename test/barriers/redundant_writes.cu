// All lanes of a warp know its sum and write it, and all warps write the sum of
// these: who is last makes no difference, as long as all have computed the same.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       no barrier before the sums are read
// bug 2:    racy       the lanes have partial sums
// bug 3:    unknown    a difference, of which each half has another sign
// bug 4:    racy       the warps write what each of them has read
// bug 5:    unknown    one lane writes something else, after all have exchanged
// bug 6:    racy       what is older is written by one warp alone

__global__ void __launch_bounds__(128) sums(const double *in, double *out,
                                            int *flag) {
  __shared__ double sum[4], total;
  __shared__ int any;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  double value = in[threadIdx.x];
#pragma unroll
  for (int d = 16; d > 0; d /= 2) {
#if BUG == 2
    value += __shfl_down_sync(0xffffffffu, value, d);
#elif BUG == 3
    value -= __shfl_xor_sync(0xffffffffu, value, d);
#else
    value += __shfl_xor_sync(0xffffffffu, value, d);
#endif
  }
#if BUG == 5
  if (lane == 7)
    value += 1;
#endif
  sum[warp] = value; // expect 2: write-write race
#if BUG != 1
  __syncthreads();
#endif
#if BUG == 6
  if (warp == 2)
    total = in[0]; // expect 6: write-write race
#endif
#if BUG == 4
  total = in[warp]; // expect 4: write-write race
#else
  total = sum[lane % 4 - lane % 4] + sum[1] + // expect 1: read-write race
          sum[2] + // expect 1: read-write race
          sum[3];  // expect 1: read-write race
#endif
  any = flag[1]; // the same for all
  __syncthreads();
  out[threadIdx.x] = total * any;
}
