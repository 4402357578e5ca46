// Each thread clears and fills eight consecutive elements of its own.
//
// args:     --blockDim=64 --gridDim=4
// verdict:  verified
// bug 1:    racy       one element too many

__global__ void fill(int *out) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
#if BUG == 1
  int last = first + 8;
#else
  int last = first + 7;
#endif
  for (int i = first; i <= last; i++)
    out[i] = first; // expect 1: write-write race on 'out'
}
