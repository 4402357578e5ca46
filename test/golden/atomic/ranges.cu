// Each thread takes as many places in a row as it has to store.
//
// args:     --blockDim=128 --gridDim=64
// verdict:  verified
// bug 1:    racy       one more than was taken
// bug 2:    racy       the count may be negative, of somebody else, too
// bug 3:    racy       the count is read again, after others may have changed it
// bug 4:    racy       a place that is not behind the base
// bug 5:    racy       somebody takes places back
// bug 6:    racy       an exchange sets the counter meanwhile
// bug 7:    racy       two counters
// bug 8:    racy       what was counted is not what was added
// bug 9:    racy       an unsigned count may be large, and go back

__global__ void ranges(const int *length, int *out, int *next, int *other,
                       volatile int *changing) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 3
  int count = changing[t];
#elif BUG == 9
  unsigned count = length[t];
#else
  int count = length[t];
#endif
#if BUG != 2 && BUG != 9
  if (count <= 0)
    return;
#endif
#if BUG == 7
  int base = atomicAdd(t % 2 ? next : other, count);
#elif BUG == 8
  int base = atomicAdd(next, 1);
#elif BUG == 9
  int base = atomicAdd((unsigned *)next, count);
#else
  int base = atomicAdd(next, count);
#endif
#if BUG == 5
  if (base > 1000000)
    atomicAdd(next, -count);
#elif BUG == 6
  if (base > 1000000)
    atomicExch(next, 0);
#elif BUG == 3
  changing[t + 1] = 7;
  count = changing[t];
#endif
  for (int i = 0; i < count + (BUG == 1); i++)
    out[BUG == 4 ? base - i : base + i] = t; // expect 1,2,3,4,5,6,7,8,9: write-write race on 'out'
}
