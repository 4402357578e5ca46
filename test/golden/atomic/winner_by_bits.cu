// Each item has a bit. Of all who set it, one finds that it was not set.
//
// args:     --blockDim=64 --gridDim=32
// verdict:  verified
// bug 1:    racy       looks at another bit than it has set
// bug 2:    racy       somebody clears bits
// bug 3:    racy       the bit was set by two words of one item
// bug 4:    racy       who finds some bit set
// bug 5:    racy       a mask that may be empty
// bug 6:    racy       somebody exchanges all bits

__global__ void visit(const unsigned *item, unsigned *seen, unsigned *flag,
                      int *data, int *first) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned i = item[t], bit = 1u << (i & 31);
#if BUG == 3
  unsigned old = atomicOr(&seen[t & 1], bit);
#else
  unsigned old = atomicOr(&seen[i >> 5], bit);
#endif
#if BUG == 2
  if (old == 3)
    atomicAnd(&seen[i >> 5], 1u);
#elif BUG == 6
  if (old == 3)
    atomicExch(&seen[i >> 5], 4u);
#endif
#if BUG == 1
  if (!(old & bit << 1))
#elif BUG == 4
  if (old & bit)
#else
  if (!(old & bit))
#endif
    data[i] = t; // expect 1,2,3,4,6: write-write race on 'data'
#if BUG == 5
  if (atomicOr(flag, i) == 0)
#else
  if (atomicOr(flag, i | 4) == 0)
#endif
    *first = t; // expect 5: write-write race on 'first'
}
