// A recursive device function cannot be inlined.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  unknown

__device__ int depth(const int *in, int i) {
  if (in[i] <= 0)
    return 0;
  return 1 + depth(in, in[i]);
}

__global__ void measure(const int *in, int *out) {
  out[threadIdx.x] = depth(in, threadIdx.x);
}
