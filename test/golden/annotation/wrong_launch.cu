// A precondition that no thread of this launch satisfies.
//
// args:     --blockDim=64 --gridDim=8
// verdict:  vacuous

__global__ void fill(int *out) {
  __requires(blockDim.x == 128);
  out[0] = threadIdx.x;
}
