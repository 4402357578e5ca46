// Writes of one value are tolerated where they are writes of the same bytes:
// those that overlap leave what neither has written.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       each begins in the middle of its neighbour's
// bug 2:    racy       the same, at constant places

typedef int __attribute__((aligned(2))) any_int;

__global__ void fill(short *out) {
  int t = threadIdx.x;
#if BUG == 0
  *(any_int *)(out + 2 * (t / 2)) = 7;
#elif BUG == 1
  *(any_int *)(out + t) = 7; // expect 1: write-write race on 'out'
#elif BUG == 2
  if (t == 3)
    *(any_int *)(out + 8) = 7; // expect 2: write-write race on 'out'
  if (t == 4)
    *(any_int *)(out + 9) = 7;
#endif
}
