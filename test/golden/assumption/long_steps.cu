// A number of 64 bits that goes up, and what is known of how soon it wraps.
//
// args:     --blockDim=256 --gridDim=1
// verdict:  verified
// bug 1:    racy       an index, but its steps are too long
// bug 2:    racy       it begins near the end
// bug 3:    racy       steps as of a launch, but the loop does not end by it
// bug 4:    racy       what each round accesses is the same place
// bug 5:    racy       it begins at a product, which is near the end
// bug 6:    racy       each round accesses a place, but always that one

__global__ void turn(int *out, const char *in, unsigned n,
                     unsigned long long start) {
  unsigned long long phase = 0;
#if BUG == 0
  for (unsigned k = 0; k < n; k++, phase += 1ull << 47) {
    unsigned j = 0;
    do
      j += in[phase + j];
    while (j < n);
  }
#elif BUG == 1
  for (unsigned k = 0; k < n; k++, phase += 1ull << 50)
    if (in[phase] < 0)
      return;
#elif BUG == 2
  phase = start;
  for (unsigned k = 0; k < n; k++)
    phase++;
#elif BUG == 3
  for (unsigned long long k = 0; k < start; k++)
    phase += 1u << 17;
#elif BUG == 4
  for (unsigned k = 0; k < n; k++, phase += 1ull << 47)
    if (in[phase << 17] < 0)
      return;
#elif BUG == 5
  phase = n * 0x80000000ull;
  for (unsigned k = 0; k < n; k++)
    phase++;
#elif BUG == 6
  for (unsigned k = 0; k < n; k++, phase += 1ull << 47)
    if (in[n] < 0)
      return;
#endif
  if ((long long)phase < 0)
    out[0] = threadIdx.x; // expect 1,2,3,4,5,6: race on 'out'
}
