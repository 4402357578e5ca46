// Who takes no place has none: the next one gets what it was told.
//
// args:     --blockDim=64 --gridDim=4
// verdict:  verified
// bug 1:    racy       stores with and without a place
// bug 2:    racy       numbers are drawn that nobody can count in 16 bits

__global__ void store(const int *length, int *out, unsigned *next,
                      unsigned short *narrow) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 2
  out[__atomic_fetch_add(narrow, (unsigned short)(length[t] & 0x7fff) + 1,
                         __ATOMIC_RELAXED)] = t; // expect 2: write-write race on 'out'
#else
  int count = length[t] & 3;
  unsigned place = atomicAdd(next, count);
  if (count > 0 || (BUG == 1 && t == 5))
    out[place] = t; // expect 1: write-write race on 'out'
#endif
}
