// What clang folds is what runs only if no other file, no question to the
// compiler and no rounding of the processor's can make it another number.
//
// args:    --clang-arg=-std=c++20 --clang-arg=-Wno-everything
// verdict: verified
// bug 1:   racy  it asks whether it is constant
// bug 2:   racy  another file may define it
// bug 3:   racy  .. of a function that is not this file's
// bug 4:   racy  .. of a method
// bug 5:   racy  .. called by a member's first value
// bug 6:   racy  two variables have one address
// bug 7:   racy  a product and a sum may be rounded once
// bug 8:   racy  there is one for each kind of processor

__global__ void fill(int *cell) {
  cell[threadIdx.x % 64] = (int)threadIdx.x; // expect 1,2,3,4,5,6,7,8: write-write race on 'cell'
}

#if BUG == 1
constexpr int size(int x) { return __builtin_constant_p(x) ? 64 : 128; }
#elif BUG == 2
__attribute__((weak)) constexpr int size(int) { return 64; }
#elif BUG == 3
extern inline __attribute__((gnu_inline)) constexpr int size(int) { return 64; }
#elif BUG == 4
struct Sizes {
  __attribute__((weak)) constexpr int get() const { return 64; }
};
constexpr int size(int) { return Sizes().get(); }
#elif BUG == 5
__attribute__((weak)) constexpr int get() { return 64; }
struct Sizes {
  int size = get();
};
constexpr int size(int) { return Sizes().size; }
#elif BUG == 6
extern int a;
int a;
extern int b __asm__("a");
constexpr int compare(const int *p, const int *q) { return p == q ? 128 : 64; }
constexpr int size(int) { return compare(&a, &b); }
#elif BUG == 7
constexpr int round(double x, double y) { return x * x + y == 0 ? 64 : 128; }
constexpr int size(int) { return round(1 + 0x1p-30, -(1 + 0x1p-29)); }
#elif BUG == 8
#ifndef __CUDA_ARCH__
__attribute__((target("default"))) int size(int) { return 64; }
__attribute__((target("avx2"))) int size(int) { return 128; }
#else
int size(int);
#endif
#else
constexpr int size(int x) { return x * 12 + 4; }
#endif

void run(int *cell) { fill<<<1, size(5)>>>(cell); }
