// Rows that no thread comes to need not fit.
//
// args:     --ladder=all --blockDim=256 --gridDim=1
// verdict:  verified, verified, verified
// assumes:  launch-limits, no-alias, benign-writes, sizes-fit
// bug 1:    racy, verified, verified  four rows of the block's are there
// bug 2:    racy, verified, verified  the guard says of the row what is no size
// bug 3:    racy, verified, verified  most threads make no place of the product
// bug 4:    racy, verified, verified  a place of another row is taken instead
// bug 5:    verified, racy, verified  the guard speaks of a number that the row is made of
// bug 6:    verified, verified, racy  what is taken away says nothing of the size

#define CELL(is_one) cell[(is_one) ? 0 : 1 + threadIdx.x]

__global__ void rows(int *out, int *cell, const unsigned *some, unsigned size) {
  unsigned first = threadIdx.x * size;
#if BUG == 1
  if (threadIdx.x >= 4)
    return;
#elif BUG == 2
  if (threadIdx.x >= *some)
    return;
#endif
  if (BUG != 3 || threadIdx.x == 0)
    out[BUG == 4 && threadIdx.x > 1 ? threadIdx.x : first] = 1;
  CELL(size > 1u << (BUG == 3 ? 31 : 27)) = threadIdx.x; // expect 1,2,3,4: race on 'cell'
}

__global__ void blocks(int *out, int *cell, unsigned size) {
  unsigned y = blockIdx.x * blockDim.x + threadIdx.x;
  if (BUG == 5 && threadIdx.x > 2)
    return;
  out[y * size] = 1;
  CELL(size > 1u << 27) = threadIdx.x; // expect 5: race on 'cell'
}

__global__ void subtrahend(int *out, int *cell, unsigned size) {
  unsigned first = threadIdx.x * size;
  out[BUG == 6 ? 7 - first : first] = 1;
  CELL(size > 1u << 27) = threadIdx.x; // expect 6: race on 'cell'
}
