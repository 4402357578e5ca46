// What a thread has written itself it reads back, also behind one barrier:
// whoever wrote there before the barrier would race with the write, and whoever
// writes behind it with the read.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       there are two barriers, and thread 5 writes between them
// bug 2:    racy       thread 5 writes between a loop of barriers and one more
// bug 3:    racy       the thread itself writes something else
// bug 4:    racy       ... half of it
// bug 5:    racy       ... perhaps
// bug 6:    racy       ... in a loop
// bug 7:    racy       ... by an atomic
// bug 8:    racy       ... the cell of some other thread, unless it is its own
// bug 9:    racy       only half of the threads write
// bug 10:   racy       in the second round the cell holds what the first left
// bug 11:   racy       others write behind the barrier
// bug 12:   racy       others write before it
// bug 13:   racy       the cell beside is read
// bug 14:   racy       a wider write covers it
// bug 15:   racy       only half of the cell is written
// bug 16:   racy       perhaps another array is written

__global__ void keep(int *out, int n, unsigned rounds) {
  __shared__ int place[128], beside[128];
  int t = threadIdx.x;
#if BUG == 9
  if (t < 32)
#endif
#if BUG == 15
    *(short *)&place[t] = t;
#elif BUG == 16
  (n > 3 ? place : beside)[t] = t;
#else
    place[t] = t;
#endif
#if BUG == 1
  __syncthreads();
  if (t == 5)
    place[7] = 3;
#elif BUG == 2
  for (unsigned i = 0; i < rounds; i++)
    __syncthreads();
  if (t == 5 && rounds > 0)
    place[7] = 3;
#elif BUG == 3
  place[t] = 3;
#elif BUG == 4
  ((short *)&place[t])[1] = 3;
#elif BUG == 5
  if (n > 3)
    place[t] = 3;
#elif BUG == 6
  for (unsigned i = 0; i < rounds; i++)
    place[t] = i;
#elif BUG == 7
  atomicExch(&place[t], 3);
#elif BUG == 8
  place[n == t ? t : t + 64] = 3;
#elif BUG == 12
  place[63 - t] = 3; // expect 12: write-write race on 'place'
#elif BUG == 14
  *(long long *)&place[t & ~1] = 3; // allow 14: race on 'place'
#endif
  __syncthreads();
#if BUG == 11
  place[63 - t] = 3; // expect 11: read-write race on 'place'
#endif
#if BUG == 10
  for (unsigned i = 0; i < 2; i++) {
    out[2 * place[t] + i] = t; // expect 10: write-write race on 'out'
    place[t] = 3;
  }
#elif BUG == 13
  out[place[t ^ 1] / 2] = t; // expect 13: write-write race on 'out'
#else
  out[place[t]] = t; // expect 1,2,3,4,5,6,7,8,9,14,15,16: write-write race on 'out'
#endif
}
