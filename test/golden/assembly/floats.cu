// Floats of all widths beside integers: what is computed of equal operands is
// equal, and what is computed of integers alone is known.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  the operands are not those of all threads
// bug 2:    racy       an index that was a float is any number
// bug 3:    racy       the guard of a float holds in several threads
// bug 4:    unknown    a form that the manual has not

__global__ void compute(unsigned *out, unsigned *total, float limit) {
  unsigned t = threadIdx.x, flag, next, square;
#if BUG == 1
  limit += t;
#endif
  asm("{ .reg .b16 h, e; .reg .b32 both; .reg .f32 f; .reg .f64 d;\n"
      "  .reg .pred p, q;\n"
      "  cvt.rn.f16.f32 h, %1; fma.rn.relu.f16 h, h, h, h;\n"
      "  cvt.rz.bf16.f32 e, %1; max.NaN.bf16 e, e, e;\n"
      "  mov.b32 both, {h, e}; add.sat.f16x2 both, both, both;\n"
      "  mov.b32 f, both; sqrt.approx.ftz.f32 f, f; cvt.f64.f32 d, f;\n"
      "  div.rm.f64 d, d, 0d4010000000000000; testp.finite.f64 q, d;\n"
      "  setp.gtu.and.f64 p, d, 0d3ff0000000000000, q;\n"
      "  selp.u32 %0, 1, 0, p; }"
      : "=r"(flag)
      : "f"(limit));
  if (flag)
    __syncthreads(); // expect 1: divergence
  asm("{ .reg .f32 f; cvt.rn.f32.u32 f, %2; mul.rz.sat.f32 f, f, f;\n"
      "  add.u32 %0, %2, 1; cvt.rni.u32.f32 %1, f; }"
      : "=r"(next), "=r"(square)
      : "r"(t));
#if BUG == 2
  next = square;
#endif
  out[next] = t; // expect 2: race
#if BUG == 3
  asm volatile("{ .reg .pred p; setp.lt.f32 p, %1, 0f40000000;\n" // expect 3: race
               "  @p st.u32 [%0], %2; }" ::"l"(total),
               "f"((float)t), "r"(t)
               : "memory");
#elif BUG == 4
  asm volatile("{ .reg .f32 f; add.ftz.sat.rn.relu.f32 f, %0, %0; }" ::"f"(
      limit));
#endif
}
