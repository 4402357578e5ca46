// Permutes 64 cells by multiplying with an odd number modulo a power of two.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       an even number hits half of the cells twice

__global__ void permute(int *out) {
#if BUG == 1
  out[threadIdx.x * 6 & 63] = threadIdx.x; // expect 1: race on 'out'
#else
  out[threadIdx.x * 5 & 63] = threadIdx.x;
#endif
}
