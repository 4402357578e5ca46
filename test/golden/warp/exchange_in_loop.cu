// Those whom the mask of an exchange names go round the loop around it
// together.  Others go round as often as they like.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  only the mask of the next round names who has left
// bug 2:    divergent  the same, of the next round's inner loop

__global__ void sums(const int *in, int *out) {
  const unsigned all = 0xffffffff;
  int t = threadIdx.x, lane = t & 31, v = in[t];
#if BUG == 1
  for (int i = 0; i < 2; i++) {
    v += __shfl_down_sync(i ? all : 1u << lane, v, 1); // expect 1: leave the loop
    if (lane < 16)
      break;
  }
#elif BUG == 2
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 2; k++)
      v += __shfl_down_sync(k ? 1u << lane : all, v, 1); // expect 2: leave the loop
    if (lane < 16)
      break;
  }
#else
  unsigned half = lane < 16 ? 0xffff : 0xffff0000;
  for (int i = 0; i < lane / 16 + 3; i++)
    v += __shfl_down_sync(half, v, 1);
#endif
  out[t] = v;
}
