// A pitch that is a constant argument of the launch.
//
// verdict:  verified
// bug 1:    racy       a pitch smaller than a row

__global__ void fill(int *out, int pitch) {
  int x = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
  out[y * pitch + x] = y; // expect 1: write-write race on 'out'
}

void launch(int *out) {
#if BUG == 1
  fill<<<4, dim3(32, 8)>>>(out, 31);
#else
  fill<<<4, dim3(32, 8)>>>(out, 32);
#endif
}
