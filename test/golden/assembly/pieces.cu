// Integers in pieces: saturated, of 24 bits, four bytes and two halves at once,
// by masks of bits.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       a difference that is saturated is no difference
// bug 2:    assertion  bytes do not carry
// bug 3:    racy       of equal bits each is found first

__global__ void combine(unsigned *out, unsigned a, unsigned b) {
  unsigned t = threadIdx.x, value, other;
  asm("sad.u32 %0, %1, %2, %1;" : "=r"(value) : "r"(t), "r"(100u));
  __assert(value == 100);
  asm("{ .reg.b32 r; mul24.lo.u32 r, %1, 3; mad24.hi.u32 %0, r, r, 0; }"
      : "=r"(value)
      : "r"(t));
  __assert(value == 0);
  asm("slct.u32.s32 %0, %1, %2, %3;" : "=r"(value) : "r"(t), "r"(a), "r"(-1));
  __assert(value == a);
  asm("set.lt.and.u32.u32 %0, %1, %2, 1;" : "=r"(value) : "r"(t), "r"(64u));
  __assert(value == 0xffffffff);
  asm("vadd4.u32.u32.u32 %0, %1, %2, 0;"
      : "=r"(value)
      : "r"(0x00ff00ffu), "r"(0x01010101u));
#if BUG == 2
  __assert(value == 0x02000200); // expect 2: assertion
#else
  __assert(value == 0x01000100);
#endif
  asm("vmax4.s32.s32.s32 %0, %1, %2, %2;"
      : "=r"(value)
      : "r"(0x00ff007fu), "r"(0u));
  __assert(value == 0x0000007f);
  asm("dp4a.u32.u32 %0, %1, %2, %3;"
      : "=r"(value)
      : "r"(t), "r"(0x00000002u), "r"(1u));
  __assert(value == 2 * t + 1);
  asm("{ .reg .s32 low; sub.sat.s32 low, %1, %2; max.s32 %0, low, 0; }"
      : "=r"(value)
      : "r"(t),
#if BUG == 1
        "r"(0xfffffff0u + 32));
#else
        "r"(0u));
#endif
  out[value] = t; // expect 1: race
  asm("{ .reg .b32 m; bfe.s32 m, %1, 0, 7; szext.clamp.s32 %0, m, 8; }"
      : "=r"(other)
      : "r"(t));
  __assert(other == t);
#if BUG == 3
  asm("fns.b32 %0, %1, 0, 1;" : "=r"(other) : "r"(t & ~1u));
#endif
  out[64 + other] = t; // expect 3: race
}
