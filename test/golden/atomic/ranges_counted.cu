// Each thread counts what it will store and takes as many places of its
// block's part; a zero takes none, and an atomic load changes nothing.
//
// args:     --blockDim=64 --gridDim=16
// verdict:  verified
// bug 1:    racy       the counter is of the block and the places are not
// bug 2:    racy       the counter is set again while others draw
// bug 3:    racy       a thread stores what it did not count
// bug 4:    racy       the count goes down, too

__global__ void pick(const int *in, int *out, int *seen, int n) {
  __shared__ unsigned next;
  int t = threadIdx.x, count = 0;
  if (t == 0)
    next = 0;
  __syncthreads();
  for (int i = 0; i < 8; i++)
#if BUG == 4
    count += in[8 * t + i] > 0 ? 1 : -1;
#else
    count += in[8 * t + i] > 0;
#endif
  unsigned base = atomicAdd(&next, (unsigned)count);
  atomicAdd(&next, 0u);
  if (__atomic_load_n(&next, __ATOMIC_RELAXED) > 100)
    seen[blockIdx.x * 64 + t] = 1;
#if BUG == 2
  if (count == 7)
    atomicExch(&next, 0);
#endif
  int *mine = out + (BUG == 1 ? 0 : 512 * blockIdx.x);
  for (unsigned i = 0; i < count + (BUG == 3); i++)
    if (base + i < 512)
      mine[base + i] = t; // expect 1,2,3,4: write-write race on 'out'
}
