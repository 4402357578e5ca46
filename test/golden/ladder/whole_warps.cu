// A row for each warp: blocks of a device are made of whole warps, and mostly
// launched so.
//
// args:     --ladder=all
// verdict:  verified, verified, verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, whole-warps
// bug 1:    racy, verified, verified  a warp of 32 threads has two halves of 16
// bug 2:    verified, racy, verified  the block has a warp more than its number says
// bug 3:    verified, verified, racy  whole warps need not be an even number of warps
// bug 4:    racy, verified, verified  the row of the last warp is the first of the next block
// bug 5:    verified, racy, verified  a block of three warps has one that is in no pair

__global__ void first_lane(const int *in, int *out) {
  int warps = blockDim.x / 32, warp = threadIdx.x / 32;
  int row = blockIdx.x * warps + warp + (BUG == 4 && warp == warps - 1);
  if (threadIdx.x % (BUG == 1 ? 16 : 32) == 0)
    out[row] = in[row] + threadIdx.x; // expect 1,4: race on 'out'
}

__global__ void lanes(const int *in, int *out) {
  unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  unsigned warps = BUG == 5 ? (blockDim.x >> 6) * 2 : (blockDim.x >> 5) - (BUG == 2);
  out[(blockIdx.x * warps + warp) * 32 + lane] = in[lane] + blockIdx.x + warp; // expect 2,5: race on 'out'
}

__global__ void pairs(const int *in, int *out) {
  unsigned group = BUG == 3 ? 64 : 16;
  unsigned groups = blockDim.x / group, rest = threadIdx.x % group;
  if (rest == 0)
    out[blockIdx.x * groups + threadIdx.x / group] = in[blockIdx.x] + threadIdx.x; // expect 3: race on 'out'
}
