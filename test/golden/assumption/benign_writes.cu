// All who find something say so in one flag.  A byte of another width, or a
// value that only looks the same, is not the same write.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// assumes:  launch-limits, no-alias, benign-writes
// bug 1:    racy       a flag of another width in its bytes
// bug 2:    racy       one of them writes 2
// bug 3:    racy       one reads the flag meanwhile

__global__ void find(const int *in, int *flag, int what) {
  int t = threadIdx.x;
  if (in[t] == what)
    flag[0] = 1; // expect 0,1,2,3: 'flag'
#if BUG == 1
  if (in[t] == what + 1)
    *(short *)flag = 1; // allow 1: race on 'flag'
#elif BUG == 2
  if (in[t] == what + 1)
    flag[0] = 2; // allow 2: race on 'flag'
#elif BUG == 3
  if (t == 5)
    flag[1] = flag[0];
#endif
}
