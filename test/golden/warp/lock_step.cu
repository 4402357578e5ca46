// Old code that trusts in warps of 32 threads in lock step, checked as such.
//
// args:     --blockDim=64 --gridDim=1 --warp-sync=32
// verdict:  verified
// bug 1:    racy       reaches over the border of the warp

__global__ void exchange(const int *in, int *out) {
  __shared__ int cell[64];
  int t = threadIdx.x;
  cell[t] = in[t];
#if BUG == 1
  out[t] = cell[t ^ 32]; // expect 1: read-write race on 'cell'
#else
  out[t] = cell[t ^ 1];
#endif
}
