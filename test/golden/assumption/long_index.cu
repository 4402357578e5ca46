// A counter of 64 bits that goes by large steps does not wrap if it is an index:
// if each round accesses a place that it makes larger.
//
// args:     --blockDim=256 --gridDim=1
// verdict:  verified
// bug 1:    racy       another counter takes away what it adds
// bug 2:    racy       the access may be of no bytes
// bug 3:    racy       the access is an assertion's
// bug 4:    racy       the access is behind the loop
// bug 5:    racy       the offset comes round, and goes down
// bug 6:    racy       what is added is another number in each round
// bug 7:    racy       so is what is read

#include <gpuverify.h>

__global__ void turn(int *out, const char *in, unsigned n,
                     unsigned long long start, unsigned long long bytes,
                     const unsigned long long *more) {
  unsigned long long phase = 0, back = 0;
  char own[16];
#if BUG == 1
  for (unsigned k = 0; k < n; k++, phase += 1ull << 47, back += 1ull << 47)
    if (in[phase - back] < 0)
      return;
#elif BUG == 2
  for (unsigned k = 0; k < n; k++, phase += 1ull << 47)
    __builtin_memcpy(own, in + phase, bytes);
#elif BUG == 3
  for (unsigned k = 0; k < n; k++, phase += 1ull << 47)
    __assert(in[phase] <= 127);
#elif BUG == 4
  for (unsigned k = 0; k < n; k++)
    phase += 1ull << 47;
  back = in[phase];
#elif BUG == 5
  for (unsigned k = 0; k < n; k++, phase += (1ull << 48) - 1)
    if (in[start + (phase << 16)] < 0)
      return;
#elif BUG == 6
  for (unsigned k = 0; k < n; k++, phase += 1ull << 47)
    if (in[phase + start * k] < 0)
      return;
#elif BUG == 7
  for (unsigned k = 0; k < n; k++, phase += 1ull << 47)
    if (in[phase + more[k]] < 0)
      return;
#else
  for (unsigned k = 0; k < n; k++, phase += 1ull << 47)
    if (in[phase + start + k] < 0)
      return;
#endif
  if ((long long)phase < 0)
    out[0] = threadIdx.x; // expect 1,2,3,4,5,6,7: race on 'out'
  if (n == 0xffffffff && own[0] == 7 && back == 5)
    out[1] = 7;
}
