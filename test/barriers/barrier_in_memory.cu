// All threads meet at an mbarrier instead of __syncthreads.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       nobody waits for the others

__global__ void __launch_bounds__(64) swap(int *out) {
  __shared__ int cell[64];
  __shared__ unsigned long long full;
  unsigned barrier = __cvta_generic_to_shared(&full);
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(barrier)
                 : "memory");
  __syncthreads();
  cell[threadIdx.x] = threadIdx.x;
  unsigned long long state;
  unsigned is_done;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(state)
               : "r"(barrier)
               : "memory");
#if BUG != 1
  do
    asm volatile(
        "{ .reg .pred p;\n"
        "  mbarrier.test_wait.shared.b64 p, [%1], %2;\n"
        "  selp.u32 %0, 1, 0, p; }"
        : "=r"(is_done)
        : "r"(barrier), "l"(state)
        : "memory");
  while (!is_done);
#endif
  out[threadIdx.x] = cell[63 - threadIdx.x]; // expect 1: race in shared memory
}
