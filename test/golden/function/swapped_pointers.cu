// Two pointers to halves of an array are exchanged every round.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the halves overlap
// bug 2:    racy       no barrier between the rounds

__global__ void alternate(int *data, int rounds) {
  int t = threadIdx.x;
#if BUG == 1
  int *from = data, *to = data + 62;
#else
  int *from = data, *to = data + 64;
#endif
  for (int k = 0; k < rounds; k++) {
    to[t] = from[63 - t] + k; // expect 1,2: race on 'data'
#if BUG != 2
    __syncthreads();
#endif
    int *swap = from;
    from = to;
    to = swap;
  }
}
