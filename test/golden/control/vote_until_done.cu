// Repeats until no thread has changed anything: __syncthreads_or gives all the
// same answer and is a barrier.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  each thread repeats until it is done itself
// bug 2:    racy       one barrier too few a round

__global__ void relax(int *data) {
  __shared__ int cell[64];
  int t = threadIdx.x, changed;
  cell[t] = data[t];
  __syncthreads();
  do {
    int left = cell[t ? t - 1 : 0]; // expect 2: read-write race on 'cell'
#if BUG == 1
    changed = left > data[t];
    __syncthreads(); // expect 1: barrier
#else
    changed = left > cell[t];
#if BUG != 2
    __syncthreads();
#endif
    if (changed)
      cell[t] = left;
    changed = __syncthreads_or(changed);
#endif
  } while (changed);
  data[t] = cell[t];
}
