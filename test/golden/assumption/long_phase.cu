// A number of 64 bits that goes up by large steps and is no index wraps soon.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       2^16 rounds are enough
// bug 2:    racy       though the loop ends by it
// bug 3:    racy       steps that somebody passes
// bug 4:    racy       an index of something in some rounds only
// bug 5:    racy       an index, but of a few of its bits

__global__ void turn(int *out, const int *in, int n, unsigned long long end,
                     unsigned large) {
  unsigned long long phase = 0;
#if BUG == 0
  for (unsigned long long i = threadIdx.x; i < end; i += 1ull << 20)
    phase += in[i] & 1;
  for (int i = 0; i < n; i++)
    phase += 3;
#elif BUG == 1
  for (int i = 0; i < n; i++)
    phase += 1ull << 47;
#elif BUG == 2
  for (; phase < end; phase += 1ull << 47)
    if ((long long)phase < 0)
      out[0] = threadIdx.x; // allow 2: race on 'out'
#elif BUG == 3
  for (int i = 0; i < n; i++)
    phase += large * 32768ull;
#elif BUG == 4
  for (int i = 0; i < n; i++, phase += 1ull << 47)
    if (phase < 100)
      out[threadIdx.x + 1] = in[phase];
#elif BUG == 5
  for (int i = 0; i < n; i++, phase += (1ull << 47) + 1)
    out[threadIdx.x + 1] = in[phase & 7];
#endif
  if (BUG && (long long)phase < 0)
    out[0] = threadIdx.x; // expect 1,2,3,4,5: race on 'out'
  if (threadIdx.x == 0)
    out[0] = (int)phase; // allow 1,2,3,4,5: race on 'out'
}
