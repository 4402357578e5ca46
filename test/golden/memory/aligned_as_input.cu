// How far the input is from the next multiple of 64 bytes says where the wide
// part of a copy begins, of the output, too: so few bits of an address do not
// lead from one array to another one.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// assumes:  launch-limits, no-alias, termination
// bug 1:    racy     the wide part begins one element too early
// bug 2:    unknown  all bits of the address but the last
// bug 3:    unknown  the bits in the middle, which all of them would be parts of
// bug 4:    unknown  variables in shared memory may be that near
// bug 5:    unknown  more bits

__global__ void copy(const int *in, int *out, int n) {
  __shared__ int here[64], there[64];
  int t = threadIdx.x;
  size_t at = (size_t)in;
#if BUG == 2
  long ahead = at & ~(size_t)15;
#elif BUG == 3
  long ahead = (at >> 8) & 63;
#elif BUG == 4
  long ahead = ((size_t)here - (size_t)there) & 63;
  int *moved = (int *)((char *)there + ahead);
  here[t] = t;
  moved[t] = t; // expect 4: a pointer
#elif BUG == 5
  long ahead = at & 0xffff;
#else
  long ahead = ((64 - (at & 63)) & 63) / 4;
#endif
  for (long i = t; i < ahead; i += 64)
    out[i] = t; // expect 1: race on 'out'
  int *wide = out + ahead - (BUG == 1);
#if BUG == 2 || BUG == 3 || BUG == 5
  wide[t] = in[t]; // expect 2,3,5: a pointer
#else
  wide[t] = in[t]; // expect 1: race on 'out'
#endif
}
