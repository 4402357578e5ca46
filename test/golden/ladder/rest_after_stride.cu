// Who has gone through pairs by strides of the grid comes to the last element,
// if one is left, and only one thread does: nobody meets another there.
//
// args:     --ladder=exited-threads,no-signed-overflow
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, termination, no-signed-overflow
// bug 1:    racy     the two threads behind the last pair come there
// bug 2:    racy     the last element of a pair, where none is left
// bug 3:    unknown  a counter overflows in each thread that comes there but one

__global__ void pairs(const float *in, float *out, int count) {
  int half = count >> 1;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  while (i < half) {
    out[2 * i] = in[2 * i];
    out[2 * i + 1] = in[2 * i + 1];
    i += stride;
  }
#if BUG == 3
  if (threadIdx.x || blockIdx.x)
    for (int k = i; k >= 0; k += 0x10000000)
      out[2 * i] = 0;
#endif
  if ((count & 1) == (BUG != 2) && (BUG == 1 ? i < half + 2 : i == half))
    out[count - 1] = (float)threadIdx.x; // expect 1,2: race on 'out'
}
