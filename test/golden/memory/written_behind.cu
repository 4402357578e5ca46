// A write that is seen last, behind a loop's read of the same array, by way of a
// struct that is returned.  What the loop reads is not what was there at first.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    assertion  the own cell changes, and is taken for the same
// bug 2:    racy       what was the same is where to write
// bug 3:    racy       ... though nothing but atomics change it

#include <gpuverify.h>

struct Cells {
  int *first;
  int count;
};

__device__ Cells cells_of(int *a, int count) {
  Cells cells = {a, count};
  return cells;
}

__global__ void follow(int *a, int *out, int n) {
  int t = threadIdx.x, first = a[t];
  for (int i = 0; i < n; i++) {
    int now = a[t];
#if BUG == 1
    __assert(now == first); // expect 1: assertion
#elif BUG >= 2
    out[t + now - first] = i; // expect 2,3: race on 'out'
#else
    out[t] = now;
#endif
    Cells cells = cells_of(a, 64);
#if BUG == 3
    atomicAdd(&cells.first[t % cells.count], i);
#else
    cells.first[t % cells.count] = i;
#endif
  }
}
