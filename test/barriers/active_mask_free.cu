// Warps are not in lock step: which lanes activemask names is not known, even
// where no branch can have parted them.
//
// technique: barriers
// verdict:  unknown
// bug 1:    racy      nobody waits for the one that writes

__global__ void __launch_bounds__(64) speak(const int *in, int *out) {
  __shared__ int cell[2];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned mask = 0xffffffff;
  if (BUG != 1)
    asm volatile("activemask.b32 %0;" : "=r"(mask));
  if (lane == 31 - __builtin_clz(mask))
    cell[warp] = in[threadIdx.x]; // expect 1: race
  if (BUG != 1)
    __syncthreads();
  out[threadIdx.x] = cell[0] + cell[1]; // expect 1: race
}
