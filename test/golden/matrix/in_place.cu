// A warp loads an accumulator and stores it to where it was: its elements stay
// with their lanes.
//
// args:     --blockDim=32 --gridDim=4
// verdict:  verified
// bug 1:    racy       it is stored a line further, where other lanes' are
// bug 2:    racy       all blocks have the same tile

__global__ void scale(const int *a, const int *b, float *c) {
  int x[8], y[8];
  float sum[8];
#if BUG == 2
  float *tile = c;
#else
  float *tile = c + blockIdx.x * 512;
#endif
  __hmma_m16n16k16_ld_a(x, a, 16, 0);
  __hmma_m16n16k16_ld_b(y, b, 16, 0);
  __hmma_m16n16k16_ld_c_f32(sum, tile, 16, 0);
  __hmma_m16n16k16_mma_f32f32(sum, x, y, sum, 0, 0);
#if BUG == 1
  tile += 16;
#endif
  __hmma_m16n16k16_st_c_f32(tile, sum, 16, 0); // expect 1,2: race on 'c'
}
