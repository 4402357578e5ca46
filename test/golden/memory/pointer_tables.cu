// Pointers that are read from tables with an index that is no constant: in
// constant memory that the host fills, in a struct that is passed by value, and
// in a table that is constant.
//
// args:     --blockDim=32 --gridDim=2
// verdict:  verified, verified, verified
// bug 1:    racy, verified, verified  two threads write one element
// bug 2:    racy, verified, verified  a row is read while it is written
// bug 3:    verified, unknown, verified  the index may leave the table
// bug 4:    verified, racy, verified  threads of one row share elements
// bug 5:    verified, unknown, verified  another member lies there
// bug 6:    verified, verified, racy  two entries overlap
// bug 7:    verified, verified, racy  two entries are one
// bug 8:    verified, verified, assertion  an entry is null

#include "gpuverify.h"

__constant__ float *rows[4];

__global__ void fill_rows(int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  for (int j = 0; j < 4; j++) {
    rows[j][BUG == 1 ? i / 2 : i] = i; // expect 1: write-write race
    if (BUG == 2)
      rows[(j + 1) & 3][i] = rows[j][i + 1]; // expect 2: read-write race
  }
}

struct Planes {
  float *plane[3];
  long size;
  struct {
    const float *from;
    int width;
  } in[2];
};

__global__ void copy(Planes p, int which) {
  int i = blockIdx.x * 32 + threadIdx.x;
  for (int j = 0; j < (BUG == 5 ? 4 : 3); j++)
    if (i < p.in[j & 1].width) {
      float *to = p.plane[BUG == 3 ? which : j];
      to[BUG == 4 ? threadIdx.x : i] = // expect 3,4,5: r
          p.in[j & 1].from[i];
    }
}

__device__ float buffer[128];
__constant__ float *const halves[2] = {
    BUG == 8 ? nullptr : buffer, BUG == 7 ? buffer
                                          : buffer + (BUG == 6 ? 63 : 64)};

__global__ void both_halves() {
  int half = threadIdx.x & 1, i = threadIdx.x / 2 + 16 * blockIdx.x;
  float *row = halves[half];
  row[i + (BUG == 6 && !half ? 32 : 0)] = half; // expect 6,7,8: r
}
