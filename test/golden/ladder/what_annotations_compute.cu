// What an annotation computes is executed by nobody: it may overflow, and its
// sizes are no sizes of memory.
//
// args:    --ladder=all --blockDim=64 --gridDim=1
// verdict: verified
// bug 1:   racy  a counter whose end only an annotation asks for
// bug 2:   racy  a product before its loop
// bug 3:   racy  a product that a function of the library gets
// bug 4:   racy  a product that is kept in an array of the annotation's own
// bug 5:   racy  the place that an assertion reads from
// bug 6:   racy  a counter that goes by the number of threads
// bug 7:   racy  a member of a struct, and a function of the compiler
// bug 8:   racy  what nobody looks at
// bug 9:   racy  a place that nothing is read from
// bug 10:  unknown  what is printed
// bug 11:  racy  a loop without an end

#include <gpuverify.h>

static __device__ bool is_less(int a, int b) { return a < b; }

static __device__ bool ends(int from, int to) {
  int i = from;
  while (i < to)
    i += 0x10000001;
  return i >= to;
}

static __device__ bool ends_by_square(int n) {
  int square = n * n, i = 0;
  while (i < 3 && i < square)
    i++;
  return i < 9;
}

static __device__ bool is_kept(int n, int which) {
  int kept[2] = {1, 2};
  kept[which & 1] = n * n;
  int last = kept[1];
  return last >= 0 || last < 0;
}

static __device__ bool ends_by_threads(unsigned from, unsigned to) {
  unsigned i = from, rounds = 0;
  for (; i < to; i += 64)
    rounds++;
  return rounds < 0x80000000u;
}

struct Pair {
  int first, second;
};

static __device__ Pair squared(int n) { return {n * n, n}; }

static __device__ bool prints(int n) { return printf("%d", n * n) > 0; }

static __device__ bool stays(int n) {
  volatile int goes_on = 1;
  if (n * n == 7)
    while (goes_on)
      ;
  return true;
}

static __device__ bool is_any(int) { return true; }

__global__ void fill(int *cell, const int *table, int n, int to,
                     unsigned rows, unsigned columns) {
  unsigned t = threadIdx.x;
  bool is_own = true;
#if BUG == 1
  bool has_ended = ends(n, to);
  __requires(has_ended);
  is_own = n || to < 0x7fffff00;
#elif BUG == 2
  bool has_ended = ends_by_square(n);
  __assert(has_ended);
  is_own = n < 50000;
#elif BUG == 3
  __assert(max(n * n, 3) > 2);
  is_own = n < 50000;
#elif BUG == 4
  __assert(is_kept(n, to));
  is_own = n < 50000;
#elif BUG == 5
  if (t < rows) {
    __assert(table[t * columns] <= 0x7fffffff);
    is_own = rows > 64 || (unsigned long long)rows * columns <= 0xffffffffu;
  }
#elif BUG == 6
  bool has_ended = ends_by_threads(t, columns);
  __requires(has_ended);
  is_own = columns < 0xffffffe0u;
#elif BUG == 7
  __assert(squared(n).first != 7 || __builtin_popcount(n * n) < 33);
  is_own = n < 50000;
#elif BUG == 8
  __assert(is_any(n * n));
  is_own = n < 50000;
#elif BUG == 9
  __reads_from(table + n * n);
  is_own = n < 50000;
#elif BUG == 10
  __assert(prints(n)); // expect 10: changes what the kernel computes
#elif BUG == 11
  bool has_stayed = stays(n);
  __assert(has_stayed);
  is_own = n < 50000;
#else
  __requires(is_less(n, to));
#endif
  cell[is_own ? t : 64] = (int)t; // expect 1,2,3,4,5,6,7,8,9,11: race on 'cell'
}
