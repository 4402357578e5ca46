// Lanes that go in step do not race with what they do in other statements: what
// a thread has written its neighbour may have replaced before it is read.  Not
// so where one statement alone writes.
//
// args:     --blockDim=32 --gridDim=1 --warp-sync=32
// verdict:  verified
// bug 1:    racy       the neighbour writes by another statement
// bug 2:    racy       what was read before is not what is read behind the write

__global__ void keep(int *out) {
  __shared__ int place[32];
  int t = threadIdx.x, at = t;
#if BUG == 2
  int before = place[t];
  place[t ^ 1] = 3;
  if (before != place[t])
    at = 1;
#else
  place[t] = t;
#endif
#if BUG == 1
  if (t % 2)
    place[t - 1] = 3;
#endif
  out[BUG == 2 ? at : place[t]] = t; // expect 1,2: write-write race on 'out'
}
