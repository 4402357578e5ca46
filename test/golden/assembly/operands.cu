// What operands are: a result that is a source, too, constants of C, numbers with a
// comment behind them, and what cannot be read.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy     the second result is joined with what the first was
// bug 2:    racy     a constant that is true is 1
// bug 3:    unknown  a register of the machine with 64 bits
// bug 4:    unknown  names that nothing declares, in parentheses
// bug 5:    unknown  and behind a bracket in a comment
// bug 6:    unknown  a guard that is negated twice
// bug 7:    unknown  an exchange without operands
// bug 8:    racy     an input that is the result is changed with it

__global__ void store(int *out, unsigned n) {
  unsigned t = threadIdx.x, first, second = 0;
  unsigned long long number = 0;
  asm("{ .reg .pred p, q; setp.eq.u32 p, %2, %2;\n"
      "  setp.lt.and.u32 p|q, %2, %3, p;\n"
      "  selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; }"
      : "=&r"(first), "=r"(second)
      : "r"(t), "r"(n));
#if BUG == 1
  if (second)
    out[0] = t; // expect 1: race
#endif
  __assert(first + second == 1 && first == (t < n));
  asm("mov.u32 %0, %1;" : "=r"(second) : "n"(true));
#if BUG == 2
  if (second == 1)
    out[0] = t; // expect 2: race
#endif
  asm("mov.u32 %0, 2 /* ; */ + 3 // * 4\n;" : "=r"(second));
  __assert(second == 5);
  asm volatile("{ .reg .b32 mask; mov.b32 mask, -1;\n"
               "  match.any.sync.b32 mask, %1, mask; mov.b32 %0, mask; }"
               : "=r"(second)
               : "r"(t));
#if BUG == 3
  asm volatile("mov.u64 %0, %%gridid;" : "=l"(number));
#elif BUG == 4
  asm volatile("mov.b64 (low, high), %0;" ::"l"(number));
#elif BUG == 5
  asm volatile("mov.b64 /* ( */ %0, {low, high};" : "=l"(number));
#elif BUG == 6
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 3;\n"
               "@!!p trap; }" ::"r"(t));
#elif BUG == 7
  asm volatile("vote.sync.any.pred;");
#endif
  int *next;
  asm volatile("add.u64 %0, %0, 256; st.u32 [%1], %2;" // expect 8: race
               : "=l"(next)
               : "0"(out + t), "r"(t)
               : "memory");
#if BUG == 8
  out[64 + 63 - t] = second;
#endif
  out[t] = second;
}
