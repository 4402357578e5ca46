// Each cell has a lock of its own.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, termination
// bug 1:    unknown  the lock is that of another cell
// bug 2:    unknown  another one is given back
// bug 3:    unknown  two locks, and one cell
// bug 4:    unknown  it is tried a number of times
// bug 5:    unknown  it waits until somebody else has it

__global__ void scatter(const unsigned *to, const int *in, int *out, int *lock,
                        unsigned cells, int tries) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned cell = to[i] % 1024;
#if BUG == 1
  unsigned own = i % 1024;
#else
  unsigned own = cell;
#endif
#if BUG == 4
  for (int n = 0; n < tries; n++)
    if (atomicExch(&lock[own], 1) == 0)
      break;
#elif BUG == 5
  while (atomicExch(&lock[own], 1) == 0)
    ;
#else
  while (atomicExch(&lock[own], 1) != 0)
    ;
#endif
  __threadfence();
#if BUG == 3
  out[cell / 2] += in[i];
#else
  out[cell] += in[i];
#endif
  __threadfence();
#if BUG == 2
  atomicExch(&lock[i % 1024], 0);
#else
  atomicExch(&lock[own], 0);
#endif
}
