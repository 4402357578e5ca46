// An assertion about a value that a loop computes.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    assertion  the last value is one step further

__global__ void sum(int *out) {
  unsigned s = 1;
  for (unsigned i = 0; i < 10; i++)
    s *= 2;
#if BUG == 1
  __assert(s == 512); // expect 1: assertion
#else
  __assert(s == 1024);
#endif
  out[threadIdx.x] = s;
}
