// A plain read that begins a loop of compare-and-swaps, as every emulation of an
// atomic does: whatever it returns costs one more round.
//
// args:     --ladder=all --blockDim=64
// verdict:  verified, verified, verified, verified
// assumes:  thread-count, unused-dimensions, launch-limits, termination, seed-reads
// bug 1:    racy, verified, verified, verified  what was read is a result, too
// bug 2:    racy, verified, verified, verified  it is compared with something else
// bug 3:    racy, verified, verified, verified  the new value does not come from what is expected
// bug 4:    racy, verified, verified, verified  it was read elsewhere
// bug 5:    verified, unknown, verified, verified  the next round is elsewhere
// bug 6:    verified, racy, verified, verified  somebody resets the cell
// bug 7:    verified, verified, racy, verified  it is an index
// bug 8:    verified, verified, racy, verified  half a word decides
// bug 9:    verified, verified, verified, racy  more is read than is compared
// bug 10:   racy, verified, verified, verified  a division by what was read
// bug 11:   racy, verified, verified, verified  the comparison is of a part
// bug 12:   racy, verified, verified, verified  the new value comes from the round before

typedef unsigned long long Word;

__global__ void add(double *sum, const double *in, double *out) {
  double *cell = &sum[in[threadIdx.x] > 0];
  Word *address = (Word *)cell;
  Word old = *(BUG == 4 ? (Word *)&sum[2] : address), first = old, assumed; // expect 1,2,3,4,10,11,12: race on 'sum'
  Word before = 0;
  do {
    assumed = old;
    double next = in[threadIdx.x] + __longlong_as_double(BUG == 3 ? first : BUG == 12 ? before : assumed);
    before = assumed;
    if (BUG == 10)
      next = 100 / (long long)assumed;
    old = atomicCAS(address, assumed, __double_as_longlong(next));
  } while (BUG == 2    ? old != first
           : BUG == 11 ? (unsigned)old != (unsigned)assumed
                       : assumed != old);
  if (BUG == 1)
    out[blockIdx.x * 64 + threadIdx.x] = __longlong_as_double(first);
  if (BUG == 4)
    atomicExch((Word *)&sum[2], old);
}

__global__ void most(int *cells, const int *in) {
  for (int i = 0; i < 4; i++) {
    int seen = cells[i]; // expect 6: race on 'cells'
    for (;;) {
      int expected = seen;
      seen = atomicCAS(&cells[i], expected, max(expected, in[threadIdx.x]));
      if (seen == expected)
        break;
    }
  }
  if (BUG == 6 && threadIdx.x == 0 && blockIdx.x == 0)
    cells[0] = 0;
  if (BUG == 5) {
    int seen = 0;
    for (int i = 0; i < 4; i++) {
      atomicCAS(&cells[i], seen, seen + 1);
      seen = cells[i]; // expect 5: not decided
    }
  }
}

__global__ void anew(unsigned *cell, unsigned *out) {
  unsigned seen, next;
  do {
    seen = *cell; // expect 7,8: race on 'cell'
    next = threadIdx.x & 1 ? seen * 3 : seen + threadIdx.x;
  } while (atomicCAS(cell, seen, next) != seen);
  if (BUG == 7)
    atomicAdd(&out[seen % 64], 1);
  if (BUG == 8 && (seen & 0xffff))
    atomicAdd(&out[0], 1);
}

__global__ void part(Word *cell) {
  volatile unsigned *low = (volatile unsigned *)cell;
  if (BUG == 9) {
    Word whole = *cell; // expect 9: race on 'cell'
    unsigned half = whole;
    atomicCAS((unsigned *)low, half, half + 1);
  } else {
    Word old = *low, assumed;
    do {
      assumed = old;
      old = atomicCAS(cell, assumed, assumed + 1);
    } while (old != assumed);
  }
}
