// Named barriers: a warp fills a tile, another one empties it, a third votes.
//
// args:     --detect=races
// verdict:  passed
// prints:   out = 0 3 6 9 12 15 18 21
// bug 1:    racy        the producer does not wait for the tile to be empty
// bug 2:    deadlock    both say 96 threads, and the third warp does not come
// bug 3:    divergent   the two do not agree on the number of threads
// bug 4:    racy        the consumer does not wait for the tile to be filled
// bug 5:    divergent   a number of threads that is no multiple of 32
// bug 6:    divergent   lanes of a warp wait at two places
// bug 7:    racy        what comes behind arrive is not ordered
// bug 8:    deadlock    two warps wait for each other
// bug 9:    divergent   there is no barrier 16
// bug 10:   divergent   half of the warp does not come
// bug 11:   divergent   the producer arrives twice in one generation

#define SYNC(barrier, threads)                                                 \
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory")
#define ARRIVE(barrier, threads)                                               \
  asm volatile("barrier.cta.arrive.aligned %0, %1;" ::"r"(barrier),            \
               "r"(threads)                                                    \
               : "memory")

__global__ void producer(int *out) {
  enum { EMPTY = 1, FULL, THREADS = BUG == 2 || BUG == 11 ? 96 : 64 };
  __shared__ int tile[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = 0;
  if (warp == 0) {
    for (int round = 0; round < 3; round++) {
      if (BUG != 1)
        SYNC(EMPTY, 64); // says 2: barrier 2 has 64 of 96
      tile[lane] = lane; // says 1: thread (0,0,0) in block (0,0,0) writes tile
      if (BUG == 8)
        SYNC(FULL + 2, 64);   // says 8: thread (0,0,0) in block (0,0,0) is here
      ARRIVE(FULL, THREADS); // says 3: thread (0,0,0) in block (0,0,0) is here
      if (BUG == 11)
        ARRIVE(FULL, 96); // says 11: comes to barrier 2 again
      if (BUG == 7)
        tile[lane] = 1; // says 7: thread (0,0,0) in block (0,0,0) writes tile
    }
    if (BUG != 1)
      SYNC(EMPTY, 64);
  } else if (warp == 1) {
    for (int round = 0; round < 3; round++) {
      if (BUG != 1)
        ARRIVE(EMPTY, 64);
      if (BUG == 4)
        sum += tile[31 - lane] * 0; // says 4: race on 'tile'
      SYNC(FULL, BUG == 3 ? 96 : THREADS);
      sum += tile[lane]; // says 1,7: read-write race on 'tile'
    }
    if (BUG != 1)
      ARRIVE(EMPTY, 64);
    out[lane] = sum;
  } else {
    int votes = 0, any = 0;
    if (BUG != 10 || lane < 16)
      asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 7;\n" // says 5,9: barrier
                   "bar.red.popc.u32 %0, %2, %3, p; }"
                   : "=r"(votes)
                   : "r"(lane), "r"(BUG == 9 ? 16 : 3), "r"(BUG == 5 ? 48 : 32)
                   : "memory");
    asm volatile("{ .reg .pred p, q; setp.eq.s32 p, %1, 40;\n"
                 "barrier.cta.red.or.pred q, 3, 32, p; selp.s32 %0, 1, 0, q; }"
                 : "=r"(any)
                 : "r"(lane)
                 : "memory");
    if (BUG == 6 && lane < 16)
      SYNC(4, 32); // says 6: lanes of one warp are at one barrier
    else if (BUG == 6)
      SYNC(4, 32);
    out[32 + lane] = votes + 100 * any;
  }
}
