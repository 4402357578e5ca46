// A lambda is applied to the indices of a grid-stride loop.
//
// args:     --blockDim=64 --gridDim=4
// verdict:  verified
// bug 1:    racy       the lambda forgets the low bit

template <typename F> __device__ void for_each(unsigned n, F body) {
  unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    body(i);
}

__global__ void squares(unsigned *out) {
  for_each(4096, [=](unsigned i) {
#if BUG == 1
    out[i & ~1u] = i * i; // expect 1: write-write race on 'out'
#else
    out[i] = i * i;
#endif
  });
}
