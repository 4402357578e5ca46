// Lanes that have left are not counted by operations of a warp, and lanes that
// are not there have no value.
//
// args:     --detect=races -arch=sm_90
// verdict:  passed
// prints:   out = 5 20 65535 65535 65535 1 1 12
// bug 1:    divergent  a shuffle and a vote are no one operation
// bug 2:    divergent  a vote for all and one for any are none either
// bug 3:    divergent  two masks
// bug 4:    divergent  a mask without the thread itself
// bug 5:    unknown    the value of a lane that has left
// bug 6:    unknown    the value of a lane that is not in the mask
// bug 7:    deadlock   lanes that never come, for they wait at a barrier
// bug 8:    divergent  one is for 32 bits, the other for 64

#define ALL 0xffffffffu

__global__ void lanes(unsigned *out) {
  unsigned lane = threadIdx.x;
  unsigned mine[8];
#if BUG != 7
  if (lane >= 16) {
    for (int i = 0; i < 600; i++) // so that the others wait for it
      mine[i % 8] = i;
    return;
  }
#else
  if (lane >= 16)
    asm volatile("bar.sync 1, 64;"); // says 7: deadlock
#endif
  mine[0] = __reduce_min_sync(ALL, lane + 5);
  mine[1] = __reduce_max_sync(ALL, lane + 5);
  mine[2] = __match_any_sync(ALL, 0);
  mine[3] = __ballot_sync(ALL, 1);
  int all = 0;
  mine[4] = __match_all_sync(ALL, 3, &all);
  mine[5] = (unsigned)all;
  mine[6] = (unsigned)__all_sync(ALL, 1);
  mine[7] = __shfl_down_sync(ALL, lane, 4, 8) + __shfl_sync(ALL, lane, 8);
#if BUG == 1
  if (lane < 8)
    mine[0] += __shfl_sync(0xffff, lane, 3); // says 1: shfl.sync.idx of mask 0xffff waits for a lane that is at vote.sync.ballot
  else
    mine[0] += __ballot_sync(0xffff, 1);
#elif BUG == 2
  if (lane < 8)
    mine[0] += __all_sync(0xffff, 1); // says 2: waits for a lane that is at vote.sync.any
  else
    mine[0] += __any_sync(0xffff, 1);
#elif BUG == 3
  mine[0] += __ballot_sync(lane < 8 ? 0xffff : 0xff01, 1); // says 3: of mask 0xff01
#elif BUG == 4
  mine[0] += __ballot_sync(2, 1); // says 4: without the thread itself
#elif BUG == 5
  mine[0] += __shfl_sync(ALL, lane, 20); // says 5: the value of lane 20
#elif BUG == 6
  if (lane < 8)
    mine[0] += __shfl_down_sync(0xff, lane, 4); // says 6: the value of lane 8
#elif BUG == 8
  if (lane < 8)
    mine[0] += __match_any_sync(0xffff, lane); // says 8: match.sync.any.b64
  else
    mine[0] += __match_any_sync(0xffff, (unsigned long long)lane);
#endif
  for (int i = 0; i < 8 && lane == 0; i++)
    out[i] = mine[i];
}
