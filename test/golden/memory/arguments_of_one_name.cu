// The arguments of a parameter pack all have the pack's name, and are two.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the second one may differ from the first

struct Range {
  int from, to;
};

__device__ bool differ(Range a, Range b) {
#if BUG == 1
  return a.from != b.from;
#else
  int from = a.from, to = b.to;
  return a.from != from || b.to != to;
#endif
}

template <class... Ranges>
__global__ void compare(int *out, Ranges... ranges) {
  if (differ(ranges...))
    out[0] = threadIdx.x; // expect 1: write-write race
}

template __global__ void compare<Range, Range>(int *, Range, Range);
