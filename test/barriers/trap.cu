// Data that is wrong ends the kernel; what is right goes on to the barrier.
//
// technique: barriers
// verdict:  verified
// bug 1:    unknown    it leaves the kernel without a trap

__global__ void __launch_bounds__(64) checked(const int *in, int *out) {
  __shared__ int cell[64];
  int value = in[threadIdx.x];
#if BUG == 1
  if (value < 0)
    return;
#else
  if (value < 0)
    __trap();
#endif
  cell[threadIdx.x] = value;
  __syncthreads();
  out[threadIdx.x] = cell[63 - threadIdx.x];
}
