// A pointer that is one of two arrays, chosen by a condition.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    racy       both halves of the block choose the same array

__global__ void alternate(int *even, int *odd) {
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
#if BUG == 1
  int *target = even;
#else
  int *target = t & 1 ? odd : even;
#endif
  target[i / 2] = t; // expect 1: write-write race on 'even'
}
