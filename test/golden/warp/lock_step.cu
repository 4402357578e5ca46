// Old code that trusts in warps of 32 threads in lock step, checked as such.
//
// args:     --blockDim=64 --gridDim=1 --warp-sync=32
// verdict:  verified
// bug 1:    racy       reaches over the border of the warp
// bug 2:    racy       two threads of a warp store in one cell at once

__global__ void exchange(const int *in, int *out) {
  __shared__ int cell[64];
  int t = threadIdx.x;
#if BUG == 2
  cell[t / 2] = in[t]; // expect 2: write-write race on 'cell'
#else
  cell[t] = in[t];
#endif
#if BUG == 1
  out[t] = cell[t ^ 32]; // expect 1: read-write race on 'cell'
#elif BUG == 2
  out[t] = cell[t / 2];
#else
  out[t] = cell[t ^ 1];
#endif
}
