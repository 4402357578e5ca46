// A pointer in memory that is another one behind a barrier: what is read there
// is not what was read before.
//
// args:     --blockDim=64 --gridDim=1 --ladder=pointers-apart
// verdict:  unknown
// bug 1:    verified    only other bytes are written

struct Steps {
  const int *now, *next;
  int count;
};

__global__ void turn(Steps *steps, int *out, int rounds) {
  int i = threadIdx.x;
  int before = steps->now[0];
  for (int k = 0; k < rounds; k++) {
    int after = steps->now[0];
    out[before == after ? i : i + i % 2] = i;
    before = after;
    __syncthreads();
    if (i == 0)
#if BUG == 1
      steps->count = 1;
#else
      steps->now = steps->next;
#endif
    __syncthreads();
  }
}
