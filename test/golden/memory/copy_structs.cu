// memcpy and memset of records that lie side by side.
//
// args:     --blockDim=32 --gridDim=2
// verdict:  verified
// bug 1:    racy       copies one word too many
// bug 2:    racy       clears records of the wrong size

struct Record {
  int key;
  int payload[7];
};

__global__ void copy(const Record *in, Record *out, char *scratch) {
  int i = blockIdx.x * 32 + threadIdx.x;
#if BUG == 1
  memcpy(&out[i], &in[2 * i], 36); // expect 1: write-write race on 'out'
#else
  memcpy(&out[i], &in[2 * i], sizeof(Record));
#endif
#if BUG == 2
  memset(scratch + 24 * i, i, 32); // expect 2: write-write race on 'scratch'
#else
  memset(scratch + 32 * i, i, 32);
#endif
}
