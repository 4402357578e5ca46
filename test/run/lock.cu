// Blocks that take turns at a lock.
//
// args:     --detect=races
// verdict:  passed
// prints:   count = 8
// bug 1:    racy        no fence before the lock is given back
// bug 2:    racy        no fence behind taking it
// bug 3:    racy        it is given back by a plain write
// bug 4:    racy        a lock of each block

__global__ void lock(int *taken, int *count) {
#if BUG == 4
  taken += blockIdx.x;
#endif
  while (atomicCAS(taken, 0, 1) != 0) { // says 3: atomic-write race on 'taken'
  }
#if BUG != 2
  __threadfence();
#endif
  *count += 1; // says 1,2,4: read-write race on 'count'
#if BUG != 1
  __threadfence();
#endif
#if BUG == 3
  *taken = 0;
#else
  atomicExch(taken, 0);
#endif
}
