// Each thread searches its own row; all meet again behind the loop.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  a barrier where only those still searching get
// bug 2:    racy       the rows are one cell short

__global__ void search(int *row, int *where, int what) {
  __shared__ int found[64];
  int t = threadIdx.x, place = -1;
#if BUG == 2
  int *mine = row + t * 31;
#else
  int *mine = row + t * 32;
#endif
  for (int i = 0; i < 32; i++) {
    if (mine[i] < 0)
      continue;
    if (mine[i] == what) {
      place = i;
      break;
    }
#if BUG == 1
    __syncthreads(); // expect 1: barrier
#elif BUG == 2
    mine[i] = t; // expect 2: race on 'row'
#endif
  }
  found[t] = place;
  __syncthreads(); // allow 1: barrier
  where[t] = found[63 - t];
}
