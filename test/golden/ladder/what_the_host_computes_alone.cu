// ... nor where another name alone may be used (what_the_host_computes.cu).
//
// args:     --ladder=whole-warps
// verdict:  verified
// assumes:  thread-count, launch-limits, whole-warps
// bug 1:    racy      blocks are half a warp too large, as the host computes them
// bug 2:    verified  .. or whole warps
__global__ void leaders(int *out, int w) {
  int t = threadIdx.x;
  if (t % 32 == 0)
    out[blockIdx.x * (blockDim.x / 32) + t / 32] = t; // expect 1: race on 'out'
}

void launch(int *out, int n) {
#if BUG == 1
  leaders<<<8, 32 * n + 16>>>(out, n);
#elif BUG == 2
  leaders<<<8, 32 * n + 64>>>(out, n);
#else
  leaders<<<8, n>>>(out, n);
#endif
}
