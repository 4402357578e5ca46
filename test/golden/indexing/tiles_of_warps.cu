// Tiles of a number of elements, whose index may be below zero: in each the
// warps have a part, in that each round of a loop a row.
//
// args:     --blockDim=320 --gridDim=*
// verdict:  verified
// bug 1:    racy       a round more, in the next warp's part
// bug 2:    racy       tiles are shorter than the parts of their warps
// bug 3:    racy       rows are shorter than a warp
// bug 4:    racy       the index of a tile wraps around

__global__ void fill(int *out, const int *in, int start, unsigned long n) {
  const int rounds = BUG == 1 ? 13 : 12;
  const int row = BUG == 3 ? 31 : 32;
  const long tile = BUG == 2 ? 3839 : 3840;
  int index = start + (int)blockIdx.x;
  if (BUG == 4)
    index = (int)((unsigned)index << 20) >> 20;
  const unsigned long base = tile * index;
  if (n - base <= 3840)
    return;
  const int warp = (int)threadIdx.x >> 5, lane = threadIdx.x % 32;
  int *own = out + base + (384 * warp + lane);
  for (int i = 0; i < rounds; i++)
    own[row * i] = in[blockIdx.x + threadIdx.x]; // expect 1,2,3,4: race on 'out'
}
