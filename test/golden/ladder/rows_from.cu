// Tiles of a grid that begins at a tile of the data: there are rows up to the
// thread's own.
//
// args:     --blockDim=256 --gridDim=* --ladder=all --no-confirm
// verdict:  verified, verified
// assumes:  thread-count, launch-limits, sizes-fit, arguments-not-negative
// bug 1:    racy, verified  tiles are shorter than blocks
// bug 2:    verified, racy  the grid begins behind where it ends
// bug 3:    racy, verified  the product is no place but a part of one
// bug 4:    racy, verified  where it begins is computed
// bug 5:    verified, racy  the sum may wrap

__global__ void scale(int *out, int first) {
  unsigned tile = (BUG == 4 ? first / 3 : first) + blockIdx.x;
  unsigned begin = (BUG == 1 ? 200 : 1024) * tile;
  if (BUG == 3)
    begin &= 0x7fffffff;
  out += begin;
  out[threadIdx.x] = threadIdx.x + tile; // expect 1,3,4: write-write race on 'out'
}

#if BUG == 5
typedef unsigned Tile;
#else
typedef int Tile;
#endif

__global__ void shift(int *out, Tile first) {
  unsigned tile = BUG == 2 ? first - blockIdx.x : blockIdx.x + first;
  out += 1024 * tile;
  out[threadIdx.x] = tile; // expect 2,5: write-write race on 'out'
}
