// Of counters that go by the number of threads: which bound is theirs, and what
// is a number of threads.
//
// args:     --ladder=all --blockDim=128,* --gridDim=*,65535,*
// verdict:  verified, verified, verified
// assumes:  thread-count, launch-limits, termination, sizes-fit
// bug 1:    racy, verified, verified  a counter that is compared in both ways may pass 2^31
// bug 2:    racy, verified, verified  what is below n is far from the counter
// bug 3:    racy, verified, verified  what is below n is the counter and an argument
// bug 4:    verified, racy, verified  a number of blocks that is cut to a byte may be negative
// bug 5:    verified, racy, verified  the counter goes down
// bug 6:    verified, verified, racy  one shifted by the number of blocks is no number of threads

#define CELL(is_one) cell[(is_one) ? 0 : 1 + threadIdx.x]

__global__ void bounds(int *cell, unsigned n, int m, unsigned more) {
  if (threadIdx.y || blockIdx.x || blockIdx.y || blockIdx.z)
    return;
#if BUG == 1
  for (unsigned i = threadIdx.x; i < n && (int)i < m; i += 128)
    CELL((int)i < 0) = threadIdx.x; // expect 1: race on 'cell'
#elif BUG == 2
  for (unsigned i = threadIdx.x - 4096; i + 4096 < n; i += 128)
    CELL(i < 128) = threadIdx.x; // expect 2: race on 'cell'
#elif BUG == 3
  for (unsigned i = threadIdx.x; i + more < n; i += 128)
    CELL(i > 0xfffffff0) = threadIdx.x; // expect 3: race on 'cell'
#else
  for (unsigned i = threadIdx.x + 128; i < n; i += 128)
    CELL(i < 128) = threadIdx.x;
#endif
}

__global__ void steps(int *cell, int n) {
  if (threadIdx.y || blockIdx.x || blockIdx.y || blockIdx.z)
    return;
#if BUG == 4
  for (int i = threadIdx.x; i >= 0 && i < n; i += (signed char)gridDim.x)
#elif BUG == 5
  for (int i = threadIdx.x; i >= 0 && i < n; i -= gridDim.z)
#else
  for (int i = threadIdx.x; i < n; i += gridDim.x)
#endif
    CELL(i < (int)threadIdx.x) = threadIdx.x; // expect 4,5: race on 'cell'
}

__global__ void shifted(int *cell, unsigned n) {
  if (threadIdx.y || blockIdx.x || blockIdx.y || blockIdx.z)
    return;
  for (unsigned i = threadIdx.x; i < n;
       i += (BUG == 6 ? 1 << gridDim.x : gridDim.x))
    CELL(i < threadIdx.x) = threadIdx.x; // expect 6: race on 'cell'
}
