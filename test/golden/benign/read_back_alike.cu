// Neighbours write the same, each of them finds it there.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       they write what differs
// bug 2:    racy       there is no barrier

__global__ void keep(int *out) {
  __shared__ int place[32];
  int t = threadIdx.x;
#if BUG == 1
  place[t / 2] = t; // expect 1: write-write race on 'place'
#else
  place[t / 2] = t / 2;
#endif
#if BUG != 2
  __syncthreads();
#endif
  out[2 * place[t / 2] + t % 2] = t; // expect 2: read-write race on 'place'
}
