// Each block has a tile of so many elements as a number says, which is none of
// the sizes of the launch.
//
// args:     --ladder=all --no-confirm
// verdict:  verified
// assumes:  thread-count, launch-limits, termination, sizes-fit
// bug 1:    racy     a number that is no length: it spreads places
// bug 2:    racy     two blocks have one tile
// bug 3:    racy     a tile is larger than the way to the next one
// bug 4:    racy     the tile's place is taken away from another one
// bug 5:    verified a tile's length is a shift
// bug 6:    racy     what is below no size is multiplied

__global__ __launch_bounds__(128) void add(int *out, unsigned from) {
#if BUG == 1
  unsigned tile = blockIdx.x * 0x20001;
#elif BUG == 2
  unsigned tile = blockIdx.x / 2 * 512;
#elif BUG == 3
  unsigned tile = blockIdx.x * 500;
#elif BUG == 4
  unsigned tile = from - blockIdx.x * 512;
#elif BUG == 5
  unsigned tile = blockIdx.x << 9;
#elif BUG == 6
  unsigned tile = (from ^ blockIdx.x) * 512;
#else
  unsigned tile = blockIdx.x * 512;
#endif
  for (int i = 0; i < 4; i++)
    out[tile + i * 128 + threadIdx.x] += i; // expect 1,2,3,4,6: race on 'out'
}

void launch(int *out, int n) { add<<<n, 128>>>(out, n); }
