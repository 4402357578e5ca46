// What lanes tell each other in assembly, and the lanes that have to come.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  half of the warp shuffles with all of it
// bug 2:    divergent  a vote whose mask is another in each half
// bug 3:    divergent  a sum of all lanes, to which one does not come
// bug 4:    racy       what is told is anything
// bug 5:    racy       an exchange is no barrier
// bug 6:    divergent  the guard of a match holds in some lanes

__global__ void tell(unsigned *out, unsigned *sums) {
  __shared__ unsigned cell[64];
  unsigned t = threadIdx.x, mask = 0xffffffff, value, other, place = t;
#if BUG == 1
  if (t % 32 < 16)
#endif
    asm volatile("{ .reg .pred p; .reg .f32 f;\n" // expect 1: warp
                 "  cvt.rn.f32.u32 f, %1; add.f32 f, f, f;\n"
                 "  shfl.sync.bfly.b32 f|p, f, 1, 31, 0xffffffff;\n"
                 "  @p cvt.rzi.u32.f32 %0, f; @!p mov.b32 %0, 0; }"
                 : "=r"(value)
                 : "r"(t));
#if BUG == 4
  place = value % 64;
#endif
#if BUG == 2
  mask = t % 32 < 16 ? 0xffffffff : 0xffff0000;
#endif
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 40;\n" // expect 2: warp
               "  vote.sync.ballot.b32 %0, p, %2; }"
               : "=r"(other)
               : "r"(t), "r"(mask));
  cell[t] = other;
#if BUG == 3
  if (t != 5)
#endif
    asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" // expect 3: warp
                 : "=r"(value)
                 : "r"(t));
#if BUG == 6
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 40;\n" // expect 6: warp
               "  @p match.all.sync.b32 %0|q, %1, 0xffffffff; }"
#else
  asm volatile("{ .reg .pred q; match.all.sync.b32 %0|q, %1, 0xffffffff; }"
#endif
               : "=r"(other)
               : "r"(t));
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 7; vote.ballot.b32 %0, p; }"
               : "=r"(mask)
               : "r"(t));
#if BUG != 5
  __syncthreads();
#endif
  out[place] = cell[63 - t] + value + other + mask + t; // expect 4,5: race
}
