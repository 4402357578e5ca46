// What a loop carries by equal steps is known modulo its width.  That it does
// not pass the end of the numbers is guessed, and proved.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified, verified
// bug 1:    racy, racy, racy     two do pass it, and a stride is too small

__global__ void above_its_start(int *out, unsigned char n) {
  unsigned base = 0x7ffffff0, t = threadIdx.x;
  if (t == 0)
    out[base - 1] = 64; // expect 1: write-write race on 'out'
#if BUG == 1
  for (unsigned i = base + t; i != base; i += 64)
#else
  for (unsigned i = base + t; i < base + n; i += 64)
#endif
    out[i] = t; // allow 1: write-write race on 'out'
}

__global__ void any_stride(int *out, unsigned short n, unsigned short stride) {
  if (stride < 64 - BUG)
    return;
  for (unsigned i = threadIdx.x; i < n; i += stride)
    out[i] = threadIdx.x; // expect 1: write-write race on 'out'
}

__global__ void doubles(int *out, unsigned char n) {
  unsigned t = threadIdx.x;
#if BUG == 1
  for (unsigned s = 1; s < 1u << 31; s *= 4) {
#else
  for (unsigned s = 1; s < n; s *= 2) {
#endif
    out[t * s] = t; // expect 1: write-write race on 'out'
    __syncthreads();
  }
}
