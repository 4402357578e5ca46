// Each thread has a column, and goes through rows of which only data says where
// they end: a row may be below zero.
//
// args:     --ladder=no-signed-overflow,arguments-not-negative
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, termination, no-signed-overflow, arguments-not-negative
// bug 1:    racy   the last column is that of the next row, too
#include "gpuverify.h"

__global__ void fill(int width, int rows, const int *first, int *marks) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width + (BUG == 1))
    return;
  int *column = marks + x;
  for (int row = rows; row > first[x]; row--)
    column[row * width] = x; // expect 1: race on 'marks'
}
