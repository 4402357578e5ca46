// One block fills a buffer of the other one, full and empty between them.
//
// technique: barriers
// args:     --clang-arg=--cuda-gpu-arch=sm_90 --clang-arg=--cuda-feature=+ptx80
// verdict:  verified
// bug 1:    deadlock   the mbarriers may not be initialised yet
// bug 2:    racy       the other block may have ended before the last arrival
// bug 3:    deadlock   an mbarrier expects the threads of both blocks
// bug 4:    deadlock   the buffer is filled again while it is read
// bug 5:    divergent  the blocks meet, but nothing publishes the mbarriers
// bug 6:    unknown    waits for an mbarrier of the other block
// bug 7:    racy       one more write, which nothing orders

#include "cluster.h"

enum { ROUNDS = 4 };

// PTX has no such thing.
__device__ __forceinline__ void wait_there(unsigned long long *barrier,
                                           unsigned rank, int parity) {
  asm volatile(
      "{ .reg .pred p;\n"
      "AGAIN: mbarrier.try_wait.parity.b64 p, [%0], %1;\n"
      "@!p bra AGAIN; }" ::"l"(map(barrier, rank)),
      "r"(parity)
      : "memory");
}

__global__ void __cluster_dims__(2) __launch_bounds__(32) pipe(int *out) {
  __shared__ unsigned long long full, empty;
  __shared__ int buffer[32];
  int rank = cluster_rank();
  if (threadIdx.x == 0) {
    init(&full, BUG == 3 ? 64 : 32);
    init(&empty, 32);
    if (BUG != 5 || rank == 0)
      fence_init();
  }
  if (BUG != 1) {
    cluster_arrive_relaxed();
    cluster_wait();
  }
  int *theirs = (int *)map(buffer, 1);
  for (int i = 0; i < ROUNDS; i++) {
    if (rank == 0) {
      if (BUG == 6)
        wait_there(&empty, 1, i % 2 ^ 1);
      else if (BUG != 4)
        wait_in_cluster(&empty, i % 2 ^ 1); // expect 1,3: deadlock
      theirs[threadIdx.x] = i;              // expect 7: race in shared memory
      if (BUG == 7)
        theirs[31] = 0;    // allow 7: race
      arrive_at(&full, 1); // expect 1,4,5: mbarrier at byte
    } else {
      wait_in_cluster(&full, i % 2); // allow 1,4,5: it, too
      out[i] = buffer[31 - threadIdx.x];
      arrive_at(&empty, 0); // expect 2: may have ended
    }
  }
  if (BUG != 2)
    cluster_sync(); // allow 4: deadlock
}
