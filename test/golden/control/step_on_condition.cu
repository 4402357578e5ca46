// A place that only some threads move on, each time, and the others never.
//
// args:     --blockDim=1024
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, termination
// bug 1:    racy     all move once, to one place
// bug 2:    racy     it moves on by too little

__global__ void rows(float *out, const float *in, int n) {
  int lane = threadIdx.x % 16, row = threadIdx.x / 16;
  int at = row + blockIdx.x * 4 * 64;
  for (int i = 0; i < 4; i++) {
    if (lane == 0 && (BUG != 1 || i >= 2))
      out[at] = in[i * n + row]; // expect 1,2: race on 'out'
    if (BUG == 1 ? i == 1 : lane == 0)
      at += BUG == 1 ? -row : BUG == 2 ? 32 : 64;
  }
}
