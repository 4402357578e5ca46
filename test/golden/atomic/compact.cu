// Keeps the positive elements; a counter hands out the places.
//
// args:     --blockDim=256 --gridDim=32
// verdict:  verified
// bug 1:    racy       the counter is incremented without an atomic
// bug 2:    racy       two elements are stored but one place is taken

__global__ void compact(const int *in, int *out, int *count) {
  int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (value > 0) {
#if BUG == 1
    int place = (*count)++; // expect 1: race on 'count'
#else
    int place = atomicAdd(count, 1);
#endif
    out[place] = value; // allow 1: write-write race on 'out'
#if BUG == 2
    out[place + 1] = -value; // expect 2: write-write race on 'out'
#endif
  }
}
