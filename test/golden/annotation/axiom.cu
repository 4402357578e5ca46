// Axioms hold of each thread of each kernel of the file, and the report says so.
//
// args:     --blockDim=64
// verdict:  verified, verified
// bug 1:    racy, racy          no axiom

#if BUG != 1
__axiom(gridDim.x == 1);
#endif
__axiom(threadIdx.x < blockDim.x);

__global__ void k(int *a) { a[threadIdx.x] = blockIdx.x; } // expect 1: race

__global__ void l(int *a) {
  a[threadIdx.x] = blockIdx.x; // expect 1: race
}
