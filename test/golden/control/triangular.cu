// The inner loop's bound depends on the outer loop and on the thread.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the triangle is not shifted to the thread's rows

__global__ void triangle(int *out) {
  int t = threadIdx.x;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j <= i + t % 4; j++)
#if BUG == 1
      out[t * 8 + i * 16 + j] = t; // expect 1: write-write race on 'out'
#else
      out[(t * 8 + i) * 16 + j] = t;
#endif
}
