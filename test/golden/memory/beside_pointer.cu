// A struct of the thread's own: a loop fills the array in it, and the pointer and
// the numbers beside that are as they were.
//
// args:     --blockDim=64 --gridDim=1 --assume=pure-externals
// verdict:  verified
// bug 1:    unknown    the loop begins one too early, at the pointer
// bug 2:    unknown    it goes one too far, to the number
// bug 3:    unknown    each element is written twice as wide
// bug 4:    unknown    the loop moves the pointer, too
// bug 5:    unknown    somebody is given the struct in the loop
// bug 6:    racy       the places of two threads are one
// bug 7:    unknown    the loop goes too far inside of another loop
// bug 8:    unknown    it goes too far before it asks

struct Segment {
  int *place;
  int part[4];
  unsigned thread;
};

extern "C" __device__ void look(Segment *segment);

__device__ void fill(Segment *segment, int n) {
#if BUG == 8
  unsigned i = 0;
  do
    segment->part[i] = n;
  while (++i < 5);
  return;
#endif
#if BUG == 1
  for (int i = -1; i < 4; i++)
#elif BUG == 2
  for (int i = 0; i < 5; i++)
#elif BUG == 7
  for (int k = 0; k < n; k++)
    for (int i = 0; i <= 4; i++)
#else
  for (int i = 0; i < 4; i++)
#endif
  {
#if BUG == 3
    *(long long *)&segment->part[i] = n;
#else
    segment->part[i] = n;
#endif
#if BUG == 4
    segment->place = segment->place + i;
#elif BUG == 5
    look(segment);
#endif
  }
}

__global__ void segments(int n) {
  __shared__ int all[64];
  Segment segment;
  segment.place = all;
  segment.thread = threadIdx.x / (1 + (BUG == 6));
  fill(&segment, n);
  all[threadIdx.x] = n;
  unsigned thread = segment.thread;
  segment.place[thread] = segment.part[0]; // expect 6: write-write race on 'all'
}
