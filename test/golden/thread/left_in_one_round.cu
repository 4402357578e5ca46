// Threads in lock step leave a loop around a barrier in one round: what one
// does behind the loop never meets what another does in a later round.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified, verified
// bug 1:    racy, verified, verified  stores in its neighbour's cell
// bug 2:    verified, racy, verified  the same, behind the loop
// bug 3:    verified, verified, racy  no barrier before the rounds begin anew

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

__global__ void again_and_again(int *in, int *out, int n) {
  __shared__ int cells[64];
  int t = threadIdx.x, sum = 0;
  cells[t] = t;
  __syncthreads();
  for (int k = 0; k < n; k++) {
    int i = 0;
    sum += cells[63 - t]; // expect 3: race on 'cells'
    if (BUG != 3)
      __syncthreads();
    do {
      cells[t] = i++;
    } while (__syncthreads_or(in[i * 64 + t]));
  }
  out[t] = sum;
  in[t] = sum;
}
