// Walsh transform of 256 elements by 128 threads: in the round of stride s
// each takes a pair of cells s apart.
//
// args:     --blockDim=128 --gridDim=4
// verdict:  verified
// bug 1:    racy       no barrier between the rounds
// bug 2:    racy       the low bits of the thread are not masked right

__global__ void walsh(float *data) {
  __shared__ float cell[256];
  int t = threadIdx.x, first = blockIdx.x * 256;
  cell[t] = data[first + t];
  cell[t + 128] = data[first + t + 128];
  for (int stride = 128; stride >= 1; stride >>= 1) {
#if BUG != 1
    __syncthreads();
#endif
#if BUG == 2
    int low = t & stride;
#else
    int low = t & (stride - 1);
#endif
    int i0 = ((t - low) << 1) + low, i1 = i0 + stride;
    float a = cell[i0], b = cell[i1]; // expect 1,2: race on 'cell'
    cell[i0] = a + b;                 // allow 1,2: race on 'cell'
    cell[i1] = a - b;                 // allow 1,2: race on 'cell'
  }
  __syncthreads();
  data[first + t] = cell[t];
  data[first + t + 128] = cell[t + 128];
}
