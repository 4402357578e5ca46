// Accesses of one width, all of them aligned, meet where they are equal.
// Others meet in a part, too.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the second begins in the middle of the first
// bug 2:    racy       the first begins in the middle of the second
// bug 3:    racy       each begins in the middle of its neighbour's
// bug 4:    racy       the same, by a sum of what is aligned and what is not
// bug 5:    racy       one is half of the other

typedef long __attribute__((aligned(4))) any_long;

__global__ void fill(int *out, int n) {
  long t = threadIdx.x;
#if BUG == 0
  *(any_long *)(out + 2 * t) = t;
#elif BUG == 1 || BUG == 2
  if (t == 3)
    *(any_long *)(out + (BUG == 1 ? 8 : 9)) = 3;
  if (t == 4)
    *(any_long *)(out + (BUG == 1 ? 9 : 8)) = 4; // expect 1,2: race on 'out'
#elif BUG == 3
  *(any_long *)(out + t) = t; // expect 3: race on 'out'
#elif BUG == 4
  *(any_long *)(out + 2 * t) = t; // expect 4: race on 'out'
  *(any_long *)(out + 2 * t + (n > 7 ? 1 : 3)) = t; // allow 4: race on 'out'
#else
  out[2 * t + 3] = t;
  *(any_long *)(out + 2 * t) = t; // expect 5: race on 'out'
#endif
}
