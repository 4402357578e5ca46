// The lanes for which something is true get places in a row, which one lane
// draws from a counter for all: as many as the ballot has bits.  Who has which
// place is told by the bits below its own.
//
// args:     --blockDim=128
// verdict:  verified
// bug 1:    verified   counts its own bit, too: each has the next place
// bug 2:    racy       counts in another ballot than was added
// bug 3:    racy       adds the number of another ballot
// bug 4:    racy       the first place is told by a lane that did not draw
// bug 5:    racy       lanes take a place that are not in the ballot
// bug 6:    racy       counts the bits above and below
// bug 7:    racy       the counter is set back meanwhile
// bug 8:    racy       one place fewer than there are bits
// bug 9:    verified   one place more
// bug 10:   verified   the warp leaves that out if no bit is set
// bug 11:   divergent  ... if its own is not set

__global__ void compact(int *out, const int *in, unsigned *n) {
  const unsigned all = 0xffffffff;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int v = in[i];
  unsigned mask = __ballot_sync(all, v > 0);
  unsigned other = __ballot_sync(all, v > 9);
  unsigned base = 0, below = (1u << lane) - 1;
  int amount = __popc(mask);
#if BUG == 1
  below = (2u << lane) - 1;
#elif BUG == 3
  amount = __popc(other);
#elif BUG == 6
  below = ~(1u << lane);
#elif BUG == 7
  if (i == 40)
    *n = 0; // expect 7: race on 'n'
#elif BUG == 8
  amount -= amount != 0;
#elif BUG == 9
  amount++;
#endif
#if BUG == 10
  if (mask == 0)
    return;
#elif BUG == 11
  if (v <= 0)
    return;
#endif
  if (lane == 0)
    base = atomicAdd(n, amount); // allow 7: race on 'n'
  base = __shfl_sync(all, base, BUG == 4 ? 1 : 0); // expect 11: may not come
  unsigned place = base + __popc((BUG == 2 ? other : mask) & below);
  if (BUG == 5 || v > 0)
    out[place] = v; // expect 2,3,4,5,6,8: write-write race on 'out'
}
