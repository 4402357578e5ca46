// What is read of a launch is changed where nobody looks, or counts elsewhere.
//
// args:    --clang-arg=-Wno-everything
// verdict: verified
// bug 1:   racy  what an assignment gives is bound to a reference
// bug 2:   racy  ... that of a step, in the opening of an if
// bug 3:   racy  the graph of the function ends where control goes on
// bug 4:   racy  an enum that is a bool: 2 becomes 1
// bug 5:   racy  a header's code finds the function by its parameter's type
// bug 6:   racy  another file calls it by another name
// bug 7:   racy  start-up code calls it
// bug 8:   racy  another file may define the function
// bug 9:   racy  ... or the constant
// bug 10:  racy  ... or another name writes the variable
// bug 11:  racy  instances of a template share the mention that one changes
// bug 12:  racy  a variable is read before it is set
// bug 13:  racy  a type of that name is another one

__global__ void fill(int *cell) {
  cell[threadIdx.x % 64] = (int)threadIdx.x; // expect 1,2,3,4,5,6,7,8,9,10,11,12,13: write-write race on 'cell'
}

int *cells;
bool failed();

#if BUG == 1
void start() {
  int n = 32;
  int &all = (n = 64);
  all = 128;
  fill<<<1, n>>>(cells);
}
#elif BUG == 2
void start() {
  int n = 63;
  if (int &all = ++n; failed())
    all = 128;
  fill<<<1, n>>>(cells);
}
#elif BUG == 3
void fail() __attribute__((analyzer_noreturn));
void start() {
  int n = 64;
  if (failed()) {
    n = 128;
    fail();
  }
  fill<<<1, n>>>(cells);
}
#elif BUG == 4
enum Answer : bool { no, yes };
void start() {
  int k = 2;
  fill<<<1, (Answer)k == yes ? 128 : 64>>>(cells);
}
#elif BUG == 5
enum class Size : int {};
static bool operator<(Size a, Size b) {
  fill<<<1, (int)b>>>(cells);
  return (int)a < (int)b;
}
void start() { (void)(Size(1) < Size(64)); }
#elif BUG == 6
static void launch(int n) { fill<<<1, n>>>(cells); }
void start() { launch(64); }
extern "C" void other(int) __attribute__((alias("_ZL6launchi")));
#elif BUG == 7
__attribute__((constructor)) static void launch(int n) {
  fill<<<1, n>>>(cells);
}
void start() { launch(64); }
#elif BUG == 8
__attribute__((weak)) int size() { return 64; }
void start() { fill<<<1, size()>>>(cells); }
#elif BUG == 9
extern const int size __attribute__((weak)) = 64;
void start() { fill<<<1, size>>>(cells); }
#elif BUG == 10
static int size = 64;
extern int other __attribute__((alias("_ZL4size")));
void grow() { other = 128; }
void start() { fill<<<1, size>>>(cells); }
#elif BUG == 11
static int size = 64;
void pass(int, int) {}
void pass(int &n, char) { n = 128; }
template <class T> void call(T t) { pass(size, t); }
void start() {
  call(1);
  call('c');
  fill<<<1, size>>>(cells);
}
#elif BUG == 12
static int whole() { return 64; }
int start();
int probe = start();
static int size = whole();
int start() {
  fill<<<1, size ? size : 128>>>(cells);
  return 0;
}
#elif BUG == 13
namespace mine {
struct dim3 {
  unsigned y, x, z;
  dim3(unsigned a, unsigned b, unsigned c) : y(a), x(b), z(c) {}
};
} // namespace mine
void start() {
  mine::dim3 size(64, 128, 1);
  fill<<<1, size.x>>>(cells);
}
#else
void start() {
  int n = 32;
  n = 64;
  fill<<<1, n>>>(cells);
}
#endif
