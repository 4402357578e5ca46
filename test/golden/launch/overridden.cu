// An option that gives a size takes the host's facts about it away.
//
// args:     --gridDim=8 --blockDim=64
// verdict:  verified
// bug 1:    racy       the launch that the option does not mean would be right

__global__ void fill(int *out, int length) {
#if BUG == 1
  bool is_good = length / 64 == gridDim.x;
#else
  bool is_good = true;
#endif
  out[is_good ? blockIdx.x * 64 + threadIdx.x : 0] = threadIdx.x; // expect 1: write-write race on 'out'
}

void launch(int *out, int length) { fill<<<length / 64, 64>>>(out, length); }
