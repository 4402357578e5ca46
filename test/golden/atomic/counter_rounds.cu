// How often a loop draws numbers is counted, too.
//
// args:     --blockDim=64 --gridDim=16
// verdict:  verified
// bug 1:    racy       65 times 1024 threads and 16 bits
// bug 2:    racy       two places that draw
// bug 3:    racy       a counter of 64 bits at the same cells

__global__ void draw(int *out, unsigned short *next) {
  for (int i = 0; i < (BUG == 1 ? 65 : BUG ? 32 : 64); i++)
    out[__atomic_fetch_add(next, 1, __ATOMIC_RELAXED)] = i; // expect 1,2,3: race on
#if BUG == 2
  for (int i = 0; i < 33; i++)
    out[__atomic_fetch_add(next, 1, __ATOMIC_RELAXED)] = i; // allow 2: race on 'out'
#elif BUG == 3
  atomicAdd((unsigned long long *)next, 1ull); // allow 3: race on 'next'
#endif
}
