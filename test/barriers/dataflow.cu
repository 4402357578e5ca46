// A graph of values over four warps.  Barrier 2 is used twice; that it is free
// again the second pair knows by way of barriers 1 and 3.
//
// technique: barriers
// verdict:  verified
// bug 1:    deadlock   warp 1 does not wait at barrier 1
// bug 2:    deadlock   warp 2 waits at barrier 2 before 3
// bug 3:    deadlock   warp 3 forgets barrier 3

#include "named.h"

__global__ void __launch_bounds__(128) graph(int *out) {
  __shared__ int value[5][32];
  int lane = threadIdx.x % 32;
  switch (threadIdx.x / 32) {
  case 0:
    value[0][lane] = lane;
    bar_arrive(2, 64);
    value[1][lane] = 2 * lane;
    bar_arrive(4, 64);
    break;
  case 1:
    bar_sync(4, 64);
#if BUG != 1
    bar_sync(1, 64); // expect 2: deadlock
    value[2][lane] = value[1][lane] + value[3][lane];
#else
    value[2][lane] = value[1][lane];
#endif
    bar_arrive(2, 64); // expect 1: more threads come
    break;
  case 2:
#if BUG == 2
    bar_sync(2, 64);
    bar_sync(3, 64); // expect 2: deadlock
#else
    bar_sync(3, 64); // expect 1,3: deadlock
    bar_sync(2, 64);
#endif
    out[lane] = value[2][lane] + value[4][lane];
    break;
  case 3:
    bar_sync(2, 64); // expect 2: more threads come
    value[3][lane] = value[0][lane];
    bar_arrive(1, 64);
    value[4][lane] = 3 * lane;
#if BUG != 3
    bar_arrive(3, 64);
#endif
    break;
  }
}
