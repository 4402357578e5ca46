// Mutual exclusion of two threads with loads and stores alone (Peterson, 1981).
//
// args:     --check=assert,final-state --observe=count
// verdict:  passed
// bug 1:    schedule-dependent  the turn is taken before the wish is told
// bug 2:    deadlock            each waits for the other's wish alone
// bug 3:    schedule-dependent  the wish is told after looking

__global__ void peterson(int *wants, int *turn, int *count) {
  volatile int *flags = wants, *last = turn, *sum = count;
  int me = blockIdx.x, other = 1 - me;
#if BUG == 1
  *last = other;
  flags[me] = 1;
#elif BUG != 3
  flags[me] = 1;
  *last = other;
#endif
#if BUG == 2
  while (flags[other]) { // says 2: deadlock
  }
#else
  while (flags[other] && *last == other) {
  }
#endif
#if BUG == 3
  flags[me] = 1;
#endif
  int now = *sum;
  *sum = now + 1;
  flags[me] = 0;
}
