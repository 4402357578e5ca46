// Places of known sizes that are computed in 64 bits and cut to 32: of sizes
// that are too large nobody takes it that they fit.
//
// args:     --blockDim=1 --gridDim=262144 --ladder=sizes-fit
// verdict:  verified, verified
// bug 1:    racy, racy     blocks of 2^16, of which half have no place of theirs

#if BUG
enum { SIZE = 65536 };
#else
enum { SIZE = 16 };
#endif

__global__ void halves(int *out) {
  unsigned at = blockIdx.x * (unsigned long long)SIZE >> 1;
  out[at] = blockIdx.x; // expect 1: write-write race on 'out'
}

__global__ void signed_halves(int *out) {
  long long row = blockIdx.x;
  int at = row * SIZE >> 1;
  out[at] = blockIdx.x; // expect 1: write-write race on 'out'
}
