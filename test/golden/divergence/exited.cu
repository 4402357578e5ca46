// Threads without work leave before the first barrier, which waits for none of
// them.  Whoever has done something before, or only leaves where others wait, is
// missed.
//
// verdict:  verified, verified, verified, verified, verified
// assumes:  thread-count, unused-dimensions, launch-limits, termination, exited-threads
// bug 1:    divergent, verified, verified, verified, verified  it has written before it leaves
// bug 2:    divergent, verified, verified, verified, verified  it leaves behind a barrier
// bug 3:    divergent, verified, verified, verified, verified  it has not left: it waits elsewhere
// bug 4:    verified, divergent, verified, verified, verified  a shuffle names lanes that have left
// bug 5:    verified, divergent, verified, verified, verified  votes are counted
// bug 6:    verified, divergent, verified, verified, verified  it leaves in the midst of a loop
// bug 7:    racy, verified, verified, verified, verified       the others race
// bug 8:    verified, verified, divergent, verified, verified  not all that are present come
// bug 9:    verified, verified, divergent, verified, verified  a barrier of the grid waits for all
// bug 10:   verified, verified, divergent, verified, verified  a warp barrier names lanes that left
// bug 11:   verified, verified, verified, divergent, verified  it leaves in another iteration
// bug 12:   verified, verified, verified, verified, assertion  an invariant is about who leaves, too
// bug 13:   verified, verified, verified, verified, divergent  it stays for ever

#include <cooperative_groups.h>
#include <gpuverify.h>

__global__ void shift(int *a, int *log, int n) {
  __shared__ int tile[1024];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (BUG == 1)
    log[i] = n;
  if (BUG == 2)
    __syncthreads();
  if (i >= n) {
    if (BUG == 3)
      __syncthreads(); // expect 3: barrier divergence
    return;
  }
  tile[t] = a[i];
  if (BUG != 7)
    __syncthreads(); // expect 1,2,3: barrier divergence
  a[i] = t > 0 ? tile[t - 1] : 0; // expect 7: race on 'tile'
}

__global__ void sums(int *a, const int *limit, int n) {
  __shared__ int tile[1024];
  int t = threadIdx.x;
  if (blockIdx.x > 0 || t >= limit[0])
    return;
  tile[t] = a[t];
  for (int k = 0; k < n; k++) {
    if (BUG == 6 && t == n)
      return;
#if BUG == 5
    if (__syncthreads_count(k) > 5) // expect 5: barrier divergence
      tile[t] = 1;
#else
    __syncthreads(); // expect 4,6: barrier divergence
#endif
  }
  int sum = tile[t];
#if BUG == 4
  sum += __shfl_down_sync(0xffffffff, sum, 1); // expect 4: warp divergence
#endif
  __syncthreads(); // expect 4,5: barrier divergence
  a[t] = sum;
}

__global__ void both(int *a, int n) {
  __shared__ int tile[1024];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i >= n)
    return;
  if (a[n] == 0)
    return;
  tile[t] = t;
#if BUG == 9
  cooperative_groups::this_grid().sync(); // expect 9: barrier divergence
#elif BUG == 10
  __syncwarp(); // expect 10: barrier divergence
#endif
  if (BUG != 8 || a[i] < n)
    __syncthreads(); // expect 8,9,10: barrier divergence
}

__global__ void rounds(int n) {
  int k = 0;
  do {
    if (BUG == 11 && threadIdx.x == k)
      return;
    __syncthreads(); // expect 11: barrier divergence
  } while (++k < n);
}

__global__ void ahead(int n) {
  int t = threadIdx.x;
  for (int i = 0; __invariant(BUG != 12 || t < n), i < 4; i++) // expect 12: invariant
    ;
  if (t >= n) {
#if BUG == 13
    while (true)
      ;
#endif
    return;
  }
  __syncthreads(); // expect 13: barrier divergence
}
