// Where races between blocks are not looked for, another block may still
// write what threads of this one read one after the other.
//
// args:     --blockDim=64 --gridDim=4 --only-intra-group
// verdict:  verified
// bug 1:    divergent  some threads see the flag that another block sets

__global__ void flag(int *out) {
#if BUG == 1
  if (out[64] != 0)
#endif
    __syncthreads(); // expect 1: barrier
  __syncthreads();
  if (threadIdx.x == 0)
    out[64] = 1;
}
