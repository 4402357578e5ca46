// What a loop fills is used again behind a loop of so many rounds with barriers.
//
// args:     --blockDim=16,16 --gridDim=1
// verdict:  verified
// bug 1:    racy       an argument may say that there are no rounds
// bug 2:    racy       the loop ends where it begins
// bug 3:    racy       what is behind the last barrier is not over
// bug 4:    racy       in the one round the barrier is left out
// bug 5:    racy       the loop that fills comes behind the rounds

__global__ void rounds(const float *in, float *out, int n) {
  __shared__ float tile[256], part[256];
  int x = threadIdx.x, y = threadIdx.y, i = 16 * y + x;
  float sum = 0;
  if (y < 8 && BUG != 5)
    for (int column = x; column < 32; column += 16)
      tile[32 * y + column] = in[column]; // expect 1,2,4: race on 'tile'
  for (int p = BUG == 2 ? 64 : 0; p < (BUG == 1 ? n : BUG == 4 ? 16 : 64); p += 16) {
    for (int k = x; k < 16; k += 16)
      part[16 * y + k] = in[p + k];
    if (BUG != 4 || p)
      __syncthreads();
    sum += part[16 * x + y] * tile[16 * x + y]; // expect 3,4: race on 'part'
#if BUG != 3
    if (BUG != 4 || p)
      __syncthreads();
#endif
  }
  if (y < 8 && BUG == 5)
    for (int column = x; column < 32; column += 16)
      tile[32 * y + column] = in[column];
  tile[16 * x + y] = sum; // expect 5: race on 'tile'
  __syncthreads();
  out[i] = tile[i];
}
