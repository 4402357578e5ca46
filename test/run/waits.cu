// A thread waits for a plain flag: that is a race, and no run without an end.
//
// args:     --detect=races
// verdict:  passed
// prints:   out = 7
// bug 1:    racy        the loop is left by what is read
// bug 2:    racy        what is read decides what the loop is left by
// bug 3:    racy        the thread is of another block

__global__ void waits(int *flag, int *cell, int *out) {
  bool is_first = threadIdx.x == 0 && blockIdx.x == 0;
#if BUG == 3
  if (threadIdx.x == 0 && blockIdx.x == 1) {
#else
  if (threadIdx.x == 1 && blockIdx.x == 0) {
#endif
    *cell = 7;
    *flag = 1; // says 1,2,3: race on 'flag'
  }
#if BUG == 1 || BUG == 3
  while (is_first && !*flag) {
  }
#elif BUG == 2
  for (bool waits = is_first; waits;)
    if (*flag)
      waits = false;
#else
  __syncthreads();
#endif
  if (is_first)
    *out = *cell;
}
