// Nobody may come before the place that a pointer in an array points to, which is
// no neighbour of that of the pointer before it.
//
// args:     --ladder=pointed-apart --check-array-bounds
// verdict:  verified
// assumes:  pointed-apart, thread-count, unused-dimensions, launch-limits, no-alias, in-bounds
// bug 1:    out-of-bounds  one element too early
// bug 2:    out-of-bounds  ... of the array of pointers

__global__ void fill(float **row) {
  float *own = row[blockIdx.x];
#if BUG == 1
  if (blockIdx.x > 0)
    own[(int)threadIdx.x - 1] = 0; // expect 1: 'row[..]'
#elif BUG == 2
  own = row[(int)blockIdx.x - 1]; // expect 2: 'row'
  own[threadIdx.x] = 0;
#else
  own[threadIdx.x] = 0;
#endif
}
