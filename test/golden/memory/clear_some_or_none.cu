// One thread clears as many bytes as there are, the others clear none: these
// meet nobody, though they are at the same place.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the others clear one byte

__global__ void clear(char *out, unsigned n) {
#if BUG == 1
  unsigned none = 1;
#else
  unsigned none = 0;
#endif
  __builtin_memset(out, 0, threadIdx.x == 3 ? n : none); // expect 1: race
}
