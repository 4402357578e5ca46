// Sizes in an array in a struct, which may be compared with by their number.
//
// args:     --ladder=all --blockDim=64
// verdict:  verified
// bug 1:    racy   all of them are compared with, so none is a pitch
// bug 2:    racy   two of them at once

struct Sizes {
  alignas(8) int of[2];
  float *out;
};

__global__ void fill(Sizes to) {
  int at[2] = {(int)threadIdx.x, (int)blockIdx.x};
#if BUG == 1
  for (int k = 0; k < 2; k++)
    if (at[k] >= to.of[k])
      return;
#elif BUG == 2
  if (*(long *)to.of == ((long)at[1] << 32 | at[0]))
    return;
#endif
  if (at[0] < to.of[0])
    to.out[at[1] * to.of[1] + at[0]] = at[0]; // expect 1,2: race on 'to.out'
}
