// A warp fills rows, one in each round, by what a ballot says in that round.
//
// args:     --blockDim=32 --gridDim=1
// verdict:  verified
// bug 1:    racy       one row for both rounds
// bug 2:    racy       lanes write that are not in the ballot

__global__ void rows(int *out, const int *in) {
  int t = threadIdx.x;
  for (long k = 0; k < 2; k++) {
    int v = in[32 * k + t];
    unsigned mask = __ballot_sync(0xffffffff, v > 0);
    unsigned place = __popc(mask & ~(~0u << t));
    if (BUG != 1)
      place += 32 * k;
    if (BUG == 2 || v > 0)
      out[place] = v; // expect 1,2: write-write race on 'out'
  }
}
