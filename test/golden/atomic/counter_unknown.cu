// How many numbers are drawn is known in part, or not at all.
//
// args:     --blockDim=1024 --gridDim=32768
// verdict:  verified
// bug 1:    racy       4096 numbers, in a loop that goes on for ever
// bug 2:    racy       2^24 numbers, and 2^25 threads that draw one at least
// bug 3:    racy       what ends the loop is not known
// bug 4:    racy       in which rounds threads draw is not known
// bug 5:    racy       which threads draw is not known

__global__ void draw(int *out, unsigned *count, unsigned n) {
  __shared__ unsigned next;
  __shared__ int place[4096];
  float t = threadIdx.x;
#if BUG == 0
  for (unsigned k = 0; k < n; k++)
    out[atomicAdd(count, 1)] = threadIdx.x;
#elif BUG == 1
  for (unsigned k = 0; k < n; k++)
    place[atomicAdd(&next, 1 << 20) >> 20] = threadIdx.x; // expect 1: write-write race on 'place'
#elif BUG == 2
  for (unsigned k = 0; k < n; k++)
    out[atomicAdd(count, 1 << 8) >> 8] = threadIdx.x; // expect 2: write-write race on 'out'
#elif BUG == 3
  unsigned k = 0;
  do
    place[atomicAdd(&next, 1 << 22) >> 22] = threadIdx.x; // expect 3: write-write race on 'place'
  while (sinf((float)k++) < 2);
#elif BUG == 4
  for (unsigned k = 0; k < 100; k++)
    if (sinf((float)k) < 2)
      place[atomicAdd(&next, 1 << 22) >> 22] = threadIdx.x; // expect 4: write-write race on 'place'
#elif BUG == 5
  if (sinf(t) < 2)
    place[atomicAdd(&next, 1 << 24) >> 24] = threadIdx.x; // expect 5: write-write race on 'place'
#endif
}
