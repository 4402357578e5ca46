// volatile makes no order between threads: what a volatile flag is to guard races
// like anything else.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       trusts in a volatile flag
// bug 2:    racy       ... and in lock step
// bug 3:    racy       reads as volatile what is written as usual

__global__ void shift(const int *in, int *out) {
  __shared__ int cell[64];
  __shared__ volatile int flag[64];
  int t = threadIdx.x;
  cell[t] = in[t]; // expect 1,2,3: read-write race on 'cell'
#if BUG == 0
  __syncthreads();
#elif BUG == 1
  flag[t] = 1;
  while (!flag[(t + 1) % 64])
    ;
#elif BUG == 2
  flag[t] = t;
#endif
#if BUG == 3
  out[t] = ((volatile int *)cell)[(t + 1) % 64];
#else
  out[t] = cell[(t + 1) % 64];
#endif
}
