// Some threads take one place and others two, from a counter that may begin
// anywhere, or that goes down.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       two stores at one place
// bug 2:    racy       64 threads with up to five numbers each, of 256
// bug 3:    racy       places are taken back
// bug 4:    racy       the pair lies on the wrong side
// bug 5:    racy       32 bits of a counter of 64 tell nothing
// bug 6:    racy       an addition of another size at the same cells

typedef unsigned long long Long;

__global__ void store(const int *in, int *out, int *below, unsigned char *next,
                      int *top, Long *large) {
  int t = threadIdx.x;
#if BUG == 2
  unsigned char small = in[t] > 0
                            ? __atomic_fetch_add(next, 1, __ATOMIC_RELAXED)
                            : __atomic_fetch_add(next, 4, __ATOMIC_RELAXED);
  out[small] = t; // expect 2: write-write race on 'out'
#elif BUG == 5
  out[(unsigned)(in[t] > 0 ? atomicAdd(large, 1ull)
                           : atomicAdd(large, 1ull << 32))] = t; // expect 5: write-write race on 'out'
#else
  if (in[t] > 0) {
    out[__atomic_fetch_add(next, 1, __ATOMIC_RELAXED)] = t; // allow 1,3,6: race on 'out'
  } else {
    unsigned char base =
        __atomic_fetch_add(next, BUG == 1 ? 1 : 2, __ATOMIC_RELAXED);
    out[base] = t; // allow 1,3,6: race on 'out'
    out[(unsigned char)(base + 1)] = t; // expect 1,3,6: write-write race on 'out'
#if BUG == 3
    if (in[t] < -5)
      __atomic_fetch_sub(next, 1, __ATOMIC_RELAXED);
#elif BUG == 6
    if (in[t] < -5)
      atomicAdd((int *)next, 1); // expect 6: race on 'next'
#endif
  }
  int at = in[t] > 5 ? atomicSub(top, 1) : atomicSub(top, 2);
  below[at] = t;
  if (in[t] <= 5)
    below[at + (BUG == 4 ? 1 : -1)] = t; // expect 4: write-write race on 'below'
#endif
}
