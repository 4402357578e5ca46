// Lock step of sixteen threads, not of thirty-two.
//
// args:     --blockDim=64 --gridDim=1 --warp-sync=16
// verdict:  verified
// bug 1:    racy       reaches over the border of the sixteen
// bug 2:    racy       a ring of thirty-two

__global__ void exchange(const int *in, int *out) {
  __shared__ int cell[64];
  int t = threadIdx.x;
  cell[t] = in[t];
#if BUG == 1
  out[t] = cell[t ^ 16]; // expect 1: read-write race on 'cell'
#elif BUG == 2
  out[t] = cell[(t & 32) + (t + 1) % 32]; // expect 2: read-write race on 'cell'
#else
  out[t] = cell[(t & 48) + (t + 1) % 16];
#endif
}
