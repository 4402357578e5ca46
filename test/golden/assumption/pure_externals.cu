// Functions without a body, of which the user says that they touch no memory
// that threads share and synchronise nobody.
//
// args:     --blockDim=64 --gridDim=2 --assume=pure-externals
// verdict:  verified, verified, verified, verified
// assumes:  pure-externals, launch-limits
// bug 1:    racy, verified, verified, verified  what it returns is an index
// bug 2:    verified, racy, verified, verified  it gets the address of an
//           argument, and may write there
// bug 3:    verified, verified, unknown, verified  it does not come back
// bug 4:    verified, verified, unknown, verified  what it returns is a pointer
// bug 5:    verified, verified, unknown, verified  it is a library's
// bug 6:    verified, verified, verified, racy  a function that is uninterpreted
//           need not have another value for another argument
// bug 7:    verified, verified, verified, assertion  nor the same for another one

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
