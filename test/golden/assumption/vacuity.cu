// Of no thread at all everything is true: preconditions that contradict each
// other get a verdict of their own.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  vacuous
// bug 1:    racy       the preconditions are fine, the index is not

__global__ void stamp(int *out, int n) {
  __requires(n > 10);
#if BUG != 1
  __requires(n < 5);
#endif
  out[n] = threadIdx.x; // expect 1: write-write race on 'out'
}
