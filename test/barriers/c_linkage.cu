// A kernel whose name is not mangled, and shared memory of the whole file.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       there is no barrier

__shared__ int cell[64];

extern "C" __global__ void __launch_bounds__(64) swap(int *out) {
  cell[threadIdx.x] = threadIdx.x; // expect 1: race in shared memory
#if BUG != 1
  __syncthreads();
#endif
  out[threadIdx.x] = cell[63 - threadIdx.x];
}
