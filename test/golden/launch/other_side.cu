// What the host's compilation makes otherwise is what the host makes of it.
//
// args:    -std=c++23 --clang-arg=-Wno-everything
// verdict: verified
// bug 1:   racy  the size of a type
// bug 2:   racy  .. of a part of one
// bug 3:   racy  .. that the target aligns
// bug 4:   racy  a list of arguments
// bug 5:   racy  a predefined macro
// bug 6:   racy  .. that a constant is made of
// bug 7:   racy  a function of the device that one of both sides calls
// bug 8:   racy  .. that a lambda hands on
// bug 9:   racy  a function of the host that a lambda calls
// bug 10:  racy  whether it is computed while compiling
// bug 11:  racy  .. in a function
// bug 12:  racy  what is assigned is a place
// bug 13:  racy  a virtual function that need not end
// bug 14:  racy  a header of the system calls it

#if BUG == 14
# 1 "library.h" 3
static void run(int *cells, int n);
inline void runs(int *cells) { run(cells, 128); }
# 25 "other_side.cu"
#endif

#include <cstdarg>

__global__ void fill(int *cell) {
  cell[threadIdx.x % 64] = (int)threadIdx.x; // expect 1,2,3,4,5,6,7,8,9,10,11,12,13,14: race on 'cell'
}

bool failed();

struct Part {
  long double number;
};
struct __attribute__((aligned)) Aligned {
  int number;
};

constexpr int alignment = __BIGGEST_ALIGNMENT__;
__device__ constexpr int threads() { return 64; }
__host__ constexpr int threads() { return 128; }
constexpr int of_both() { return threads(); }
constexpr int of_compiler() {
  if consteval {
    return 128;
  } else {
    return 64;
  }
}

#if BUG == 9
__device__ static void run(int *cells, int n) {}
#endif
static void run(int *cells, int n) { fill<<<1, n>>>(cells); }

static int number = __builtin_is_constant_evaluated() ? 128 : 64;

struct Base {
  [[noreturn]] virtual void fail();
};

void launch(int *cells, Base &base) {
  run(cells, 8 * sizeof(double));
#if BUG == 1
  fill<<<1, 8 * sizeof(long double)>>>(cells);
#elif BUG == 2
  fill<<<1, 8 * sizeof(Part)>>>(cells);
#elif BUG == 3
  fill<<<1, 8 * alignof(Aligned)>>>(cells);
#elif BUG == 4
  fill<<<1, 8 * sizeof(va_list)>>>(cells);
#elif BUG == 5
  fill<<<1, 8 * __BIGGEST_ALIGNMENT__>>>(cells);
#elif BUG == 6
  fill<<<1, 8 * alignment>>>(cells);
#elif BUG == 7
  fill<<<1, of_both()>>>(cells);
#elif BUG == 8
  auto go = [=] { run(cells, threads()); };
  go();
#elif BUG == 9
  auto go = [=] { run(cells, 128); };
  go();
#elif BUG == 10
  fill<<<1, number>>>(cells);
#elif BUG == 11
  constexpr dim3 block(of_compiler());
  fill<<<1, block>>>(cells);
#elif BUG == 12
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  (config.blockDim = 64).x = 128;
  cudaLaunchKernelEx(&config, fill, cells);
#elif BUG == 13
  int n = 64;
  if (failed()) {
    n = 128;
    base.fail();
  }
  fill<<<1, n>>>(cells);
#elif BUG == 14
  runs(cells);
#else
  fill<<<1, 64>>>(cells);
#endif
}
