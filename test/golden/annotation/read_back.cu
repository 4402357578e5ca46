// A read in an annotation races with nobody, so behind a barrier others may have
// written the cell.  And the annotation may ask of another thread, which has not
// come there.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    assertion  a barrier lies between, and thread 5 writes behind it
// bug 2:    assertion  thread 5 has another cell, and does not come there

#include "gpuverify.h"

__global__ void keep(int n) {
  __shared__ int place[64];
  int t = threadIdx.x;
  place[t] = t;
  __unsafe_assert(place[t] == t);
#if BUG == 1
  __syncthreads();
  if (t == 5)
    place[7] = 3;
  __unsafe_assert(place[t] == t); // expect 1: assertion
#endif
  if (t < n) {
    place[t] = 3;
    __unsafe_assert(place[t] == 3);
#if BUG == 2
    __unsafe_assert(__other_int(place[threadIdx.x]) == 3); // expect 2: assertion
#else
    __unsafe_assert(__implies(__other_bool(__enabled()),
                              __other_int(place[threadIdx.x]) == 3));
#endif
  }
}
