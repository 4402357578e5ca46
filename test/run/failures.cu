// What else ends a run, each told with its line.
//
// verdict:  passed
// bug 1:    assertion        an assertion fails
// bug 2:    trap             a trap
// bug 3:    out-of-bounds    a null pointer
// bug 4:    stack-overflow   recursion without end
// bug 5:    out-of-bounds    beyond shared memory
// bug 6:    out-of-bounds    below an array

#include <assert.h>

__device__ int deep(int n) {
  volatile int here[64];
  here[n % 64] = n;
  return n == -1 ? 0 : deep(n + 1) + here[n % 64]; // says 4: stack overflow
}

__global__ void failures(int *a) {
  __shared__ int tile[8];
  int i = threadIdx.x;
  tile[i] = i;
#if BUG == 1
  assert(i < 5); // says 1: assertion failed: i < 5
#elif BUG == 2
  if (i == 3)
    __trap(); // says 2: trap
#elif BUG == 3
  int *null = a - (unsigned long long)a / 4;
  *null = i; // says 3: the pointer is null
#elif BUG == 4
  a[i] = deep(i);
#elif BUG == 5
  tile[i + 1] = i; // says 5: access outside of 'tile'
#elif BUG == 6
  a[i - 1] = i; // says 6: access outside of 'a'
#endif
}
