// A lock that threads wait for in a loop, inside of a block and between blocks.
//
// A thread that finds it taken has to step back, or the search would never
// end; with nobody to give it back, that is a deadlock.
//
// verdict:  passed
// bug 1:    deadlock            one thread does not give it back
// bug 2:    schedule-dependent  taken by a read and a write
// bug 3:    schedule-dependent  given back before the work is done

__global__ void spin_lock(int *lock, int *count) {
#if BUG == 2
  while (*(volatile int *)lock) {
  }
  *(volatile int *)lock = 1; // says 2: waits before it writes lock[0]
#else
  while (atomicCAS(lock, 0, 1) != 0) { // says 1: deadlock
  }
#endif
  int now = *(volatile int *)count;
#if BUG == 3
  atomicExch(lock, 0);
#endif
  *(volatile int *)count = now + 1; // says 3: waits before it writes count[0]
  __threadfence();
#if BUG == 1
  if (blockIdx.x == 0)
#endif
    atomicExch(lock, 0);
}
