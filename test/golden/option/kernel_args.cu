// A pitch given on the command line.
//
// args:     --blockDim=[8,8] --gridDim=1 --kernel-args=fill,8
// verdict:  verified
// bug 1:    racy       a pitch one too small

extern "C" __global__ void fill(int *out, int pitch) {
  int x = threadIdx.x, y = threadIdx.y;
#if BUG == 1
  out[y * (pitch - 1) + x] = y; // expect 1: write-write race on 'out'
#else
  out[y * pitch + x] = y;
#endif
}
