// What decides about the barriers of a round is the same for all threads.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified, verified, verified
// bug 1:    racy, verified, verified, verified    written after the round's last barrier
// bug 2:    verified, racy, verified, verified    written where there was no barrier
// bug 3:    verified, verified, racy, verified    read at the end of a round
// bug 4:    verified, verified, verified, racy    read without the barrier, too

// Rounds with barriers and rounds without any.
__global__ void now_and_then(int *out, const int *in, int n) {
  __shared__ int cell[64];
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < n; k++) {
    cell[t] = k; // expect 1: race on 'cell'
    if (in[k]) {
      __syncthreads();
      sum += cell[63 - t];
#if BUG != 1
      __syncthreads();
#endif
    }
  }
  out[t] = sum;
}

// The barrier is behind one condition, and what it orders behind another.
__global__ void asked_twice(const int *in, int n) {
  __shared__ int cell[64];
  int t = threadIdx.x;
  for (int k = 0; k < n; k++) {
    if (in[k])
      __syncthreads();
#if BUG != 2
    if (in[k])
#endif
      cell[t + k & 63] = t; // expect 2: race on 'cell'
  }
}

// What is read after a barrier decides about another round.
__global__ void until_read(int *out) {
  __shared__ int cell[64], more;
  int t = threadIdx.x, again;
  do {
    cell[t] = t; // allow 3: race on 'cell'
    __syncthreads();
    if (t == 0)
      more = cell[5];
    __syncthreads();
    again = more;
    __syncthreads();
#if BUG == 3
    out[t] = cell[63 - t]; // expect 3: race on 'cell'
#endif
  } while (again);
  out[t] = cell[63 - t];
}

// The same without rounds, but for those of what follows.
__global__ void asked_before_a_loop(int *out, int n) {
  __shared__ int cell[64];
  int t = threadIdx.x, sum = 0;
  cell[t] = t; // allow 4: race on 'cell'
  if (n > 3)
    __syncthreads();
  if (n > (BUG == 4 ? 2 : 3))
    for (int j = 0; j < 64; j++)
      sum += cell[j]; // expect 4: race on 'cell'
  out[t] = sum;
}
