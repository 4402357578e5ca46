// Rows are reached through a table of pointers in memory, which may be equal.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  unknown

__global__ void rows(int **row) {
  row[threadIdx.x][0] = threadIdx.x; // expect 0: pointer
}
