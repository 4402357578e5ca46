// Convolves a signal with a filter kept in constant memory.
//
// args:     --blockDim=128 --gridDim=64
// verdict:  verified
// bug 1:    racy       in place

__constant__ float filter[17];

__global__ void convolve(float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 17; k++)
    if (i + k < n)
      sum += filter[k] * in[i + k]; // expect 1: read-write race on 'in'
#if BUG == 1
  in[i] = sum;
#else
  out[i] = sum;
#endif
}
