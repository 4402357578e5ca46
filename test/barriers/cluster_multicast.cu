// Each block of a pair loads half of a tile for both; both halves count for one
// mbarrier in each.
//
// technique: barriers
// args:     --clang-arg=--cuda-gpu-arch=sm_90 --clang-arg=--cuda-feature=+ptx80
// verdict:  verified
// bug 1:    racy       the other block's buffer may still be read
// bug 2:    deadlock   the mask has one block alone
// bug 3:    deadlock   an announcement of three halves
// bug 4:    racy       the block may have ended when a copy comes
// bug 5:    unknown    a mask for three blocks
// bug 6:    racy       both load the same half

#include "cluster.h"

enum { HALF = 128, ROUNDS = 3 };

__global__ void __cluster_dims__(2) __launch_bounds__(64)
    tile(const char *in, int *out) {
  __shared__ unsigned long long full, empty;
  __shared__ __attribute__((aligned(16))) int buffer[2][32];
  unsigned rank = cluster_rank(), half = BUG == 6 ? 0 : rank;
  unsigned short mask = BUG == 2 ? 1 << rank : BUG == 5 ? 7 : 3;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&empty, BUG == 1 ? 32 : 64); // of the readers of both blocks
    fence_init();
  }
  cluster_sync();
  int rounds = BUG == 4 && rank == 1 ? ROUNDS - 1 : ROUNDS;
  if (threadIdx.x == 0)
    for (int i = 0; i < ROUNDS; i++) {
      wait_in_cluster(&empty, i % 2 ^ 1); // allow 2,3: there
      expect(&full, (BUG == 3 ? 3 : 2) * HALF);
      load_all(buffer[half], in + rank * HALF, // expect 1,4,6: shared memory
               HALF, &full, mask);
    }
  if (threadIdx.x >= 32)
    for (int i = 0; i < rounds; i++) {
      wait_in_cluster(&full, i % 2); // expect 2,3: deadlock
      out[i * 32 + threadIdx.x] = buffer[0][threadIdx.x - 32];
      if (BUG != 1)
        arrive_at(&empty, 1 - rank); // allow 4: the last one
      arrive_at(&empty, rank);
    }
  if (BUG != 4)
    cluster_sync();
}
