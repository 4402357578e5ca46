// Each thread owns `chunk` consecutive elements.
//
// args:     --blockDim=64 --gridDim=16 --strict
// verdict:  verified
// bug 1:    racy       chunks overlap by one
// bug 2:    racy       any chunk length: t * chunk wraps

__global__ void fill(int *out, int chunk) {
#if BUG != 2
  __requires(chunk <= 100000);
#endif
  int t = blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 1
  int length = chunk + 1;
#else
  int length = chunk;
#endif
  for (int k = 0; k < length; k++)
    out[t * chunk + k] = t; // expect 1,2: race on 'out'
}
