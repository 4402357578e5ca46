// Pointers to shared memory that the host passes, as numbers, may be one.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// assumes:  launch-limits, no-alias
// bug 1:    racy  both are one by the code

typedef __attribute__((address_space(3))) int SharedInt;

__global__ void swap(SharedInt *to, SharedInt *from) {
#if BUG == 1
  from = to;
#endif
  to[threadIdx.x] = from[threadIdx.x ^ 1]; // expect 1: race on 'to'
}
