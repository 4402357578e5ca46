// The preconditions contradict each other: nothing is proved.
//
// args:     --blockDim=64 --gridDim=8
// verdict:  vacuous

__global__ void fill(int *out, int n) {
  __requires(n > 10);
  __requires(n < 5);
  out[0] = threadIdx.x;
}
