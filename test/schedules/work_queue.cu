// A ring of two places: the first block takes out what the second one puts in.
//
// Places are handed out by atomicInc, which begins again at 0; a place is put
// into when it is empty, and taken from when it is full.
//
// verdict:  passed
// bug 1:    deadlock            the producer does not wait for an empty place
// bug 2:    schedule-dependent  a place is full before anything is in it

enum { PLACES = 2, ITEMS = 3, EMPTY = 0, FULL = 1, BUSY = 2 };

__device__ void put(int *states, volatile int *items, unsigned *tail, int item) {
  unsigned place = atomicInc(tail, PLACES - 1);
#if BUG != 1
  while (atomicCAS(&states[place], EMPTY, BUSY) != EMPTY) {
  }
#endif
#if BUG == 2
  __threadfence();
  atomicExch(&states[place], FULL);
  items[place] = item; // says 2: waits before it writes
#else
  items[place] = item;
  __threadfence();
  atomicExch(&states[place], FULL);
#endif
}

__device__ int take(int *states, volatile int *items, unsigned *head) {
  unsigned place = atomicInc(head, PLACES - 1);
  while (atomicCAS(&states[place], FULL, BUSY) != FULL) { // says 1: deadlock
  }
  int item = items[place];
  __threadfence();
  atomicExch(&states[place], EMPTY);
  return item;
}

__global__ void work_queue(int *states, int *items, unsigned *head,
                           unsigned *tail, int *sum) {
  for (int i = 0; i < ITEMS; i++)
    if (blockIdx.x == 0)
      *sum = 10 * *sum + take(states, items, head);
    else
      put(states, items, tail, i + 1);
}
