// What only a condition is made of is no place in memory, and no product of
// sizes.
//
// args:     --assume=sizes-fit --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy     it is asked whether the product fits

__global__ void fill(int *cell, unsigned n, unsigned size) {
  unsigned t = threadIdx.x;
  bool is_own = true;
#if BUG == 1
  if (t < n && size > 0)
    is_own = t * size >= t;
#endif
  cell[is_own ? t : 64] = (int)t; // expect 1: race on 'cell'
}
