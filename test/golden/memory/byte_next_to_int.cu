// Bytes and ints on the same memory: neighbouring bytes do not race, an int
// races with each of its four bytes.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the ints begin inside the bytes

__global__ void mixed(char *bytes) {
  int t = threadIdx.x;
  bytes[t] = t;
#if BUG == 1
  int *ints = (int *)(bytes + 60);
#else
  int *ints = (int *)(bytes + 64);
#endif
  ints[t] = t; // expect 1: write-write race on 'bytes'
}
