// A free list: cells are taken from its head and given back by compare and swap.
//
// With indices alone the swap cannot tell that the head has been taken, and
// given back, in between (ABA): what was the second cell then may be in use.
// A count above the index, new with each change, tells.
//
// Who gets which cell depends on the schedule, so final states are not
// compared.
//
// args:     --check=assert
// verdict:  passed
// bug 1:    assertion   no count
// bug 2:    assertion   a cell is taken without an atomic

#include <assert.h>

enum { NONE = 255 };

// The head after a change: this index, and the next count.
__device__ int changed(int head, int index) {
#if BUG == 1
  return index;
#else
  return (head & ~255) + 256 + index;
#endif
}

__device__ int take(int *head, volatile int *next, int *users) {
  int old = *(volatile int *)head;
  while ((old & 255) != NONE) {
    int now = changed(old, next[old & 255]);
#if BUG == 2
    *(volatile int *)head = now;
    int seen = old;
#else
    int seen = atomicCAS(head, old, now); // says 1: waits before it updates
#endif
    if (seen == old) {
      assert(atomicAdd(&users[old & 255], 1) == 0); // says 1,2: assertion failed
      return old & 255;
    }
    old = seen;
  }
  return NONE;
}

__device__ void give_back(int *head, volatile int *next, int *users, int cell) {
  int old = *(volatile int *)head;
  atomicSub(&users[cell], 1);
  for (;;) {
    next[cell] = old & 255;
    int seen = atomicCAS(head, old, changed(old, cell));
    if (seen == old)
      return;
    old = seen;
  }
}

__global__ void free_list(int *head, int *next, int *users) {
  int cell = take(head, next, users);
  int other = take(head, next, users);
  if (blockIdx.x == 1 && cell != NONE && other != NONE)
    give_back(head, next, users, cell);
}
