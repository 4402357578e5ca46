// Of two plain writes that nothing orders the second may change nothing of what
// both write.  That excuses these two, and nobody beside them.
//
// args:     --detect=races
// verdict:  passed
// prints:   flag = 5
// bug 1:    racy   who writes reads, too, behind its write
// bug 2:    racy   .. before its write, which does not take the read's place
// bug 3:    racy   .. in an earlier interval, which other blocks do not see
// bug 4:    racy   the second write of a thread is another value
// bug 5:    racy   a structure that is copied, of another value
// bug 6:    racy   an atomic, which is no plain write
// bug 7:    racy   half of it is another value
// bug 8:    racy   to shared memory, with a read beside it

struct Pair {
  int low, high;
};

__global__ void excuses(int *flag, Pair *pairs, const Pair *given, int *out) {
  __shared__ int tile[2];
  int i = threadIdx.x;
#if BUG == 2
  if (i == 0 && blockIdx.x == 0)
    out[0] = flag[0];
#elif BUG == 3
  if (i == 0 && blockIdx.x == 0)
    out[0] = flag[0];
  __syncthreads();
#elif BUG == 6
  if (i == 0 && blockIdx.x == 0)
    atomicExch(flag, 5);
#endif
  flag[0] = 5; // says 1,2,3: read-write race on 'flag'
#if BUG == 1
  if (blockIdx.x == 0)
    out[i] = flag[0];
#elif BUG == 4
  if (blockIdx.x == 1)
    flag[0] = 6; // says 4: write-write race on 'flag'
#elif BUG == 7
  if (blockIdx.x == 1)
    ((short *)flag)[1] = 1; // says 7: write-write race on 'flag'
#endif
  pairs[0] = given[BUG == 5 ? i : 0]; // says 5: write-write race on 'pairs'
  tile[0] = 7; // says 8: read-write race on 'tile'
#if BUG == 8
  out[i] = tile[0];
#endif
}
