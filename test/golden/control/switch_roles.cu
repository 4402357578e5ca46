// Four kinds of threads store to four parts of an array.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       a missing break

__global__ void roles(int *out) {
  int t = threadIdx.x, group = t / 4, place = 0;
  switch (t % 4) {
  case 0:
    place = group;
    break;
  case 1:
    place = 16 + group;
#if BUG == 1
    [[fallthrough]];
#else
    break;
#endif
  case 2:
    place = 32 + group;
    break;
  default:
    place = 48 + group;
  }
  out[place] = t; // expect 1: write-write race on 'out'
}
