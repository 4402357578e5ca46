// What goes wrong is an assertion, which no barrier mends.
//
// args: --blockDim=128 --gridDim=8
// none: there is no place in the source where a change could help

__global__ void wrong_sum(int *out, int n) {
  __assert(n > 3);
  out[blockIdx.x * blockDim.x + threadIdx.x] = n;
}
