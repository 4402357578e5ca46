// A vector that an argument places is at a multiple of its size.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified
// assumes:  launch-limits, no-alias, aligned-accesses
// bug 1:    racy, verified   a vector that is aligned is another thread's
// bug 2:    racy, verified   numbers that are not aligned as a vector overlap in part
// bug 3:    racy, verified   half a vector may be in another one
// bug 4:    racy, verified   one of the two is less aligned than it is long
// bug 5:    verified, racy   no argument makes a multiple of what a thread steps by
// bug 6:    racy, verified   what is wider than 16 bytes is several accesses

struct Numbers {
  float x, y, z, w;
};

struct alignas(32) Wide {
  float of[8];
};

#if BUG == 2
typedef Numbers Near;
#elif BUG == 6
typedef Wide Near;
#else
typedef float4 Near;
#endif
#if BUG == 2 || BUG == 4
typedef Numbers Far;
#elif BUG == 3
typedef float2 Far;
#elif BUG == 6
typedef Wide Far;
#else
typedef float4 Far;
#endif

__global__ void two(const float *in, float *out, unsigned gap) {
  const int each = BUG == 6 ? 8 : 4, t = each * threadIdx.x;
  if (gap <= each * (BUG == 1 ? 62 : 63))
    return;
  *(Near *)(out + t) = *(const Near *)(in + t);
  *(Far *)(out + gap + t) = *(const Far *)(in + t); // expect 1,2,3,4,6: race on 'out'
}

__global__ void words(const int *in, char *out, long gap) {
  int t = threadIdx.x;
  if (gap <= 4 * 63 || gap > 1000)
    return;
  *(int *)(out + 4 * t) = in[t];
#if BUG == 5
  *(int *)(out + gap + 3 * t) = in[t]; // expect 5: race on 'out'
#else
  *(int *)(out + gap + 4 * t) = in[t];
#endif
}
