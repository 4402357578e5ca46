// An argument that is a struct is the thread's own, and what the kernel does
// with its members is as with any variable: one that a loop counts up is a
// counter, the same for all threads of a block.
//
// args:     --blockDim=64 --ladder=all
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, termination
// bug 1:    divergent  each thread has an end of its own
// bug 2:    divergent  the width is what a thread has read
// bug 3:    divergent  .. has one byte of that
// bug 4:    divergent  .. has it by its address
// bug 5:    divergent  .. by a copy of another struct
struct Share {
  unsigned begin, end, width;
  bool is_wide;

  __device__ void enter(unsigned each) {
    begin = blockIdx.x * each;
    end = min(end, begin + each);
  }
};

__device__ void set(unsigned *at, unsigned to) { *at = to; }

__global__ void sum_rows(int *out, const int *in, Share share) {
  Share *own = &share;
  unsigned t = threadIdx.x;
  int sum = 0;
  share.enter(4096);
  own->width = share.is_wide ? 64 : 32;
#if BUG == 1
  share.end -= t;
#elif BUG == 2
  share.width = in[t];
#elif BUG == 3
  ((char *)&share.width)[0] = in[t];
#elif BUG == 4
  Share *which[2] = {&share, own};
  set(&which[in[t] & 1]->width, in[t]);
#elif BUG == 5
  Share other = share;
  other.width = t;
  share = other;
#endif
  for (; share.begin < share.end; share.begin += share.width)
    sum += __syncthreads_count(in[share.begin + t]); // expect 1,2,3,4,5: barrier divergence
  out[blockIdx.x * 64 + t] = sum;
}
