// Lanes that go in step do not race with what they do in other statements: what
// a thread has written its neighbour may have replaced before it is read.
//
// args:     --blockDim=32 --gridDim=1 --warp-sync=32
// verdict:  verified
// bug 1:    racy       what decides is read from the cell

__global__ void keep(int *out) {
  __shared__ int place[32];
  int t = threadIdx.x, at = t;
  place[t] = t;
  if (t % 2)
    place[t - 1] = 3;
#if BUG == 1
  at = place[t];
#endif
  out[at] = t; // expect 1: write-write race on 'out'
}
