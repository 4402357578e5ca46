// Tiles of two warps, each with a barrier of its own, as cooperative groups
// have them.
//
// technique: barriers
// verdict:  verified
// bug 1:    divergent  a tile takes the barrier of the block for its own
// bug 2:    racy       neighbours belong to another tile

#include "named.h"

enum { SIZE = 64, BLOCK = 256 };

struct Tile {
  int number, rank;
  __device__ void sync() const {
#if BUG == 1
    bar_sync(1, SIZE);
#else
    bar_sync(1 + number, SIZE);
#endif
  }
};

__device__ Tile tile_of_this_thread() {
  return {(int)threadIdx.x / SIZE, (int)threadIdx.x % SIZE};
}

__global__ void __launch_bounds__(BLOCK) rotate(const int *in, int *out) {
  __shared__ int cell[BLOCK];
  Tile tile = tile_of_this_thread();
  int *own = cell + tile.number * SIZE;
  own[tile.rank] = in[threadIdx.x]; // expect 2: race in shared memory
  tile.sync();                      // expect 1: recycled too early
#if BUG == 2
  out[threadIdx.x] = cell[(threadIdx.x + 1) % BLOCK];
#else
  out[threadIdx.x] = own[(tile.rank + 1) % SIZE];
#endif
}
