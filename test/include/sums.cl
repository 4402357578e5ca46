// Additions that do not overflow: gpuverify assumes so, and the sum itself
// stays in an ordinary compilation.

// VERIFY-LABEL: @__clang_ocl_kern_imp_sums(
// VERIFY: add i32
// VERIFY: call spir_func void @__gpuverify_assume(i1
// VERIFY: add i32
// VERIFY: call spir_func void @__gpuverify_assume(i1
// PLAIN-LABEL: @__clang_ocl_kern_imp_sums(
// PLAIN-NOT: gpuverify
// PLAIN-COUNT-2: @__add_noovfl
// PLAIN-NOT: gpuverify
__kernel void sums(__global int *p, int n, unsigned u) {
  p[0] = __add_noovfl_int(n, n);
  p[1] = (int)__add_noovfl_unsigned_int(u, u);
}
