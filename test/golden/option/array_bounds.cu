// Indices stay inside arrays of known size, shared and private, and none is
// before the start of another.
//
// args:     --blockDim=64 --gridDim=1 --check-array-bounds
// verdict:  verified
// bug 1:    out-of-bounds  one past the end of the shared array
// bug 2:    out-of-bounds  one before the start of it
// bug 3:    out-of-bounds  one past the end of the private array
// bug 4:    out-of-bounds  one before the start of an argument's array

__global__ void walk(const int *in, int *out, int n) {
  __shared__ int cell[64];
  int mine[4] = {0, 0, 0, 0};
  int t = threadIdx.x;
  cell[t] = in[t];
  __syncthreads();
#if BUG == 1
  out[t] = cell[t + 1]; // expect 1: out-of-bounds access of 'cell'
#elif BUG == 2
  out[t] = cell[t - 1]; // expect 2: out-of-bounds access of 'cell'
#elif BUG == 4
  out[t - 1] = cell[t]; // expect 4: out-of-bounds access of 'out'
#else
  out[t] = cell[63 - t];
#endif
#if BUG == 3
  if (n >= 0 && n <= 4)
#else
  if (n >= 0 && n < 4)
#endif
    mine[n] = t; // expect 3: out-of-bounds access of 'mine'
  out[t + 64] = mine[0];
}
