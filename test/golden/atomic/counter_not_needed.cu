// Everybody takes a number, and has a cell of his own anyway: the proof does not
// rest upon the numbers.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// assumes:  launch-limits, no-alias
// bug 1:    racy       two share a cell

__global__ void number(unsigned *out, unsigned *count) {
  unsigned mine = atomicAdd(count, 1), t = threadIdx.x;
  out[BUG == 1 ? t / 2 : t] = mine; // expect 1: write-write race on 'out'
}
