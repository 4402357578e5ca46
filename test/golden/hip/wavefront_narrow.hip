// gfx1030 has wavefronts of 32 lanes.
//
// args:     --blockDim=256 --offload-arch=gfx1030
// verdict:  verified
// bug 1:    racy       they are taken to have 64

__global__ void number(int *a) {
  unsigned lanes = BUG ? 64 : 32;
  unsigned lane = __lane_id();
  a[blockIdx.x * 256 + threadIdx.x / lanes * lanes + lane] = threadIdx.x; // expect 1: race
}
