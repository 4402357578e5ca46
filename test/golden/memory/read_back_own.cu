// Variables of the thread's own that stay in memory: they are volatile, or at an
// index that is computed, or pointers.
//
// args:     --blockDim=64 --gridDim=1 --assume=pure-externals
// verdict:  verified
// bug 1:    racy       some element is written, perhaps that one
// bug 2:    racy       a byte of it is
// bug 3:    racy       somebody is given a pointer to it
// bug 4:    racy       ... in a loop
// bug 5:    racy       it is cleared
// bug 6:    racy       another element is read
// bug 7:    racy       the pointer to the other array may be to the same one
// bug 8:    racy       the bytes are not as they were
// bug 9:    racy       an element behind those that were cleared
// bug 10:   racy       more than the element is written at once
// bug 11:   racy       the write is not at an element, but may be
// bug 12:   racy       nobody knows how much is cleared
// bug 13:   racy       the other part of a vector is read
// bug 14:   racy       only half of what is read was cleared

typedef int two __attribute__((ext_vector_type(2)));

extern "C" __device__ void look(int *where);

__global__ void keep(int *out, int n, unsigned rounds, int *other) {
  volatile int place[4];
  volatile two both = {(int)threadIdx.x, n};
  int t = ((volatile int *)&both)[BUG == 13];
  *(volatile long long *)place = (long long)threadIdx.x << 32;
  place[2] = place[3] = n;
#if BUG == 1
  place[n & 3] = 3;
#elif BUG == 2
  ((volatile char *)place)[4 + (n & 3)] = 3;
#elif BUG == 3
  look((int *)place);
#elif BUG == 4
  for (unsigned i = 0; i < rounds; i++) {
    out[64 * i + place[1]] = t; // expect 4: write-write race on 'out'
    look((int *)place);
  }
#elif BUG == 5
  memset((void *)place, 0, sizeof place);
#elif BUG == 10
  place[1] = t;
  *(volatile long long *)place = n;
#elif BUG == 11
  *(volatile int *)((volatile char *)place + (n & 7)) = t;
#elif BUG == 12
  memset((void *)place, 0, n & 15);
#endif
#if BUG == 6
  int at = place[n & 1];
#else
  int at = place[1];
#endif
  unsigned char bytes[9];
  bytes[8] = t & 1;
  memset(bytes, 0, BUG == 9 ? 7 : 8);
#if BUG == 14
  at -= *(unsigned short *)(bytes + 7) >> 8;
#endif
#if BUG == 8
  bytes[n & 3] = t & 1;
#endif
  int *half[2] = {out, other};
#if BUG == 7
  half[n & 1] = out;
#endif
  half[0][at] = threadIdx.x; // expect 1,2,3,4,5,6,10,11,12,14: write-write race on 'out'
  half[1][63 - t - bytes[n & 7]] = threadIdx.x; // expect 7,8,9,13: write-write race
}
