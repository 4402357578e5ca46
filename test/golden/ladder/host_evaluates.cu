// No arithmetic of the host overflows that it executes; what it leaves out says
// nothing.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  launch-limits, no-signed-overflow
// bug 1:    racy      it multiplies small numbers alone
// bug 2:    racy      .. in the other branch
// bug 3:    racy      .. behind a condition
// bug 4:    racy      .. behind one that is false
// bug 5:    verified  .. before a condition
// bug 6:    racy      .. in a function
// bug 7:    racy      without a sign
// bug 8:    racy      to choose in one branch
// bug 9:    racy      it shifts, to the sign at most
// bug 10:   racy      another launch with what is the same unless it overflows
enum { EACH = 512, MOST = 1 << 20, TOO_MANY = 1 << 23 };

__global__ void clear(int *cell, int n, unsigned size) {
  if (n >= TOO_MANY || threadIdx.x == 0)
    cell[0] = threadIdx.x; // expect 1,2,3,4,6,7,8,9,10: race on 'cell'
}

int size_of(int n) { return n < MOST ? n * EACH : MOST; }

void launch(int *cell, int n) {
#if BUG == 1
  int size = n < MOST ? n * EACH : MOST;
#elif BUG == 2
  int size = n >= MOST ? MOST : n * EACH;
#elif BUG == 3
  bool size = n < MOST && n * EACH < MOST;
#elif BUG == 4
  bool size = n >= MOST || n * EACH < MOST;
#elif BUG == 5
  bool size = n * EACH < MOST && n < MOST;
#elif BUG == 6
  int size = size_of(n);
#elif BUG == 8
  int few = MOST, many = 2 * MOST;
  int size = n < MOST ? (n * EACH < few ? few : many) : few;
#elif BUG == 9
  int size = n << 8;
#elif BUG == 10
  int size = n * EACH;
#elif BUG == 7
  unsigned size = n * (unsigned)EACH;
#else
  int size = n * EACH;
#endif
  clear<<<1, 64>>>(cell, n, size);
}

#if BUG == 10
void launch_any(int *cell, int n, int size) {
  bool is_so = size == (int)(n * 512u) ||
               (long long)(int)(n * 512u) != n * 512ll;
  if (is_so)
    clear<<<1, 64>>>(cell, n, size);
}
#endif
