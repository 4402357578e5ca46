// Asynchronous copies and mbarriers by clang's builtins.
//
// args:     --detect=races
// verdict:  passed
// prints:   out = 63 62 61 60
// bug 1:    racy        no wait for the copy
// bug 2:    racy        no wait at the mbarrier
// bug 3:    divergent   an arrival that must not be the last one is

__global__ void async_builtins(const int *in, int *out) {
  typedef __attribute__((address_space(3))) void Shared;
  typedef __attribute__((address_space(1))) const void Global;
  __shared__ int tile[64];
  __shared__ long bar;
  int i = threadIdx.x;
  if (i == 0)
    __nvvm_mbarrier_init(&bar, BUG == 3 ? 1 : 64);
  __nvvm_bar_sync(0);
  __nvvm_cp_async_ca_shared_global_4((Shared *)&tile[i], (Global *)(in + i));
  __nvvm_cp_async_commit_group();
  if (BUG != 1)
    __nvvm_cp_async_wait_group(0);
  if (BUG == 3)
    __nvvm_mbarrier_arrive_noComplete(&bar, 1); // says 3: .noComplete
  long token = __nvvm_mbarrier_arrive(&bar);
  while (BUG != 2 && !__nvvm_mbarrier_test_wait(&bar, token)) {
  }
  if (BUG != 2)
    __nvvm_barrier_sync_cnt(3, 64);
  out[i] = tile[63 - i]; // says 1,2: reads tile
}
