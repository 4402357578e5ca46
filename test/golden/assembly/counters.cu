// Atomics of inline assembly, and a loop that counts with registers of its own.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    racy       the scope of an atomic is the block
// bug 2:    racy       a plain store beside atomics

__global__ void count(unsigned *total, unsigned *last, unsigned *out) {
  unsigned was, n;
#if BUG == 1
  asm volatile("atom.relaxed.cta.global.add.u32 %0, [%1], 1;" // expect 1: race
               : "=r"(was)
               : "l"(total)
               : "memory");
#else
  asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 1;"
               : "=r"(was)
               : "l"(total)
               : "memory");
#endif
  asm volatile("red.global.max.u32 [%0], %1;" ::"l"(last), "r"(was) // expect 2: race
               : "memory");
#if BUG == 2
  asm volatile("st.global.u32 [%0], %1;" ::"l"(last), "r"(was) // expect 2: race
               : "memory");
#endif
  asm volatile("{ .reg .pred done;\n"
               "mov.u32 %0, 0;\n"
               "again%=: add.u32 %0, %0, 1;\n"
               "setp.ge.u32 done, %0, %1;\n"
               "@!done bra again%=; }"
               : "=&r"(n)
               : "r"(was));
  out[blockIdx.x * 64 + threadIdx.x] = n;
}
