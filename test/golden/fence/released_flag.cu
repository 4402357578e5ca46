// One block publishes by an atomic store that releases, which is a fence and a
// flag in one. Whether the others have waited is a question of values, which the
// proof does not follow; a relaxed store publishes nothing.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  unknown
// bug 1:    racy       a relaxed flag

__global__ void hand_over(int *data, int *flag, int *out) {
  if (threadIdx.x != 0)
    return;
#if BUG == 1
  const int order = __ATOMIC_RELAXED;
#else
  const int order = __ATOMIC_RELEASE;
#endif
  if (blockIdx.x == 0) {
    data[0] = 42; // expect 1: race on 'data'
    __atomic_store_n(flag, 1, order);
  } else {
    while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
      ;
    out[0] = data[0];
  }
}
