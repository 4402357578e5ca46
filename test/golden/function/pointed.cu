// Functions that are called through pointers: which one it is depends on
// arguments and threads.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified, verified, verified, verified, verified, verified
// bug 1:    racy, verified, verified, verified, verified, verified  one of two
//           functions divides the index
// bug 2:    verified, racy, verified, verified, verified, verified  the table
//           holds a function that divides the index
// bug 3:    verified, assertion, verified, verified, verified, verified  the
//           table has an entry without a function
// bug 4:    verified, unknown, verified, verified, verified, verified  the index
//           may lie behind the table
// bug 5:    verified, verified, divergent, verified, verified, verified  threads
//           of one block call different functions, of which one waits
// bug 6:    verified, verified, verified, unknown, verified, verified  the host
//           may pass any function
// bug 7:    verified, verified, verified, racy, verified, verified  the host may
//           pass the one that divides the index
// bug 8:    verified, verified, verified, verified, racy, verified  a function
//           that gets a function calls it for the neighbour's element
// bug 9:    verified, verified, verified, verified, verified, racy  the struct's
//           function divides the index
// bug 10:   assertion, verified, verified, verified, verified, verified  the
//           pointer may be null

#include "gpuverify.h"

typedef void (*Put)(int *, int);

__device__ void put(int *to, int i) {
  to[i] = i; // expect 8: write-write race
}

__device__ void put_twice(int *to, int i) {
  to[i] = 2 * i; // allow 8: write-write race
}

__device__ void put_half(int *to, int i) {
  to[i / 2] = i; // expect 1,2,7,9: write-write race
}

__global__ void chosen(int *out, int how) {
  int i = blockIdx.x * 64 + threadIdx.x;
#if BUG == 10
  Put function = how ? put : nullptr;
#else
  Put function = how ? put : BUG == 1 ? put_half : put_twice;
#endif
  function(out, i); // expect 10: a null pointer is called
}

__constant__ const Put table[4] = {put, BUG == 2 ? put_half : put_twice,
                                   BUG == 3 ? nullptr : put, put_twice};

__global__ void from_table(int *out, int how) {
  int i = blockIdx.x * 64 + threadIdx.x;
  table[BUG == 4 ? how & 7 : how & 3](out, i); // expect 3,4: call
}

__shared__ int tile[64];

__device__ int plain(int t) { return t; }

__device__ int mirrored(int t) {
  tile[t] = t;
  __syncthreads(); // expect 5: barrier divergence
  int result = tile[63 - t];
  __syncthreads(); // allow 5: barrier divergence
  return result;
}

__global__ void waiting(int *out, int how) {
  int (*function)(int) = (BUG == 5 ? threadIdx.x == how : blockIdx.x == how)
                             ? mirrored
                             : plain;
  out[blockIdx.x * 64 + threadIdx.x] = function(threadIdx.x);
}

__global__ void from_host(int *out, Put function) {
#if BUG != 6
  __requires(function == put | function == (BUG == 7 ? put_half : put_twice));
#endif
  function(out, blockIdx.x * 64 + threadIdx.x); // expect 6: call
}

__device__ void twice(Put function, int *to, int i) {
  function(to, i);
  function(to + 128 - (BUG == 8), i);
}

__global__ void handed_on(int *out, int how) {
  twice(how > 3 ? put : put_twice, out, blockIdx.x * 64 + threadIdx.x);
}

struct Step {
  Put function;
  int offset;
};

__device__ void make(Step step, int *to, int i) {
  if (step.function)
    step.function(to + step.offset, i);
}

__global__ void in_struct(int *out, int how) {
  Step step = {nullptr, 128};
  if (how)
    step.function = BUG == 9 ? put_half : put;
  make(step, out, blockIdx.x * 64 + threadIdx.x);
}
