// It waits by comparing: what finds the flag raised is a comparison that fails,
// and its order is the second one.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, termination, atomics-start-at-zero
// bug 1:    unknown  it is a comparison with what the flag is raised to

__global__ void pass_on(int *data, int *flag, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else {
    int found;
    do {
      found = BUG;
      __atomic_compare_exchange_n(flag, &found, BUG, false, __ATOMIC_ACQUIRE,
                                  __ATOMIC_ACQUIRE);
    } while (found == BUG);
    out[blockIdx.x] = data[0];
  }
}
