// Accesses that an optimiser drops or merges race, too.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       reads what nobody uses
// bug 2:    racy       stores what it has just read
// bug 3:    racy       stores twice, the second time over the first

__global__ void __launch_bounds__(64) keep(int *out) {
  __shared__ int cell[64];
  int own = threadIdx.x, next = (threadIdx.x + 1) % 64;
  cell[own] = 0; // expect 1: read-write race in shared memory
#if BUG == 1
  int unused = cell[next];
  (void)unused;
#elif BUG == 2
  cell[next] = cell[next]; // expect 2: race in shared memory
#elif BUG == 3
  cell[next] = own; // expect 3: write-write race in shared memory
  cell[next] = 1;   // allow 3: race in shared memory
#endif
  out[own] = own;
}
