// Before the first barrier of a loop all are in its first round.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified
// bug 1:    racy, verified    also in the first round
// bug 2:    verified, racy    also in later rounds

__global__ void written_before(int *out, int n) {
  __shared__ int cell[64];
  int t = threadIdx.x, sum = 0;
  cell[t] = t; // expect 1: race on 'cell'
  for (int k = 0; k < n; k++) {
    if (k > 0 || BUG == 1)
      sum += cell[63 - t]; // allow 1: race on 'cell'
    __syncthreads();
  }
  out[t] = sum;
}

__global__ void written_at_first(int *out, int n) {
  __shared__ int cell[64];
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < n; k++) {
    if (k > 0)
      sum += cell[63 - t]; // expect 2: race on 'cell'
    if (k == 0 || BUG == 2)
      cell[t] = t; // allow 2: race on 'cell'
    __syncthreads();
  }
  out[t] = sum;
}
