// Volatile accesses are strong in PTX's memory model, and two of one word do not
// race. Each is one scalar, and what is not volatile is none.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    racy       one of them is plain
// bug 2:    racy       one is of two bytes
// bug 3:    racy       an atomic has its own block in its scope only
// bug 4:    racy       nobody knows what a vector of clang's own is made of
// bug 5:    racy       the same value, once written as usual

typedef int Vector __attribute__((ext_vector_type(4)));

__global__ void wait(volatile int *flag, volatile Vector *four, int *once,
                     int *out) {
  int t = threadIdx.x;
  if (t == 0) {
#if BUG == 1
    if (blockIdx.x == 0)
      *(int *)flag = 1; // expect 1: race on 'flag'
#elif BUG == 2
    *(volatile short *)flag = 1; // expect 2: race on 'flag'
#elif BUG == 3
    atomicAdd_block((int *)flag, 1); // expect 3: race on 'flag'
#else
    *flag = blockIdx.x;
#endif
#if BUG == 4
    *four = (int)blockIdx.x; // expect 4: race on 'four'
#elif BUG == 5
    *once = 1; // expect 5: race on 'once'
#endif
  }
#if BUG == 5
  if (t == 1)
    *(volatile int *)once = 1;
#endif
  while (*flag == 0) // allow 1,2,3: race on 'flag'
    ;
  out[blockIdx.x * blockDim.x + t] = *flag; // allow 1,2,3: race on 'flag'
}
