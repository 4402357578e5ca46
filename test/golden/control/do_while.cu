// Halves a distance until it is zero, at least once.
//
// args:     --blockDim=128 --gridDim=1
// verdict:  verified
// bug 1:    racy       the barrier comes before the loop, not into it

__global__ void spread(int *data) {
  __shared__ int cell[128];
  unsigned t = threadIdx.x, distance = 64;
  cell[t] = data[t];
  __syncthreads();
  do {
    if (t < distance)
      cell[t] ^= cell[t + distance]; // expect 1: read-write race on 'cell'
#if BUG != 1
    __syncthreads();
#endif
    distance /= 2;
  } while (distance);
  data[t] = cell[t];
}
