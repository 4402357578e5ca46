// A limit of the standard library that the host has alone.
//
// args:    --clang-arg=-Wno-everything
// verdict: racy
#include <float.h>

__global__ void fill(int *cell) {
  cell[threadIdx.x % 32] = (int)threadIdx.x; // expect 0: write-write race on 'cell'
}

void run(int *cell) {
  fill<<<1, 32>>>(cell);
#if LDBL_MANT_DIG == 64
  fill<<<1, 64>>>(cell);
#endif
}
