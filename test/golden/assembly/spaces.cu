// The number in brackets is an address of the space that the instruction names,
// and 32 bits of it wrap.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       4 less, written as 2^32 - 4
// bug 2:    unknown    a generic address in shared memory
// bug 3:    unknown    an address in shared memory among all memory
// bug 4:    assertion  global memory has another place there
// bug 5:    unknown    the address is made one of shared memory twice
// bug 6:    unknown    constants are not written

__global__ void write(int *out) {
  __shared__ int s[65];
  unsigned t = threadIdx.x;
  unsigned long long wide = __cvta_generic_to_shared(&s[t]);
  unsigned at = (unsigned)wide;
#if BUG == 1
  asm volatile("st.shared.u32 [%0+0xfffffffc], %1;" ::"r"(at + 4), "r"(t));
  s[63 - t] = t; // expect 1: write-write race on 's'
#elif BUG == 2
  asm volatile("st.shared.u32 [%0], %1;" ::"l"(&s[t]), "r"(t));
#elif BUG == 3
  asm volatile("st.u32 [%0], %1;" ::"l"(wide), "r"(t));
#elif BUG == 4
  asm volatile("st.global.u32 [%0], %1;" // expect 4: not in global memory
               ::"l"(&s[t]),
               "r"(t));
#elif BUG == 5
  asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvta.to.shared.u64 %0, a; }"
      : "=l"(wide)
      : "l"(&s[t]));
  asm volatile("st.shared.u32 [%0], %1;" ::"l"(wide), "r"(t));
#elif BUG == 6
  asm volatile("st.const.u32 [%0], %1;" ::"l"(out + t), "r"(t));
#else
  asm volatile("st.shared.u32 [%0+4], %1;" ::"r"(at), "r"(t));
  asm volatile("st.global.u32 [%0], %1;" ::"l"(out + t), "r"(t));
#endif
}
