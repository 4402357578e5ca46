// What assembly leaves in a register that it does not set is another value in each
// thread.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  the output is set in one thread alone
// bug 2:    divergent  a register inside is
// bug 3:    divergent  the carry is

__global__ void wait(int *out) {
  int zero;
#if BUG == 1
  asm("{ .reg .pred p; setp.eq.u32 p, %1, 0;\n"
      "@p mov.u32 %0, 0; }" : "=r"(zero) : "r"(threadIdx.x));
#elif BUG == 2
  asm("{ .reg .pred p; .reg .u32 a; setp.eq.u32 p, %1, 0;\n"
      "@p mov.u32 a, 0; mov.u32 %0, a; }" : "=r"(zero) : "r"(threadIdx.x));
#elif BUG == 3
  asm("{ .reg .pred p; .reg .u32 a; setp.eq.u32 p, %1, 0;\n"
      "@p add.cc.u32 a, %1, %1; addc.u32 %0, 0, 0; }" : "=r"(zero) : "r"(threadIdx.x));
#else
  asm("{ .reg .pred p; setp.eq.u32 p, %1, 0; mov.u32 %0, 0;\n"
      "@p mov.u32 %0, 0; }" : "=r"(zero) : "r"(threadIdx.x));
#endif
  if (zero == 0)
    __syncthreads(); // expect 1,2,3: barrier
  out[threadIdx.x] = zero;
}
