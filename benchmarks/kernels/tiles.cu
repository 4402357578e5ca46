// A product of square matrices by tiles in shared memory, two barriers a tile.
// As plain C the loops over threads are split at the barriers, by hand.

enum { TILE = 16 };

#ifndef PLAIN
__global__ void tiles(float *c, const float *a, const float *b, int n) {
  __shared__ float left[TILE][TILE], right[TILE][TILE];
  int x = (int)threadIdx.x, y = (int)threadIdx.y;
  int column = (int)blockIdx.x * TILE + x, row = (int)blockIdx.y * TILE + y;
  float sum = 0;
  for (int m = 0; m < n; m += TILE) {
    left[y][x] = a[row * n + m + x];
    right[y][x] = b[(m + y) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
#else
static void block(float *c, const float *a, const float *b, int n) {
  static float left[TILE][TILE], right[TILE][TILE], sum[TILE][TILE];
  Three size = {TILE, TILE, 1};
  int column = (int)blockIdx.x * TILE, row = (int)blockIdx.y * TILE;
  for_each_thread(size, [&] { sum[threadIdx.y][threadIdx.x] = 0; });
  for (int m = 0; m < n; m += TILE) {
    for_each_thread(size, [&] {
      int x = (int)threadIdx.x, y = (int)threadIdx.y;
      left[y][x] = a[(row + y) * n + m + x];
      right[y][x] = b[(m + y) * n + column + x];
    });
    for_each_thread(size, [&] {
      int x = (int)threadIdx.x, y = (int)threadIdx.y;
      for (int k = 0; k < TILE; k++)
        sum[y][x] += left[y][k] * right[k][x];
    });
  }
  for_each_thread(size, [&] {
    int x = (int)threadIdx.x, y = (int)threadIdx.y;
    c[(row + y) * n + column + x] = sum[y][x];
  });
}

int main() {
  enum { SIDE = 256 };
  std::vector<float> a = iota(SIDE * SIDE), b = a, c(SIDE * SIDE);
  measure(c, [&] {
    for_each_block({SIDE / TILE, SIDE / TILE, 1},
                   [&] { block(c.data(), a.data(), b.data(), SIDE); });
  });
}
#endif
