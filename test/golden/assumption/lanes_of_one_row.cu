// Who asks for its lane does not ask for a second dimension: the lane counts x
// alone where nobody gave more.
//
// verdict: verified
// bug 1:   racy  a second dimension is asked for, and its lanes are others
// bug 2:   racy  two lanes of a warp write

__global__ void leaders(int *out) {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  if (BUG == 1 && threadIdx.y == 1 && lane != threadIdx.x % 32)
    out[1 << 20] = threadIdx.x; // expect 1: race on 'out'
  if (lane == 0 || (BUG == 2 && lane == 8))
    out[blockIdx.x * blockDim.x + threadIdx.x / 32] = lane; // expect 2: race on 'out'
}
