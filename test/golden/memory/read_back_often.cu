// Who writes a cell while a loop goes round is not forgotten behind it, nor in
// it; where the loop leaves the array alone a thread finds what it wrote.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       thread 5 writes in the loop
// bug 2:    racy       the thread itself does, at the end of it
// bug 3:    racy       the loop before the read writes, and may not be entered
// bug 4:    racy       the inner loop goes on with what the one before left

__global__ void keep(int *out, unsigned rounds, const int *from) {
  __shared__ int place[64];
  int t = threadIdx.x, sum = 0;
  place[t] = t;
  for (unsigned i = 0; i < rounds; i++) {
    for (unsigned j = 0; from[j] > 0; j++) {
      sum += place[t];
#if BUG == 4
      place[t] = 3;
#endif
    }
#if BUG == 1
    out[64 * i + place[t]] = sum; // expect 1: write-write race on 'out'
    __syncthreads();
    if (t == 5)
      place[7] = 3;
    __syncthreads();
#elif BUG == 2
    out[64 * i + place[t]] = sum; // expect 2: write-write race on 'out'
    place[t] = 3;
#elif BUG == 3
    for (unsigned j = 0; j < from[i]; j++)
      place[t] = 3;
    out[64 * i + place[t]] = sum; // expect 3: write-write race on 'out'
#else
    out[64 * i + place[t]] = sum; // expect 4: write-write race on 'out'
#endif
  }
}
