// A pointer that is one of two arrays, chosen by a condition.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    racy       both halves of the block choose the same array
// bug 2:    racy       others write to either array

__global__ void alternate(int *even, int *odd) {
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
#if BUG == 1
  int *target = even;
#else
  int *target = t & 1 ? odd : even;
#endif
  target[i / 2] = t; // expect 1: write-write race on 'even'
#if BUG == 2
  if (t & 1)
    even[i / 2 ^ 1] = 2 * t; // expect 2: write-write race on 'even'
  else
    odd[i / 2 ^ 1] = 3 * t; // expect 2: write-write race on 'odd'
#endif
}
