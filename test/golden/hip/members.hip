// A struct of one member is passed as a number, and of members nothing is
// assumed.
//
// args:     --ladder=all
// verdict:  verified
// bug 1:    racy   a negative number is a case of its own
#include "gpuverify.h"

struct Window {
  int start;
};

__global__ void fill(Window window, int *a) {
  int i = threadIdx.x;
  if (BUG ? window.start < 0 : window.start == i)
    a[0] = i; // expect 1: race on 'a'
}

void launch(int *a) {
  Window window;
  window.start = -3;
  fill<<<1, 64>>>(window, a);
}
