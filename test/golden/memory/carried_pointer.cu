// A loop carries a pointer, and from some iteration on it is that of another
// array, or none.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       other comes second
// bug 2:    racy       ... third
// bug 3:    racy       ... after nothing
// bug 4:    racy       ... by way of an inner loop
// bug 5:    racy       ... in a struct that a function returns
// bug 6:    unknown    ... as a number
// bug 7:    assertion  nothing comes second, and nobody asks
// bug 8:    unknown    nobody knows what comes second

struct Two {
  int *now, *then;
  __device__ Two next() const { return Two{then, then}; }
};

__global__ void walk(int *own, int *other, int **any, int n) {
  int t = threadIdx.x;
  own[64 + t] = other[t];
#if BUG == 1
  int *to = own;
  for (int i = 0; i < n; i++, to = other)
    to[t + 1] = i; // expect 1: race
#elif BUG == 2
  int *to = own, *next = own;
  for (int i = 0; i < n; i++, to = next, next = other)
    to[t + 1] = i; // expect 2: race
#elif BUG == 3
  int *to = nullptr;
  for (int i = 0; i < n; i++, to = other)
    if (to)
      to[t + 1] = i; // expect 3: race
#elif BUG == 4
  int *to = own;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++)
      to = other;
    to[t + 1] = i; // expect 4: race
  }
#elif BUG == 5
  Two two{own, other};
  for (int i = 0; i < n; i++, two = two.next())
    two.now[t + 1] = i; // expect 5: race
#elif BUG == 6
  size_t to = (size_t)own;
  for (int i = 0; i < n; i++, to = (size_t)other)
    ((int *)to)[t + 1] = i;
#elif BUG == 7
  int *to = own;
  for (int i = 0; i < n; i++, to = nullptr)
    to[t] = i; // expect 7: null pointer
#elif BUG == 8
  int *to = own;
  for (int i = 0; i < n; i++, to = any[i])
    to[t] = i; // expect 8: loaded from memory
#else
  int *to = nullptr;
  for (int i = 0; i < n; i++, to = own)
    if (to)
      to[t] = i;
#endif
}
