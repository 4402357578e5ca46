// What a thread makes of its own cell, between one barrier and the next: what the
// barrier before says of the cell is known, and what was done to it since.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    assertion  two cells become the same
// bug 2:    assertion  ... later
// bug 3:    racy       ... and nobody says so

#include <gpuverify.h>

#define ALL_DIFFER(t)                                                          \
  __barrier_invariant_binary_1(cell[t] != cell[__other_int(t)], t,             \
                               __other_int(t))

__global__ void changed_again(int *out) {
  __shared__ unsigned cell[64];
  unsigned t = threadIdx.x;
  cell[t] = 2 * t;
  ALL_DIFFER(t);
  __syncthreads();
  cell[t] = BUG == 1 ? cell[t] | 2 : cell[t] ^ 5;
  ALL_DIFFER(t); // expect 1: may fail
  __syncthreads();
  cell[t] += 7;
  if (BUG == 2 && t > 60)
    cell[t] &= 1;
  ALL_DIFFER(t); // expect 2: may fail
  __syncthreads();
  cell[t] -= BUG == 3 ? t : 3;
  if (BUG != 3)
    ALL_DIFFER(t);
  __syncthreads();
  __assert(__implies(BUG != 3 && __same_group,
                     cell[t] != cell[__other_int(t)]));
  out[cell[t]] = t; // expect 3: race on 'out'
}
