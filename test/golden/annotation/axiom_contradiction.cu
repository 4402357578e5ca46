// An axiom that no thread of the launch satisfies proves nothing.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  vacuous

__axiom(blockIdx.y == 3);

__global__ void k(int *a) { a[0] = threadIdx.x; }
