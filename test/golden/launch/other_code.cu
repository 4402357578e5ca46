// A number that functions compute is one if all that they come to does the same
// for the host.  A long double has 16 bytes there, and 8 for the device.
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

constexpr int wide() { return 8 * (int)sizeof(long double); }

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
  fill<<<1, call(wide)>>>(cell);
#elif BUG == 2
  fill<<<1, (Method().*&Method::wide)()>>>(cell);
#elif BUG == 3
  fill<<<1, through(Derived())>>>(cell);
#elif BUG == 4
  fill<<<1, call(of_twin)>>>(cell);
#elif BUG == 5
  fill<<<1, Made().threads>>>(cell);
#elif BUG == 6
  fill<<<1, Based().threads>>>(cell);
#elif BUG == 7
  fill<<<1, Inheriting(1).threads>>>(cell);
#elif BUG == 8
  fill<<<1, Set{}.threads>>>(cell);
#elif BUG == 9
  Shared shared;
  fill<<<1, shared.threads>>>(cell);
#elif BUG == 10
  fill<<<1, plus(0)>>>(cell);
#elif BUG == 11
  fill<<<1, counted()>>>(cell);
#else
  fill<<<1, plus(24, 40)>>>(cell);
  fill<<<1, Plain(32).twice()>>>(cell);
#endif
}
