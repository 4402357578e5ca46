// Both accesses are of one statement, and only their order could be mended.
//
// args: --blockDim=128 --gridDim=8
// none: there is no place in the source where a change could help

__global__ void same_statement(int *out) {
  __shared__ float tile[129];
  tile[threadIdx.x] = tile[threadIdx.x + 1];
}
