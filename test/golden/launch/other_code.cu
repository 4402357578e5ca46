// A number that functions compute is one if none of them asks whether it is
// computed while compiling, as what a static variable begins with is.
//
// args:    --clang-arg=-Wno-everything --clang-arg=-std=c++20
// verdict: verified
// bug 1:   racy  a function is called through a pointer
// bug 2:   racy  .. to a member
// bug 3:   racy  .. by a virtual name
// bug 4:   racy  .. of which the device has another one
// bug 5:   racy  a constructor sets a member
// bug 6:   racy  .. a base
// bug 7:   racy  .. that is inherited
// bug 8:   racy  a member is set where it is declared
// bug 9:   racy  a member that all objects share
// bug 10:  racy  an argument that is not given
// bug 11:  racy  what destroys a variable

constexpr int wide() { return __builtin_is_constant_evaluated() ? 128 : 64; }

__host__ constexpr int twin() { return 128; }
__device__ constexpr int twin() { return 64; }
__host__ __device__ constexpr int of_twin() { return twin(); }

__global__ void fill(int *cell) {
  cell[threadIdx.x % 64] = (int)threadIdx.x; // expect 1,2,3,4,5,6,7,8,9,10,11: write-write race on 'cell'
}

constexpr int call(int (*function)()) { return function(); }

struct Method {
  constexpr int wide() const { return ::wide(); }
};
struct Base {
  constexpr virtual int threads() const { return 64; }
};
struct Derived : Base {
  constexpr int threads() const override { return wide(); }
};
struct Made {
  int threads;
  constexpr Made() : threads(wide()) {}
};
struct Based : Made {
  constexpr Based() : Made() {}
};
struct Given {
  int threads;
  constexpr Given(int n) : threads(n * wide()) {}
};
struct Inheriting : Given {
  using Given::Given;
};
struct Set {
  int threads = wide();
};
struct Shared {
  static constexpr int threads = wide();
};
struct Counting {
  int *at;
  constexpr ~Counting() { *at = wide(); }
};

constexpr int plus(int n, int m = wide()) { return n + m; }
constexpr int through(const Base &base) { return base.threads(); }
constexpr int counted() {
  int n = 64;
  {
    Counting counting{&n};
  }
  return n;
}

struct Plain {
  int threads = 32;
  constexpr Plain(int n) : threads(n) {}
  constexpr int twice() const { return 2 * threads; }
};

void run(int *cell) {
#if BUG == 1
  static int n = call(wide);
  fill<<<1, n>>>(cell);
#elif BUG == 2
  static int n = (Method().*&Method::wide)();
  fill<<<1, n>>>(cell);
#elif BUG == 3
  static int n = through(Derived());
  fill<<<1, n>>>(cell);
#elif BUG == 4
  static int n = call(of_twin);
  fill<<<1, n>>>(cell);
#elif BUG == 5
  static int n = Made().threads;
  fill<<<1, n>>>(cell);
#elif BUG == 6
  static int n = Based().threads;
  fill<<<1, n>>>(cell);
#elif BUG == 7
  static int n = Inheriting(1).threads;
  fill<<<1, n>>>(cell);
#elif BUG == 8
  static int n = Set{}.threads;
  fill<<<1, n>>>(cell);
#elif BUG == 9
  Shared shared;
  static int n = shared.threads;
  fill<<<1, n>>>(cell);
#elif BUG == 10
  static int n = plus(0);
  fill<<<1, n>>>(cell);
#elif BUG == 11
  static int n = counted();
  fill<<<1, n>>>(cell);
#else
  fill<<<1, plus(24, 40)>>>(cell);
  fill<<<1, Plain(32).twice()>>>(cell);
#endif
}
