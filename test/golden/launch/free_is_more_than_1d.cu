// Without any size the block may be two-dimensional, too; the index has to
// take that into account.
//
// verdict:  verified
// bug 1:    racy       forgets the rows

extern __shared__ int cell[];

__global__ void number_rows() {
  unsigned rank =
      (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
#if BUG == 1
  rank = threadIdx.x;
#endif
  cell[rank] = threadIdx.y; // expect 1: write-write race on 'cell'
}
