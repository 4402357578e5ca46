// Stores around the middle of an array, at negative offsets, too.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the distance to the middle is the same on both sides

__global__ void centred(int *out) {
  int distance = (int)threadIdx.x - 32;
  int *middle = out + 32;
#if BUG == 1
  if (distance < 0)
    distance = -distance;
#endif
  middle[distance] = threadIdx.x; // expect 1: write-write race on 'out'
}
