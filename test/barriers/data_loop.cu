// Loops of as many rounds as the data say, a search that ends when it finds
// something, and a branch in a branch.
//
// technique: barriers
// verdict:  verified
// bug 1:    unknown    in each round it is the next cell
// bug 2:    unknown    in the search, all threads write one cell
// bug 3:    unknown    the innermost branch writes the neighbour's cell

__global__ void __launch_bounds__(64) rounds(const int *in, int *out) {
  __shared__ int cell[128], hits[64];
  int t = threadIdx.x;
  volatile int *mine = cell;
  int at = t;
  hits[t] = 0;
  for (int x = in[t]; x > 1; x = out[x]) {
    mine[at] = x; // expect 1: depends on
#if BUG == 1
    at++;
#endif
  }
  for (int i = 0; i < 5; i++) {
    mine[t] = i;
    if (in[t + i] == 7)
      break;
    hits[BUG == 2 ? i : t] = i; // expect 2: may race
  }
  if (out[t]) {
    mine[t] = 1;
    if (in[t + 100]) {
      for (int i = 0; i < 3; i++)
        mine[t + (BUG == 3 && i == 2)] = in[i]; // expect 3: may race
    }
  }
  __syncthreads();
  out[t] = cell[63 - t] + hits[63 - t];
}
