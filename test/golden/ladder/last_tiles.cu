// Tiles of which only the last one is not full.  That two blocks work on one
// that is not needs a size that wraps around, so nothing is compared there.
//
// args:     --blockDim=64 --gridDim=* --ladder=all
// verdict:  verified
// assumes:  thread-count, launch-limits, no-alias, termination, no-signed-overflow
// bug 1:    racy       the last tile is written from its end
// bug 2:    racy       tiles overlap by one
// bug 3:    racy       each block writes a tile that is not full from its start

__global__ void copy(int *out, const int *in, int n, int rounds) {
  const int tile = 64 * rounds;
  const int from = (int)blockIdx.x * (BUG == 2 ? tile - 1 : tile);
  const int rest = n - from < tile ? n - from : tile;
  if (rest == tile)
    for (int j = 0; j < rounds; j++)
      out[from + 64 * j + (int)threadIdx.x] = // expect 1,2: race on 'out'
          in[from + 64 * j + (int)threadIdx.x] + (int)blockIdx.x;
  else
    for (int j = 0; j < rounds; j++) {
      const int i = 64 * j + (int)threadIdx.x;
      if (BUG == 3 ? i < -rest : i < rest)
        out[BUG == 1   ? n - from - i
            : BUG == 3 ? i
                       : from + i] = in[from + i]; // expect 3: race on 'out'
    }
}
