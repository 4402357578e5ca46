// Rotates shared cells as often as an argument says; the barriers are in the
// loop.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  the thread decides how often
// bug 2:    racy       one of the two barriers is missing

__global__ void rotate(int *data, int steps) {
  __shared__ int cell[64];
  int t = threadIdx.x;
  cell[t] = data[t];
#if BUG == 1
  steps += t;
#endif
  for (int i = 0; i < steps; i++) {
    __syncthreads(); // expect 1: barrier
#if BUG != 1
    int next = cell[(t + 1) % 64]; // expect 2: read-write race on 'cell'
#if BUG != 2
    __syncthreads();
#endif
    cell[t] = next;
#endif
  }
  data[t] = cell[t];
}
