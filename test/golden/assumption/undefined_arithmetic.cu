// A shift by 32 or more gives 0, as on the GPU, so all threads meet there.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       nothing bounds the shift

__global__ void spread(int *out, unsigned by) {
#if BUG != 1
  __requires(by < 20);
#endif
  out[threadIdx.x << by] = threadIdx.x; // expect 1: write-write race on 'out'
}
