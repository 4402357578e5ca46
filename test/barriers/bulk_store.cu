// What a block has written to shared memory goes out by bulk copies, which read
// it as nobody else does: after a fence, and until somebody waits for them.
//
// technique: barriers
// args:     --clang-arg=--cuda-gpu-arch=sm_90 --clang-arg=--cuda-feature=+ptx80
// verdict:  verified
// bug 1:    racy       no proxy fence
// bug 2:    racy       the buffer is written again while it is being read
// bug 3:    racy       the wait is for the group before
// bug 4:    racy       the kernel ends before the last copy
// bug 5:    verified   the fence is of the thread that reads, behind the barrier
// bug 6:    racy       one thread waits, and tells nobody
// bug 7:    racy       the fence comes before what is written

#include "bulk.h"

enum { ROUNDS = 3 };

__global__ void __launch_bounds__(64) flush(float *out) {
  __shared__ __attribute__((aligned(16))) float tile[64];
  for (int i = 0; i < ROUNDS; i++) {
    if (BUG == 7)
      fence_proxy();
    tile[threadIdx.x] = i; // expect 1,2,3,6,7: race in shared memory
    if (BUG != 1 && BUG != 5 && BUG != 7)
      fence_proxy();
    __syncthreads();
    if (threadIdx.x == 0) {
      if (BUG == 5)
        fence_proxy();
      store(out + i * 64, tile, sizeof tile); // expect 2,3,4: a thread may end
      commit_bulk();
      if (BUG == 3)
        wait_bulk_read(1); // allow 3: for the wrong group
      else if (BUG != 2 && (BUG != 4 || i + 1 < ROUNDS))
        wait_bulk_read(0);
    }
    if (BUG != 6)
      __syncthreads();
  }
}
