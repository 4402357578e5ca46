// What a loop carries, without a closed form, is the same in all threads if it
// starts and goes on so; memory, if all read one cell of a block's memory that
// nobody writes meanwhile.
//
// args:     --blockDim=64 --gridDim=1 --only-divergence
// verdict:  verified
// bug 1:    divergent  it starts with the thread's number
// bug 2:    divergent  the thread's number is added
// bug 3:    divergent  threads read cells of their own
// bug 4:    divergent  the cell is written meanwhile
// bug 5:    divergent  memory of the thread

__global__ void rounds(const int *in, int n) {
  __shared__ int cell[64];
  int t = threadIdx.x, own[2] = {t, t};
#if BUG == 5
  for (int i = 0; i < n; i++)
    own[i & 1] += t;
#endif
  cell[t] = in[t];
  __syncthreads();
#if BUG == 4
  cell[n & 63] = t;
#endif
#if BUG == 5
  if (own[n & 1] > 7)
#else
  if (cell[BUG == 3 ? t : 7] > 7)
#endif
    __syncthreads(); // expect 3,4,5: barrier
  for (int x = BUG == 1 ? t : 1; x < n; x = 3 * x + (BUG == 2 ? t : 1))
    __syncthreads(); // expect 1,2: leave the loop around this barrier
}
