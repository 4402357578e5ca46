// Device functions with pointers and references as arguments.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the reference is one to the neighbour's cell

__device__ void step(int &cell, const int *other) {
  cell = *other + 1; // expect 1: write-write race on 'cell'
}

__device__ int *place(int *base, int i) { return base + i; }

__global__ void steps(const int *in, int *out) {
  __shared__ int cell[64];
  int t = threadIdx.x;
  step(cell[t], in + t);
#if BUG == 1
  step(*place(cell, (t + 1) % 64), in + t);
#endif
  __syncthreads();
  step(out[t], place(cell, 63 - t));
}
