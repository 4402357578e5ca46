// Blocks take tiles until none is left; the first thread draws their numbers.
//
// args:     --blockDim=64
// verdict:  verified
// bug 1:    racy       the number is that of the tile before
// bug 2:    racy       the first thread puts a tile back
// bug 3:    racy       tiles overlap
// bug 4:    racy       some threads have the next number already

__global__ void tiles(int *out, int *next, int n) {
  __shared__ int number;
  int last = 0;
  for (;;) {
#if BUG != 4
    __syncthreads();
#endif
    if (threadIdx.x == 0) {
      number = atomicAdd(next, 1); // expect 4: race on 'number'
#if BUG == 2
      if (number < n)
        atomicSub(next, 1);
#endif
    }
    __syncthreads();
    int tile = number;
    if (tile >= n)
      return;
#if BUG == 1
    long at = 64L * last;
#elif BUG == 3
    long at = 63L * tile;
#else
    long at = 64L * tile;
#endif
    out[at + threadIdx.x] = blockIdx.x; // expect 1,2,3: race on 'out'
    last = tile;
  }
}
