// What only newer devices have is no reason to give up.
//
// technique: barriers
// args:     --clang-arg=--cuda-gpu-arch=sm_90 --clang-arg=--cuda-feature=+ptx78
// verdict:  verified
// bug 1:    racy       without the barrier

__global__ void __launch_bounds__(64) swap(int *out) {
  __shared__ int cell[64];
  cell[threadIdx.x] = threadIdx.x; // expect 1: race in shared memory
#if BUG != 1
  __syncthreads();
#endif
  int rank = __nvvm_read_ptx_sreg_cluster_ctarank();
  out[threadIdx.x] = cell[63 - threadIdx.x] + rank;
}
