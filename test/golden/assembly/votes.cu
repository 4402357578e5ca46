// A barrier that tells whether a condition holds in some thread; what is asked of
// an address; a fence.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       half of the block comes to the barrier
// bug 2:    unknown    a barrier for a part of the block
// bug 3:    divergent  another answer for another address
// bug 4:    racy       a fence is no barrier
// bug 5:    unknown    threads that may meet from different instructions

__global__ void any(unsigned *out, unsigned limit) {
  __shared__ unsigned cell[64];
  unsigned t = threadIdx.x, found = 0, is_shared;
  cell[t] = t;
#if BUG == 1
  if (t < 32)
#endif
#if BUG == 2
    asm volatile("{ .reg .pred p, q; setp.gt.u32 p, %1, %2;\n"
                 "  bar.red.or.pred q, 1, 32, p; selp.u32 %0, 1, 0, q; }"
#elif BUG == 4
  asm volatile("fence.acq_rel.cta; mov.u32 %0, 0; // %1, %2"
#elif BUG == 5
  asm volatile("barrier.sync 0; mov.u32 %0, 0; // %1, %2"
#else
  asm volatile("{ .reg .pred p, q; setp.gt.u32 p, %1, %2;\n" // expect 1: barrier
               "  bar.red.or.pred q, 0, p; selp.u32 %0, 1, 0, q; }"
#endif
                 : "=r"(found)
                 : "r"(t), "r"(limit)
                 : "memory");
  out[t] = cell[63 - t] + found; // expect 1,4: race
  const void *at = cell;
#if BUG == 3
  at = t < 7 ? (const void *)out : cell;
#endif
  asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }"
      : "=r"(is_shared)
      : "l"(at));
#if BUG == 3
  if (is_shared)
    __syncthreads(); // expect 3: barrier
#endif
}
