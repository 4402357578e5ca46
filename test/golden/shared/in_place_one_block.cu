// Smooths a vector in place: all reads of the block, a barrier, all writes.
//
// args:     --blockDim=256 --gridDim=1
// verdict:  verified
// bug 1:    racy       no barrier between reading and writing

__global__ void smooth(int *a) {
  int i = threadIdx.x + 1;
  int mean = (a[i - 1] + a[i + 1]) / 2; // expect 1: read-write race on 'a'
#if BUG != 1
  __syncthreads();
#endif
  a[i] = mean;
}
