// A table of pointers that is no constant: the file says what it holds from the
// start, and no code of the file changes it.
//
// args:     --blockDim=32 --gridDim=2
// verdict:  verified
// assumes:  no-alias, launch-limits, termination
// bug 1:    racy       both entries are one array
// bug 2:    racy       the kernel changes the table while others read it
// bug 3:    verified, unknown    another kernel changes it

__device__ float even[64], odd[64];
__device__ float *turns[2] = {even, BUG == 1 ? even : odd};

#if BUG == 3
__global__ void change(float *other) { turns[0] = other; }
#endif

__global__ void in_turn(int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
#if BUG == 2
  turns[n & 1] = even; // expect 2: read-write race
#endif
  for (int j = 0; j < n; j++) {
    float *row = turns[j & 1];
    row[i] = turns[(j + (BUG == 1)) & 1][i ^ (BUG == 1)] + 1; // expect 1,2,3: r
  }
}
