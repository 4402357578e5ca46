// Functions without a body, of which the user says that they touch no memory
// that threads share and synchronise nobody.
//
// args:     --blockDim=64 --gridDim=2 --assume=pure-externals
// verdict:  verified, verified, verified, verified, verified, verified
// assumes:  pure-externals, launch-limits
// bug 1:    racy, verified, verified, verified, verified, verified  what it
//           returns is an index
// bug 2:    verified, racy, verified, verified, verified, verified  it gets the
//           address of an argument, and may write there
// bug 3:    verified, verified, unknown, verified, verified, verified  it does
//           not come back
// bug 4:    verified, verified, unknown, verified, verified, verified  what it
//           returns is a pointer
// bug 5:    verified, verified, unknown, verified, verified, verified  it is a
//           library's
// bug 6:    verified, verified, verified, racy, verified, verified  a function
//           that is uninterpreted need not have another value for another argument
// bug 7:    verified, verified, verified, assertion, verified, verified  nor the
//           same for another one
// bug 8:    verified, verified, verified, verified, racy, verified  it gets a
//           struct that holds the address of the argument
// bug 9:    verified, verified, verified, verified, racy, verified  it gets the
//           address as a number
// bug 10:   verified, verified, verified, verified, racy, verified  an
//           uninterpreted one may write to what it gets, too
// bug 11:   verified, verified, verified, verified, verified, assertion  another
//           function has the same name in another namespace
// bug 12:   verified, verified, verified, verified, verified, assertion  the same
//           template of another type is another function
// bug 13:   verified, verified, unknown, verified, verified, verified  it is of
//           C's library, and does not come back

#include "gpuverify.h"

struct Size {
  int width, height;
};

__device__ int measure(int);
__device__ int change(const Size *);
__device__ void tell(int *);
[[noreturn]] __device__ void leave(int);
__device__ int *find(int);
extern "C" __device__ void cudaWaitForOthers(int);
extern "C" __device__ void quick_exit(int);
__device__ int __uninterpreted_function_index(int);

__global__ void returned(int *out) {
  int i = blockIdx.x * 64 + threadIdx.x, m = measure(i);
  out[BUG == 1 ? m : i] = m + i; // expect 1: write-write race on 'out'
}

__global__ void by_value(int *out, Size size) {
  int i = blockIdx.x * 64 + threadIdx.x, before = size.width;
  int m = BUG == 2 ? change(&size) : size.height;
  out[(size.width - before) * i + i] = m; // expect 2: write-write race on 'out'
}

__global__ void given(int *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  tell(out);
#if BUG == 3
  leave(i); // expect 3: leave
#elif BUG == 13
  quick_exit(i); // expect 13: quick_exit
#elif BUG == 4
  out = find(i);
#elif BUG == 5
  cudaWaitForOthers(i); // expect 5: cudaWaitForOthers
#endif
  out[i] = i; // expect 4: pointer
}

__global__ void uninterpreted(int *out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  int k = __uninterpreted_function_index(n);
  __assert(k == __uninterpreted_function_index(BUG == 7 ? n + 1 : n)); // expect 7: assertion
  if (BUG == 6)
    k = __uninterpreted_function_index(i);
  out[BUG == 6 ? k : k + i] = i; // expect 6: write-write race on 'out'
}

struct Holder {
  Size *size;
};

__device__ int change_held(Holder *);
__device__ int change_at(unsigned long long);
__device__ int __uninterpreted_function_change(Size *);

__global__ void indirect(int *out, Size size) {
  int i = blockIdx.x * 64 + threadIdx.x, before = size.width;
#if BUG == 9
  int m = change_at((unsigned long long)&size);
#elif BUG == 10
  int m = __uninterpreted_function_change(&size);
#else
  Size other = size;
  Holder holder = {BUG == 8 ? &size : &other};
  int m = change_held(&holder);
#endif
  out[(size.width - before) * i + i] = m; // expect 8,9,10: write-write race on 'out'
}

namespace day {
__device__ int __uninterpreted_function_length();
}

namespace year {
__device__ int __uninterpreted_function_length();
}

template <typename T> __device__ T __uninterpreted_function_most();

__global__ void named(int *out) {
  using namespace day;
  int length = __uninterpreted_function_length();
#if BUG == 11
  __assert(length == year::__uninterpreted_function_length()); // expect 11: assertion
#elif BUG == 12
  __assert(__uninterpreted_function_most<unsigned>() == // expect 12: assertion
           __uninterpreted_function_most<int>());
#else
  __assert(length == __uninterpreted_function_length());
#endif
  out[blockIdx.x * 64 + threadIdx.x] = length;
}
