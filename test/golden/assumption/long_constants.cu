// A counter of 64 bits that is compared with a constant may come to the end of
// the numbers, if that is near it: it is no number of elements.
//
// args:     --blockDim=1024 --gridDim=1024
// verdict:  verified
// bug 1:    racy      a constant near the end

#if BUG == 1
#define MOST 0xfffffffffffffff0
#else
#define MOST 0x0ffffffffffffff0
#endif

__global__ void wait(int *out, const volatile int *stop) {
  unsigned long long thread = blockIdx.x * 1024 + threadIdx.x, i;
  for (i = thread; i < MOST; i += gridDim.x * blockDim.x)
    if (*stop)
      break;
  out[i >> 63 ? 0 : 1 + thread] = 1 + thread; // expect 1: race on 'out'
}
