// A pointer is moved from one array to another one by the distance of the two.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    unknown    a distance in bytes
// bug 2:    unknown    ... in elements
// bug 3:    unknown    ... of two other arrays
// bug 4:    unknown    as numbers, of two other arrays
// bug 5:    racy       as numbers, back to where it comes from

__global__ void move(int *a, int *b, int *c) {
  int t = threadIdx.x;
#if BUG == 1
  int *to = (int *)((char *)b + ((char *)a - (char *)b));
#elif BUG == 2
  int *to = b + (a - b);
#elif BUG == 3
  int *to = (int *)((char *)b + ((char *)a - (char *)c));
#elif BUG == 4
  int *to = (int *)((size_t)b + ((size_t)a - (size_t)c));
#elif BUG == 5
  int *to = (int *)((size_t)b + ((size_t)a - (size_t)b));
#else
  int *to = b;
#endif
  a[t] = t;
  to[63 - t] = t; // expect 5: write-write race
}
