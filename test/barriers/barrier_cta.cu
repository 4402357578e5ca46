// barrier.cta.sync, the newer name, which cooperative groups use.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       some wait at another barrier
// bug 2:    racy       half of them do not come, and the others wait for ever

__device__ void sync_block(int name, int threads) {
  asm volatile("barrier.cta.sync %0, %1;" ::"r"(name), "r"(threads) : "memory");
}

__global__ void __launch_bounds__(128) swap(int *out) {
  __shared__ int cell[128];
  cell[threadIdx.x] = threadIdx.x; // expect 1: race in shared memory
#if BUG == 1
  sync_block(threadIdx.x / 64, 64);
#elif BUG == 2
  if (threadIdx.x < 64)
    sync_block(0, 128); // expect 2: deadlock
#else
  sync_block(0, 128);
#endif
  out[threadIdx.x] = cell[127 - threadIdx.x]; // allow 2: race
}
