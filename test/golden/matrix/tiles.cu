// Tensor cores by wmma: two warps fill the tiles that they multiply, and pass
// the products through shared memory.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       a tile is read while it is filled
// bug 2:    racy       both warps store to one tile
// bug 3:    racy       lines of the product overlap, for the pitch is too small
// bug 4:    racy       elements are read before the warp that stores has met
// bug 5:    racy       the second warp stores a column further
// bug 6:    divergent  lanes of one warp name different tiles

__global__ void multiply(const int *a, const int *b, float *c) {
  __shared__ int left[2][128], right[2][128]; // 16 times 16 halves
  __shared__ float product[32 * 16];
  int t = threadIdx.x, warp = t / 32;
  int x[8], y[8];
  float sum[8] = {0};
  for (int i = t; i < 256; i += 64) {
    left[i / 128][i % 128] = a[i]; // expect 1: race on 'left'
    right[i / 128][i % 128] = b[i];
  }
#if BUG != 1
  __syncthreads();
#endif
#if BUG == 6
  __hmma_m16n16k16_ld_a(x, left[t % 2], 16, 0); // expect 6: divergent arguments
#else
  __hmma_m16n16k16_ld_a(x, left[warp], 16, 0);  // allow 1: race
#endif
  __hmma_m16n16k16_ld_b(y, right[warp], 16, 1); // allow 1: race
  __hmma_m16n16k16_mma_f32f32(sum, x, y, sum, 1, 0);
#if BUG == 2
  float *to = product;
#elif BUG == 5
  float *to = product + warp * 15;
#else
  float *to = product + warp * 16;
#endif
  __hmma_m16n16k16_st_c_f32(to, sum, BUG == 3 ? 24 : 32, 0); // expect 2,3,5: race on 'product'
#if BUG != 4
  __syncthreads();
#endif
  for (int i = t; i < 512; i += 64)
    c[i] = product[i]; // expect 4: race on 'product'
}
