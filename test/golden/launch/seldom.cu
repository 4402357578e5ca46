// What stands in a statement is not always executed with it.
//
// args:    --clang-arg=-Wno-everything
// verdict: verified
// bug 1:   racy  a static variable is set the first time alone
// bug 2:   racy  ... so the branch in its value is passed the first time alone
// bug 3:   racy  a builtin looks at its argument and does not compute it
// bug 4:   racy  without memory nothing is set
// bug 5:   racy  a static variable is read before it is set
// bug 6:   racy  noexcept looks at its operand and does not compute it
// bug 7:   racy  a builtin that clang's tables say nothing of does not, either
// bug 8:   racy  ... nor returns from what it looks at
// bug 9:   racy  a variable that leaves its scope calls a function

#include <new>

__global__ void fill(int *cell) {
  cell[threadIdx.x % 64] = (int)threadIdx.x; // expect 1,2,3,4,5,6,7,8,9: write-write race on 'cell'
}

int *cells;
void stop() __attribute__((noreturn));
static int whole() { return 64; }

#if BUG == 1
void start() {
  int n = 128;
  static int once = (n = 64);
  fill<<<1, n>>>(cells);
}
#elif BUG == 2
void start(int n) {
  static int once = n == 64 || (stop(), true);
  fill<<<1, n>>>(cells);
}
#elif BUG == 3
void start() {
  int n = 128;
  bool known = __builtin_constant_p(n = 64);
  fill<<<1, n>>>(cells);
}
#elif BUG == 4
void start() {
  int n = 128;
  int *place = new (std::nothrow) int(n = 64);
  fill<<<1, n>>>(cells);
}
#elif BUG == 5
void start(int which) {
  switch (which) {
  case 0:
    static int n = whole();
    break;
  default:
    fill<<<1, n ? n : 128>>>(cells);
  }
}
#elif BUG == 6
void start() {
  int n = 65;
  bool known = noexcept(n--);
  fill<<<1, n>>>(cells);
}
#elif BUG == 7
void start(int n) {
  int known = __builtin_nondeterministic_value(n == 64 ? 0 : throw 0);
  fill<<<1, n>>>(cells);
}
#elif BUG == 8
void start(int n) {
  int known = __builtin_classify_type(n == 64 ? 1 : ({ return; 0; }));
  fill<<<1, n>>>(cells);
}
#elif BUG == 9
static void launch(int *n) {
  fill<<<1, *n>>>(cells);
}
static void launch_with(int n) {
  fill<<<1, n>>>(cells);
}
void start() {
  int other __attribute__((cleanup(launch))) = 128;
  launch_with(64);
}
#else
void start(int m) {
  int n = 128;
  static int once = 64;
  int *place = new int(n = 64);
  if (__builtin_constant_p(m) || m == 64 || (stop(), true))
    fill<<<1, n>>>(cells);
  fill<<<1, once>>>(cells);
}
#endif
