// Assembly that is neither volatile nor clobbers memory stands nowhere: the
// compiler takes it out of loops and over barriers.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified
// bug 1:    unknown, verified    the load may leave the loop
// bug 2:    unknown, verified    ... and the branch
// bug 3:    verified, unknown    the store may go anywhere

#if BUG == 1 || BUG == 2
#define LOAD asm
#else
#define LOAD asm volatile
#endif
#if BUG == 3
#define STORE(at, value)                                                       \
  asm("st.shared.u32 [%1], %2; mov.u32 %0, 1;"                                 \
      : "=r"(done)                                                             \
      : "r"(at), "r"(value))
#else
#define STORE(at, value)                                                       \
  asm("st.shared.u32 [%1], %2; mov.u32 %0, 1;"                                 \
      : "=r"(done)                                                             \
      : "r"(at), "r"(value)                                                    \
      : "memory")
#endif

__global__ void load(int *out, const int *in, int n) {
  __shared__ int s[64];
  unsigned t = threadIdx.x;
  unsigned other = (unsigned)__cvta_generic_to_shared(&s[63 - t]);
  int x = 0, fixed, sum = 0;
  asm("ld.global.u32 %0, [%1];" : "=r"(fixed) : "l"(in)); // nobody writes
  for (int i = 0; i < n; i++) {
    s[t] = t + i;
    __syncthreads();
#if BUG == 2
    if (t & 1)
#endif
      LOAD("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(other)); // expect 1,2: a load of 's'
    sum += x;
    __syncthreads();
  }
  out[t] = sum + fixed;
}

__global__ void store(int *out) {
  __shared__ int s[64];
  unsigned t = threadIdx.x, done;
  STORE((unsigned)__cvta_generic_to_shared(&s[t]), t); // expect 3: not decided
  __syncthreads();
  out[t] = s[63 - t] + done;
}
