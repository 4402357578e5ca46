// Every access of the source counts, also one that an optimiser would delete.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the value is overwritten at once
// bug 2:    racy       the value is not used

__global__ void fill(int *out) {
  __shared__ int cell[64];
  int t = threadIdx.x;
#if BUG == 1
  cell[0] = t; // expect 1: write-write race on 'cell'
  cell[0] = 1; // allow 1: race on 'cell'
#endif
  cell[t] = t; // allow 1: race on 'cell'
#if BUG == 2
  int unused = cell[t ^ 1]; // expect 2: read-write race on 'cell'
#endif
  out[t] = t;
}
