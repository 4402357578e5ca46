// Named barriers without a count, of which a warp and some lanes have left.
//
// args:     --detect=races
// verdict:  passed
// prints:   out = 63 62 61 60
// bug 1:    deadlock    a count is for those who have left, too
// bug 2:    divergent   __syncthreads waits for all threads
// bug 3:    divergent   lanes of a warp synchronise and reduce at one barrier
// bug 4:    racy        nobody waits for the other warp

__global__ void left(int *out) {
  __shared__ int tile[64];
  int i = threadIdx.x, all = 0, any = 0, votes = 0;
  if (i >= 64)
    return;
  tile[i] = i; // says 4: race on 'tile'
  if (BUG == 1)
    asm volatile("bar.sync 5, 96;" ::: "memory"); // says 1: is here
  else if (BUG == 2)
    asm volatile("bar.sync 0;" ::: "memory"); // says 2: is here
  else if (BUG != 4)
    asm volatile("bar.sync 5;" ::: "memory");
  out[i] = tile[63 - i];
  if (BUG == 3 && i < 16)
    asm volatile("barrier.cta.sync 6;" ::: "memory"); // says 3: a reduction and
  else if (BUG == 3)
    asm volatile("{ .reg .pred p, q; setp.gt.s32 p, %1, 7;\n"
                 "barrier.cta.red.or.pred q, 6, p; selp.s32 %0, 1, 0, q; }"
                 : "=r"(any) : "r"(i) : "memory");
  if (i == 40)
    return;
  asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 40;\n"
               "barrier.cta.red.and.pred q, 7, p; selp.s32 %0, 1, 0, q; }"
               : "=r"(all) : "r"(i) : "memory");
  asm volatile("{ .reg .pred p, q; setp.eq.s32 p, %1, 40;\n"
               "barrier.cta.red.or.pred q, 7, p; selp.s32 %0, 1, 0, q; }"
               : "=r"(any) : "r"(i) : "memory");
  asm volatile("{ .reg .pred p; setp.ge.s32 p, %1, 40;\n"
               "bar.red.popc.u32 %0, 7, p; }"
               : "=r"(votes) : "r"(i) : "memory");
  if (i == 0)
    out[64] = all * 1000 + any * 100 + votes;
}
