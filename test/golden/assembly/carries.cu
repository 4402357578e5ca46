// A carry between two statements, and numbers that stand for operands.
//
// verdict:  verified
// args:     --blockDim=64 --gridDim=1
// bug 1:    unknown   the carry of another statement is not known
// bug 2:    racy      an expression is not its first number
// bug 3:    racy      a table that is an operand

__global__ void carries(int *out) {
  unsigned i = threadIdx.x, rest;
#if BUG == 1 // thread 15 goes to where thread 16 is
  asm volatile("sub.cc.u32 %0, %1, 16;" : "=r"(rest) : "r"(i));
  asm volatile("addc.u32 %0, %1, 0;" : "=r"(i) : "r"(i)); // expect 1: addc
#else
  asm volatile("{ sub.cc.u32 %0, %2, 16; addc.u32 %1, %2, %2; }"
               : "=&r"(rest), "=r"(i)
               : "r"(i));
#endif
  out[i] = 1;
#if BUG == 2
  asm("and.b32 %0, %1, 63 & 1;" : "=r"(i) : "r"(threadIdx.x));
#else
  asm("and.b32 %0, %1, 1 ? 63 : 7;" : "=r"(i) : "r"(threadIdx.x));
#endif
  out[i + 2 * 64] = (int)threadIdx.x; // expect 2: race
  asm("lop3.b32 %0, %1, %2, 0, %3;"
      : "=r"(i)
      : "r"(threadIdx.x), "r"(1), "n"(BUG == 3 ? 0xc0 : 0x3c));
  out[i + 4 * 64] = (int)threadIdx.x; // expect 3: race
}
