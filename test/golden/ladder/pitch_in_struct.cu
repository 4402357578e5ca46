// Rows of vectors, of which a struct says how far they are apart and how many
// elements they have.
//
// args:     --ladder=all --blockDim=64
// verdict:  verified, verified
// bug 1:    racy, verified  the distance is compared with the number of rows
// bug 2:    racy, verified  vectors of four elements are as many as elements
// bug 3:    racy, verified  two numbers of a union
// bug 4:    verified, racy  of a width below zero nothing is said
// bug 5:    verified, racy  the vectors are eight elements apart, and four are guarded

struct Picture {
  int rows, width;
#if BUG == 3
  union {
    long pitch;
    unsigned long bits;
  };
#else
  long pitch;
#endif
  const float4 *in;
  float *out;
};

__global__ void fill(Picture to) {
  int y = blockIdx.x;
  unsigned at = threadIdx.x;
#if BUG == 1
  if (y >= to.pitch)
    return;
#endif
#if BUG == 2
  if (at < to.width)
#else
  if (at * 4 < to.width)
#endif
    reinterpret_cast<float4 *>(to.out + y * to.pitch)[at] = to.in[at]; // expect 1,2,3: race on 'to.out'
}

struct Lines {
  unsigned pitch;
  int width;
  const short4 *in;
  short *out;
};

__global__ void lines(Lines to) {
  int x = threadIdx.x;
#if BUG == 4
  if (x - 64 < to.width && to.width < 0)
#elif BUG == 5
  if (4 * x < to.width)
#else
  if (x < to.width)
#endif
#if BUG == 5
    *(short4 *)(to.out + blockIdx.x * to.pitch + 8 * x) = to.in[x]; // expect 5: race on 'to.out'
#else
    to.out[blockIdx.x * to.pitch + (x - (BUG == 4 ? 64 : 0))] = x; // expect 4: race on 'to.out'
#endif
}
