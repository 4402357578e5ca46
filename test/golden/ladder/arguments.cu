// What a launch sets to zero behind a part that stays: a start below zero would
// be in the part of another block.
//
// args:     --ladder=all --blockDim=64 --gridDim=1
// verdict:  verified
// assumes:  launch-limits, arguments-not-negative
// bug 1:    racy  zero is a start as well, and two threads have one cell
// bug 2:    racy  the start is no signed number, so nothing is assumed of it
// bug 3:    racy  what was read may be negative, for it is no argument
__global__ void clear(int *cell, int start, unsigned from) {
  int t = threadIdx.x;
#if BUG == 1
  if (start <= 0)
    cell[start] = t; // expect 1: possible write-write race on 'cell'
#elif BUG == 2
  if (from > 0x7fffffff)
    cell[from] = t; // expect 2: possible write-write race on 'cell'
#elif BUG == 3
  if (start + cell[64 + t] < 0)
    cell[0] = t; // expect 3: race on 'cell'
#else
  if (start < 0)
    cell[0] = t;
#endif
}
