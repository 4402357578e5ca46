// Two numbers of one size overlap without beginning at one byte.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       it reaches into what is the next thread's

__global__ void halves(char *bytes) {
  int t = threadIdx.x;
  *(int *)(bytes + 8 * t) = t; // expect 1: write-write race on 'bytes'
  *(int *)(bytes + 8 * t + (BUG ? 6 : 4)) = t;
}
