// Atomics of one size at the same place are atomic with respect to each other;
// of PTX's model those of two sizes are not.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    racy       words and double words
// bug 2:    racy       a compare and swap of 16 bits in a word that is added to
// bug 3:    racy       an atomic store of a byte of the word

__global__ void add(unsigned *p) {
  if (threadIdx.x & 1)
    atomicAdd(&p[threadIdx.x & 3], 1); // expect 1,2,3: race on 'p'
#if BUG == 1
  else
    atomicAdd((unsigned long long *)p, 1ull);
#elif BUG == 2
  else
    atomicCAS((unsigned short *)p + 3, (unsigned short)0, (unsigned short)1);
#elif BUG == 3
  else
    __atomic_store_n((unsigned char *)p + 5, 1, __ATOMIC_RELAXED);
#else
  else
    atomicExch(&p[threadIdx.x & 2], 1);
#endif
}
