// What a third thread has written is not forgotten: a value read from written
// memory is anything.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       thread 5 has sent thread 7 to cell 3

__global__ void permute(int *out) {
  __shared__ int place[64];
  int t = threadIdx.x;
  place[t] = t;
  __syncthreads();
  if (t == 5)
    place[7] = 3;
  __syncthreads();
#if BUG == 1
  out[place[t]] = t; // expect 1: write-write race on 'out'
#else
  out[t] = place[t];
#endif
}
