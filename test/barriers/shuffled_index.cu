// Where a lane writes it learns from its neighbour.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       the last lane has no neighbour and keeps its own number

__global__ void __launch_bounds__(32) rotate(int *out) {
  __shared__ int cell[32];
  int lane = threadIdx.x;
#if BUG == 1
  int next = __shfl_down_sync(0xffffffffu, lane, 1);
#else
  int next = __shfl_sync(0xffffffffu, lane, lane + 1);
#endif
  cell[next] = lane; // expect 1: write-write race in shared memory
  __syncwarp();
  out[lane] = cell[lane];
}
