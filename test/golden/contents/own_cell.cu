// A thread reads what it has written itself, or what was there when all came to
// the last barrier; and between two barriers nobody else writes there.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    assertion  it has written something else since
// bug 2:    assertion  ... perhaps
// bug 3:    assertion  ... one byte
// bug 4:    assertion  ... with a size that is not known
// bug 5:    assertion  ... with an atomic
// bug 6:    assertion  ... in a loop
// bug 7:    assertion  ... in a loop in a loop
// bug 8:    assertion  ... in the iteration before
// bug 9:    assertion  another barrier lets another thread write
// bug 10:   assertion  ... one of a warp
// bug 11:   assertion  ... perhaps
// bug 12:   assertion  ... in a loop
// bug 13:   racy       another thread writes meanwhile
// bug 14:   assertion  it was not written
// bug 15:   assertion  the loop before is not this one's iteration
// bug 16:   assertion  it is written behind the loop
// bug 17:   assertion  it was written perhaps, to what it says

#include <gpuverify.h>

__global__ void own(int n, int *out) {
  __shared__ int cell[64];
  int t = threadIdx.x, at = t;
  cell[t] = t;
  __barrier_invariant_1(cell[t] == t, t);
  __syncthreads();
  if (BUG == 1)
    cell[t] = 5;
  if (BUG == 2 && t > n)
    cell[t] = 5;
  if (BUG == 3)
    ((char *)cell)[4 * t + 1] = 1;
  if (BUG == 4)
    memset(&cell[t], 0, n & 3);
  if (BUG == 5)
    atomicAdd(&cell[t], 1);
  if (BUG == 17 && t > n)
    cell[t] = t + 1;
  if (BUG == 6)
    for (int i = 0; i < n; i++)
      cell[t] = i;
  if (BUG == 7)
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++)
        cell[t] = k;
  if (BUG == 9) {
    __syncthreads();
    cell[63 - t] = n;
    __syncthreads();
  }
  if (BUG == 10) {
    __syncwarp();
    cell[t ^ 1] = n;
    __syncwarp();
  }
  if (BUG == 11 && n > 3) {
    __syncthreads();
    cell[63 - t] = n;
    __syncthreads();
  }
  if (BUG == 12)
    for (int i = 0; i < n; i++) {
      __syncthreads();
      cell[63 - t] = i;
      __syncthreads();
    }
  if (BUG == 13)
    cell[63 - t] = 5; // expect 13: race on 'cell'
  if (BUG == 14)
    at = t / 2;
  for (int i = 0; i < n; i++) {
    if (BUG == 15 && i == 1)
      cell[t] = 5;
    __assert(cell[at] == (BUG == 16 ? t * n : t + (BUG == 17))); // expect 1,2,3,4,5,6,7,8,9,10,11,12,14,15,16,17: may fail
    if (BUG == 8)
      cell[t] = 5;
  }
  __syncthreads();
  cell[t] = t * n;
  for (int i = 0; i < n; i++)
    out[t] = i;
  __assert(cell[t] == t * n);
}
