// What operands of assembly are: a result that is a source, too, constants of C,
// words in another order.
//
// args:     --detect=races
// verdict:  passed
// prints:   out = 11 21 31
// bug 1:    assertion  the second result is joined with what the first was

__global__ void store(unsigned *out) {
  unsigned t = threadIdx.x, first, second, third, yes;
  asm("{ .reg .pred p, q; setp.eq.u32 p, %2, %2;\n"
      "  setp.lt.and.u32 p|q, %2, 32, p;\n"
      "  selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; }"
      : "=&r"(first), "=r"(second)
      : "r"(t));
#if BUG == 1
  second = second && first;
#endif
  assert(first == (t < 32) && second == (t >= 32)); // says 1: fail
  asm("mov.u32 %0, %1;" : "=r"(yes) : "n"(true));
  assert(yes == 1);
  asm("prmt.f4e.b32 %0, %1, %2, 1;" : "=r"(third) : "r"(0x04030201), "r"(0x05));
  assert(third == 0x05040302);
  if (t < 3)
    out[t] = 10 * (t + 1) + yes;
}
