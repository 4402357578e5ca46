// A comparison that fails has an order of its own. Here it is relaxed, so the
// fence behind it is missing.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, termination, atomics-start-at-zero, loose-fences
// bug 1:    unknown  nothing is written before the flag is raised, but behind

__global__ void pass_on(int *data, int *flag, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
#if BUG != 1
    data[0] = 42;
#endif
    __threadfence();
    atomicExch(flag, 1);
#if BUG == 1
    data[0] = 42;
    __threadfence();
    atomicAdd(flag, 0);
#endif
  } else {
    int found;
    do {
      found = 0;
      __atomic_compare_exchange_n(flag, &found, 0, false, __ATOMIC_ACQUIRE,
                                  __ATOMIC_RELAXED);
    } while (found == 0);
    out[blockIdx.x] = data[0];
  }
}
