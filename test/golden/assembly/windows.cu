// A shared array has one address among all, and another one in shared memory, for
// assembly as for C; by either the same cells are met.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy  the two addresses are different numbers
// bug 2:    racy  two threads meet by the converted address

__global__ void store(int *out) {
  __shared__ int cells[64];
  int t = threadIdx.x;
  unsigned long long own = 0;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(own) : "l"(cells));
#if BUG == 1
  if (own != (unsigned long long)cells)
    out[0] = t; // expect 1: race
#endif
#if BUG == 2
  t /= 2;
#endif
  asm volatile("{ .reg .u32 at; cvt.u32.u64 at, %0;\n" // expect 2: race
               "st.shared.u32 [at], %1; }"
               ::"l"(own + 4 * t), "r"(threadIdx.x)
               : "memory");
  out[threadIdx.x] = own != 1;
}
