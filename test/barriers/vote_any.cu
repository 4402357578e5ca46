// Half of the block works until none of its threads has anything left; a
// barrier with a vote tells.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       all rounds but the first have no barrier before the read

#include "named.h"

__device__ bool any(int name, int threads, bool vote) {
  int result;
  asm volatile(
      "{ .reg .pred p, q;\n"
      "  setp.ne.u32 p, %3, 0;\n"
      "  bar.red.or.pred q, %1, %2, p;\n"
      "  selp.u32 %0, 1, 0, q; }"
      : "=r"(result)
      : "r"(name), "r"(threads), "r"((int)vote)
      : "memory");
  return result;
}

__global__ void __launch_bounds__(128) work(int *out) {
  __shared__ int cell[64];
  int t = threadIdx.x, left = t % 8;
  if (t >= 64)
    return;
  bool is_more = true;
  for (int i = 0; is_more; i++) {
    cell[t] = left; // expect 1: race in shared memory
#if BUG == 1
    if (i == 0)
#endif
      bar_sync(1, 64);
    out[t] += cell[63 - t];
    left -= left > 0;
    is_more = any(2, 64, left > 0);
  }
}
