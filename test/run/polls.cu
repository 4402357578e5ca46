// A thread polls what others write; volatile accesses are as strong as atomics.
//
// args:     --detect=races
// verdict:  passed
// prints:   out = 32
// bug 1:    racy        the cells are not volatile
// bug 2:    racy        the writes are not
// bug 3:    racy        the reads are of bytes

__global__ void polls(volatile int *arrived, int *out) {
#if BUG == 1
  int *cells = (int *)arrived;
  cells[threadIdx.x] = 1;
#elif BUG == 2
  volatile int *cells = arrived;
  ((int *)arrived)[threadIdx.x] = 1;
#else
  volatile int *cells = arrived;
  cells[threadIdx.x] = 1;
#endif
  if (threadIdx.x == 31) {
    int count;
    do {
      count = 0;
      for (int i = 0; i < 32; i++)
#if BUG == 3
        count += ((volatile char *)cells)[4 * i]; // says 3: race on 'arrived'
#else
        count += cells[i]; // says 1,2: read-write race on 'arrived'
#endif
    } while (count < 32);
    *out = count;
  }
}
