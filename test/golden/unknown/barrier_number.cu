// Threads name different barriers, so they do not wait for each other.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  unknown

__global__ void swap(int *out) {
  __shared__ int cell[64];
  int t = threadIdx.x;
  cell[t] = t;
  __barrier_sync(t & 1); // expect 0: barrier
  out[t] = cell[t ^ 1];
}
