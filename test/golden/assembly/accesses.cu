// What assembly reads and writes is what it says: vectors, halves, scopes, orders,
// addresses that it changes itself.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    racy     the vector reaches into the neighbour's
// bug 2:    racy     an atomic of the block meets those of another block
// bug 3:    racy     the second of two halves is the neighbour's first
// bug 4:    racy     a strong store is no atomic to a weak one
// bug 5:    racy     the address that comes out is one too far
// bug 6:    racy     a hint is no access, a store behind it is
// bug 7:    unknown  an address from nowhere
// bug 8:    unknown  memory of another block of the cluster

__global__ void store(int *four, unsigned *halves, int *count, int *own,
                      int *last) {
  int t = threadIdx.x, i = blockIdx.x * 64 + t, old;
  unsigned short half = 0x3c00;
#if BUG == 1
  asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, 0};" ::"l"( // expect 1: race
      four + 2 * i),
#else
  asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, 0};" ::"l"(four + 4 * i),
#endif
               "r"(t)
               : "memory");
#if BUG == 2
  asm volatile("atom.relaxed.cta.add.u32 %0, [%1], 2;" // expect 2: race
#else
  asm volatile("atom.relaxed.gpu.add.u32 %0, [%1], 2;"
#endif
               : "=r"(old)
               : "l"(count)
               : "memory");
  asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(halves), // expect 3: race
               "r"(0x3c003c00)
               : "memory");
#if BUG == 3
  asm volatile("st.global.b16 [%0+2], %1;" ::"l"(halves), "h"(half) // allow 3: race
               : "memory");
#else
  asm volatile("atom.add.noftz.f16 %0, [%1+2], %0;"
               : "+h"(half)
               : "l"(halves)
               : "memory");
#endif
#if BUG == 4
  asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(last), "r"(t) : "memory");
  *last = t; // expect 4: race
#else
  asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(last), "r"(t) : "memory");
#endif
  int *at = own;
  asm("{ .reg .b64 o; mul.wide.s32 o, %1, 4; add.u64 %0, %0, o; }"
      : "+l"(at)
      : "r"(i));
#if BUG == 5
  if (t == 7)
    asm("add.u64 %0, %0, 4;" : "+l"(at));
#endif
  *at = t; // expect 5: race
  asm volatile("{ .reg .b64 p;\n" // expect 6: race
               "  createpolicy.fractional.L2::evict_last.b64 p;\n"
               "  prefetch.global.L2 [%0];\n"
#if BUG == 6
               "  st.global.L2::cache_hint.u32 [%0], %1, p;\n"
#endif
               "}" ::"l"(last + 1), "r"(t) : "memory");
#if BUG == 7
  asm volatile("st.global.u32 [%0], 1;" ::"l"(0x1000ull + old * 4) : "memory");
#elif BUG == 8
  asm volatile("st.shared::cluster.u32 [%0], 1;" ::"r"(t * 4) : "memory");
#endif
}
