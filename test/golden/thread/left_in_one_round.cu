// Threads in lock step leave a loop around a barrier in one round: what one
// does behind the loop never meets what another does in a later round.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified
// bug 1:    racy, verified      stores in its neighbour's cell
// bug 2:    verified, racy      the same, behind the loop

__global__ void until_nobody(int *in, int *out) {
  __shared__ int cells[64];
  int t = threadIdx.x, i = 0;
  do {
    cells[BUG == 1 ? t / 2 : t] = t; // expect 1: race on 'cells'
    i++;
  } while (__syncthreads_or(in[i * 64 + t]));
  out[t] = cells[63 - t]; // allow 1: race on 'cells'
  in[t] = i;
}

__global__ void by_warps(const int *in) {
  __shared__ int cells[2][128];
  int t = threadIdx.x, more = in[t / 32];
  unsigned i;
  for (i = 0; i < 64; i++) {
    if (i % 2 == 0)
      __syncwarp();
    if (!more)
      break;
    if (i % 2 == 1)
      __syncwarp();
    more = in[2 * i + t / 32];
  }
  cells[t / 32][t % 32 / (BUG == 2 ? 2 : 1) + i] = t; // expect 2: race
}
