// What cp.async writes is there after a wait.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       nobody waits

__global__ void __launch_bounds__(64) swap(const int *in, int *out) {
  __shared__ int cell[64];
  unsigned to = __cvta_generic_to_shared(&cell[threadIdx.x]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" // expect 1: race
               ::"r"(to),
               "l"(in + threadIdx.x)
               : "memory");
#if BUG != 1
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
  __syncthreads();
  out[threadIdx.x] = cell[63 - threadIdx.x];
}
