// Writes of one value are tolerated where they are writes of the same bytes:
// those that overlap leave what neither has written.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       each begins in the middle of its neighbour's

typedef int __attribute__((aligned(2))) any_int;

__global__ void fill(short *out) {
  int t = threadIdx.x;
#if BUG == 1
  *(any_int *)(out + t) = 7; // expect 1: write-write race on 'out'
#else
  *(any_int *)(out + 2 * (t / 2)) = 7;
#endif
}
