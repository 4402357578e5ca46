// Each thread divides the same argument, by another number.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  racy
__global__ void k(unsigned *p, unsigned z) {
  p[z % (threadIdx.x + 1)] = threadIdx.x; // expect 0: race on 'p'
}
