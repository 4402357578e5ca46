// Pairs and the last element without a partner, by shifts and masks of a signed
// size.
//
// verdict:  verified, verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias
// bug 1:    racy, verified     the element before it
// bug 2:    racy, verified     of a size below zero half is below zero
// bug 3:    racy, verified     a mask of two bits is no multiple
// bug 4:    verified, racy     the last element of the last four

__global__ void by_shift(const float *in, float *out, int count) {
  int half = count >> 1;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half) {
    out[2 * i] = in[2 * i];
    out[2 * i + 1] = in[2 * i + 1];
  }
#if BUG == 2
  if (half < -5)
    out[0] = (float)i; // expect 2: race on 'out'
#elif BUG == 3
  if ((i & 5) == 1)
    out[0] = (float)i; // expect 3: race on 'out'
#endif
  if ((count & 1) == 1 && i == half)
    out[count - 1 - (BUG == 1)] = 5; // expect 1: race on 'out'
}

__global__ void by_mask(const float4 *in, const float *rest, float *out,
                        int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int whole = count & ~3;
  if (count < 0 || count > 0x10000000)
    return;
  if (i < count >> 2)
    reinterpret_cast<float4 *>(out)[i] = in[i];
  if (i < count - whole)
    out[whole + i - (BUG == 4)] = rest[i]; // expect 4: race on 'out'
}
