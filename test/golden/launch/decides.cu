// The verdict hangs on the launch in the same file: 64 threads a block fit
// the cells, 65 do not.
//
// verdict:  verified
// bug 1:    racy       65 threads a block

__global__ void fill(int *out) {
  __shared__ int cell[64];
  cell[threadIdx.x % 64] = threadIdx.x; // expect 1: race on 'cell'
  __syncthreads();
  if (threadIdx.x < 64)
    out[blockIdx.x * 64 + threadIdx.x] = cell[63 - threadIdx.x];
}

void launch(int *out) {
#if BUG == 1
  fill<<<16, 65>>>(out);
#else
  fill<<<16, 64>>>(out);
#endif
}
