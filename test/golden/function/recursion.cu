// Recursive functions whose depth constants decide: one that computes, two that
// call each other, one that waits on each level, and a tree of writes.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified, verified, verified
// bug 1:    racy, verified, verified  the logarithm is one too small
// bug 2:    racy, verified, verified  the number is odd
// bug 3:    verified, racy, verified  no barrier between two levels
// bug 4:    verified, divergent, verified  only who adds goes on
// bug 5:    verified, racy, verified  a thread adds what is not there any more
// bug 6:    verified, verified, racy  the tree has one more level than room
// bug 7:    verified, verified, racy  it has no room for all
// bug 8:    unknown, verified, verified  an argument decides
// bug 9:    unknown, verified, verified  it has no end
// bug 10:   verified, verified, unknown  it ends too late

#include "gpuverify.h"

__device__ int logarithm(unsigned n) {
  return n <= 1 ? 0 : 1 + logarithm(n / 2);
}

__device__ int is_even(int n);

__device__ int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }

__device__ int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }

__device__ int endless(int n) {
  return endless(n + 1); // expect 9: a recursive call of 'endless', which goes on
}

__global__ void numbers(int *out, int n) {
  int width = 64;
  int wide = logarithm(BUG == 1 ? width / 2 : 2 * width / 2);
  int row = threadIdx.x << wide;
#if BUG == 8
  row += logarithm(n); // expect 8: a recursive call of 'logarithm', whose depth
#elif BUG == 9
  row += endless(0);
#endif
  for (int i = 0; i < 63 + is_even(BUG == 2 ? 7 : 8) + (BUG == 2) * 2; i++)
    out[blockIdx.x * 4096 + row + i] = i; // expect 1,2: write-write race
}

__shared__ int tile[64];

__device__ void reduce(int t, int stride) {
  if (stride == 0)
    return;
  if (t < stride)
    tile[t] += tile[t + stride - (BUG == 5)]; // expect 3,5: read-write race
#if BUG == 4
  if (t >= stride)
    return;
#endif
  if (BUG != 3)
    __syncthreads(); // expect 4: barrier divergence
  reduce(t, stride / 2);
}

__global__ void sum(const int *in, int *out) {
  tile[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  reduce(threadIdx.x, 32);
  if (threadIdx.x == 0)
    out[blockIdx.x] = tile[0];
}

__device__ void fill(int *tree, unsigned node, int depth) {
  tree[node] = depth; // expect 6,7: write-write race
  if (depth == (BUG == 10 ? -1000 : BUG == 6 ? -1 : 0))
    return;
  fill(tree, 2 * node, depth - 1); // expect 10: fill
  fill(tree, 2 * node + 1, depth - 1);
}

__global__ void trees(int *out) {
  fill(out + (BUG == 7 ? 14 : 16) * (blockIdx.x * 64 + threadIdx.x), 1, 3);
}
