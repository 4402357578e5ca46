// Stores to the left neighbour of a ring; for thread 0 the index wraps around
// below zero, which is right for a ring of 2^k cells.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       a ring of 65 cells does not divide 2^32

__global__ void rotate(int *out) {
#if BUG == 1
  out[(threadIdx.x - 1u) % 65] = threadIdx.x; // expect 1: race on 'out'
#else
  out[(threadIdx.x - 1u) % 64] = threadIdx.x;
#endif
}
