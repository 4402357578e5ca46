// What a store leaves that is made or not is one of two things.
//
// technique: barriers
// verdict:  verified
// bug 1:    unknown    and then it is an index
// bug 2:    unknown    the index is another one, and the values perhaps alike

__global__ void __launch_bounds__(64) indices(const int *in, int *out) {
  __shared__ int to[64], cell[64], extra[64];
  int t = threadIdx.x;
  to[t] = BUG == 2 ? t / 2 : 63 - t;
  extra[t] = t;
  if (in[t] > 3) // expect 2: the branch depends on data
    extra[t] = out[t];
#if BUG == 1
  if (in[t] > 5)
    to[t] = t;
#endif
  __syncthreads();
  cell[to[t]] = extra[t]; // expect 1: shared
  __syncthreads();
  out[t] = cell[t];
}
