// A bounded queue of many producers and consumers (Vyukov): each place has a
// number that says whose turn it is.
//
// args:     --check=assert,race
// verdict:  passed
// bug 1:    racy     a place is announced before the item is there
// bug 2:    racy     a producer does not look whether the place is empty
// bug 3:    deadlock a consumer leaves the number of the place too small

#include <assert.h>

enum { PLACES = 2, ITEMS = 2 };

__device__ void push(unsigned *numbers, int *items, unsigned *tail, int item) {
  unsigned place = atomicAdd(tail, 1);
#if BUG != 2
  while (atomicAdd(&numbers[place % PLACES], 0) != place) {
  }
#endif
  __threadfence();
#if BUG == 1
  atomicExch(&numbers[place % PLACES], place + 1);
  items[place % PLACES] = item;
#else
  items[place % PLACES] = item;
  __threadfence();
  atomicExch(&numbers[place % PLACES], place + 1);
#endif
}

__device__ int pop(unsigned *numbers, int *items, unsigned *head) {
  unsigned place = atomicAdd(head, 1);
  while (atomicAdd(&numbers[place % PLACES], 0) != place + 1) {
  }
  __threadfence();
  int item = items[place % PLACES];
  __threadfence();
  atomicExch(&numbers[place % PLACES], place + (BUG == 3 ? 1 : PLACES));
  return item;
}

__global__ void ring(unsigned *numbers, int *items, unsigned *head,
                     unsigned *tail, int *sum) {
  for (int i = 0; i < ITEMS; i++)
    if (blockIdx.x % 2)
      push(numbers, items, tail, 1 + i + ITEMS * (blockIdx.x / 2));
    else
      atomicAdd(sum, pop(numbers, items, head));
}
