// Accesses in inline assembly, with and without side effects, with a guard.
//
// args:     --blockDim=64 --gridDim=4
// verdict:  verified
// bug 1:    racy       the neighbour's cell is read while it is written
// bug 2:    racy       no barrier before the read
// bug 3:    racy       everybody stores the total

__global__ void shift(const int *in, int *out, int *total) {
  __shared__ int cell[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t, own, right;
#if BUG == 1
  in = out;
#endif
  asm("ld.global.nc.s32 %0, [%1+4];" : "=r"(own) : "l"(in + i)); // expect 1: race
  cell[t] = own;
#if BUG != 2
  __syncthreads();
#endif
  asm volatile("ld.s32 %0, [%1];" // expect 2: read-write race on 'cell'
               : "=r"(right)
               : "l"(&cell[63 - t])
               : "memory");
  asm volatile("st.global.cs.s32 [%0], %1;" ::"l"(out + i), "r"(right)
               : "memory");
#if BUG == 3
  int who = t;
#else
  int who = i;
#endif
  asm volatile("{ .reg .pred p; setp.eq.s32 p, %1, 0;\n" // expect 3: race
               "@p st.global.s32 [%0], %2; }" ::"l"(total),
               "r"(who), "r"(right)
               : "memory");
}
