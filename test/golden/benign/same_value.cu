// All threads that find something store the same value: tolerated.
//
// args:     --blockDim=64 --gridDim=4
// verdict:  verified
// bug 1:    racy       they store their number

__global__ void find(const int *in, int *found, int what) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (in[i] == what) {
#if BUG == 1
    found[0] = i; // expect 1: write-write race on 'found'
#else
    found[0] = 1;
#endif
  }
}
