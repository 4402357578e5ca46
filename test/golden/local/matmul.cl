// Multiplies matrices of n x n, n a multiple of 16, tile by tile.
//
// args:     --local_size=[16,16] --num_groups=[8,8]
// verdict:  verified
// bug 1:    racy       the next tile is loaded while this one is in use

kernel void matmul(global const float *a, global const float *b,
                   global float *c, int tiles) {
  __requires(tiles >= 8 && tiles <= 64);
  local float left[16][16], right[16][16];
  int x = get_local_id(0), y = get_local_id(1), n = tiles * 16;
  int column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < tiles; k++) {
    left[y][x] = a[row * n + k * 16 + x];
    right[y][x] = b[(k * 16 + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 16; i++)
      sum = mad(left[y][i], right[i][x], sum); // expect 1: read-write race on
#if BUG != 1
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  c[row * n + column] = sum;
}
