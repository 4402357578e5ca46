// Sorts 256 numbers by a bitonic network in shared memory.
//
// args:     --blockDim=256 --gridDim=2
// verdict:  verified
// bug 1:    racy       no barrier between the steps
// bug 2:    racy       both partners exchange

__global__ void sort(int *data) {
  __shared__ int cell[256];
  unsigned t = threadIdx.x;
  cell[t] = data[blockIdx.x * 256 + t];
  __syncthreads();
  for (unsigned k = 2; k <= 256; k *= 2) {
    for (unsigned j = k / 2; j > 0; j /= 2) {
      unsigned partner = t ^ j;
#if BUG != 2
      if (partner > t)
#endif
      {
        int mine = cell[t], other = cell[partner]; // expect 1,2: race on
        if ((t & k) == 0 ? mine > other : mine < other) {
          cell[t] = other;      // allow 1,2: race on 'cell'
          cell[partner] = mine; // allow 1,2: race on 'cell'
        }
      }
#if BUG != 1
      __syncthreads();
#endif
    }
  }
  data[blockIdx.x * 256 + t] = cell[t];
}
