// The pointers come in a struct, and so does how many elements there are.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       without the barrier
// bug 2:    racy       a pointer in the struct becomes one to a cell

struct Vectors {
  const int *x;
  int *y;
  int count;
};

__global__ void __launch_bounds__(64) copy(Vectors v) {
  __shared__ int cell[64];
  int i = threadIdx.x;
  cell[i] = i; // expect 1: race in shared memory
#if BUG != 1
  __syncthreads();
#endif
  int other = cell[63 - i];
#if BUG == 2
  v.y = cell;
  v.y[i] = other; // expect 2: race in shared memory
#else
  if (i < v.count)
    v.y[i] = v.x[other];
#endif
}
