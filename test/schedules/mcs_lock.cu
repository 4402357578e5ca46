// A lock with a queue of its waiters (Mellor-Crummey and Scott, 1991): each
// waits at a word of its own, and whoever leaves hands the lock to the next.
//
// args:     --check=assert,final-state,race --observe=count
// verdict:  passed
// bug 1:    deadlock            who leaves does not wait for who is linking
// bug 2:    deadlock            a waiter sets its word after it is linked
// bug 3:    racy                no fence before the lock is handed on

enum { NOBODY = -1 };

__global__ void mcs_lock(int *tail, int *next, int *waits, int *count) {
  int me = blockIdx.x;
  atomicExch(&next[me], NOBODY);
#if BUG != 2
  atomicExch(&waits[me], 1);
#endif
  int before = atomicExch(tail, me);
  if (before != NOBODY) {
    atomicExch(&next[before], me);
#if BUG == 2
    atomicExch(&waits[me], 1);
#endif
    while (atomicAdd(&waits[me], 0)) { // says 1: deadlock
    }
  }
  __threadfence();
  *count = *count + 1; // says 3: race on 'count'
#if BUG != 3
  __threadfence();
#endif
  int after = atomicAdd(&next[me], 0);
  if (after == NOBODY) {
    if (atomicCAS(tail, me, NOBODY) == me)
      return;
#if BUG == 1
    return;
#endif
    while ((after = atomicAdd(&next[me], 0)) == NOBODY) {
    }
  }
  atomicExch(&waits[after], 0);
}
