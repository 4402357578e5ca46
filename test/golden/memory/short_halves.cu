// Two threads fill the two halves of an int as shorts.
//
// args:     --blockDim=64 --gridDim=4
// verdict:  verified
// bug 1:    racy       stores an int through a pointer to a short

__global__ void halves(int *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  short *half = (short *)out + i;
#if BUG == 1
  if (i % 2 == 0)
    *(int *)half = i; // expect 1: write-write race on 'out'
  else
#endif
    *half = i;
}
